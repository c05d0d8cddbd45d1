//! Boards by position, and the chains that they make.

use std::collections::VecDeque;

use crate::puzzle::{Board, Move, Numbering, Shape};

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
    /// Place of its first cell in the line, in bytes.
    pub at: usize,
    /// What the words say since the board before; `None` if there are none.
    pub said: Option<Sense>,
    /// Whether rows that are in no board stand before it.
    pub torn: bool,
}

/// A cell of a row: a tile, or the sign of something else.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Tile(u8),
    Odd(char),
}

/// A line that may be a row of boards.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    at: usize,
    /// Cells in rows of whole boards' width.
    cells: Vec<Cell>,
    /// Tiles, with the columns where they begin and end.
    tiles: Vec<(u8, [u32; 2])>,
}

/// Finds the boards of a text, line by line.
#[derive(Debug)]
pub(super) struct Boards {
    shape: Shape,
    numbering: Numbering,
    /// The last lines, as many as a board has rows.
    window: VecDeque<Row>,
    pub placed: Vec<Placed>,
    said: Option<Sense>,
    /// Whether a row was in no board, in the text and since the last board.
    torn: (bool, bool),
    /// Whether the last line has words.
    pub words: bool,
}

/// Boards side by side whose columns are compared.
const MOST_BESIDE: usize = 64;

impl Boards {
    pub(super) fn new(shape: Shape, numbering: Numbering) -> Boards {
        Boards {
            shape,
            numbering: numbering.of(shape),
            window: VecDeque::new(),
            placed: Vec::new(),
            said: None,
            torn: (false, false),
            words: false,
        }
    }

