//! Boards in a text that are drawn one after the other.

use crate::judge::Way;
use crate::puzzle::{Board, Move, Numbering};

use super::rows::{Row, Rows};

/// Collects the boards of a text.
pub(super) struct Trace {
    start: Board,
    rows: Rows,
    /// The boards from the last that is the start on, or all while that was not seen.
    boards: Vec<Board>,
    /// Lines that are a part of a board so far, which may come to nothing.
    parts: Vec<String>,
    /// Is the next board the goal, which is not on the way?
    goal_next: bool,
    /// Were there rows that made no board?
    broken: bool,
    /// Where the traces before this one ended.
    ends: Vec<Board>,
}

impl Trace {
    pub(super) fn new(start: &Board, numbering: Numbering) -> Trace {
        Trace {
            start: *start,
            rows: Rows::new(start.shape(), numbering),
            boards: Vec::new(),
            parts: Vec::new(),
            goal_next: false,
            broken: false,
            ends: Vec::new(),
        }
    }

    /// Takes a line of a drawing; is it one?
    pub(super) fn take(&mut self, line: &str) -> bool {
        match self.rows.take(line) {
            Row::Board(board) => {
                self.parts.clear();
                self.see(board);
            }
            Row::Part => self.parts.push(line.to_owned()),
            Row::Frame => {}
            Row::No => return false,
        }
        true
    }

    /// The line that looked like a row and made no board with those around it.
    pub(super) fn leftover(&mut self) -> Option<String> {
        let mut parts = std::mem::take(&mut self.parts);
        match parts.len() {
            0 | 1 => parts.pop(),
            _ => {
                self.broken = true;
                None
            }
        }
    }

    /// Is there something like a board that is none?
    pub(super) fn broken(&self) -> bool {
        self.broken
    }

    /// There is something like a board that is none.
    pub(super) fn spoil(&mut self) {
        self.broken = true;
    }

    /// Takes a line of words, which may say that the next board is the goal.
    pub(super) fn heading(&mut self, mut words: impl Iterator<Item = impl AsRef<str>>) {
        let is = |word: &str, names: &[&str]| names.iter().any(|n| word.eq_ignore_ascii_case(n));
        let first = words.next();
        self.goal_next = first.is_some_and(|word| is(word.as_ref(), &["goal", "target", "final"]))
            && words.all(|word| is(word.as_ref(), &["state", "board", "configuration", "goal"]));
    }

    pub(super) fn see(&mut self, board: Board) {
        let goes_on = self.boards.last().is_some_and(|last| is_move(last, &board));
        // The goal can also be the last board on the way.
        if std::mem::take(&mut self.goal_next) && !(goes_on && self.boards.len() > 1) {
            return;
        }
        // Another trace begins with the start, unless this one has come back to it.
        let stays = self.boards.len() > 1 && self.boards.last() == Some(&board);
        let began = self.boards.first() == Some(&self.start);
        if board == self.start && !(began && (goes_on || stays)) {
            let last = self.boards.pop().filter(|last| began && *last != board);
            self.ends.extend(last);
            self.boards.clear();
        }
        self.boards.push(board);
    }

    /// The boards behind the start, if there are any; `None` if there is one that cannot be read,
    /// or if they do not all lead to the same board, so that it is not plain which are meant.
    pub(super) fn way(self) -> Option<Option<Way>> {
        let same_end = self.ends.iter().all(|end| self.boards.last() == Some(end));
        let from = usize::from(self.boards.first() == Some(&self.start));
        let boards = self.boards[from..].to_vec();
        let way = (!boards.is_empty()).then_some(Way::Boards(boards));
        (!self.broken && same_end).then_some(way)
    }

    /// Are there moves in it?
    pub(super) fn moves(&self) -> bool {
        let from = usize::from(self.boards.first() == Some(&self.start));
        self.boards
            .get(from)
            .is_some_and(|next| is_move(&self.start, next))
    }
}

pub(super) fn is_move(from: &Board, to: &Board) -> bool {
    Move::ALL.iter().any(|&mv| from.slide(mv) == Some(*to))
}
