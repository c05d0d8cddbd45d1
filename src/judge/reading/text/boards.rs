//! Boards by position: cells of which all but one are the tiles, in whatever frame.

use crate::puzzle::{Board, Move, Numbering, Shape};

use super::lex::{Line, Text};

/// A board and the atoms it was read from.
#[derive(Clone, Debug)]
pub struct Placed {
    pub board: Board,
    /// First character of what stands for the blank; none if nothing does.
    pub sign: Option<char>,
    pub first: usize,
    pub last: usize,
    /// Whether words stand before it, after the board before.
    pub after_words: bool,
}

/// The longest word that can stand for the blank.
const LONGEST_BLANK: usize = 5;
/// A line with more numbers is no row of boards.
const MOST_IN_ROW: usize = 64;
/// A line of more bytes is no row of boards.
const LONGEST_ROW: usize = 1 << 12;

/// A number of a row: where it begins and ends, its tile, and its first character.
type Number = (usize, usize, Option<u8>, Option<char>);

pub struct Boards<'a, 't> {
    text: &'a Text<'t>,
    shape: Shape,
    numbering: Numbering,
}

/// The cells of a board while it is read.
#[derive(Clone)]
struct Cells {
    cells: Vec<u8>,
    seen: u64,
    odd: Option<usize>,
    sign: Option<char>,
}

impl Cells {
    fn new() -> Cells {
        Cells {
            cells: Vec::with_capacity(16),
            seen: 0,
            odd: None,
            sign: None,
        }
    }

    /// Adds a cell; `None` if it cannot belong to the board.
    fn push(&mut self, tile: Option<u8>, sign: Option<char>) -> Option<()> {
        match tile {
            Some(tile) if self.seen >> tile & 1 == 1 => return None,
            Some(tile) => self.seen |= 1 << tile,
            None if self.odd.is_some() => return None,
            None => (self.odd, self.sign) = (Some(self.cells.len()), sign),
        }
        self.cells.push(tile.unwrap_or(0));
        Some(())
    }

    /// The board, if it is whole.
    fn placed(&self, shape: Shape, first: usize, last: usize) -> Option<Placed> {
        self.odd?;
        let board = Board::new(shape, &self.cells).ok()?;
        Some(Placed {
            board,
            sign: self.sign,
            first,
            last,
            after_words: false,
        })
    }
}

impl<'a, 't> Boards<'a, 't> {
    /// The boards of a text in the shape of a numbering, or of the eight-puzzle.
    pub fn of(text: &'a Text<'t>, numbering: Numbering) -> Boards<'a, 't> {
        let shape = numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
        Boards {
            text,
            shape,
            numbering,
        }
    }

    /// All boards of the text, in their order.
    pub fn all(&self) -> Vec<Placed> {
        let mut found = Vec::new();
        let mut words = false;
        let mut i = 0;
        while i < self.text.atoms.len() {
            let line = &self.text.lines[self.text.line_of(i)];
            if let Some(mut placed) = self.flat(i) {
                // A word before a board is not its blank if another cell is.
                if placed.board.blank() == 0
                    && placed.sign != Some('0')
                    && let Some(next) = self.flat(i + 1).filter(|next| next.sign == Some('0'))
                {
                    placed = next;
                }
                i = placed.last + 1;
                placed.after_words = std::mem::take(&mut words);
                found.push(placed);
            } else if i == line.atoms.start
                && let Some(boards) = self.grid(self.text.line_of(i)).or_else(|| self.drawn(i))
            {
                i = boards.last().map_or(i, |board| board.last) + 1;
                let begun = found.len();
                found.extend(boards);
                found[begun].after_words = std::mem::take(&mut words);
            } else {
                words |= self.text.at(i).contains(char::is_alphabetic);
                i += 1;
            }
        }
        found
    }

    /// The tile that a word is.
    fn tile(&self, word: &str) -> Option<u8> {
        let number = match word.parse::<u32>() {
            Ok(number) if word.len() <= 3 => number,
            _ if self.shape.cells() > 10 && word.len() == 1 => word.chars().next()?.to_digit(36)?,
            _ => return None,
        };
        self.numbering
            .tile(self.shape, number)
            .filter(|&tile| tile != 0)
    }

