//! Boards by position, and the chains that they make.

use std::collections::VecDeque;

use crate::judge::replay::near;
use crate::puzzle::{Board, Numbering, Shape};

use super::lex::{Kind, Token};
use super::words::Sense;

/// A board in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub board: Board,
    /// The sign of the blank; a space if nothing is drawn.
    pub sign: char,
    /// Its first line.
    pub line: usize,
    /// What the words say since the board before; `None` if there are none.
    pub said: Option<Sense>,
    /// Whether rows that are in no board stand before it.
    pub torn: bool,
}

/// A cell of a row: a tile, or the sign of something else.
type Cell = Result<u8, char>;

/// A line that may be a row of boards.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    /// Cells in rows of whole boards' width.
    cells: Vec<Cell>,
    /// Tiles, with the columns where they end.
    tiles: Vec<(u8, u32)>,
}

/// Finds the boards of a text, line by line.
#[derive(Debug, Default)]
pub(super) struct Boards {
    numbering: Numbering,
    pub placed: Vec<Placed>,
    /// The last lines, as many as a board has rows.
    window: VecDeque<Row>,
    /// What the words say since the last board.
    said: Option<Sense>,
    /// Whether a row since the last board was in none.
    torn: bool,
}

impl Boards {
    pub(super) fn new(numbering: Numbering) -> Boards {
        Boards {
            numbering,
            ..Boards::default()
        }
    }

    fn shape(&self) -> Shape {
        self.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE)
    }

    /// Reads a line. Returns whether it is a row of boards.
    pub(super) fn push(&mut self, line: usize, tokens: &[Token<'_>]) -> bool {
        let shape = self.shape();
        let (cells, before) = (shape.cells(), self.placed.len());
        let long = |token: &&Token<'_>| token.is_word() && token.text.chars().nth(1).is_some();
        for word in tokens.iter().filter(long) {
            self.said = Some(self.said.unwrap_or_default() | word.sense);
        }
        let says = |token: &Token<'_>| (2..cells).contains(&token.text.len());
        let words = tokens.iter().any(|token| token.is_word() && says(token));
        let mut row = Row {
            line,
            ..Row::default()
        };
        for run in self.runs(tokens, words) {
            let is_row = |row: &[Cell]| row.iter().filter(|cell| cell.is_err()).count() < 2;
            let mut rows = run.chunks_exact(shape.cols());
            if rows.remainder().is_empty() && rows.all(is_row) {
                row.cells.extend(run);
                let boards = row.cells.chunks_exact(cells);
                if boards.remainder().is_empty()
                    && self.place_all(boards.map(<[Cell]>::to_vec), line)
                {
                    row.cells.clear();
                }
            }
        }
        if self.placed.len() > before {
            self.window.clear();
            return true;
        }
        for token in tokens.iter().filter(|_| !words) {
            if let Some(tile @ 1..) = token.number().and_then(|number| self.tile(number)) {
                let end = token.column + token.text.len() as u32;
                row.tiles.push((tile, end));
            }
        }
        if row.tiles.is_empty() && row.cells.is_empty() {
            if tokens
                .iter()
                .any(|token| !matches!(token.kind, Kind::Symbol(_)))
            {
                self.torn |= self.is_pending();
                self.window.clear();
            }
            return false;
        }
        let is_row = !row.cells.is_empty() && !words;
        if self.window.len() == shape.rows() {
            let first = self.window.pop_front();
            self.torn |= first.is_some_and(|first| !first.cells.is_empty());
        }
        self.window.push_back(row);
        if self.window.len() < shape.rows() || !(self.drawn_by_cells() || self.drawn_by_columns()) {
            return is_row;
        }
        self.window.clear();
        true
    }

    /// Whether some row is in no board.
    pub(super) fn is_torn(&self) -> bool {
        self.torn || self.is_pending() || self.placed.iter().any(|placed| placed.torn)
    }

    /// Whether the last lines are rows that are in no board yet.
    fn is_pending(&self) -> bool {
        self.window.iter().any(|row| !row.cells.is_empty())
    }

    /// The tile of a number, or 0 for the blank.
    fn tile(&self, number: u64) -> Option<u8> {
        self.numbering
            .tile(self.shape(), u32::try_from(number).ok()?)
    }

    /// The cell that a number or a character is.
    fn cell(&self, number: Option<u64>, sign: char) -> Cell {
        let tile = number.and_then(|number| self.tile(number));
        tile.filter(|&tile| tile > 0).ok_or(sign)
    }

    /// Runs of cells in a line.
    fn runs(&self, tokens: &[Token<'_>], words: bool) -> Vec<Vec<Cell>> {
        let (cells, cols) = (self.shape().cells(), self.shape().cols());
        let mut runs: Vec<Vec<Cell>> = Vec::new();
        let mut open = false;
        for (i, token) in tokens.iter().enumerate() {
            let before = tokens.get(i.wrapping_sub(1));
            let sign = token.text.chars().next().unwrap_or(' ');
            let is_board = token.text.chars().count() == cells;
            let is_row = token.text.len() == cols && !words;
            let has_digits = token.text.contains(|c: char| c.is_ascii_digit());
            if has_digits && (is_board || is_row && cols > 1 && token.number().is_some()) {
                let cell = |c: char| self.cell(c.to_digit(36).map(u64::from), c);
                runs.push(token.text.chars().map(cell).collect());
                open = false;
                continue;
            }
            let blank = token.sense.has(Sense::BLANK) || token.text.len() == sign.len_utf8();
            let tight = tokens.get(i + 1).is_some_and(|next| !next.apart);
            let negative = before.is_some_and(|before| before.is("-") && !token.apart);
            let cell = match token.kind {
                Kind::Number(_) if negative => Some(Err('-')),
                Kind::Number(number) => Some(self.cell(Some(number), sign)),
                Kind::Word => blank.then_some(Err(sign)),
                Kind::Symbol('-') if tight => None,
                Kind::Symbol(_) => is_odd(token).then_some(Err(sign)),
            };
            match (cell, runs.last_mut().filter(|_| open)) {
                (Some(cell), Some(run)) => run.push(cell),
                (Some(cell), None) => runs.push(vec![cell]),
                (None, _) => {}
            }
            open = cell.is_some() || open && token.is("-,;|│┃║'\"`&*\\");
        }
        runs
    }

    /// Boards whose rows have as many cells as their width.
    fn drawn_by_cells(&mut self) -> bool {
        let (cols, width) = (self.shape().cols(), self.window[0].cells.len());
        if width == 0 || self.window.iter().any(|row| row.cells.len() != width) {
            return false;
        }
        let board = |from| {
            let rows = self.window.iter();
            rows.flat_map(|row| row.cells[from..from + cols].to_vec())
                .collect()
        };
        let boards: Vec<Vec<Cell>> = (0..width).step_by(cols).map(board).collect();
        self.place_all(boards, self.window[0].line)
    }

    /// Boards in whose rows nothing stands for the blank: their tiles stand in columns.
    fn drawn_by_columns(&mut self) -> bool {
        let (cells, cols) = (self.shape().cells(), self.shape().cols());
        let rows = self.window.iter().enumerate();
        let tiles = rows.flat_map(|(r, row)| row.tiles.iter().map(move |tile| (r, *tile)));
        let tiles: Vec<(usize, (u8, u32))> = tiles.collect();
        let beside = tiles.len() / (cells - 1);
        let mut columns: Vec<u32> = tiles.iter().map(|(_, tile)| tile.1).collect();
        columns.sort_unstable();
        columns.dedup();
        if columns.len() != beside * cols || tiles.len() != beside * (cells - 1) {
            return false;
        }
        let mut boards = vec![vec![Err(' '); cells]; beside];
        for (r, (tile, end)) in tiles {
            let place = columns.partition_point(|column| *column < end);
            boards[place / cols][r * cols + place % cols] = Ok(tile);
        }
        self.place_all(boards, self.window[0].line)
    }

    /// Places boards that begin in a line; none and false if any of them is not a board.
    fn place_all(&mut self, boards: impl IntoIterator<Item = Vec<Cell>>, line: usize) -> bool {
        let board = |cells: Vec<Cell>| {
            let tiles: Vec<u8> = cells.iter().map(|cell| cell.unwrap_or(0)).collect();
            let sign = cells.iter().find_map(|cell| cell.err())?;
            Some((Board::new(self.shape(), &tiles).ok()?, sign))
        };
        let boards: Option<Vec<(Board, char)>> = boards.into_iter().map(board).collect();
        let boards = boards.unwrap_or_default();
        for &(board, sign) in &boards {
            let (said, torn) = (self.said.take(), std::mem::take(&mut self.torn));
            self.placed.push(Placed {
                board,
                sign,
                line,
                said,
                torn,
            });
        }
        !boards.is_empty()
    }
}

/// Whether a symbol stands in the place of a cell.
fn is_odd(token: &Token<'_>) -> bool {
    token.step.is_none() && !token.is("'\",;|│┃║`&<>=:+/\\[](){}→─═━—–┌└├┐┘┤")
}

/// Whether one move leads from a board to another.
pub(super) fn is_step(from: &Board, to: &Board) -> bool {
    near(from).any(|(_, board)| board == *to)
}

/// Boards a move apart, in their order, as they are placed.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub boards: Vec<Board>,
    /// The line in which the last board ends.
    pub line: usize,
    /// Place of the first board among all.
    pub first: usize,
    sign: char,
}

