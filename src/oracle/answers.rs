//! Answers about a board: its optimum, and its moves with the distances they lead to.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move};
use crate::space::SpaceError;

use super::error::QueryError;

/// Length of a board's shortest solutions, as far as it is known.
///
/// ```
/// use puzzledb::Oracle;
/// use puzzledb::oracle::Optimum;
///
/// let (goal, board) = ("123456780".parse()?, "704851632".parse()?);
/// assert_eq!(Oracle::for_goal(&goal)?.optimum(&board)?, Optimum::Known(19));
/// assert_eq!(Oracle::of_rules(&goal).optimum(&board)?, Optimum::Unknown);
/// assert_eq!(Oracle::of_rules(&goal).optimum(&"123456870".parse()?)?, Optimum::Unsolvable);
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

/// A board with its distance to a goal, its number of optimal solutions and all its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Probe {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Length of a shortest solution.
    pub distance: u8,
    /// Number of shortest solutions; 1, the empty one, at the goal. `None` if they were not counted, which would
    /// have taken too long.
    pub solution_count: Option<u64>,
    /// Every legal move, best first, in move order where equally good.
    pub steps: Vec<ProbeMove>,
}

/// A move and the board it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ProbeMove {
    /// The direction in which the blank travels.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub mv: Move,
    /// The tile that slides.
    pub tile: u8,
    /// The board after the move.
    pub board: Board,
    /// That board's distance.
    pub distance: u8,
}
