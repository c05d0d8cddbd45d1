//! Why a board has no state.

use crate::puzzle::{Board, Shape};

use super::lehmer::MAX_DATABASE_CELLS;

/// Why a board has no state, or a goal no state space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The shape has more cells than a database can number.
    #[error(
        "a {shape} board has too many states: databases have at most {MAX_DATABASE_CELLS} cells"
    )]
    TooManyCells {
        /// The shape that was asked for.
        shape: Shape,
    },
    /// A board of another shape than the goal's.
    #[error("the board is {board} but the goal is {goal}")]
    OtherShape {
        /// The board's shape.
        board: Shape,
        /// The goal's shape.
        goal: Shape,
    },
    /// A board whose parity is not the goal's.
    #[error(
        "{board} cannot be solved to {goal}: that takes an odd number of exchanges of two tiles, \
         and slides make only even ones (parity){}",
        instead(.board)
    )]
    Unsolvable {
        /// The board.
        board: Board,
        /// The goal.
        goal: Board,
    },
}

/// The end of the message: a usual goal that the board can reach, if there is one.
fn instead(board: &Board) -> String {
    board.usual_goal().map_or_else(String::new, |goal| {
        format!("; it can be solved to the usual goal {goal}")
    })
}
