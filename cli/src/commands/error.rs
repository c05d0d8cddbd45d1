//! Results of commands: statuses and errors, their exit codes and messages.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use crate::play::PlayError;
use crate::text::visible;
use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::bfs::SearchError;
use puzzledb::judge::ApplyError;
use puzzledb::oracle::generate::GenerateError;
use puzzledb::oracle::{OracleError, QueryError};
use puzzledb::puzzle::{BoardError, ParseError, UsualGoal};
use puzzledb::space::SpaceError;
use puzzledb::table::{BuildError, OpenError};

use super::database::damaged;
use super::ranks::is_reporting_rank;

/// The result of a command that ran to its end, as its exit code. That of several parts is the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
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
pub(super) type Result<T, E = CliError> = std::result::Result<T, E>;

/// Error that ends a command early.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
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
    /// Prints the error on standard error and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        let code = self.code();
        let is_reported = matches!(self, CliError::AlreadyReported(_)) || [0, 130].contains(&code);
        if !is_reported && is_reporting_rank() {
            print_error(&self);
        }
        ExitCode::from(code)
    }

    /// The status and the message of an error in one board, where others can be answered all the same.
    ///
    /// # Errors
    /// This error, if it ends the command.
    pub(super) fn of_one_board(self) -> Result<(Status, String)> {
        match self {
            CliError::Usage(why) => Ok((Status::BadInput, why)),
            CliError::No(why) => Ok((Status::No, why)),
            error => Err(error),
        }
    }

    /// The exit code.
    pub(super) fn code(&self) -> u8 {
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
        return Err($crate::commands::error::CliError::Usage(format!($($message)*)))
    };
}
pub(super) use bail;

/// Prints an error that does not end the command.
pub(super) fn print_error(message: impl Display) {
    say("error", AnsiColor::Red.on_default().bold(), message);
}

/// Prints a warning.
pub(super) fn print_warning(message: impl Display) {
    say("warning", AnsiColor::Yellow.on_default().bold(), message);
}

/// Prints a note.
pub(super) fn print_note(message: impl Display) {
    say("note", AnsiColor::Cyan.on_default(), message);
}

/// Writes a line to standard error, with the hidden characters of names escaped. Errors on standard error are ignored.
fn say(kind: &str, style: Style, message: impl Display) {
    let message = message.to_string();
    let lines: Vec<String> = message.split('\n').map(visible).collect();
    let message = lines.join("\n");
    let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#}: {message}");
}

/// The message of an error, with the usual goal that a board can reach as it is written on paper, and its option.
pub(super) fn with_goal(error: &SpaceError) -> String {
    let text = error.to_string();
    let SpaceError::Unsolvable { board, .. } = error else {
        return text;
    };
    let goals = UsualGoal::ALL.map(|name| (name.board(board.shape()), name));
    let reached = goals.iter().find(|(goal, _)| board.is_solvable_to(goal));
    let (Some((goal, name)), Some((reason, _))) = (reached, text.rsplit_once("; ")) else {
        return text;
    };
    let rows = goal.grid().replace('\n', " / ").replace('.', "0");
    let rows = rows.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{reason}; it is solvable to {rows} (--goal {name})")
}

