//! Solutions of a board, as they are written in JSON.

use serde::{Deserialize, Serialize};

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, letters};
use crate::search::Bounds;
use crate::space::SpaceError;

/// A board and a shortest solution of it, or why it has none.
///
/// ```
/// use puzzledb::{Oracle, ask::SolutionRecord};
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
/// use puzzledb::{Oracle, ask::SolutionsRecord};
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
