//! What is said of making sure of a file.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::basics::visible;
use crate::table::Built;

use super::error::{CliError, say};
use super::status::Status;

/// Says once that another process builds the same file.
pub(super) fn waiting() -> impl FnMut() {
    let mut told = false;
    move || {
        if !std::mem::replace(&mut told, true) {
            let waiting = "another puzzledb is building this database: waiting for it";
            say("note", waiting);
        }
    }
}

/// Tells what is in a file, and whether it was built now.
pub(super) fn tell_built(
    built: &Built,
    path: &Path,
    json: Option<&impl Serialize>,
    contents: &str,
) -> Result<Status, CliError> {
    if let Built::Replaced(what) = built {
        say("warning", &format!("replaced {what}"));
    }
    let (mut out, path) = (anstream::stdout(), visible(&path.display().to_string()));
    if let Some(json) = json {
        writeln!(out, "{}", serde_json::to_string(json)?)?;
        return Ok(Status::Yes);
    }
    match built {
        Built::AlreadyThere => writeln!(out, "{path} is there and good (--force builds it anew)")?,
        Built::New | Built::Replaced(_) => writeln!(out, "built {path}")?,
    }
    writeln!(out, "{contents}")?;
    Ok(Status::Yes)
}
