//! What is known of a board's optimum, and by whom.

use std::fmt;

use crate::puzzle::{Board, Move};
use crate::space::{SpaceError, check_solvable};

use super::error::QueryError;
use super::open::Oracle;

/// What is known of the length of a board's shortest solutions.
///
/// ```
/// use puzzledb::oracle::{Distances, Optimum, Oracle, Rules};
///
/// let (goal, board) = ("123456780".parse()?, "704851632".parse()?);
/// assert_eq!(Oracle::in_memory(&goal)?.optimum(&board)?, Optimum::Known(19));
/// assert_eq!(Rules::new(&goal).optimum(&board)?, Optimum::Unknown);
/// assert_eq!(Rules::new(&goal).optimum(&"123456870".parse()?)?, Optimum::Unsolvable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Optimum {
    /// It is this.
    Known(u8),
    /// There is no solution.
    Unsolvable,
    /// There are solutions, and nothing tells how long the shortest are.
    Unknown,
}

impl Optimum {
    /// The optimum that follows from the answer to a question for a distance.
    ///
    /// # Errors
    /// Those that are no statement on the optimum.
    pub fn of(answer: Result<u8, QueryError>) -> Result<Optimum, QueryError> {
        match answer {
            Ok(distance) => Ok(Optimum::Known(distance)),
            Err(QueryError::Space(SpaceError::Unsolvable { .. })) => Ok(Optimum::Unsolvable),
            Err(QueryError::GaveUp { .. } | QueryError::Unknown { .. }) => Ok(Optimum::Unknown),
            Err(error) => Err(error),
        }
    }

    /// The distance, if it is known and there is one.
    pub const fn known(self) -> Option<u8> {
        match self {
            Optimum::Known(distance) => Some(distance),
            Optimum::Unsolvable | Optimum::Unknown => None,
        }
    }
}

/// The distance, `unsolvable` or `unknown`.
impl fmt::Display for Optimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Optimum::Known(distance) => distance.fmt(f),
            Optimum::Unsolvable => f.pad("unsolvable"),
            Optimum::Unknown => f.pad("unknown"),
        }
    }
}

/// What distances of boards to one goal are asked of.
pub trait Distances {
    /// The board at distance 0.
    fn goal(&self) -> &Board;

    /// The length of a shortest solution.
    ///
    /// # Errors
    /// [`QueryError`]
    fn distance(&self, board: &Board) -> Result<u8, QueryError>;

    /// A shortest solution.
    ///
    /// # Errors
    /// [`QueryError`]
    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError>;

    /// What is known of a board's optimum.
    ///
    /// # Errors
    /// As [`Optimum::of`].
    fn optimum(&self, board: &Board) -> Result<Optimum, QueryError> {
        Optimum::of(self.distance(board))
    }
}

impl Distances for Oracle {
    fn goal(&self) -> &Board {
        self.goal()
    }

    fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        self.distance(board)
    }

    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        self.solve(board)
    }
}

/// The rules of the puzzle alone: which boards can be solved to a goal of any shape, and no distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    goal: Board,
}

impl Rules {
    /// The rules with this goal.
    pub const fn new(goal: &Board) -> Rules {
        Rules { goal: *goal }
    }
}

impl Distances for Rules {
    fn goal(&self) -> &Board {
        &self.goal
    }

    fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        check_solvable(board, &self.goal)?;
        let shape = board.shape();
        Err(QueryError::Unknown { shape })
    }

    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        self.distance(board).map(|_| Vec::new())
    }
}
