//! Errors in the values of a heuristic.

use std::io;

use puzzledb::oracle::QueryError;

use crate::grade::supervise::Limit;

/// Error in the values of a heuristic, or in their source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// The values are not valid, or boards have none. The text names the line, counted from 1.
    #[error("{0}")]
    Invalid(String),
    /// The program was killed because it exceeded a limit; the text has the figures.
    #[error("the program {1}")]
    Exceeded(Limit, String),
    /// `go_on` returned `Break`.
    #[error("interrupted")]
    Interrupted,
    /// The table cannot be read, or the program cannot be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is too little memory, or the table of distances is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl ValuesError {
    /// An error in a line.
    pub(super) fn at(line: u64, error: impl std::fmt::Display) -> ValuesError {
        ValuesError::Invalid(format!("line {line}: {error}"))
    }
}
