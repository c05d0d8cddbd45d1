//! Tables with a header: CSV as RFC 4180 has it, or with tabs, semicolons or bars.

use std::borrow::Cow;

use csv::ByteRecord;

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{Fields, by_role};
use super::roles::{Role, role};
use crate::judge::answer::Answer;
use crate::puzzle::Board;

/// The columns of a table, by the names in its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// How many there are.
    count: usize,
    /// By role.
    places: [Option<usize>; Role::ALL.len()],
    separator: u8,
}

impl Table {
    /// The table that a header line begins, if it names a board and something about it. Names are
    /// known in any case, with spaces, underscores or hyphens.
    pub fn of_header(line: &[u8]) -> Option<Table> {
        let table = Table::of_claims(std::str::from_utf8(line).ok()?)?;
        table.places[Role::Board as usize]
            .is_some()
            .then_some(table)
    }

    /// The table that a header line begins, if it names a claim.
    fn of_claims(line: &str) -> Option<Table> {
        let line = line.trim_start_matches(['\u{feff}', '#']).trim();
        let separates = |separator: &u8| line.as_bytes().contains(separator);
        let mut separators = [b',', b'\t', b';', b'|'].into_iter().filter(separates);
        separators.find_map(|separator| {
            let names = || line.split(char::from(separator));
            let places = by_role(names().zip(0..).map(|(name, place)| (role(name), place)));
            let table = Table {
                count: names().count(),
                places,
                separator,
            };
            Role::CLAIMS
                .iter()
                .any(|&role| table.places[role as usize].is_some())
                .then_some(table)
        })
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
        if row.len() < self.count {
            return Err(ClaimError::ShortRow {
                found: row.len(),
                expected: self.count,
            });
        }
        let fields = self.fields(row);
        let (board, goal) = fields.board_and_goal(reader)?;
        Ok(Claim {
            board,
            goal,
            answer: fields.answer(&board, reader)?,
        })
    }

    /// The texts of a row. Where the last column is the path, it takes what is left over: lists such as
    /// `['Up', 'Left']` are often written without quotes.
    fn fields<'a>(&self, row: &'a ByteRecord) -> Fields<'a> {
        Fields(Role::ALL.map(|role| {
            let place = self.places[role as usize]?;
            let is_last_path = matches!(role, Role::Path | Role::Moves) && place + 1 == self.count;
            if is_last_path && row.len() > self.count {
                let rest: Vec<&[u8]> = row.iter().skip(place).collect();
                return Some(Cow::Owned(rest.join(&b',')));
            }
            Some(Cow::Borrowed(
                row.get(place).unwrap_or_default().trim_ascii(),
            ))
        }))
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

/// Rows of a table that stands in a text.
#[derive(Debug, Default)]
pub(in crate::judge) struct Rows(Option<Table>);

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
        let Some(table) = &self.0 else {
            let is_short = line.len() < LONGEST
                && !line.contains(|c: char| c.is_ascii_digit() || c == ':' || c == '=');
            let table = is_short.then(|| Table::of_claims(line)).flatten();
            self.0 = table.filter(|table| table.count > 2);
            return self.0.as_ref().map(|_| None);
        };
        let mut record = ByteRecord::new();
        rows(line.as_bytes(), table.separator)
            .read_byte_record(&mut record)
            .ok()?;
        if record.len() < table.count {
            self.0 = None;
            return None;
        }
        let fields = table.fields(&record);
        let numbering = reader.numbering.of(board.shape());
        let other = numbering.board(fields.text(Role::Board));
        if other.is_ok_and(|other| other != *board) || !line.contains(char::is_alphanumeric) {
            return Some(None);
        }
        Some(fields.answer(board, reader).ok())
    }
}