    /// Adds the cells of an atom: one, or those of a row or a board in one word.
    fn push(&self, cells: &mut Cells, word: &str) -> Option<()> {
        let (n, cols) = (self.shape.cells(), self.shape.cols());
        let length = word.len();
        let compact = self.tile(word).is_none()
            && (length == n && cells.cells.is_empty()
                || length == cols && cells.cells.len().is_multiple_of(cols))
            && word.bytes().any(|byte| byte.is_ascii_digit());
        if compact {
            let mut buffer = [0; 4];
            for c in word.chars() {
                cells.push(
                    self.tile(&c.to_ascii_lowercase().encode_utf8(&mut buffer)[..]),
                    Some(c),
                )?;
            }
            return Some(());
        }
        let tile = self.tile(word);
        let is_cell =
            tile.is_some() || word.chars().count() <= LONGEST_BLANK || word.starts_with('\\');
        is_cell
            .then(|| cells.push(tile, word.chars().next()))
            .flatten()
    }

    /// The board whose cells begin with an atom. What stands between cells is the same in all rows, and what stands
    /// between rows too.
    fn flat(&self, from: usize) -> Option<Placed> {
        let (n, cols) = (self.shape.cells(), self.shape.cols());
        let atoms = &self.text.atoms;
        let mut cells = Cells::new();
        let mut gaps = [None; 2];
        let mut at = from;
        while cells.cells.len() < n {
            let atom = atoms.get(at)?;
            if at > from {
                let gap = &mut gaps[usize::from(cells.cells.len().is_multiple_of(cols))];
                if *gap.get_or_insert(atom.gap) != atom.gap {
                    return None;
                }
            }
            self.push(&mut cells, self.text.at(at))?;
            at += 1;
        }
        cells.placed(self.shape, from, at - 1)
    }

    /// The numbers of a line that can be a row of boards: their columns and tiles; `None` if it is none.
    fn row(&self, line: usize) -> Option<Vec<Number>> {
        let Line { atoms, bytes, .. } = &self.text.lines[line];
        if atoms.len() > MOST_IN_ROW || bytes.len() > LONGEST_ROW {
            return None;
        }
        let mut row = Vec::with_capacity(atoms.len());
        for i in atoms.clone() {
            let word = self.text.at(i);
            if word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty() {
                let col = self.text.column(i);
                row.push((col, col + word.len(), self.tile(word), word.chars().next()));
            } else if word.chars().count() > 2 || word.contains(|c: char| c.is_ascii_digit()) {
                return None;
            }
        }
        Some(row)
    }

    /// The boards drawn in rows from a line on, one or several side by side, by the columns of their tiles.
    fn grid(&self, line: usize) -> Option<Vec<Placed>> {
        let (rows_of_board, cols) = (self.shape.rows(), self.shape.cols());
        let mut rows = vec![self.row(line).filter(|row| row.len() + 1 >= cols)?];
        let (mut now, mut gap) = (line, None);
        while rows.len() < rows_of_board {
            let next = (now + 1..self.text.lines.len().min(now + 4))
                .find(|&i| !self.text.lines[i].atoms.is_empty())?;
            if *gap.get_or_insert(next - now) != next - now {
                return None;
            }
            rows.push(self.row(next)?);
            now = next;
        }
        let mut slots: Vec<(usize, usize)> = rows
            .iter()
            .flatten()
            .map(|&(from, to, ..)| (from, to))
            .collect();
        slots.sort_unstable();
        slots.dedup_by(|next, before| {
            let same = next.0 < before.1;
            if same {
                before.1 = before.1.max(next.1);
            }
            same
        });
        let skipped = usize::from(slots.len() == cols + 1);
        if slots.len() < cols || !(slots.len() - skipped).is_multiple_of(cols) {
            return None;
        }
        let count = (slots.len() - skipped) / cols;
        let mut grid = vec![Cells::new(); count];
        for row in &rows {
            let mut numbers = row.iter().peekable();
            for (i, slot) in slots.iter().enumerate() {
                let inside = |number: &&Number| number.0 < slot.1;
                let number = numbers.next_if(|number| inside(number));
                if let Some(i) = i.checked_sub(skipped) {
                    grid[i / cols].push(
                        number.and_then(|number| number.2),
                        number.and_then(|number| number.3),
                    )?;
                } else {
                    number?;
                }
            }
            if numbers.next().is_some() {
                return None;
            }
        }
        let (first, last) = (
            self.text.lines[line].atoms.start,
            self.text.lines[now].atoms.end - 1,
        );
        grid.iter()
            .map(|cells| cells.placed(self.shape, first, last))
            .collect()
    }

