//! Answers in forms that leave no doubt: objects, rows of tables, `board length moves`.

use crate::judge::reading::columns::{Columns, Role};
use crate::judge::reading::{ClaimError, json, python, table};
use crate::judge::{Answer, Way};

use super::Finder;

impl Finder<'_> {
    /// Takes a JSON object, or a dict of Python, with an answer; was it one?
    pub(super) fn object(&mut self, text: &str) -> bool {
        if !text.starts_with('{') {
            return false;
        }
        let object = json::parse(text.as_bytes());
        let object = object.or_else(|_| json::parse(python::to_json(text).as_bytes()));
        let answer = object
            .ok()
            .and_then(|o| json::answer(&o, self.board, &self.reader));
        answer.is_some_and(|answer| self.read(answer))
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
        if board.is_ok_and(|board| board != *self.board) {
            return true; // the answer to another board
        }
        let fields = table::claim_fields(columns, &row);
        let answer = columns
            .said(|role| &fields[role as usize])
            .answer(self.board, &self.reader);
        self.read(answer)
    }

    /// Takes the line that begins with the board, as `board length moves`; was it one?
    pub(super) fn own_form(&mut self, line: &str) -> bool {
        match self.reader.line(line.as_bytes()) {
            Ok(claim) if claim.board == *self.board => {
                if let [Way::Boards(boards)] = &claim.answer.ways[..] {
                    // It may tell no more than the start and the goal.
                    let boards = std::iter::once(self.board).chain(boards);
                    boards.for_each(|&board| self.trace.see(board));
                    return true;
                }
                self.read(Ok(claim.answer))
            }
            _ => false,
        }
    }

    /// Takes an answer in a form that leaves no doubt; was there anything?
    fn read(&mut self, answer: Result<Answer, ClaimError>) -> bool {
        match answer {
            Ok(answer) => {
                self.says_none |= answer.unsolvable;
                self.lone = answer.length.filter(|_| answer.either);
                if let Some(length) = answer.length {
                    self.length.offer(0, length);
                }
                if !answer.ways.is_empty() && !answer.either {
                    self.path.offer(0, Some(answer.ways));
                }
                true
            }
            Err(ClaimError::Moves { .. }) => {
                self.path.offer(0, None);
                true
            }
            Err(_) => false,
        }
    }
}
