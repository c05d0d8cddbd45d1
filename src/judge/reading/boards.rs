//! Boards by position, and the chains that they make.

use std::collections::VecDeque;

use crate::puzzle::{Board, Numbering, Shape};

use super::lex::{Kind, Token};
use super::words::Sense;

/// A line that may be a row of boards.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    /// Cells in rows of whole boards' width: tiles, and 0 for anything else.
    cells: Vec<u8>,
    /// Tiles, with the columns where they end.
    tiles: Vec<(u8, u32)>,
}

/// Finds the boards of a text, line by line.
#[derive(Debug, Default)]
pub(super) struct Boards {
    numbering: Numbering,
    /// The boards, each with its first line.
    pub placed: Vec<(usize, Board)>,
    /// The last lines, as many as a board has rows.
    window: VecDeque<Row>,
    /// Whether words stand behind the last board.
    worded: bool,
    /// Whether a row is in no board.
    pub torn: bool,
    /// Whether a board is not a move from the one before, without a word between them.
    jumps: bool,
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
        let (cells, cols, before) = (self.shape().cells(), self.shape().cols(), self.placed.len());
        let says = |token: &Token<'_>| match token.number() {
            Some(number) => token.text.len() < cols && self.tile(number).is_none(),
            None => token.is_word() && token.text.len() < cells && !token.sense.has(Sense::BLANK),
        };
        let words = tokens.iter().any(says);
        let long = |token: &Token<'_>| token.is_word() && token.text.chars().nth(1).is_some();
        self.worded |= tokens.iter().any(long);
        let mut row = Row {
            line,
            ..Row::default()
        };
        for run in self.runs(tokens, words).split(Option::is_none) {
            let is_row = |row: &[Option<u8>]| row.iter().filter(|it| **it == Some(0)).count() < 2;
            if run.len().is_multiple_of(cols) && run.chunks(cols).all(is_row) {
                row.cells.extend(run.iter().flatten());
                let is_whole = row.cells.len().is_multiple_of(cells);
                if is_whole && self.place_all(&row.cells, line) {
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
            let says = |token: &Token<'_>| !matches!(token.kind, Kind::Symbol(_));
            if tokens.iter().any(says) {
                self.torn |= self.is_pending();
                self.window.clear();
            }
            return false;
        }
        let is_row = !row.cells.is_empty() && !words;
        if self.window.len() == self.shape().rows() {
            let first = self.window.pop_front();
            self.torn |= first.is_some_and(|first| !first.cells.is_empty());
        }
        self.window.push_back(row);
        let is_full = self.window.len() == self.shape().rows();
        if !is_full || !(self.drawn_by_cells() || self.drawn_by_columns()) {
            return is_row;
        }
        self.window.clear();
        true
    }

    /// Whether boards are left over that are not whole, or no chain.
    pub(super) fn is_torn(&self) -> bool {
        self.torn || self.jumps || self.is_pending()
    }

    /// Whether the last lines are rows that are in no board yet.
    fn is_pending(&self) -> bool {
        self.window.iter().any(|row| !row.cells.is_empty())
    }

    /// The tile of a number, or 0 for the blank.
    fn tile(&self, number: u64) -> Option<u8> {
        self.numbering.tile(self.shape(), number.try_into().ok()?)
    }

    /// Runs of cells in a line, with `None` between them.
    fn runs(&self, tokens: &[Token<'_>], words: bool) -> Vec<Option<u8>> {
        let mut runs = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            let characters = token.text.chars().count();
            let has_digits = token.text.contains(|c: char| c.is_ascii_digit());
            let is_row = characters == self.shape().cols() && !words && token.number().is_some();
            if has_digits && (characters == self.shape().cells() || is_row) {
                let digits = token.text.chars().map(|c| c.to_digit(36));
                let tiles = digits.map(|digit| digit.and_then(|digit| self.tile(digit.into())));
                runs.push(None);
                runs.extend(tiles.map(|tile| tile.or(Some(0))));
                runs.push(None);
                continue;
            }
            let tight = tokens.get(i + 1).is_some_and(|next| !next.apart);
            let negative = i > 0 && tokens[i - 1].is("-") && !token.apart;
            let cell = match token.kind {
                Kind::Number(_) if negative => Some(0),
                Kind::Number(number) => self.tile(number),
                Kind::Word => token.sense.has(Sense::BLANK).then_some(0),
                Kind::Symbol('-') if tight => None,
                Kind::Symbol(_) => is_odd(token).then_some(0),
            };
            if cell.is_some() || !token.is("-,;|│┃║'\"`&*\\") {
                runs.push(cell);
            }
        }
        runs
    }

    /// A board whose rows have as many cells as its width.
    fn drawn_by_cells(&mut self) -> bool {
        let cols = self.shape().cols();
        let is_drawn = self.window.iter().all(|row| row.cells.len() == cols);
        let cells = self.window.iter().flat_map(|row| row.cells.iter().copied());
        let cells: Vec<u8> = cells.filter(|_| is_drawn).collect();
        self.place_all(&cells, self.window[0].line)
    }

    /// Boards, also side by side, whose tiles stand in columns. Nothing need stand for the blank.
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
        let mut boards = vec![0; beside * cells];
        for (r, (tile, end)) in tiles {
            let place = columns.partition_point(|column| *column < end);
            boards[place / cols * cells + r * cols + place % cols] = tile;
        }
        self.place_all(&boards, self.window[0].line)
    }

    /// Places boards with these cells that begin in a line; none and false if any of them is not a board.
    fn place_all(&mut self, cells: &[u8], line: usize) -> bool {
        let boards = cells.chunks(self.shape().cells());
        let boards: Result<Vec<Board>, _> = boards.map(|it| Board::new(self.shape(), it)).collect();
        let boards = boards.unwrap_or_default();
        for &board in &boards {
            let last = self.placed.last().map_or(board, |last| last.1);
            let jumps = last != board && !is_step(&last, &board);
            self.jumps |= !std::mem::take(&mut self.worded) && jumps;
            self.placed.push((line, board));
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
    from.successors().any(|(_, board)| board == *to)
}

/// The last boards that lead from the start to the goal, a move apart, and the line of the last of them. The start may
/// be left out if no other board stands before; the goal may be shown between the boards.
pub(super) fn last_way<'p>(
    placed: impl Iterator<Item = &'p (usize, Board)>,
    [start, goal]: [Board; 2],
) -> Option<(usize, Vec<Board>)> {
    let (mut way, mut chain, mut from) = (None, vec![start], 0);
    for &(line, board) in placed {
        match chain.last() {
            Some(last) if is_step(last, &board) => chain.push(board),
            _ if board == start => (chain, from) = (vec![start], line),
            _ if board == goal => continue,
            _ => chain.clear(),
        }
        if board == goal && chain.len() > 1 {
            way = Some((line.max(from), chain.split_off(1)));
            chain.clear();
        }
    }
    way
}
