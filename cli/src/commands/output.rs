//! `--format` and `--json`, and the files that a person names for results.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use serde::Serialize;

use crate::form::Form;
use puzzledb::internals::{BuildLock, Disk, OutputFile, write_file};

use super::error::{CliError, Result, Status};
use super::interrupt;

/// Form of the output.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Output {
    /// How results are written; --json is short for json [default: text for one on a terminal, else lines]
    #[arg(long, value_name = "FORM", value_parser = Form::parser(&Form::ALL))]
    format: Option<Form>,
    /// Short for --format json
    #[arg(long, hide = true, conflicts_with_all = ["format", "csv"])]
    json: bool,
    /// Short for --format csv
    #[arg(long, hide = true, conflicts_with = "format")]
    csv: bool,
}

impl Output {
    /// The form that was asked for.
    pub(super) fn asked(&self) -> Option<Form> {
        match (self.json, self.csv) {
            (true, _) => Some(Form::Json),
            (_, true) => Some(Form::Csv),
            _ => self.format,
        }
    }

    /// The form that --format names beside --json or --csv, where a command allows both.
    pub(super) fn beside(&self) -> Option<Form> {
        self.format.filter(|_| self.json || self.csv)
    }

    /// The form that was asked for, or the usual one: text for a result alone on a terminal, else a line a record.
    pub(super) fn form(&self, is_alone: bool) -> Form {
        let is_shown = || is_alone && io::stdout().is_terminal();
        let usual = || if is_shown() { Form::Text } else { Form::Tsv };
        self.asked().unwrap_or_else(usual)
    }

    /// Prints a record that is the whole result. `text` writes it for people.
    pub(super) fn print(
        &self,
        record: &impl Serialize,
        text: impl FnOnce(&mut String) -> fmt::Result,
    ) -> Result<Status> {
        let mut out = String::new();
        match self.form(true) {
            Form::Text => text(&mut out).expect("writing to memory does not fail"),
            form => form.push(record, &mut out),
        }
        anstream::stdout().write_all(out.as_bytes())?;
        Ok(Status::Yes)
    }
}

/// Standard output for records in a form. Colours of a text are left out where they are not shown.
pub(super) fn stdout(form: Form) -> Box<dyn Write> {
    match form {
        Form::Text => Box::new(anstream::stdout()),
        _ => Box::new(io::stdout().lock()),
    }
}

/// The file that a person named for a result, before the work; what is there stays.
pub(super) fn output_file(path: &Path) -> Result<OutputFile> {
    OutputFile::open(path).map_err(|error| unwritable(path, &error))
}

/// Writes the file that a person named.
pub(super) fn write_output(path: &Path, file: OutputFile, content: &[u8]) -> Result<()> {
    let written = file.write(|file| file.write_all(content), interrupt::go_on);
    written.map_err(|error| unwritable(path, &error))
}

/// Writes files below a folder, each at once. What is in their places is replaced, a link or a pipe too.
pub(super) fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    paths.iter().try_for_each(|path| make_folder_of(path))?;
    // One process at a time writes; the lock is that of the first file.
    let lock = BuildLock::take(&paths[0], interrupt::go_on);
    let _lock = lock.map_err(|error| unwritable(&paths[0], &error))?;
    for (path, (_, content)) in paths.iter().zip(files) {
        let written = write_file(&Disk, path, |file| file.write_all(content));
        written.map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}

/// Makes the folder that a file is in, if it is missing.
pub(super) fn make_folder_of(path: &Path) -> Result<()> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|error| unwritable(path, &error))
}

/// The error of a file that cannot be written.
pub(super) fn unwritable(path: &Path, error: &dyn std::error::Error) -> CliError {
    CliError::Usage(format!("cannot write {}: {error}", path.display()))
}
