//! Errors of a grading, and of an audit.

use std::io;

use puzzledb::oracle::QueryError;

use super::supervise::Limit;

/// Error that prevents or ends a grading, or in the values of a heuristic.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// The command or its input is not valid, the program cannot be started, or values are not valid.
    #[error("{0}")]
    Invalid(String),
    /// The program was killed because it exceeded a limit; the text has the figures.
    #[error("the program {1}")]
    Exceeded(Limit, String),
    /// `go_on` returned `Break`.
    #[error("interrupted")]
    Interrupted,
    /// The table of values cannot be read, a program for an audit not be started, or a grade not be noted.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The distances cannot be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl GradeError {
    /// An error in a line, counted from 1.
    pub(super) fn at(line: u64, error: impl std::fmt::Display) -> GradeError {
        GradeError::Invalid(format!("line {line}: {error}"))
    }
}
