//! The format of the claims: the one that was named, or that of the first lines.

use std::io::Read;

use clap::ValueEnum;

use puzzledb::judge::reading::{FIRST_LINES, Format, Reader, Table};

use super::super::error::CliError;
use super::super::input::{Chunks, Heading};
use super::super::output::Forms;

/// Form of claims that are read, or of records that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    /// By the first lines of the claims; printed, text on a terminal and otherwise tsv
    Auto,
    /// A line each
    Tsv,
    /// A table with a header
    Csv,
    /// JSON objects
    Json,
    /// Text for people
    Text,
}

impl Forms for FormatName {
    const CSV: FormatName = FormatName::Csv;
    const JSON: FormatName = FormatName::Json;
}

/// The format that was named, or that of the first lines. A header is taken off the stream.
pub(super) fn format<R: Read>(
    name: FormatName,
    chunks: &mut Chunks<R>,
    reader: &Reader,
) -> Result<Format, CliError> {
    match name {
        FormatName::Json => return Ok(Format::Objects),
        FormatName::Text => return Ok(Format::Text),
        FormatName::Auto | FormatName::Tsv | FormatName::Csv => {}
    }
    let (mut lines, mut broken, mut heading) = (0, false, Heading::None);
    let seen = chunks.begin(usize::MAX, |line| {
        let is_comment = line.starts_with(b"#") && Table::of_header(line).is_none();
        if line.trim_ascii().is_empty() || is_comment {
            return None;
        }
        let format = Format::of_line(line, reader);
        let words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        if lines == 0 && words.count() > 1 && !line.iter().any(u8::is_ascii_digit) {
            heading = Heading::Before; // words above the records name their columns
        }
        let is_header = matches!(format, Some(Format::Table(_)));
        broken |= lines == 0 && Format::is_broken_claim(line, reader);
        lines += 1;
        match format {
            None if lines == 1 && heading != Heading::None => None,
            _ if !is_header && name != FormatName::Auto => Some((Some(Format::Lines), heading)),
            None if lines < FIRST_LINES => None,
            Some(Format::Lines) if lines == 2 => Some((Some(Format::Lines), heading)),
            format if is_header => Some((format, Heading::Line)),
            format => Some((format, Heading::None)),
        }
    })?;
    let without_any = if broken || lines == 0 {
        Format::Lines
    } else {
        Format::Text
    };
    let seen = seen.flatten();
    match (name, seen) {
        (FormatName::Csv, Some(Format::Table(table))) => Ok(Format::Table(table)),
        (FormatName::Csv, _) => Err(CliError::Usage(
            "this is not a table: its first line must name the columns, as in board,length,path"
                .into(),
        )),
        (FormatName::Tsv, seen) => Ok(seen.unwrap_or(Format::Lines)),
        (_, seen) => Ok(seen.unwrap_or(without_any)),
    }
}
