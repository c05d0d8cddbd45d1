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
    /// How hard it is, if that was asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub rated: Option<Difficulty>,
}

impl DrawnRecord {
    /// The record of a board that a seed has drawn.
    pub fn new(board: Board, goal: Board, distance: Option<u8>, seed: u64) -> DrawnRecord {
        DrawnRecord {
            board,
            goal,
            distance,
            seed,
            rated: None,
        }
    }
}
