//! Boards that are drawn in a text, row by row.

use crate::puzzle::{Board, Numbering, Shape};

/// Collects rows until they make a board.
#[derive(Debug)]
pub(super) struct Rows {
    shape: Shape,
    numbering: Numbering,
    /// The last rows, fewer than a board has; at most one of them has its blank left empty.
    rows: Vec<Vec<Cell>>,
    /// The last rows of boards beside each other, fewer than a board has.
    beside: Vec<Vec<Cell>>,
}

/// A cell of a row, and where it begins and ends in its line.
#[derive(Clone, Copy, Debug)]
struct Cell {
    number: u32,
    begin: usize,
    end: usize,
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
    /// The same, if its blank is at its end and not drawn.
    Perhaps,
    /// A whole board, or the last row of one.
    Board(Board),
    /// The last row of boards beside each other.
    Beside(Vec<Board>),
}

/// A line that is longer is no row.
const LONGEST: usize = 400;

/// A line of boards side by side has at most so many cells.
const MOST_CELLS: usize = 100;

impl Rows {
    pub(super) fn new(shape: Shape, numbering: Numbering) -> Rows {
        Rows {
            shape,
            numbering,
            rows: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// Takes a line with the spaces before it, since these can be an empty cell.
    pub(super) fn take(&mut self, line: &str) -> Row {
        let drawn = "+-=|_─│┌┐└┘├┤┬┴┼╔╗╚╝═║ ";
        if !line.is_empty() && line.chars().all(|c| drawn.contains(c)) {
            return if line.contains(['|', '│', '║']) && line.contains(' ') {
                self.row(line) // `| | |` could be a row of nothing; `row` says no
            } else {
                Row::Frame
            };
        }
        self.row(line)
    }

    fn row(&mut self, line: &str) -> Row {
        let cols = self.shape.cols();
        let Some(cells) = self.cells_of(line) else {
            self.rows.clear();
            return Row::No;
        };
        if self.are_beside(&cells) {
            return self.row_of_several(cells);
        }
        if cells.len() == self.shape.cells() {
            self.rows.clear();
            let cells: Vec<u32> = cells.iter().map(|cell| cell.number).collect();
            return self.board(&cells).map_or(Row::No, Row::Board);
        }
        let is_gapped =
            cols > 2 && cells.len() + 1 == cols && self.rows.iter().all(|row| row.len() == cols);
        let is_seen = line.starts_with(' ') || line.trim().contains("  ") || !self.rows.is_empty();
        if cells.len() != cols && !is_gapped {
            self.rows.clear();
            return Row::No;
        }
        if self.rows.len() == self.shape.rows() {
            self.rows.remove(0);
        }
        self.rows.push(cells);
        if self.rows.len() < self.shape.rows() {
            return if is_gapped && !is_seen {
                Row::Perhaps
            } else {
                Row::Part
            };
        }
        match self.drawn() {
            Some(board) => {
                self.rows.clear();
                Row::Board(board)
            }
            None => Row::Part,
        }
    }

    /// Are these rows of several boards beside each other, with more between them than within?
    fn are_beside(&self, cells: &[Cell]) -> bool {
        let cols = self.shape.cols();
        if cells.len() <= cols || !cells.len().is_multiple_of(cols) {
            return false;
        }
        let gap = |at: usize| cells[at].begin.saturating_sub(cells[at - 1].end);
        let between = (1..cells.len()).filter(|at| at % cols == 0).map(gap);
        let within = (1..cells.len()).filter(|at| at % cols != 0).map(gap);
        let numbers = cells.iter().map(|cell| cell.number).collect::<Vec<_>>();
        between.min() > within.max() && self.board(&numbers).is_none()
    }

    fn row_of_several(&mut self, cells: Vec<Cell>) -> Row {
        self.rows.clear();
        self.beside.retain(|row| row.len() == cells.len());
        self.beside.push(cells);
        if self.beside.len() < self.shape.rows() {
            return Row::Part;
        }
        let cols = self.shape.cols();
        let rows = std::mem::take(&mut self.beside);
        let boards = (0..rows[0].len()).step_by(cols).map(|at| {
            let cells = rows.iter().flat_map(|row| &row[at..at + cols]);
            self.board(&cells.map(|cell| cell.number).collect::<Vec<_>>())
        });
        boards.collect::<Option<_>>().map_or(Row::No, Row::Beside)
    }

    /// The board that the rows make. A row that is one cell short has the blank where the other rows
    /// have a cell and it has none.
    fn drawn(&self) -> Option<Board> {
        let cols = self.shape.cols();
        let full = self.rows.iter().find(|row| row.len() == cols)?;
        let mut numbers = Vec::with_capacity(self.shape.cells());
        for row in &self.rows {
            let mut cells = row.iter().peekable();
            for place in full {
                match cells.peek() {
                    Some(cell) if row.len() == cols || cell.end.abs_diff(place.end) <= 1 => {
                        numbers.push(cell.number);
                        cells.next();
                    }
                    _ => numbers.push(self.numbering.blank.into()),
                }
            }
        }
        self.board(&numbers)
    }

    fn board(&self, numbers: &[u32]) -> Option<Board> {
        self.numbering.board_of(self.shape, numbers).ok()
    }

    /// The cells in a line that has nothing else, at most a board of them.
    fn cells_of(&self, line: &str) -> Option<Vec<Cell>> {
        if line.len() > LONGEST {
            return None;
        }
        let framed = line
            .trim()
            .trim_start_matches(['│', '║'])
            .trim_end_matches(['│', '║']);
        if let Some(inner) = framed
            .strip_prefix('|')
            .or(framed.contains(['│', '║']).then_some(framed))
        {
            let inner = inner.strip_suffix('|').unwrap_or(inner);
            let mut cells: Vec<&str> = inner.split(['|', '│', '║']).map(str::trim).collect();
            let doubled = cells.iter().skip(1).step_by(2).all(|cell| cell.is_empty());
            if doubled && cells.len() == 2 * self.shape.cols() - 1 {
                cells = cells.into_iter().step_by(2).collect(); // `|1||2||3|`
            }
            let cells = cells.into_iter().map(|cell| match cell {
                "" => self.cell("_", 0),
                cell => self.cell(cell, 0),
            });
            if let Some(cells) = cells.collect() {
                return Some(cells);
            }
        }
        let end = |token: &str| token.as_ptr() as usize - line.as_ptr() as usize + token.len();
        let tokens = line
            .split(|c: char| c.is_whitespace() || ",;[](){}\"'|/".contains(c))
            .filter(|token| !token.is_empty());
        let tokens: Vec<&str> = tokens.take(MOST_CELLS).collect();
        if let [word] = tokens[..] {
            // `123`, or `1-e-3`
            let hyphened = word.len() == 2 * self.shape.cols() - 1 && word.contains('-');
            return if hyphened {
                word.split('-')
                    .map(|cell| self.cell(cell, end(cell)))
                    .collect()
            } else {
                word.char_indices()
                    .map(|(i, c)| self.cell(&word[i..i + c.len_utf8()], i))
                    .collect()
            };
        }
        tokens
            .iter()
            .map(|token| self.cell(token, end(token)))
            .collect()
    }

    fn cell(&self, text: &str, end: usize) -> Option<Cell> {
        let blank = u32::from(self.numbering.blank);
        let letters = self.shape.cells() > 10;
        let number = match text.as_bytes() {
            [b'_' | b'.' | b'x' | b'X' | b'*' | b'-' | b'#'] => blank,
            [b'e' | b'E' | b'b' | b'B'] if !letters => blank,
            [digit @ b'0'..=b'9'] => u32::from(digit - b'0'),
            [letter @ (b'a'..=b'o' | b'A'..=b'O')] if letters => {
                u32::from(letter.to_ascii_lowercase() - b'a') + 10
            }
            bytes if bytes.len() == 2 && bytes.iter().all(u8::is_ascii_digit) => {
                text.parse().ok()?
            }
            _ if ["·", "•", "□", "■", "⬜", "⬛"].contains(&text) => blank,
            _ if text.eq_ignore_ascii_case("blank") || text.eq_ignore_ascii_case("empty") => blank,
            _ => return None,
        };
        let begin = end.saturating_sub(text.len());
        Some(Cell { number, begin, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Option<String> {
        let mut rows = Rows::new(Shape::EIGHT_PUZZLE, Numbering::default());
        let boards = text.lines().map(|line| rows.take(line));
        boards
            .filter_map(|row| match row {
                Row::Board(board) => Some(board.to_string()),
                _ => None,
            })
            .last()
    }

    #[test]
    fn boards_are_drawn_in_many_ways() {
        for text in [
            "1 2 3\n4 0 5\n7 8 6",
            "123\n405\n786",
            "1-2-3\n4-e-5\n7-8-6",
            "[1, 2, 3]\n[4, 0, 5]\n[7, 8, 6]",
            "1 2 3\n4 _ 5\n7 8 6",
            "1 2 3\n4 * 5\n7 8 6",
            "1 2 3\n4   5\n7 8 6",
            "| 1 | 2 | 3 |\n| 4 |   | 5 |\n| 7 | 8 | 6 |",
            "123405786",
        ] {
            assert_eq!(drawn(text).as_deref(), Some("123405786"), "{text}");
        }
        assert_eq!(drawn("1 2 3\n4 5 6\n7 8").as_deref(), Some("123456780"));
        assert_eq!(drawn("  2 3\n1 4 5\n7 8 6").as_deref(), Some("023145786"));
        for text in [
            "1 2 3\n4 5 6",
            "1 2 3\n4 4 5\n7 8 6",
            "1 2\n3 4\n5 6",
            "hello",
        ] {
            assert_eq!(drawn(text), None, "{text}");
        }
    }
}
