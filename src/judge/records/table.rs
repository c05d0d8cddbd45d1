//! Tables with a header: CSV as RFC 4180 has it, or with tabs, semicolons or bars.

use std::borrow::Cow;

use csv::ByteRecord;

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{Fields, by_role};
use super::roles::{Role, role};

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
        let line = std::str::from_utf8(line).ok()?;
        let line = line.trim_start_matches(['\u{feff}', '#']).trim();
        let separators = [b',', b'\t', b';', b'|'].into_iter();
        let mut tables = separators.map(|separator| {
            let names = line.split(char::from(separator));
            let roles = names.clone().zip(0..);
            Table {
                count: names.count(),
                places: by_role(roles.filter_map(|(name, place)| Some((role(name)?, place)))),
                separator,
            }
        });
        tables.find(|table| {
            let claims = &table.places[Role::Length as usize..];
            table.places[Role::Board as usize].is_some() && claims.iter().any(Option::is_some)
        })
    }

    /// Reads the claims in some rows; `each` gets the number of the line, from 0, and the claim.
    pub fn rows(
        &self,
        text: &[u8],
        reader: &Reader,
        mut each: impl FnMut(u64, Result<Claim, ClaimError>),
    ) {
        let mut rows = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.separator)
            .comment(Some(b'#'))
            .buffer_capacity(text.len().clamp(1, 64 << 10))
            .from_reader(text);
        let mut row = ByteRecord::new();
        // Reading from memory fails for no row: any bytes and any number of fields are taken.
        while rows.read_byte_record(&mut row).is_ok_and(|there| there) {
            let line = row.position().map_or(0, |position| position.line() - 1);
            each(line, self.claim(&row, reader));
        }
    }

    fn claim(&self, row: &ByteRecord, reader: &Reader) -> Result<Claim, ClaimError> {
        if row.len() < self.count {
            let (found, expected) = (row.len(), self.count);
            let why = format!("{found} fields where the header names {expected}");
            return Err(ClaimError::Malformed(why));
        }
        let fields = self.fields(row);
        let (board, goal) = fields.ends(reader.numbering)?;
        let answer = fields.answer(reader.ends(board, goal), reader)?;
        Ok(Claim::new(board, goal, answer))
    }

    /// The texts of a row. Where the last column is the path, it takes what is left over: lists such as
    /// `['Up', 'Left']` are often written without quotes.
    fn fields<'a>(&self, row: &'a ByteRecord) -> Fields<'a> {
        Fields(Role::ALL.map(|role| {
            let place = self.places[role as usize]?;
            let is_last_path = matches!(role, Role::Path | Role::Moves) && place + 1 == self.count;
            if is_last_path && row.len() > self.count {
                let rest: Vec<&[u8]> = row.iter().skip(place).collect();
                let rest = rest.join(&b',');
                return Some(Cow::Owned(String::from_utf8_lossy(&rest).into_owned()));
            }
            Some(String::from_utf8_lossy(row.get(place)?.trim_ascii()))
        }))
    }
}
