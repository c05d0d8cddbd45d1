//! Answers about a board: its optimum, its moves with the distances they lead to, and its solutions; the records are
//! those that are written in JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move, letters};
use crate::space::SpaceError;

use super::error::QueryError;
use super::front::Oracle;

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

/// The best solution of a board that was found in a time, and what is proved of its distance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// Length of a shortest solution; `None` where it is not proved.
    pub distance: Option<usize>,
    /// No solution has fewer moves.
    pub at_least: usize,
    /// Length of the best solution that was found.
    pub at_most: usize,
    /// That solution.
    pub moves: Vec<Move>,
}

impl Bounds {
    /// Returns the bounds of a board with a solution, where none has fewer than `at_least` moves.
    pub fn new(moves: Vec<Move>, at_least: usize) -> Bounds {
        let at_most = moves.len();
        Bounds {
            distance: (at_least >= at_most).then_some(at_most),
            at_least: at_least.min(at_most),
            at_most,
            moves,
        }
    }
}

/// A board and a shortest solution of it, or why it has none.
///
/// ```
/// use puzzledb::oracle::{Oracle, SolutionRecord};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let record = SolutionRecord::solve(&oracle, &"123405786".parse()?)?;
/// assert_eq!(record.moves.as_deref(), Some("RD"));
/// assert_eq!(record.tiles, Some(vec![5, 6]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SolutionRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Length of a shortest solution; `None` if there is none, or it is not proved.
    pub distance: Option<usize>,
    /// Proved: no solution has fewer moves. `None` if there is no solution, and so the next three.
    pub at_least: Option<usize>,
    /// Length of `moves`.
    pub at_most: Option<usize>,
    /// The blank's moves in the shortest solution that was found, a letter each.
    pub moves: Option<String>,
    /// The tile that slides in each move.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<u32>>))]
    pub tiles: Option<Vec<u8>>,
    /// Number of shortest solutions; 1, the empty one, at the goal. `None` if they were not counted, which would
    /// have taken too long.
    pub solution_count: Option<u64>,
    /// All shortest solutions, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<String>>,
    /// Why there is no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl SolutionRecord {
    /// Solves a board and counts its solutions, unless that takes
    /// [too long](crate::oracle::Limits::counted).
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn solve(oracle: &Oracle, board: &Board) -> Result<SolutionRecord, QueryError> {
        let (moves, solution_count) = oracle.solve_and_count(board)?;
        let distance = moves.len();
        Ok(SolutionRecord {
            solution_count,
            ..SolutionRecord::within(board, oracle.goal(), &Bounds::new(moves, distance))
        })
    }

    /// Returns the record of what is proved of a distance that may not be known.
    pub fn within(board: &Board, goal: &Board, found: &Bounds) -> SolutionRecord {
        SolutionRecord::new(board, goal, Some(found))
    }

    /// Returns the record of a board that cannot be solved.
    pub fn unsolvable(board: &Board, goal: &Board, why: &SpaceError) -> SolutionRecord {
        SolutionRecord {
            solution_count: Some(0),
            reason: Some(why.to_string()),
            ..SolutionRecord::new(board, goal, None)
        }
    }

    fn new(board: &Board, goal: &Board, found: Option<&Bounds>) -> SolutionRecord {
        SolutionRecord {
            board: *board,
            goal: *goal,
            distance: found.and_then(|found| found.distance),
            at_least: found.map(|found| found.at_least),
            at_most: found.map(|found| found.at_most),
            moves: found.map(|found| letters(&found.moves)),
            tiles: found.map(|found| board.tiles_slid(&found.moves).collect()),
            solution_count: None,
            solutions: None,
            reason: None,
        }
    }
}

/// Shortest solutions.
///
/// ```
/// use puzzledb::oracle::{Oracle, SolutionsRecord};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let record = SolutionsRecord::find(&oracle, &"536407182".parse()?, 2)?;
/// assert_eq!((record.distance, record.solution_count, record.solutions.len()), (22, Some(7), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Solutions))]
#[non_exhaustive]
pub struct SolutionsRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Length of each.
    pub distance: u8,
    /// How many there are; null if they were not counted, which would have taken too long.
    pub solution_count: Option<u64>,
    /// As many of them as were asked for: the directions of the blank, a letter a move.
    pub solutions: Vec<String>,
}

impl SolutionsRecord {
    /// Finds the first `limit` shortest solutions and the number of all.
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn find(
        oracle: &Oracle,
        board: &Board,
        limit: usize,
    ) -> Result<SolutionsRecord, QueryError> {
        let kept = limit.max(1); // the first gives the distance
        let (first, solution_count) = oracle.first_solutions(board, kept)?;
        Ok(SolutionsRecord {
            board: *board,
            goal: *oracle.goal(),
            distance: first.first().ok_or(QueryError::WrongTable)?.len() as u8,
            solution_count,
            solutions: (first.iter().take(limit))
                .map(|moves| letters(moves))
                .collect(),
        })
    }
}
