//! Errors of a grading.

use std::ffi::OsString;
use std::io;

use puzzledb::oracle::QueryError;

use super::outcome::Grade;

/// Why a program could not be graded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// It could not be started.
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
    /// `go_on` said to stop.
    #[error("interrupted")]
    Interrupted {
        /// The grades of the boards that were done by then, in the order of the boards.
        done: Vec<Grade>,
    },
}
