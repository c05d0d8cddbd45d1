//! Shortest solutions of a board as they are written in JSON.

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, letters};

use super::error::QueryError;
use super::front::Oracle;

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