impl Chain {
    /// Takes the last board of the text, which ends in `line`. Returns the chain before, if the board begins another. The
    /// goal and the start may be shown between the boards of a chain.
    pub(super) fn push(
        &mut self,
        placed: &[Placed],
        line: usize,
        [start, goal]: [&Board; 2],
    ) -> Option<Chain> {
        let it = placed.last()?;
        let (last, same) = (self.boards.last().copied(), self.sign == it.sign);
        let follows = |last: Board| same && !it.torn && is_step(&last, &it.board);
        // A chain that does not begin at the goal is over there.
        let over = last == Some(*goal) && self.boards.len() > 1 && self.boards[0] != *goal;
        if last.is_some_and(follows) && !over {
            self.boards.push(it.board);
            self.line = line;
            return None;
        }
        let shown = it.board == *goal && !it.torn && last.is_some_and(|last| last != *goal);
        let again = same && last == Some(it.board) && [start, goal].contains(&&it.board);
        if shown || again {
            return None;
        }
        let next = Chain {
            boards: vec![it.board],
            line,
            first: placed.len() - 1,
            sign: it.sign,
        };
        Some(std::mem::replace(self, next))
    }

    /// The boards from the start to the goal, if the chain leads from one to the other in either direction.
    pub(super) fn solution(
        &self,
        placed: &[Placed],
        [start, goal]: [&Board; 2],
    ) -> Option<Vec<Board>> {
        let (first, last) = (self.boards.first()?, self.boards.last()?);
        // The start may be left out.
        let is_end = |it: &Placed| it.board == *start || it.board == *goal;
        let begins = || {
            is_step(start, first)
                && !placed[self.first].torn
                && placed[..self.first].iter().all(is_end)
        };
        if last == goal && (first == start || begins()) {
            return Some(self.boards.clone());
        }
        (first == goal && last == start).then(|| self.boards.iter().rev().copied().collect())
    }
}
