//! The format of the claims: the one that was named, or that of the first lines.

use std::io::Read;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::form::Form;
use puzzledb::judge::reading::{FIRST_LINES, Format, Reader, Table};

use super::super::error::CliError;
use super::super::input::{Chunks, Heading};

/// Form of claims that are read; `None` is by their first lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClaimForm(pub Option<Form>);

impl ClaimForm {
    /// Reads the name of a form, or `auto`.
    pub(super) fn parser() -> impl TypedValueParser<Value = ClaimForm> {
        let about = [
            "By the first lines of the claims",
            "What a solver prints for people",
            "A line each",
            "A table with a header",
            "JSON objects",
        ];
        let names = Form::ALL.iter().filter_map(ValueEnum::to_possible_value);
        let names = [PossibleValue::new("auto")].into_iter().chain(names);
        let named = names.zip(about).map(|(name, about)| name.help(about));
        PossibleValuesParser::new(named).map(|name| ClaimForm(Form::from_str(&name, false).ok()))
    }
}

/// The format that was named, or that of the first lines. A header is taken off the stream.
pub(super) fn format<R: Read>(
    ClaimForm(name): ClaimForm,
    chunks: &mut Chunks<R>,
    reader: &Reader,
) -> Result<Format, CliError> {
    match name {
        Some(Form::Json) => return Ok(Format::Objects),
        Some(Form::Text) => return Ok(Format::Text),
        _ => {}
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
            _ if !is_header && name.is_some() => Some((Some(Format::Lines), heading)),
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
        (Some(Form::Csv), Some(Format::Table(table))) => Ok(Format::Table(table)),
        (Some(Form::Csv), _) => Err(CliError::Usage(
            "this is not a table: its first line must name the columns, as in board,length,path"
                .into(),
        )),
        (Some(Form::Tsv), seen) => Ok(seen.unwrap_or(Format::Lines)),
        (_, seen) => Ok(seen.unwrap_or(without_any)),
    }
}
