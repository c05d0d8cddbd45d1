//! A drawn board as it is written in JSON.

use serde::{Deserialize, Serialize};

use crate::puzzle::Board;
use crate::search::Difficulty;

/// A board that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct DrawnRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Its distance; `None` if it is not known soon.
    pub distance: Option<u8>,
    /// The seed that draws it again.
    pub seed: u64,
    /// Number of shortest solutions, if the board is rated and a table has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution_count: Option<u64>,
    /// Moves of a shortest solution that seem to lead away, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detours: Option<u32>,
    /// Moves on the way that seem to lead closer and do not, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traps: Option<u32>,
    /// Distance and detours together, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<u32>,
}

impl DrawnRecord {
    /// The record of a board that a seed has drawn.
    pub fn new(board: Board, goal: Board, distance: Option<u8>, seed: u64) -> DrawnRecord {
        DrawnRecord {
            board,
            goal,
            distance,
            seed,
            solution_count: None,
            detours: None,
            traps: None,
            difficulty: None,
        }
    }

    /// The record with how hard the board is.
    #[must_use]
    pub fn rated(self, by: &Difficulty) -> DrawnRecord {
        DrawnRecord {
            solution_count: by.solution_count,
            detours: Some(by.detours),
            traps: Some(by.traps),
            difficulty: Some(by.difficulty),
            ..self
        }
    }
}
