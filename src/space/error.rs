//! Errors of boards without a state.

use crate::puzzle::{Board, Shape};

use super::lehmer::MAX_DATABASE_CELLS;

/// Reason why a board has no state, or a goal no state space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The shape has more cells than a database can number.
    #[error(
        "a {shape} board has too many states for its distance to be known: tables have at most \
         {MAX_DATABASE_CELLS} cells"
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
    /// A number of which there is no state.
    #[error("there is no state {index}: they are 0 to {}", states - 1)]
    NoState {
        /// The number.
        index: u64,
        /// Number of states.
        states: u64,
    },
    /// A board whose parity is not the goal's.
    #[error(
        "{board} cannot be solved to {goal}: that takes an odd number of exchanges of two tiles, \
         and slides make only even ones (parity){}",
        instead(.board)
    )]
    Unsolvable {
        /// The board.
        board: Box<Board>,
        /// The goal.
        goal: Box<Board>,
    },
}

/// Refuses a board that cannot be solved to a goal.
///
/// ```
/// use puzzledb::space::{SpaceError, check_solvable};
///
/// let goal = "123456780".parse()?;
/// assert_eq!(check_solvable(&"123456708".parse()?, &goal), Ok(()));
/// let odd = check_solvable(&"123456870".parse()?, &goal);
/// assert!(matches!(odd, Err(SpaceError::Unsolvable { .. })));
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
pub fn check_solvable(board: &Board, goal: &Board) -> Result<(), SpaceError> {
    if board.is_solvable_to(goal) {
        return Ok(());
    }
    Err(match board.shape() == goal.shape() {
        true => SpaceError::Unsolvable {
            board: Box::new(*board),
            goal: Box::new(*goal),
        },
        false => SpaceError::OtherShape {
            board: board.shape(),
            goal: goal.shape(),
        },
    })
}

/// The end of the message: a usual goal that the board can reach, if there is one.
fn instead(board: &Board) -> String {
    board.usual_goal().map_or_else(String::new, |goal| {
        format!("; it can be solved to the usual goal {goal}")
    })
}
