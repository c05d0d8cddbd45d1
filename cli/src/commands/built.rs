//! Messages printed while a database is built.

use std::io::Write;
use std::path::Path;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::digest::sha256_of;
use crate::form::Form;
use crate::text::visible;
use puzzledb::puzzle::{Board, Shape};
use puzzledb::table::{Built, Notice, Table};

use super::error::{CliError, Status, print_note, print_warning};
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

/// Prints the contents of a file, and whether it was built now, unless there is no `output`. `record` describes the
/// file, which may take long.
pub(super) fn print_built<R: Serialize>(
    built: &Built,
    path: &Path,
    output: Option<&Output>,
    record: impl FnOnce() -> Result<R, CliError>,
    contents: &str,
) -> Result<Status, CliError> {
    if let Built::Replaced(what) = built {
        print_warning(format!("replaced {what}"));
    }
    let Some(output) = output else {
        return Ok(Status::Yes);
    };
    if !matches!(output.asked(), None | Some(Form::Text)) {
        return output.print(&record()?, |_| Ok(()));
    }
    let (mut out, path) = (anstream::stdout(), visible(&path.display().to_string()));
    match built {
        Built::AlreadyThere => writeln!(out, "{path} is there and good (--force builds it anew)")?,
        _ => writeln!(out, "built {path}")?,
    }
    writeln!(out, "{contents}")?;
    Ok(Status::Yes)
}

/// A table in a file.
#[derive(Serialize)]
struct TableRecord {
    path: String,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    states: u64,
    max_distance: u8,
    bytes: u64,
    digest: String,
}

/// Prints the contents of a table's file as [`print_built`] does. `goal` is the one that was asked for.
pub(super) fn print_built_table(
    (table, built): &(Table, Built),
    path: &Path,
    shape: Shape,
    goal: Option<&Board>,
    output: Option<&Output>,
) -> Result<Status, CliError> {
    let (header, bytes) = (table.header(), table.bytes());
    let record = || {
        Ok(TableRecord {
            path: path.display().to_string(),
            shape: shape.to_string(),
            goal: goal.map(Board::to_string),
            encoding: goal.map(|_| header.encoding().name()),
            states: header.states(),
            max_distance: header.max_distance(),
            bytes: bytes.len(),
            digest: sha256_of(bytes.reader())?,
        })
    };
    let contents = format!(
        "{shape} boards{}, {} states, max distance {}, {} bytes, encoding {}",
        goal.map_or(String::new(), |goal| format!(" of {goal}")),
        header.states(),
        header.max_distance(),
        bytes.len(),
        header.encoding()
    );
    print_built(built, path, output, record, &contents)
}
