//! Errors of a grading.

use std::ffi::OsString;
use std::io;

use puzzledb::oracle::QueryError;

/// Error that prevents or ends a grading.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// The program could not be started.
    #[error("cannot start {}: {cause}", program.display())]
    CannotStart {
        /// The program.
        program: OsString,
        /// The system's error.
        cause: io::Error,
    },
    /// The files that hold the board or the goal for it could not be written.
    #[error("cannot write a temporary file with a board: {cause}")]
    CannotWrite {
        /// The system's error.
        cause: io::Error,
    },
    /// The distances of a board could not be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// `go_on` returned `Break`.
    #[error("interrupted")]
    Interrupted,
    /// The record of the grading could not be written.
    #[error("cannot note a grade: {0}")]
    Journal(#[from] io::Error),
}
