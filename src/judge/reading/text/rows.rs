//! Boards that are drawn in a text, row by row.

use crate::puzzle::{Board, Numbering, Shape};

/// Collects rows until they make a board.
#[derive(Debug)]
pub(super) struct Rows {
    shape: Shape,
    numbering: Numbering,
    cells: Vec<u32>,
}

/// What a line is to a drawing of boards.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Nothing: the line is something else.
    No,
    /// The frame of a drawing, as in `+---+---+`.
    Frame,
    /// A row of a board that is not whole yet.
    Part,
    /// A whole board, or the last row of one.
    Board(Board),
}

impl Rows {
    pub(super) fn new(shape: Shape, numbering: Numbering) -> Rows {
        Rows {
            shape,
            numbering,
            cells: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, line: &str) -> Row {
        if !line.is_empty() && line.chars().all(|c| "+-=|_─│┌┐└┘├┤┬┴┼╔╗╚╝═║ ".contains(c))
        {
            return if line.contains(['|', '│', '║']) && line.contains(' ') {
                self.row(line) // `| | |` could be a row of nothing; `row` says no
            } else {
                Row::Frame
            };
        }
        self.row(line)
    }

    fn row(&mut self, line: &str) -> Row {
        let Some(cells) = self.cells_of(line) else {
            self.cells.clear();
            return Row::No;
        };
        if cells.len() == self.shape.cells() {
            self.cells.clear();
            return self.board(&cells).map_or(Row::No, Row::Board);
        }
        if cells.len() != self.shape.cols() {
            self.cells.clear();
            return Row::No;
        }
        self.cells.extend(cells);
        if self.cells.len() > self.shape.cells() {
            let extra = self.cells.len() - self.shape.cells();
            self.cells.drain(..extra);
        }
        if self.cells.len() < self.shape.cells() {
            return Row::Part;
        }
        match self.board(&self.cells) {
            Some(board) => {
                self.cells.clear();
                Row::Board(board)
            }
            None => Row::Part,
        }
    }

    fn board(&self, cells: &[u32]) -> Option<Board> {
        self.numbering.board_of(self.shape, cells).ok()
    }

    /// The numbers in a line that has nothing but cells, at most a board of them.
    fn cells_of(&self, line: &str) -> Option<Vec<u32>> {
        if line.len() > 400 {
            return None;
        }
        let drawn = line
            .trim()
            .trim_start_matches(['│', '║'])
            .trim_end_matches(['│', '║']);
        if let Some(inner) = drawn
            .strip_prefix('|')
            .or(drawn.contains(['│', '║']).then_some(drawn))
        {
            let inner = inner.strip_suffix('|').unwrap_or(inner);
            let cells = inner.split(['|', '│', '║']).map(|cell| match cell.trim() {
                "" => Some(self.numbering.blank.into()),
                cell => self.cell(cell),
            });
            if let Some(cells) = cells.collect() {
                return Some(cells);
            }
        }
        let tokens = line
            .split(|c: char| c.is_whitespace() || ",;[](){}\"'|/".contains(c))
            .filter(|token| !token.is_empty());
        let tokens: Vec<&str> = tokens.take(self.shape.cells() + 1).collect();
        if let [word] = tokens[..] {
            return word
                .char_indices()
                .map(|(i, c)| self.cell(&word[i..i + c.len_utf8()]))
                .collect();
        }
        tokens.iter().map(|token| self.cell(token)).collect()
    }

    fn cell(&self, text: &str) -> Option<u32> {
        match text.as_bytes() {
            [b'_' | b'.' | b'x' | b'X' | b'*' | b'-' | b'#'] => Some(self.numbering.blank.into()),
            [digit @ b'0'..=b'9'] => Some(u32::from(digit - b'0')),
            [letter @ (b'a'..=b'o' | b'A'..=b'O')] if self.shape.cells() > 10 => {
                Some(u32::from(letter.to_ascii_lowercase() - b'a') + 10)
            }
            bytes if bytes.len() == 2 && bytes.iter().all(u8::is_ascii_digit) => text.parse().ok(),
            _ if text.eq_ignore_ascii_case("blank") => Some(self.numbering.blank.into()),
            _ => None,
        }
    }
}
