//! Answers in forms that leave no doubt: objects, rows of tables, `board length moves`.

use crate::judge::answer::{Answer, Path};
use crate::judge::reading::claim::ClaimError;
use crate::judge::reading::columns::Columns;
use crate::judge::reading::vocabulary::Role;
use crate::judge::reading::{json, python, table};

use super::found::{Finder, Strength};

impl Finder<'_> {
    /// Takes a JSON object, or a dict of Python, with an answer; was it one?
    pub(in crate::judge::reading) fn object(&mut self, text: &str) -> bool {
        let list = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let text = list.map_or(text, str::trim);
        if !text.starts_with('{') {
            return false;
        }
        let object = json::parse(text.as_bytes());
        let object = object.or_else(|_| json::parse(python::to_json(text).as_bytes()));
        let answer = object
            .ok()
            .and_then(|object| json::answer(&object, &self.board, self.reader));
        answer.is_some_and(|answer| self.record(answer))
    }

    /// Takes an object at the end of a line.
    pub(super) fn object_within(&mut self, line: &str) -> bool {
        line.find('{').is_some_and(|at| self.object(&line[at..]))
    }

    /// Takes a header or a row of a table; was it one?
    pub(super) fn table_row(&mut self, line: &str) -> bool {
        let Some((columns, separator)) = &self.table else {
            // A list behind a label is none: `Path: a, b, c`.
            let is_table = |c: &Columns| c.count >= 3 && c.known() >= 2;
            self.table = Columns::of_header(line).filter(|(columns, _)| is_table(columns));
            return self.table.is_some();
        };
        let row = table::row(line, *separator).filter(|row| row.len() >= columns.count);
        let Some(row) = row else {
            self.table = None;
            return false;
        };
        let board = self
            .reader
            .numbering
            .board(&table::field(columns, &row, Role::Board));
        if board.is_ok_and(|board| board != self.board) {
            return true; // the answer to another board
        }
        let fields = table::claim_fields(columns, &row);
        let answer = columns
            .claimed(|role| &fields[role as usize])
            .answer(&self.board, self.reader);
        self.record(answer)
    }

    /// Takes the line that begins with the board, as `board length moves`; was it one?
    pub(super) fn own_form(&mut self, line: &str) -> bool {
        let first = line.split_whitespace().next().unwrap_or("");
        let is_board = || self.shaped.numbering.board(first.as_bytes()) == Ok(self.board);
        if line.starts_with(char::is_alphabetic) && !is_board() || line.contains("<-") {
            return false;
        }
        match self.shaped.line_if_claim(line) {
            Some(claim) if claim.board == self.board => {
                if let [Path::Boards(boards)] = &claim.answer.candidates[..] {
                    // It may tell no more than the start and the goal.
                    self.see(claim.board);
                    boards.iter().for_each(|&board| self.see(board));
                    return true;
                }
                self.record(Ok(claim.answer))
            }
            _ => false,
        }
    }

    /// Takes an answer in a form that leaves no doubt; was there anything?
    pub(super) fn record(&mut self, answer: Result<Answer, ClaimError>) -> bool {
        match answer {
            Ok(answer) => {
                if answer.unsolvable {
                    self.none.push(self.section);
                }
                let lone = answer.length.filter(|_| answer.length_or_tile);
                if !answer.candidates.is_empty() {
                    self.propose(Strength::Labelled, answer.candidates);
                    self.candidates.last_mut().expect("just proposed").lone = lone;
                }
                if let Some(length) = answer.length.filter(|_| lone.is_none()) {
                    self.tell(0, length);
                }
                true
            }
            Err(ClaimError::Moves { text, .. }) => {
                self.unreadable = Some((self.line, text));
                true
            }
            Err(_) => false,
        }
    }
}
