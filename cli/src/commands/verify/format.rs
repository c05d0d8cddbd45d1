//! The format of the claims: the one that was named, or that of the first lines.

use std::io::Read;

use clap::ValueEnum;

use puzzledb::judge::reading::{FIRST_LINES, Format, Reader, Table};

use super::super::error::{CliError, bail};
use super::super::input::Chunks;

/// Form of claims that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ClaimForm {
    /// By the first lines of the claims
    Auto,
    /// What a solver prints for people
    Text,
    /// A line each
    Tsv,
    /// A table with a header
    Csv,
    /// JSON objects
    #[value(alias = "jsonl")]
    Json,
}

/// The format that was named, or that of the first lines. A header is taken off the stream.
pub(super) fn format<R: Read>(
    form: ClaimForm,
    chunks: &mut Chunks<R>,
    reader: &Reader,
) -> Result<Format, CliError> {
    let are_rows = match form {
        ClaimForm::Json => return Ok(Format::Objects),
        ClaimForm::Text => return Ok(Format::Text),
        ClaimForm::Tsv | ClaimForm::Csv => true,
        ClaimForm::Auto => false,
    };
    let (mut number, mut lines, mut broken, mut heading) = (0, 0, false, false);
    let seen = chunks.first_lines(usize::MAX, |line| {
        number += 1;
        let is_comment = line.starts_with(b"#") && Table::of_header(line).is_none();
        if line.trim_ascii().is_empty() || is_comment {
            return None;
        }
        let format = Format::of_line(line, reader);
        lines += 1;
        if lines == 1 {
            let words = line.split(u8::is_ascii_whitespace);
            let has_words = words.filter(|word| !word.is_empty()).count() > 1;
            // Words above the records name their columns.
            heading = has_words && !line.iter().any(u8::is_ascii_digit);
            broken = Format::is_broken_claim(line, reader);
        }
        let before = if heading { number - 1 } else { 0 };
        match format {
            None if lines == 1 && heading => None,
            Some(Format::Table(_)) => Some((format, number)),
            _ if are_rows => Some((Some(Format::Lines), before)),
            None if lines < FIRST_LINES => None,
            Some(Format::Lines) if lines == 2 => Some((format, before)),
            format => Some((format, 0)),
        }
    })?;
    let (format, header) = seen.unwrap_or_default();
    chunks.skip_lines(header);
    match (form, format) {
        (ClaimForm::Csv, format) if !matches!(format, Some(Format::Table(_))) => bail!(
            Usage,
            "this is not a table: its first line must name the columns, as in board,length,path"
        ),
        (_, Some(format)) => Ok(format),
        (_, None) if are_rows || broken || lines == 0 => Ok(Format::Lines),
        (_, None) => Ok(Format::Text),
    }
}
