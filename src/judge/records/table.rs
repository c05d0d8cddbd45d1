//! Tables with a header: CSV as RFC 4180 has it, or with tabs, semicolons or bars.

use std::borrow::Cow;

use csv::ByteRecord;

use super::claim::{Claim, ClaimError, Reader};
use super::columns::{Columns, board_and_goal};
use super::roles::Role;
use crate::judge::answer::Answer;
use crate::puzzle::Board;

/// The columns of a table, by the names in its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Columns,
    separator: u8,
}

impl Table {
    /// The table that a header line begins, if it names a board and something about it. Names are
    /// known in any case, with spaces, underscores or hyphens.
    pub fn of_header(line: &[u8]) -> Option<Table> {
        let (columns, separator) = Columns::of_header(std::str::from_utf8(line).ok()?)?;
        columns.place(Role::Board)?;
        Some(Table { columns, separator })
    }

    /// Reads the claims in some rows; `each` gets the number of the line, from 0, and the claim.
    pub fn rows(
        &self,
        text: &[u8],
        reader: &Reader,
        mut each: impl FnMut(u64, Result<Claim, ClaimError>),
    ) {
        let mut rows = rows(text, self.separator);
        let mut row = ByteRecord::new();
        // Reading from memory fails for no row: any bytes and any number of fields are taken.
        while rows.read_byte_record(&mut row).is_ok_and(|there| there) {
            let line = row.position().map_or(0, |position| position.line() - 1);
            each(line, self.claim(&row, reader));
        }
    }

    fn claim(&self, row: &ByteRecord, reader: &Reader) -> Result<Claim, ClaimError> {
        let columns = &self.columns;
        if row.len() < columns.count {
            return Err(ClaimError::ShortRow {
                found: row.len(),
                expected: columns.count,
            });
        }
        let (board, goal) = board_and_goal(|role| field(columns, row, role).into_owned(), reader)?;
        let fields = claim_fields(columns, row);
        let claimed = columns.claimed(|role| &fields[role as usize]);
        Ok(Claim {
            board,
            goal,
            answer: claimed.answer(&board, reader)?,
        })
    }
}

fn rows(text: &[u8], separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .comment(Some(b'#'))
        .buffer_capacity(text.len().clamp(1, 64 << 10))
        .from_reader(text)
}

/// The text in the column of a role, empty if there is none. Where the last column is the path,
/// it takes what is left over: lists such as `['Up', 'Left']` are often written without quotes.
fn field<'a>(columns: &Columns, row: &'a ByteRecord, role: Role) -> Cow<'a, [u8]> {
    let Some(place) = columns.place(role) else {
        return Cow::Borrowed(b"");
    };
    let is_last_path = matches!(role, Role::Path | Role::Moves) && place + 1 == columns.count;
    if is_last_path && row.len() > columns.count {
        let rest: Vec<&[u8]> = row.iter().skip(place).collect();
        return Cow::Owned(rest.join(&b','));
    }
    Cow::Borrowed(row.get(place).unwrap_or(b"").trim_ascii())
}

/// The fields of all roles, by role.
fn claim_fields<'a>(columns: &Columns, row: &'a ByteRecord) -> [Cow<'a, [u8]>; Role::ALL.len()] {
    Role::ALL.map(|role| field(columns, row, role))
}

/// Rows of a table that stands in a text.
#[derive(Debug, Default)]
pub(in crate::judge) struct Rows(Option<(Columns, u8)>);

impl Rows {
    /// Reads a line below a header; `None` if it is no row, and no answer where it is the header, a frame, or about
    /// another board.
    pub(in crate::judge) fn read(
        &mut self,
        line: &str,
        board: &Board,
        reader: &Reader,
    ) -> Option<Option<Answer>> {
        const LONGEST: usize = 1000;
        let Some((columns, separator)) = &self.0 else {
            let is_short = line.len() < LONGEST
                && !line.contains(|c: char| c.is_ascii_digit() || c == ':' || c == '=');
            self.0 = is_short
                .then(|| Columns::of_header(line))
                .flatten()
                .filter(|(columns, _)| columns.count > 2);
            return self.0.as_ref().map(|_| None);
        };
        let mut record = ByteRecord::new();
        rows(line.as_bytes(), *separator)
            .read_byte_record(&mut record)
            .ok()?;
        if record.len() < columns.count {
            self.0 = None;
            return None;
        }
        let fields = claim_fields(columns, &record);
        let numbering = reader.numbering.of(board.shape());
        let other = numbering
            .board(&fields[Role::Board as usize])
            .is_ok_and(|other| other != *board);
        if other || !line.contains(char::is_alphanumeric) {
            return Some(None);
        }
        let claimed = columns.claimed(|role| &fields[role as usize]);
        Some(claimed.answer(board, reader).ok())
    }
}
