//! Messages printed while a database is built.

use std::io::Write;
use std::path::Path;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::text::visible;
use puzzledb::table::{Built, Notice};

use super::error::{CliError, say};
use super::output::{Form, Output};
use super::status::Status;

/// Prints the notices of a build above a bar; only the warnings if `quiet`.
pub(super) fn teller(bar: &ProgressBar, quiet: bool) -> impl FnMut(Notice) {
    let mut waits = false;
    move |notice| {
        let (kind, message) = match notice {
            Notice::Waiting if waits => return,
            Notice::Waiting => {
                waits = true;
                let waiting = "another puzzledb is building this database: waiting for it";
                ("note", waiting.to_owned())
            }
            Notice::Resumed { distance } => {
                let resumed = format!("going on from the checkpoint at distance {distance}");
                ("note", resumed)
            }
            Notice::BadCheckpoint(error) => {
                use std::io::ErrorKind::{InvalidData, UnexpectedEof};
                let why = match error.kind() {
                    InvalidData | UnexpectedEof => "it is damaged, or of another build".to_owned(),
                    _ => error.to_string(),
                };
                let bad = format!("the checkpoint is no good ({why}): beginning anew");
                ("warning", bad)
            }
            Notice::Saved { distance, took } => {
                let took = took.as_secs_f64();
                let saved = format!("checkpoint at distance {distance}, written in {took:.1} s");
                ("note", saved)
            }
            Notice::NotSaved(error) => {
                let not = format!("no checkpoint could be written: {error}");
                ("warning", not)
            }
            _ => return,
        };
        if !quiet || kind == "warning" {
            bar.suspend(|| say(kind, &message));
        }
    }
}

/// Prints the contents of a file, and whether it was built now, unless there is no `output`. `record` describes the file, which may take long.
pub(super) fn tell_built<R: Serialize>(
    built: &Built,
    path: &Path,
    output: Option<&Output>,
    record: impl FnOnce() -> Result<R, CliError>,
    contents: &str,
) -> Result<Status, CliError> {
    if let Built::Replaced(what) = built {
        say("warning", &format!("replaced {what}"));
    }
    let Some(output) = output else {
        return Ok(Status::Yes);
    };
    if !matches!(output.form(), None | Some(Form::Text)) {
        output.print(&record()?, |_| Ok(()))?;
        return Ok(Status::Yes);
    }
    let (mut out, path) = (anstream::stdout(), visible(&path.display().to_string()));
    match built {
        Built::AlreadyThere => writeln!(out, "{path} is there and good (--force builds it anew)")?,
        _ => writeln!(out, "built {path}")?,
    }
    writeln!(out, "{contents}")?;
    Ok(Status::Yes)
}
