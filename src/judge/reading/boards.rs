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
    /// Its first and its last line.
    pub lines: (usize, usize),
    /// Place of its first cell in the line, in bytes.
    pub at: usize,
    /// What the words say since the board before.
    pub sense: Sense,
    /// Whether there are any.
    pub after_words: bool,
    /// Whether it is drawn over several lines.
    pub drawn: bool,
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
    tiles: Vec<(u8, u32, u32)>,
}

/// Finds the boards of a text, line by line.
pub(super) struct Boards {
    shape: Shape,
    numbering: Numbering,
    /// The last lines, as many as a board has rows.
    window: VecDeque<Row>,
    pub placed: Vec<Placed>,
    sense: Sense,
    after_words: bool,
    /// Whether a row was in no board.
    torn: bool,
    /// Whether one was since the last board.
    torn_since: bool,
    /// Whether the last line may be a row.
    pub row: bool,
    /// Whether rows stand before it that are in no board yet.
    pub second: bool,
    /// Whether the last line has words.
    pub words: bool,
    /// Runs of cells of the line at work, and where each begins.
    cells: Vec<Cell>,
    runs: Vec<(usize, usize)>,
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
            sense: Sense::default(),
            after_words: false,
            torn: false,
            torn_since: false,
            row: false,
            words: false,
            second: false,
            cells: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Reads a line. Returns whether a board ends in it.
    pub(super) fn push(&mut self, line: usize, tokens: &[Token<'_>]) -> bool {
        let (rows, cols, before) = (self.shape.rows(), self.shape.cols(), self.placed.len());
        let is_word = |token: &&Token<'_>| token.is_word() && token.text.chars().nth(1).is_some();
        for word in tokens.iter().filter(is_word) {
            (self.sense, self.after_words) = (self.sense | word.sense, true);
        }
        let short = 2..self.shape.cells();
        let says = |token: &Token<'_>| token.step.is_some() || short.contains(&token.text.len());
        self.words = tokens.iter().any(|token| token.is_word() && says(token));
        self.row = false;
        self.read_cells(tokens);
        let mut row = Row {
            line,
            ..Row::default()
        };
        let runs = std::mem::take(&mut self.runs);
        for (i, &(from, at)) in runs.iter().enumerate() {
            let to = runs.get(i + 1).map_or(self.cells.len(), |next| next.0);
            let (run, cells) = (&self.cells[from..to], self.shape.cells());
            let whole = run.len() >= cells && run.len().is_multiple_of(cells);
            let is_rows = run.len().is_multiple_of(cols) && run.chunks(cols).all(is_row);
            if whole && self.whole_boards(from, to, (line, line), at) {
                row.cells.clear();
            } else if is_rows {
                row.at = if row.cells.is_empty() { at } else { row.at };
                row.cells.extend_from_slice(&self.cells[from..to]);
                let rows = row
                    .cells
                    .len()
                    .checked_sub(cells)
                    .map(|from| &row.cells[from..]);
                let found = rows
                    .filter(|_| cells > cols)
                    .and_then(|rows| self.board(rows.iter().copied()));
                if let Some(found) = found {
                    self.place(found, (line, line), row.at);
                    row.cells.clear();
                }
            }
        }
        self.runs = runs;
        if self.placed.len() > before {
            self.window.clear();
            return true;
        }
        for token in tokens.iter().filter(|_| !self.words) {
            if let Some(tile @ 1..) = token.number().and_then(|number| self.tile(number)) {
                let end = token.column + token.text.len() as u32;
                row.tiles.push((tile, token.column, end));
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
        self.row = !row.cells.is_empty() && !self.words;
        self.second = self.is_pending();
        if self.window.len() == rows {
            let first = self.window.pop_front();
            self.tear(first.is_some_and(|first| !first.cells.is_empty()));
        }
        self.window.push_back(row);
        let found = self.window.len() == rows && (self.drawn_by_cells() || self.drawn_by_columns());
        if found {
            self.window.clear();
        }
        found
    }

    /// The boards that stand on a line alone, the last first.
    pub(super) fn on_line(&self, line: usize) -> impl Iterator<Item = &Placed> {
        let on_line = move |placed: &&Placed| placed.lines == (line, line);
        self.placed.iter().rev().take_while(on_line)
    }

    fn tear(&mut self, torn: bool) {
        self.torn |= torn;
        self.torn_since |= torn;
    }

    /// Whether some row is in no board.
    pub(super) fn is_torn(&self) -> bool {
        self.torn || self.is_pending()
    }

    /// Whether the last lines are rows that are in no board yet.
    pub(super) fn is_pending(&self) -> bool {
        self.window.iter().any(|row| !row.cells.is_empty())
    }

    /// The tile of a number, or 0 for the blank.
    fn tile(&self, number: u64) -> Option<u8> {
        self.numbering.tile(self.shape, u32::try_from(number).ok()?)
    }

    /// Cuts a line into runs of cells.
    fn read_cells(&mut self, tokens: &[Token<'_>]) {
        self.cells.clear();
        self.runs.clear();
        let (cells, cols) = (self.shape.cells(), self.shape.cols());
        let (mut open, mut negative) = (false, false);
        for (i, token) in tokens.iter().enumerate() {
            let next = tokens.get(i + 1);
            let single = token.text.len() == cols && cells <= 10 && cols > 1;
            let digits = token.text.bytes().filter(u8::is_ascii_digit).count();
            let compact = token.text.chars().count() == cells && 2 * digits >= cells;
            let number = token.number();
            let slash = i > 0 && tokens[i - 1].is('/') || next.is_some_and(|next| next.is('/'));
            let is_row = single
                && (slash || !self.words)
                && number.is_some_and(|number| number >= cells as u64);
            if is_row || compact && !matches!(token.kind, Kind::Symbol(_)) {
                self.runs.push((self.cells.len(), token.start));
                let cells: Vec<Cell> = token.text.chars().map(|c| self.sign(c)).collect();
                self.cells.extend(cells);
                open = false;
                continue;
            }
            let cell = match token.kind {
                Kind::Number(_) if negative => Some(Cell::Odd('-')),
                Kind::Number(number) => {
                    let tile = self.tile(number);
                    let odd = || Cell::Odd(token.text.chars().next().unwrap_or('0'));
                    Some(tile.filter(|&tile| tile > 0).map_or_else(odd, Cell::Tile))
                }
                Kind::Fraction => None,
                Kind::Word => {
                    let is_blank =
                        token.sense.has(Sense::BLANK) || token.text.chars().nth(1).is_none();
                    is_blank.then(|| Cell::Odd(token.text.chars().next().unwrap_or(' ')))
                }
                Kind::Symbol(c) => odd_symbol(c, i, tokens).then_some(Cell::Odd(c)),
            };
            negative = token.is('-')
                && next.is_some_and(|next| matches!(next.kind, Kind::Number(_)) && !next.apart)
                && (token.apart || i > 0 && tokens[i - 1].is_any("[(,"));
            match cell {
                Some(cell) => {
                    if !open {
                        self.runs.push((self.cells.len(), token.start));
                    }
                    self.cells.push(cell);
                    open = true;
                }
                None => open &= negative || is_soft(i, tokens),
            }
        }
    }

    /// The cell that a character of a board in one word is.
    fn sign(&self, c: char) -> Cell {
        let tile = c
            .to_digit(36)
            .and_then(|number| self.numbering.tile(self.shape, number));
        tile.filter(|&tile| tile > 0)
            .map_or(Cell::Odd(c), Cell::Tile)
    }

    /// The board with these cells and the sign of its blank, if all of them but one are the tiles.
    fn board(&self, cells: impl Iterator<Item = Cell>) -> Option<(Board, char)> {
        let (mut tiles, mut seen, mut odd) = (Vec::with_capacity(self.shape.cells()), 0u64, None);
        for cell in cells {
            match cell {
                Cell::Tile(tile) if seen & 1 << tile == 0 => {
                    seen |= 1 << tile;
                    tiles.push(tile);
                }
                Cell::Odd(sign) if odd.is_none() => {
                    odd = Some(sign);
                    tiles.push(0);
                }
                _ => return None,
            }
        }
        Some((Board::new(self.shape, &tiles).ok()?, odd?))
    }

    /// Boards whose cells stand one behind the other in a run; false if any of them is none.
    fn whole_boards(&mut self, from: usize, to: usize, lines: (usize, usize), at: usize) -> bool {
        let boards = self.cells[from..to].chunks(self.shape.cells());
        let boards: Option<Vec<_>> = boards
            .map(|cells| self.board(cells.iter().copied()))
            .collect();
        let found = boards.unwrap_or_default();
        for &board in &found {
            self.place(board, lines, at);
        }
        !found.is_empty()
    }

    /// Boards whose rows have as many cells as their width.
    fn drawn_by_cells(&mut self) -> bool {
        let cols = self.shape.cols();
        let width = self.window[0].cells.len();
        if width == 0 || self.window.iter().any(|row| row.cells.len() != width) {
            return false;
        }
        let part = |from: usize| {
            self.window
                .iter()
                .flat_map(move |row| row.cells[from..from + cols].iter().copied())
        };
        let boards: Option<Vec<_>> = (0..width)
            .step_by(cols)
            .map(|from| self.board(part(from)))
            .collect();
        self.place_all(boards)
    }

    /// Boards in whose rows nothing stands for the blank: their tiles stand in columns.
    fn drawn_by_columns(&mut self) -> bool {
        let (cells, cols) = (self.shape.cells(), self.shape.cols());
        let count: usize = self.window.iter().map(|row| row.tiles.len()).sum();
        let beside = count / (cells - 1);
        if count == 0 || !count.is_multiple_of(cells - 1) || beside > MOST_BESIDE {
            return false;
        }
        let boards = [
            |tile: &(u8, u32, u32)| tile.1,
            |tile: &(u8, u32, u32)| tile.2,
        ]
        .into_iter()
        .find_map(|edge| {
            let mut columns: Vec<u32> = self
                .window
                .iter()
                .flat_map(|row| row.tiles.iter().map(edge))
                .collect();
            columns.sort_unstable();
            columns.dedup();
            if columns.len() != beside * cols {
                return None;
            }
            let mut boards = vec![vec![Cell::Odd(' '); cells]; beside];
            for (r, row) in self.window.iter().enumerate() {
                for tile in &row.tiles {
                    let place = columns.binary_search(&edge(tile)).ok()?;
                    boards[place / cols][r * cols + place % cols] = Cell::Tile(tile.0);
                }
            }
            boards
                .into_iter()
                .map(|cells| self.board(cells.into_iter()))
                .collect()
        });
        self.place_all(boards)
    }

    fn place_all(&mut self, boards: Option<Vec<(Board, char)>>) -> bool {
        let lines = (self.window[0].line, self.window[self.window.len() - 1].line);
        let at = self.window[0].at;
        let found = boards.unwrap_or_default();
        for &board in &found {
            self.place(board, lines, at);
        }
        !found.is_empty()
    }

    fn place(&mut self, (board, sign): (Board, char), lines: (usize, usize), at: usize) {
        let (sense, after_words) = (
            std::mem::take(&mut self.sense),
            std::mem::take(&mut self.after_words),
        );
        self.placed.push(Placed {
            drawn: lines.0 < lines.1,
            torn: std::mem::take(&mut self.torn_since),
            board,
            sign,
            lines,
            at,
            sense,
            after_words,
        });
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
fn is_soft(i: usize, tokens: &[Token<'_>]) -> bool {
    let (token, next) = (&tokens[i], tokens.get(i + 1));
    let tight = next.is_some_and(|next| !next.apart);
    match token.kind {
        Kind::Symbol('-') => !token.apart && tight,
        Kind::Symbol('\\') => tight && next.is_some_and(|next| next.sense.has(Sense::BLANK)),
        Kind::Symbol(c) => ",;|│┃║'\"`&*".contains(c),
        _ => false,
    }
}

/// Whether a symbol stands in the place of a cell.
fn odd_symbol(c: char, i: usize, tokens: &[Token<'_>]) -> bool {
    const FRAMES: &str = ",;|│┃║'\"`&])}";
    let (before, next) = (i.checked_sub(1).map(|i| &tokens[i]), tokens.get(i + 1));
    if "'\"".contains(c) {
        let opens = before.is_none_or(|before| before.is_any("[(,"));
        return next.is_some_and(|next| next.is(c) && (!next.apart || opens));
    }
    let begins =
        tokens[i].apart || before.is_none_or(|before| before.is_any(FRAMES) || before.is_any("[("));
    let ends = next.is_none_or(|next| next.apart || next.is_any(FRAMES));
    begins && ends && tokens[i].step.is_none() && !",;|│┃║`&<>=:+/\\[](){}→─═━—–┌└├┐┘┤".contains(c)
}

/// Whether one move leads from a board to another.
pub(super) fn is_step(from: &Board, to: &Board) -> bool {
    Move::ALL
        .into_iter()
        .any(|mv| from.slide(mv).as_ref() == Some(to))
}

/// Boards a move apart, in their order.
#[derive(Debug)]
pub(super) struct Chain {
    pub boards: Vec<Board>,
    /// Places of the first and the last board among all.
    pub first: usize,
    pub last: usize,
    /// Whether a board that is neither the start nor the goal stands before it.
    pub after_others: bool,
}

impl Chain {
    /// The boards from the start to the goal, if the chain leads from one to the other in either direction.
    pub(super) fn solution(&self, start: &Board, goal: &Board) -> Option<Vec<Board>> {
        let (first, last) = (self.boards.first()?, self.boards.last()?);
        let begins = |board: &Board| board == start || !self.after_others && is_step(start, board);
        if begins(first) && last == goal {
            return Some(self.boards.clone());
        }
        (first == goal && last == start).then(|| self.boards.iter().rev().copied().collect())
    }
}

/// Calls `each` with every chain. The goal and the start may be shown between the boards of one.
pub(super) fn chains(placed: &[Placed], start: &Board, goal: &Board, mut each: impl FnMut(Chain)) {
    let mut last: Option<Chain> = None;
    let (mut others, mut shown) = (false, false);
    for (i, it) in placed.iter().enumerate() {
        let mut boards = vec![it.board];
        let is_end = it.board == *start || it.board == *goal;
        if let Some(chain) = &mut last {
            let (tail, first) = (&placed[chain.last], chain.boards[0]);
            let step = tail.sign == it.sign && !it.torn && is_step(&tail.board, &it.board);
            let whole = chain.boards.len() > 1 && first != *goal && tail.board == *goal;
            let again = is_end && tail.board == it.board && tail.sign == it.sign;
            let goal_shown = it.board == *goal && tail.board != *goal && !step && !it.torn;
            let turned = again && it.board == *start && first == *goal;
            if again && !turned || goal_shown {
                shown = goal_shown;
                continue;
            }
            let begins = it.board == *start && (first != *goal || chain.boards.len() == 1);
            if step && !(whole || turned || begins && first != *start) {
                chain.boards.push(it.board);
                chain.last = i;
                others |= !is_end;
                shown = false;
                continue;
            }
            if shown && is_step(goal, &it.board) {
                boards.insert(0, *goal);
            }
        }
        others |= it.torn;
        let chain = Chain {
            boards,
            first: i,
            last: i,
            after_others: others,
        };
        last.replace(chain).into_iter().for_each(&mut each);
        others |= !is_end;
        shown = false;
    }
    last.into_iter().for_each(each);
}
