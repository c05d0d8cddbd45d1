//! Reasons why there is no oracle, or no answer.

use crate::basics::{Cancelled, size_text};
use crate::bfs::SearchError;
use crate::pattern::PartitionError;
use crate::puzzle::{Board, Shape};
use crate::space::SpaceError;
use crate::table::{Damage, OpenError, WatchedFile};

/// Reason why there is no oracle, or no answer from one that had to be made first.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The goal's shape is too large for a database.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The search could not be begun.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// There are no pattern databases of the shape.
    #[error(transparent)]
    Pattern(#[from] PartitionError),
    /// The file could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The oracle has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The table is of another shape or another class of goals.
    #[error("the database is of {table} boards and does not serve the goal {goal} ({})", goal.shape())]
    OtherClass {
        /// The shape that the table serves.
        table: Shape,
        /// The requested goal.
        goal: Board,
    },
}

/// Reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The board cannot be solved, or has another shape than the goal.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The answer needs more memory than there is.
    #[error("that needs {} of memory, and this machine has {} to spare", size_text(*needed), size_text(*available))]
    TooLittleMemory {
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that the machine can give.
        available: u64,
    },
    /// A search with patterns reached its limit of visited boards.
    #[error("no solution was found in time: every one has {at_least} moves or more")]
    GaveUp {
        /// Moves that every solution has at least.
        at_least: u32,
    },
    /// The work was cancelled.
    #[error("the work was cancelled before there was an answer")]
    Cancelled,
    /// The distances of the shape are not known.
    #[error("nothing here knows the distances of {shape} boards")]
    Unknown {
        /// The shape.
        shape: Shape,
    },
    /// The answer is about all boards of the shape, and there is no table of them.
    #[error("that needs a database of all {shape} boards")]
    NeedsTable {
        /// The shape.
        shape: Shape,
    },
    /// The system did not give the memory for pattern databases, or for a search.
    #[error("there is not enough memory for the answer: {cause}")]
    Memory {
        /// Error of the system.
        cause: Box<str>,
    },
    /// The file is damaged where the answer is, or cannot be read any more.
    #[error(transparent)]
    Damaged(#[from] Box<Damage>),
    /// The table contradicts itself; [`check()`](super::check::check) finds the state.
    #[error("the table is wrong: its distances do not lead to the goal")]
    WrongTable,
}

impl QueryError {
    /// Returns the error of a table or of patterns in a file that give no way to the goal.
    #[cold]
    pub(super) fn no_way(file: Option<&WatchedFile>) -> QueryError {
        QueryError::undamaged(file).map_or_else(|damaged| damaged, |()| QueryError::WrongTable)
    }

    /// Fails if damage was met in a file. Must be called after the work for an answer and before it is returned.
    ///
    /// # Errors
    /// [`QueryError::Damaged`]
    pub(crate) fn undamaged(file: Option<&WatchedFile>) -> Result<(), QueryError> {
        Ok(file.map_or(Ok(()), WatchedFile::undamaged)?)
    }
}

/// Error of work that an oracle with a table begins for an answer.
impl From<OracleError> for QueryError {
    fn from(error: OracleError) -> QueryError {
        match error {
            OracleError::Query(error) => error,
            OracleError::Space(error) => error.into(),
            error => QueryError::Memory {
                cause: error.to_string().into(),
            },
        }
    }
}

impl From<Cancelled> for QueryError {
    fn from(_: Cancelled) -> QueryError {
        QueryError::Cancelled
    }
}

#[cfg(test)]
mod tests {
    use super::QueryError;

    #[test]
    fn an_answer_is_small() {
        assert!(size_of::<Result<u8, QueryError>>() <= 24);
    }
}