    /// The board of a character a cell that begins with the first atom of a line; a space is the blank too.
    fn drawn(&self, from: usize) -> Option<Vec<Placed>> {
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let begin = self.text.line_of(from);
        let mut cells = Cells::new();
        let mut last = from;
        let mut buffer = [0; 4];
        for line in self.text.lines.get(begin..begin + rows)? {
            let raw = &self.text.text[line.bytes.clone()];
            let mut row: Vec<(usize, char)> =
                raw.trim_end().char_indices().take(cols + 2).collect();
            let is_remark = |(_, c): &(usize, char)| c.is_whitespace();
            if row.len() > cols && !row[cols..].iter().all(is_remark) {
                return None;
            }
            row.resize(cols, (raw.len(), ' '));
            for (_, c) in row {
                let sign = Some(c).filter(|c| !c.is_whitespace());
                let tile = self.tile(&c.to_ascii_lowercase().encode_utf8(&mut buffer)[..]);
                if tile.is_none() && c.is_alphabetic() && c != 'x' && c != 'b' && c != 'X' {
                    return None;
                }
                cells.push(tile, sign)?;
            }
            let end =
                line.bytes.start + raw.char_indices().nth(cols).map_or(raw.len(), |(at, _)| at);
            let inside = line
                .atoms
                .clone()
                .rfind(|&atom| (self.text.atoms[atom].start as usize) < end);
            last = last.max(inside.unwrap_or(last));
        }
        let placed = cells.placed(self.shape, from, last)?;
        Some(vec![placed])
    }
}

/// Whether one slide leads from a board to another.
pub fn is_step(from: &Board, to: &Board) -> bool {
    Move::ALL.iter().any(|&mv| from.slide(mv) == Some(*to))
}

/// Boards each a slide after the one before: the numbers of the first and of the last of them in the list.
#[derive(Clone, Debug)]
pub struct Chain {
    pub boards: Vec<Board>,
    pub first: usize,
    pub last: usize,
}

/// Cuts boards into chains. A board that is shown again
/// after words is one, and a chain ends where the goal is followed by the start.
pub fn chains(placed: &[Placed], start: &Board, goal: &Board) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::new();
    let mut beside = None;
    for (i, Placed { board, sign, .. }) in placed.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|before| placed[before].sign);
        let alike = before == *sign
            || [before, *sign]
                .iter()
                .all(|sign| !sign.is_some_and(char::is_alphanumeric));
        if let Some(chain) = chains.last_mut() {
            let last = *chain.boards.last().unwrap_or(board);
            let again = last == *goal && board == start && start != goal;
            if board == goal && !is_step(&last, board) && chain.boards[0] != *goal {
                beside = Some(i); // shown beside a board, or the first of a chain
                continue;
            }
            if is_step(&last, board) && !again && alike {
                chain.boards.push(*board);
                chain.last = i;
                continue;
            }
        }
        match beside.take().filter(|_| is_step(goal, board)) {
            Some(first) => chains.push(Chain {
                boards: vec![*goal, *board],
                first,
                last: i,
            }),
            None => chains.push(Chain {
                boards: vec![*board],
                first: i,
                last: i,
            }),
        }
    }
    chains
}

impl Chain {
    /// The boards from `start` to `goal`, if the chain leads there, in either direction.
    pub fn solution(&self, start: &Board, goal: &Board) -> Option<Vec<Board>> {
        self.forward(start, goal).or_else(|| {
            let mut back = self.clone();
            back.boards.reverse();
            back.boards.first().filter(|first| *first == start)?;
            back.forward(start, goal)
        })
    }

    fn forward(&self, start: &Board, goal: &Board) -> Option<Vec<Board>> {
        let boards = &self.boards;
        let last = boards.iter().rposition(|board| board == goal)?;
        if boards[0] == *start {
            return Some(boards[..=last].to_vec());
        }
        if let Some(first) = boards[..last].iter().rposition(|board| board == start) {
            return Some(boards[first..=last].to_vec());
        }
        (is_step(start, &boards[0]) && last + 1 == boards.len()).then(|| boards.to_vec())
    }
}
