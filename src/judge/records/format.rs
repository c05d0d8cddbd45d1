//! The forms of a file of claims.

use crate::puzzle::Board;

use super::claim::{Claim, ClaimError, Reader};
use super::ends::objects;
use super::table::Table;
use crate::judge::reading::{claims, heading};

/// The most lines that are read to detect the format.
pub const FIRST_LINES: usize = 64;

/// How a file of claims is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A claim a line: the board, then a length, moves or both. Lines that begin with `#` and
    /// empty ones are left out.
    Lines,
    /// A table with a header.
    Table(Table),
    /// JSON objects: one, an array of them, or one a line; lines between them that begin with `#`
    /// are left out.
    Objects,
    /// Text for people, about one board or several.
    Text,
}

impl Format {
    /// Detects the format by a line. Call it line by line from the beginning of a file on.
    pub fn of_line(line: &[u8], reader: &Reader) -> Option<Format> {
        let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let line = text.trim_ascii();
        let list = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
        if list.starts_with(b"{") || line == b"[" {
            return Some(Format::Objects);
        }
        if let Some(table) = Table::of_header(line) {
            return Some(Format::Table(table));
        }
        let is_claim = !line.starts_with(b"#") && reader.line(line).is_ok();
        is_claim.then_some(Format::Lines)
    }

    /// The format of a whole text, and the place where its records begin: after the header of a table.
    ///
    /// ```
    /// use puzzledb::internals::{Format, Reader};
    ///
    /// let text = b"# mine\nboard,length\n704851632,19\n";
    /// let (format, begin) = Format::of_text(text, &Reader::default());
    /// assert!(matches!(format, Format::Table(_)));
    /// assert_eq!(&text[begin..], b"704851632,19\n");
    /// ```
    pub fn of_text(text: &[u8], reader: &Reader) -> (Format, usize) {
        let mut end = 0;
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let format = lines.take(FIRST_LINES).find_map(|line| {
            end += line.len();
            Format::of_line(line, reader)
        });
        match format {
            Some(table @ Format::Table(_)) => (table, end),
            format => (format.unwrap_or(Format::Text), 0),
        }
    }

    /// Whether a line is a claim that cannot be read: a board, and something else behind it. Call it with
    /// the first line of a file whose format is not detected.
    pub fn is_broken_claim(line: &[u8], reader: &Reader) -> bool {
        let read = reader.line(line);
        let alone = matches!(
            read,
            Ok(_) | Err(ClaimError::Board(_) | ClaimError::Nothing)
        );
        !alone && heading(&String::from_utf8_lossy(line), reader.numbering).is_none()
    }

    /// Reads the claims in some records; `each` gets the number of a record's first line, from 0,
    /// and the claim. `board` is what a text is about if it does not say so itself.
    pub fn read(
        &self,
        text: &[u8],
        reader: &Reader,
        board: Option<&Board>,
        mut each: impl FnMut(u64, Result<Claim, ClaimError>),
    ) {
        match self {
            Format::Lines => {
                for (number, line) in (0..).zip(text.split(|&byte| byte == b'\n')) {
                    if !line.trim_ascii().is_empty() && !line.starts_with(b"#") {
                        each(number, reader.line(line));
                    }
                }
            }
            Format::Table(table) => table.rows(text, reader, each),
            Format::Objects => objects(text, |number, json| {
                if !json.starts_with(b"#") {
                    each(number, reader.object(json, None));
                }
            }),
            Format::Text => claims(&String::from_utf8_lossy(text), reader, board, each),
        }
    }
}