impl From<Refusal> for CliError {
    /// Adds the advice for its cause. Its code decides the exit code.
    fn from(refusal: Refusal) -> CliError {
        use OracleError as O;
        use QueryError as Q;
        use RefusalCode as Code;
        use SearchError as S;
        let (code, mut text) = (refusal.code, refusal.sentence);
        match refusal.cause {
            Some(Cause::Board(ParseError::NotSquare { .. })) => text += " (--shape 2x5)",
            Some(Cause::Board(ParseError::Board(BoardError::NoSuchTile {
                shape, tile, ..
            }))) if tile as usize == shape.cells() => {
                text += &format!(" (--blank {tile} if {tile} stands for it)");
            }
            Some(Cause::Oracle(O::Space(error) | O::Query(Q::Space(error)))) => match code {
                Code::TooLarge => text += " (`puzzledb solve` finds a solution and a lower bound)",
                Code::Unsolvable => text = with_goal(&error),
                _ => {}
            },
            Some(Cause::Oracle(O::Query(Q::Damaged(damage)))) => {
                return damaged(&damage.path, &text);
            }
            Some(Cause::Oracle(O::Query(Q::WrongTable))) => {
                text += "; `puzzledb check` says where, `puzzledb build --force` makes it anew";
            }
            Some(Cause::Oracle(O::Search(S::OtherRank))) => return CliError::OtherRank,
            Some(Cause::Oracle(O::Search(S::Interrupted))) => return CliError::Interrupted,
            Some(Cause::Oracle(O::Search(S::Damaged(_) | S::Io { .. }) | O::OtherClass { .. })) => {
                return CliError::Database(text);
            }
            Some(Cause::Apply(ApplyError::Impossible { .. })) => return CliError::No(text),
            _ => {}
        }
        match code {
            Code::Cancelled => CliError::Interrupted,
            Code::Unsolvable => CliError::No(text),
            Code::Damaged => CliError::Database(text),
            _ => CliError::Usage(text),
        }
    }
}

/// Turns errors of the library into those of the program, as refusals.
macro_rules! refused {
    ($($error:ident as $via:ident),*) => {$(
        impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                Refusal::from($via::from(error)).into()
            }
        }
    )*};
}
refused!(
    ParseError as Cause,
    GenerateError as Cause,
    SpaceError as OracleError,
    QueryError as OracleError,
    OracleError as OracleError,
    SearchError as OracleError,
    OpenError as OracleError
);

/// The error of a search, of a command with --scratch and without --patterns.
pub(super) fn scratch_advised(error: SearchError) -> CliError {
    match error {
        SearchError::TooLittleMemory {
            in_slabs: false, ..
        } => CliError::Usage(format!("{error} (--scratch DIR searches in files)")),
        error => error.into(),
    }
}

impl From<BuildError> for CliError {
    fn from(error: BuildError) -> CliError {
        use BuildError as B;
        let advice = match &error {
            B::Search(SearchError::TooLittleMemory {
                in_slabs: false, ..
            }) => {
                " (--scratch DIR searches in files, --patterns makes databases of patterns instead)"
            }
            B::TooLittleMemoryForPatterns { .. } => " (patterns of fewer tiles need less)",
            B::FullInParts | B::TooLargeForFull(_) => ": build it with --encoding bit",
            B::InTheWay { .. } => " (--force replaces it)",
            B::Foreign(_) => " (--output names another place)",
            _ => "",
        };
        let text = format!("{error}{advice}");
        match error {
            B::Search(error) if advice.is_empty() => error.into(),
            B::Interrupted => CliError::Interrupted,
            B::OtherRank => CliError::OtherRank,
            B::Search(_) | B::TooLittleMemoryForPatterns { .. } => CliError::Usage(text),
            B::FullInParts | B::TooLargeForFull(_) | B::Shards(_) => CliError::Usage(text),
            _ => CliError::Database(text),
        }
    }
}

impl From<PlayError> for CliError {
    fn from(error: PlayError) -> CliError {
        match error {
            PlayError::Query(error) => error.into(),
            PlayError::Generate(error) => error.into(),
            PlayError::Io(error) => error.into(),
            PlayError::Interrupted => CliError::Interrupted,
            _ => CliError::Usage(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzledb::puzzle::Shape;

    /// The library's errors do not name options, so the command adds the advice.
    #[test]
    fn errors_that_an_option_helps_against_name_it() {
        let large = Shape::new(2, 7).unwrap();
        let errors: [CliError; 3] = [
            ParseError::NotSquare { found: 10 }.into(),
            BuildError::TooLargeForFull(large).into(),
            BuildError::Foreign("notes.txt".into()).into(),
        ];
        assert_eq!(
            errors.map(|error| error.to_string()),
            [
                "10 cells: square boards have 4, 9, 16, 25, 36, 49 or 64; the shape of another must be named, \
                 as in 2x5 (--shape 2x5)",
                "full tables have at most 12 cells, and a 2x7 board has 14: build it with \
                 --encoding bit",
                "notes.txt: it is not a puzzledb database; it is left as it is (--output names another place)",
            ]
        );
    }
}