    /// Reads a line. Returns whether it is a row of boards.
    pub(super) fn push(&mut self, line: usize, tokens: &[Token<'_>]) -> bool {
        let (rows, cols, cells) = (self.shape.rows(), self.shape.cols(), self.shape.cells());
        let is_word = |token: &&Token<'_>| token.is_word() && token.text.chars().nth(1).is_some();
        for word in tokens.iter().filter(is_word) {
            self.said = Some(self.said.unwrap_or_default() | word.sense);
        }
        let says =
            |token: &Token<'_>| token.step.is_some() || (2..cells).contains(&token.text.len());
        self.words = tokens.iter().any(|token| token.is_word() && says(token));
        let mut row = Row {
            line,
            ..Row::default()
        };
        let before = self.placed.len();
        for (at, run) in self.runs(tokens) {
            let whole = run.len() >= cells && run.len().is_multiple_of(cells);
            if whole && self.place_all(run.chunks(cells).map(<[Cell]>::to_vec), line, at) {
                row.cells.clear();
            } else if run.len().is_multiple_of(cols) && run.chunks(cols).all(is_row) {
                row.at = if row.cells.is_empty() { at } else { row.at };
                row.cells.extend(run);
                let last = row.cells.len().checked_sub(cells).filter(|_| rows > 1);
                if let Some(from) = last
                    && self.place_all([row.cells[from..].to_vec()], line, row.at)
                {
                    row.cells.clear();
                }
            }
        }
        if self.placed.len() > before {
            self.window.clear();
            return true;
        }
        for token in tokens.iter().filter(|_| !self.words) {
            if let Some(tile @ 1..) = token.number().and_then(|number| self.tile(number)) {
                let end = token.column + token.text.len() as u32;
                row.tiles.push((tile, [token.column, end]));
            }
        }
        if row.tiles.is_empty() && row.cells.is_empty() {
            if tokens
                .iter()
                .any(|token| !matches!(token.kind, Kind::Symbol(_)))
            {
                self.tear(self.is_pending());
                self.window.clear();
            }
            return false;
        }
        let is_row = !row.cells.is_empty() && !self.words;
        if self.window.len() == rows {
            let first = self.window.pop_front();
            self.tear(first.is_some_and(|first| !first.cells.is_empty()));
        }
        self.window.push_back(row);
        if self.window.len() == rows && (self.drawn_by_cells() || self.drawn_by_columns()) {
            self.window.clear();
            return true;
        }
        is_row
    }

    fn tear(&mut self, torn: bool) {
        self.torn = (self.torn.0 || torn, self.torn.1 || torn);
    }

    /// Whether some row is in no board.
    pub(super) fn is_torn(&self) -> bool {
        self.torn.0 || self.is_pending()
    }

    /// Whether the last lines are rows that are in no board yet.
    pub(super) fn is_pending(&self) -> bool {
        self.window.iter().any(|row| !row.cells.is_empty())
    }

    /// The tile of a number, or 0 for the blank.
    fn tile(&self, number: u64) -> Option<u8> {
        self.numbering.tile(self.shape, u32::try_from(number).ok()?)
    }

    /// The cell that a number or a character is.
    fn cell(&self, number: Option<u64>, sign: char) -> Cell {
        let tile = number.and_then(|number| self.tile(number));
        tile.filter(|&tile| tile > 0)
            .map_or(Cell::Odd(sign), Cell::Tile)
    }

    /// Runs of cells in a line, and where each begins.
    fn runs(&self, tokens: &[Token<'_>]) -> Vec<(usize, Vec<Cell>)> {
        let (cells, cols) = (self.shape.cells(), self.shape.cols());
        let mut runs: Vec<(usize, Vec<Cell>)> = Vec::new();
        let (mut open, mut negative) = (false, false);
        for (i, token) in tokens.iter().enumerate() {
            let next = tokens.get(i + 1);
            let before = i.checked_sub(1).map(|before| &tokens[before]);
            let sign = token.text.chars().next().unwrap_or(' ');
            let slash = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is("/"));
            let is_row = (slash(before) || slash(next) || !self.words)
                && token.text.len() == cols
                && cells <= 10
                && token.number().is_some_and(|number| number >= cells as u64);
            let digits = token.text.bytes().filter(u8::is_ascii_digit).count();
            let whole = 2 * digits >= cells && token.text.chars().count() == cells;
            if is_row || whole {
                let cell = |c: char| self.cell(c.to_digit(36).map(u64::from), c);
                runs.push((token.start, token.text.chars().map(cell).collect()));
                open = false;
                continue;
            }
            let cell = match token.kind {
                Kind::Number(_) if negative => Some(Cell::Odd('-')),
                Kind::Number(number) => Some(self.cell(Some(number), sign)),
                Kind::Word
                    if token.sense.has(Sense::BLANK) || token.text.len() == sign.len_utf8() =>
                {
                    Some(Cell::Odd(sign))
                }
                Kind::Symbol(c) if is_odd(c, token, before, next) => Some(Cell::Odd(c)),
                _ => None,
            };
            negative = token.is("-")
                && next.is_some_and(|next| next.number().is_some() && !next.apart)
                && (token.apart || before.is_some_and(|before| before.is("[(,")));
            match (cell, runs.last_mut().filter(|_| open)) {
                (Some(cell), Some((_, run))) => run.push(cell),
                (Some(cell), None) => runs.push((token.start, vec![cell])),
                (None, _) => {}
            }
            open = cell.is_some() || open && (negative || is_soft(token, next));
        }
        runs
    }

    /// The board with these cells and the sign of its blank, if all of them but one are the tiles.
    fn board(&self, cells: &[Cell]) -> Option<(Board, char)> {
        let mut odd = cells.iter().filter_map(|cell| match cell {
            Cell::Odd(sign) => Some(*sign),
            Cell::Tile(_) => None,
        });
        let tile = |cell: &Cell| {
            if let Cell::Tile(tile) = cell {
                *tile
            } else {
                0
            }
        };
        let tiles: Vec<u8> = cells.iter().map(tile).collect();
        Some((Board::new(self.shape, &tiles).ok()?, odd.next()?))
    }

    /// Boards whose rows have as many cells as their width.
    fn drawn_by_cells(&mut self) -> bool {
        let (cols, width) = (self.shape.cols(), self.window[0].cells.len());
        if width == 0 || self.window.iter().any(|row| row.cells.len() != width) {
            return false;
        }
        let rows = &self.window;
        let board = |from| {
            rows.iter()
                .flat_map(|row| row.cells[from..from + cols].to_vec())
                .collect()
        };
        let boards: Vec<Vec<Cell>> = (0..width).step_by(cols).map(board).collect();
        self.place_all(boards, self.window[0].line, self.window[0].at)
    }

    /// Boards in whose rows nothing stands for the blank: their tiles stand in columns.
    fn drawn_by_columns(&mut self) -> bool {
        let (cells, cols) = (self.shape.cells(), self.shape.cols());
        let tiles = || {
            self.window
                .iter()
                .enumerate()
                .flat_map(|(r, row)| row.tiles.iter().map(move |tile| (r, tile)))
        };
        let beside = tiles().count() / (cells - 1);
        if beside == 0 || beside > MOST_BESIDE || tiles().count() != beside * (cells - 1) {
            return false;
        }
        let boards = [0, 1].into_iter().find_map(|edge| {
            let mut columns: Vec<u32> = tiles().map(|(_, tile)| tile.1[edge]).collect();
            columns.sort_unstable();
            columns.dedup();
            let mut boards = vec![vec![Cell::Odd(' '); cells]; beside];
            for (r, tile) in tiles().filter(|_| columns.len() == beside * cols) {
                let place = columns.binary_search(&tile.1[edge]).ok()?;
                boards[place / cols][r * cols + place % cols] = Cell::Tile(tile.0);
            }
            (columns.len() == beside * cols).then_some(boards)
        });
        self.place_all(
            boards.unwrap_or_default(),
            self.window[0].line,
            self.window[0].at,
        )
    }

    /// Places boards that begin in a line; none and false if any of them is not a board.
    fn place_all(
        &mut self,
        boards: impl IntoIterator<Item = Vec<Cell>>,
        line: usize,
        at: usize,
    ) -> bool {
        let boards = boards.into_iter().map(|cells| self.board(&cells));
        let boards = boards.collect::<Option<Vec<_>>>().unwrap_or_default();
        for &(board, sign) in &boards {
            self.placed.push(Placed {
                board,
                sign,
                line,
                at,
                said: self.said.take(),
                torn: std::mem::take(&mut self.torn.1),
            });
        }
        !boards.is_empty()
    }
}

/// Whether at most one of some cells is no tile.
fn is_row(cells: &[Cell]) -> bool {
    cells
        .iter()
        .filter(|cell| matches!(cell, Cell::Odd(_)))
        .count()
        < 2
}

/// Whether a symbol only separates the cells of a row.
fn is_soft(token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let tight = next.is_some_and(|next| !next.apart);
    let blank = next.is_some_and(|next| next.sense.has(Sense::BLANK));
    token.is(",;|│┃║'\"`&*")
        || token.is("-") && !token.apart && tight
        || token.is("\\") && tight && blank
}

/// Whether a symbol stands in the place of a cell.
fn is_odd(
    c: char,
    token: &Token<'_>,
    before: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
) -> bool {
    const FRAMES: &str = ",;|│┃║'\"`&])}";
    if "'\"".contains(c) {
        let opens = before.is_none_or(|before| before.is("[(,"));
        return next.is_some_and(|next| next.text == token.text && (!next.apart || opens));
    }
    let begins = token.apart || before.is_none_or(|before| before.is(FRAMES) || before.is("[("));
    let ends = next.is_none_or(|next| next.apart || next.is(FRAMES));
    begins && ends && token.step.is_none() && !",;|│┃║`&<>=:+/\\[](){}→─═━—–┌└├┐┘┤".contains(c)
}

/// Whether one move leads from a board to another.
pub(super) fn is_step(from: &Board, to: &Board) -> bool {
    Move::ALL
        .into_iter()
        .any(|mv| from.slide(mv).as_ref() == Some(to))
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
    /// Whether the goal was shown behind the last board.
    shown: bool,
    /// Whether a board that is neither the start nor the goal was placed, and whether one was before this chain.
    others: (bool, bool),
}

impl Chain {
    /// Takes the next board of the text, which ends in `line`. Returns the chain before, if the board begins another. The
    /// goal and the start may be shown between the boards of a chain.
    pub(super) fn push(
        &mut self,
        placed: &[Placed],
        line: usize,
        [start, goal]: [&Board; 2],
    ) -> Option<Chain> {
        let it = placed.last()?;
        let board = it.board;
        let is_end = board == *start || board == *goal;
        let mut boards = vec![board];
        if let (Some(&first), Some(&last)) = (self.boards.first(), self.boards.last()) {
            let step = self.sign == it.sign && !it.torn && is_step(&last, &board);
            let goal_shown = board == *goal && last != *goal && !step && !it.torn;
            let again = is_end && last == board && self.sign == it.sign;
            let turned = again && board == *start && first == *goal;
            if again && !turned || goal_shown {
                self.shown = goal_shown;
                return None;
            }
            let whole = self.boards.len() > 1 && first != *goal && last == *goal;
            let begins =
                board == *start && first != *start && (first != *goal || self.boards.len() == 1);
            if step && !(whole || turned || begins) {
                self.boards.push(board);
                self.line = line;
                self.others.0 |= !is_end;
                self.shown = false;
                return None;
            }
            if self.shown && is_step(goal, &board) {
                boards.insert(0, *goal);
            }
        }
        let before = self.others.0 || it.torn;
        let next = Chain {
            boards,
            line,
            first: placed.len() - 1,
            sign: it.sign,
            shown: false,
            others: (before || !is_end, before),
        };
        Some(std::mem::replace(self, next))
    }

    /// The boards from the start to the goal, if the chain leads from one to the other in either direction.
    pub(super) fn solution(&self, [start, goal]: [&Board; 2]) -> Option<Vec<Board>> {
        let (first, last) = (self.boards.first()?, self.boards.last()?);
        let begins = first == start || !self.others.1 && is_step(start, first);
        if begins && last == goal {
            return Some(self.boards.clone());
        }
        (first == goal && last == start).then(|| self.boards.iter().rev().copied().collect())
    }
}
