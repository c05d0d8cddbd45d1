//! The bounds of a search's expansions, as they are serialized.

use serde::{Deserialize, Serialize};

use crate::puzzle::Board;
use crate::search::{Algorithm, Effort, GoalTest, HeuristicName};

/// The bounds for a board, and the verdict on a reported number of expansions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct EffortRecord {
    /// The board.
    pub board: Board,
    /// The algorithm's name.
    pub algorithm: String,
    /// The heuristic's name.
    pub heuristic: String,
    /// The board's distance.
    pub distance: u8,
    /// States that there are.
    pub states: u64,
    /// Expansions that every order of ties makes.
    pub certain: u64,
    /// The fewest expansions.
    pub least: u64,
    /// The most expansions.
    pub most: u64,
    /// When the goal is tested.
    pub goal_test: GoalTest,
    /// The number that was reported.
    pub expanded: Option<u64>,
    /// Whether it is possible.
    pub possible: Option<bool>,
    /// Why it is not.
    pub why: Option<String>,
}

impl EffortRecord {
    /// Returns the record of the bounds for a board; `expanded` is the reported number, if there is
    /// one.
    pub fn new(
        board: &Board,
        algorithm: Algorithm,
        heuristic: &HeuristicName,
        effort: Effort,
        expanded: Option<u64>,
    ) -> EffortRecord {
        let judged = expanded.map(|expanded| effort.judge(expanded));
        EffortRecord {
            board: *board,
            algorithm: algorithm.name().to_owned(),
            heuristic: heuristic.to_string(),
            distance: effort.distance,
            states: effort.states,
            certain: effort.certain,
            least: effort.least,
            most: effort.most,
            goal_test: effort.goal_test,
            expanded,
            possible: judged.as_ref().map(Result::is_ok),
            why: judged.and_then(Result::err),
        }
    }
}
