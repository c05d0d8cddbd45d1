//! Messages of commands, and the errors of the library with the advice that an option gives.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use crate::text::visible;
use puzzledb::Cancelled;
use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::bfs::SearchError;
use puzzledb::judge::ClaimError;
use puzzledb::oracle::generate::GenerateError;
use puzzledb::oracle::{OracleError, QueryError};
use puzzledb::puzzle::{BoardError, ParseError, UsualGoal};
use puzzledb::search::EffortError;
use puzzledb::space::SpaceError;
use puzzledb::table::{BuildError, OpenError};

pub(super) use crate::error::{CliError, Result, Status, bail};

use super::database::damaged;
use super::ranks::is_reporting_rank;

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
}

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
    let goal = |name: &UsualGoal| name.board(board.shape());
    let reached = (UsualGoal::ALL.into_iter()).find(|name| board.is_solvable_to(&goal(name)));
    let (Some(name), Some((reason, _))) = (reached, text.rsplit_once("; ")) else {
        return text;
    };
    let rows = goal(&name).grid().replace('\n', " / ").replace('.', "0");
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
                return damaged(&damage.path, text);
            }
            Some(Cause::Oracle(O::Query(Q::WrongTable))) => {
                text += "; `puzzledb check` says where, `puzzledb build --force` makes it anew";
            }
            Some(Cause::Oracle(O::Search(S::OtherRank))) => return CliError::OtherRank,
            Some(Cause::Oracle(O::Search(S::Interrupted))) => return CliError::Interrupted,
            Some(Cause::Oracle(O::Search(S::Damaged(_) | S::Io { .. }) | O::OtherClass { .. })) => {
                return CliError::Database(text);
            }
            Some(Cause::Claim(ClaimError::Impossible(_))) => return CliError::No(text),
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

/// Turns errors of the library into those of the program, as refusals, by way of another error.
macro_rules! refused {
    ($via:ident: $($error:ident),*) => {$(
        impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                Refusal::from($via::from(error)).into()
            }
        }
    )*};
}
refused!(Cause: EffortError, GenerateError, OracleError, ParseError, QueryError, SpaceError);
refused!(OracleError: OpenError, SearchError);
refused!(QueryError: Cancelled);

/// The error of a search, with the advice to search in files, and more advice behind it.
pub(super) fn scratch_advised(error: SearchError, more: &str) -> CliError {
    match error {
        SearchError::TooLittleMemory {
            in_slabs: false, ..
        } => CliError::Usage(format!("{error} (--scratch DIR searches in files{more})")),
        error => error.into(),
    }
}

impl From<BuildError> for CliError {
    fn from(error: BuildError) -> CliError {
        use BuildError as B;
        use CliError::{Database, Usage};
        let text = error.to_string();
        let (kind, advice): (fn(String) -> CliError, &str) = match error {
            B::Interrupted => return CliError::Interrupted,
            B::OtherRank => return CliError::OtherRank,
            B::Search(error) => {
                return scratch_advised(error, ", --patterns makes databases of patterns instead");
            }
            B::TooLittleMemoryForPatterns { .. } => (Usage, " (patterns of fewer tiles need less)"),
            B::FullInParts | B::TooLargeForFull(_) => (Usage, ": build it with --encoding bit"),
            B::Shards(_) => (Usage, ""),
            B::InTheWay { .. } => (Database, " (--force replaces it)"),
            B::Foreign(_) => (Database, " (--output names another place)"),
            _ => (Database, ""),
        };
        kind(text + advice)
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
