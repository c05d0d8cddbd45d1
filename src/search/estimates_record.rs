//! What every heuristic says of a board, as it is written in JSON.

use serde::{Deserialize, Serialize};

use crate::puzzle::Board;

use super::heuristic::{BoardHeuristic, HeuristicError, HeuristicName};

/// What every heuristic says of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Estimates))]
#[non_exhaustive]
pub struct EstimatesRecord {
    /// The board.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub board: Board,
    /// The board at distance 0.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
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
    /// Returns the estimates of the heuristics without parameters that are made at once. `distance` is that of the
    /// perfect one, which is left out if it is not known.
    ///
    /// # Errors
    /// [`HeuristicError`]
    pub fn new(
        board: &Board,
        goal: &Board,
        distance: Option<u8>,
    ) -> Result<EstimatesRecord, HeuristicError> {
        let shape = board.shape();
        // Larger tables than those of 4x4 take too long for this.
        let is_soon = |name: &HeuristicName| {
            *name != HeuristicName::WalkingDistance || shape.rows().max(shape.cols()) <= 4
        };
        let names: Vec<HeuristicName> = HeuristicName::all().filter(is_soon).collect();
        EstimatesRecord::by(board, goal, distance, &names, |name| {
            Ok(BoardHeuristic::new(name, goal)?.value(board))
        })
    }

    /// Returns the estimates of some heuristics by `value`, which is not called for the perfect one.
    ///
    /// # Errors
    /// The error of `value`.
    pub fn by<E>(
        board: &Board,
        goal: &Board,
        distance: Option<u8>,
        names: &[HeuristicName],
        mut value: impl FnMut(&HeuristicName) -> Result<f64, E>,
    ) -> Result<EstimatesRecord, E> {
        let mut values = Vec::new();
        for name in names {
            let value = match (name, distance) {
                (HeuristicName::Perfect, Some(distance)) => f64::from(distance),
                (HeuristicName::Perfect, None) => continue,
                _ => value(name)?,
            };
            let heuristic = name.to_string();
            values.push(Estimate { heuristic, value });
        }
        Ok(EstimatesRecord {
            board: *board,
            goal: *goal,
            distance,
            values,
        })
    }
}
