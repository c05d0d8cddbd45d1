//! Why a program could not be graded.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::oracle::QueryError;

/// Why a program could not be graded.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// It could not be started.
    #[error("cannot start {}: {source}{}", program.display(), advice(program, source))]
    CannotStart {
        /// The program.
        program: OsString,
        /// Why.
        source: io::Error,
    },
    /// The answer could not be judged.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// `go_on` said to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What to do about a program that cannot be started.
fn advice(program: &OsString, error: &io::Error) -> String {
    let name = program.display();
    let is_path = Path::new(program).components().count() > 1;
    match error.kind() {
        io::ErrorKind::NotFound if !is_path && Path::new(program).exists() => {
            format!("; the one in this folder is ./{name}")
        }
        io::ErrorKind::NotFound => "; is its name right, and that of the interpreter in its \
                                    first line?"
            .to_owned(),
        io::ErrorKind::PermissionDenied => format!(
            "; is it executable? `chmod +x {name}` makes it so, or name its interpreter, as in \
             python3 {name}"
        ),
        _ => String::new(),
    }
}
