//! The optimum of a board, as far as it is known, and the sources of distances.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move};
use crate::space::{SpaceError, check_solvable};

use super::by_table::TableOracle;
use super::error::QueryError;

/// Length of a board's shortest solutions, as far as it is known.
///
/// ```
/// use puzzledb::oracle::{Distances, Optimum, TableOracle, Rules};
///
/// let (goal, board) = ("123456780".parse()?, "704851632".parse()?);
/// assert_eq!(TableOracle::in_memory(&goal)?.optimum(&board)?, Optimum::Known(19));
/// assert_eq!(Rules::new(&goal).optimum(&board)?, Optimum::Unknown);
/// assert_eq!(Rules::new(&goal).optimum(&"123456870".parse()?)?, Optimum::Unsolvable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Optimum {
    /// The length of a shortest solution.
    Known(u8),
    /// There is no solution.
    Unsolvable,
    /// There are solutions, and the length of the shortest is not known.
    Unknown,
}

impl Optimum {
    /// Returns the optimum that follows from the result of looking up a distance.
    ///
    /// # Errors
    /// Those of `answer`, unless they give the optimum or leave it unknown.
    pub fn of(answer: Result<u8, QueryError>) -> Result<Optimum, QueryError> {
        match answer {
            Ok(distance) => Ok(Optimum::Known(distance)),
            Err(QueryError::Space(SpaceError::Unsolvable { .. })) => Ok(Optimum::Unsolvable),
            Err(QueryError::GaveUp { .. } | QueryError::Unknown { .. }) => Ok(Optimum::Unknown),
            Err(error) => Err(error),
        }
    }

    /// Returns the distance, if it is known and there is one.
    pub const fn known(self) -> Option<u8> {
        match self {
            Optimum::Known(distance) => Some(distance),
            Optimum::Unsolvable | Optimum::Unknown => None,
        }
    }
}

/// Writes the distance, `unsolvable` or `unknown`.
impl fmt::Display for Optimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Optimum::Known(distance) => distance.fmt(f),
            Optimum::Unsolvable => f.pad("unsolvable"),
            Optimum::Unknown => f.pad("unknown"),
        }
    }
}

/// Source of the distances of boards to one goal.
pub trait Distances {
    /// Returns the board at distance 0.
    fn goal(&self) -> &Board;

    /// Returns the length of a shortest solution.
    ///
    /// # Errors
    /// [`QueryError`]
    fn distance(&self, board: &Board) -> Result<u8, QueryError>;

    /// Returns a shortest solution.
    ///
    /// # Errors
    /// [`QueryError`]
    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError>;

    /// Returns the optimum of a board, as far as it is known.
    ///
    /// # Errors
    /// As [`Optimum::of`].
    fn optimum(&self, board: &Board) -> Result<Optimum, QueryError> {
        Optimum::of(self.distance(board))
    }
}

impl Distances for TableOracle {
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
    /// Returns the rules with this goal.
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
