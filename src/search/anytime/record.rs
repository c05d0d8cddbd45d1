//! A solution and its lower bound as they are written in JSON.

use serde::{Deserialize, Serialize};

use crate::oracle::Bounds;
use crate::puzzle::{Board, letters};

/// A board, a solution of it, and a lower bound of the shortest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnytimeRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Length of a shortest solution; `None` where it is not proved.
    pub distance: Option<usize>,
    /// Length of this solution.
    pub length: usize,
    /// Whether it is proved that no solution is shorter.
    pub optimal: bool,
    /// Lower bound: no solution has fewer moves.
    pub lower_bound: usize,
    /// The blank's moves, a letter each.
    pub moves: String,
    /// The tile that slides in each move.
    pub tiles: Vec<u8>,
}

impl AnytimeRecord {
    /// Returns the record of a solution.
    pub fn new(board: &Board, goal: &Board, found: &Bounds) -> AnytimeRecord {
        let (moves, optimal) = (&found.moves, found.distance.is_some());
        AnytimeRecord {
            board: *board,
            goal: *goal,
            distance: found.distance,
            length: moves.len(),
            optimal,
            lower_bound: found.at_least,
            moves: letters(moves),
            tiles: board.tiles_slid(moves).collect(),
        }
    }
}
