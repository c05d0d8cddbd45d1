//! What every heuristic says of a board, as it is written in JSON.

use serde::{Deserialize, Serialize};

use crate::puzzle::Board;
use crate::search::{BoardHeuristic, HeuristicName};

/// What every heuristic says of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Estimates))]
#[non_exhaustive]
pub struct EstimatesRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Its distance; null if no table has it and a search would take too long.
    pub distance: Option<u8>,
    /// The estimates.
    pub values: Vec<Estimate>,
}

/// What a heuristic says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Estimate {
    /// Its name.
    pub heuristic: String,
    /// Its estimate, in moves.
    pub value: f64,
}

impl EstimatesRecord {
    /// Returns the estimates of some heuristics; without one it is the distance, and left out where that is not known.
    pub fn new(
        board: &Board,
        goal: &Board,
        distance: Option<u8>,
        heuristics: &[(HeuristicName, Option<BoardHeuristic>)],
    ) -> EstimatesRecord {
        let estimate = |(name, heuristic): &(HeuristicName, Option<BoardHeuristic>)| {
            let value = match heuristic {
                Some(heuristic) => heuristic.value(board),
                None => f64::from(distance?),
            };
            let heuristic = name.to_string();
            Some(Estimate { heuristic, value })
        };
        EstimatesRecord {
            board: *board,
            goal: *goal,
            distance,
            values: heuristics.iter().filter_map(estimate).collect(),
        }
    }
}
