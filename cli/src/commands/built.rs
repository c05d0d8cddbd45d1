//! Messages printed while a database is built.

use std::io::Write;

use indicatif::ProgressBar;

use crate::form::Form;
use crate::text::visible;
use puzzledb::puzzle::{Board, Shape};
use puzzledb::table::{Built, Notice};

use super::database::Database;
use super::error::{CliError, Status, print_note, print_warning};
use super::info::DatabaseRecord;
use super::output::Output;

/// Prints the notices of a build above a bar; only the warnings if `quiet`.
pub(super) fn notice_printer(bar: &ProgressBar, quiet: bool) -> impl FnMut(Notice) {
    let mut waits = false;
    move |notice| {
        let note = |text: String| {
            if !quiet {
                bar.suspend(|| print_note(text));
            }
        };
        let warn = |text: String| bar.suspend(|| print_warning(text));
        match notice {
            Notice::Waiting if !waits => {
                waits = true;
                note("another puzzledb is building this database: waiting for it".to_owned());
            }
            Notice::Resumed { distance } => {
                note(format!(
                    "going on from the checkpoint at distance {distance}"
                ));
            }
            Notice::BadCheckpoint(error) => {
                use std::io::ErrorKind::{InvalidData, UnexpectedEof};
                let why = match error.kind() {
                    InvalidData | UnexpectedEof => "it is damaged, or of another build".to_owned(),
                    _ => error.to_string(),
                };
                warn(format!("the checkpoint is no good ({why}): beginning anew"));
            }
            Notice::Saved { distance, took } => {
                let took = took.as_secs_f64();
                note(format!(
                    "checkpoint at distance {distance}, written in {took:.1} s"
                ));
            }
            Notice::NotSaved(error) => {
                warn(format!("no checkpoint could be written: {error}"));
            }
            _ => {}
        }
    }
}

/// Prints what a file that was asked for holds, and whether it was built now, unless there is no `output`. `goal` is the
/// one that was asked for.
pub(super) fn print_built(
    database: &Database,
    built: &Built,
    shape: Shape,
    goal: Option<&Board>,
    output: Option<&Output>,
) -> Result<Status, CliError> {
    if let Built::Replaced(what) = built {
        print_warning(format!("replaced {what}"));
    }
    let Some(output) = output else {
        return Ok(Status::Yes);
    };
    let record = DatabaseRecord::new(database);
    if !matches!(output.asked(), None | Some(Form::Text)) {
        let record = record.with_digest(database)?;
        let record = match database {
            Database::Patterns(..) => record,
            Database::Table(..) => record.of_build(shape, goal),
        };
        return output.print(&record, |_| Ok(()));
    }
    let (mut out, path) = (anstream::stdout(), visible(&database.name()));
    match built {
        Built::AlreadyThere => writeln!(out, "{path} is there and good (--force builds it anew)")?,
        _ => writeln!(out, "built {path}")?,
    }
    let of_goal = goal.map_or(String::new(), |goal| format!(" of {goal}"));
    writeln!(out, "{shape} boards{of_goal}, {}", record.summary())?;
    Ok(Status::Yes)
}
