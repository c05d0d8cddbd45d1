//! Results of the rooms and of commands: statuses, and errors with their exit codes.

use std::io;

/// The result of a command that ran to its end, as its exit code. That of several parts is the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Yes.
    #[default]
    Yes = 0,
    /// A negative answer, such as an unsolvable board.
    No = 1,
    /// Some of the input was bad and the rest was answered.
    BadInput = 2,
}

impl From<bool> for Status {
    /// Yes or No.
    fn from(yes: bool) -> Status {
        if yes { Status::Yes } else { Status::No }
    }
}

/// Result of a command or of a part of it.
pub(crate) type Result<T, E = CliError> = std::result::Result<T, E>;

/// Error that ends a command or a game early.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A negative answer. Exit code 1.
    #[error("{0}")]
    No(String),
    /// Bad usage or bad input. Exit code 2.
    #[error("{0}")]
    Usage(String),
    /// A database that is missing, damaged or cannot be written. Exit code 3.
    #[error("{0}")]
    Database(String),
    /// Ctrl-C. Exit code 130.
    #[error("interrupted")]
    Interrupted,
    /// Another process that shares the work has failed, and reports its error.
    #[error("another rank cannot go on")]
    OtherRank,
    /// An error that ends all processes that share the work, with this exit code, has already been reported.
    #[error("the processes that share the work ended with {0}")]
    AlreadyReported(u8),
    /// Reading or writing failed. A closed pipe is not an error; anything else has exit code 2.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl CliError {
    /// The status and the message of an error in one board, where others can be answered all the same.
    ///
    /// # Errors
    /// This error, if it ends the command.
    pub(crate) fn of_one_board(self) -> Result<(Status, String)> {
        match self {
            CliError::Usage(why) => Ok((Status::BadInput, why)),
            CliError::No(why) => Ok((Status::No, why)),
            error => Err(error),
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            CliError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            CliError::No(_) => 1,
            CliError::Usage(_) | CliError::Io(_) | CliError::OtherRank => 2,
            CliError::Database(_) => 3,
            CliError::AlreadyReported(code) => *code,
            CliError::Interrupted => 130,
        }
    }
}

/// Returns an error in the usage or the input, with a message.
macro_rules! bail {
    ($($message:tt)*) => {
        return Err($crate::error::CliError::Usage(format!($($message)*)))
    };
}
pub(crate) use bail;
