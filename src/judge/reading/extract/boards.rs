//! Boards that are drawn or stand alone.

use crate::judge::answer::Path;
use crate::judge::reading::vocabulary::{Role, role};
use crate::puzzle::{Board, Move};

use super::found::{Finder, Strength};

impl Finder<'_> {
    /// Takes a board that is drawn or stands alone. Boards that follow each other from the start to
    /// the goal are a path; others are printed for whatever reason.
    pub(super) fn see(&mut self, board: Board) {
        self.boards = true;
        self.between += u64::from(board != self.board && board != self.goal);
        let goes_on = |from: &Board| is_move(from, &board);
        match self.chain.last() {
            // The start is often shown twice.
            Some(last) if *last == board && self.chain.len() == 1 => return,
            // A goal that is shown before the path ends none.
            Some(last) if *last == self.goal && board == self.board && self.words_between => {
                self.chain = vec![board];
            }
            Some(last) if goes_on(last) => self.chain.push(board),
            _ if board == self.board => self.chain = vec![board],
            // Where the start is not shown, the list begins with the board after the first move.
            None if !self.start_seen && goes_on(&self.board) => {
                self.chain = vec![self.board, board];
            }
            _ => self.chain.clear(),
        }
        self.words_between = false;
        self.start_seen |= board == self.board;
        if board == self.goal && self.chain.len() > 1 {
            let boards = self.chain[1..].to_vec();
            self.propose(Strength::Unlabelled, vec![Path::Boards(boards)]);
        }
    }

    /// Takes a board behind a label: the goal is no step of the way to it.
    pub(super) fn see_labelled(&mut self, label: &str, board: Board) {
        match role(label) {
            Some((Role::Goal, _)) => self.boards = true,
            _ => self.see(board),
        }
    }

    /// There is something like a board that is none, so the boards before and after it are no path.
    pub(super) fn no_board(&mut self) {
        (self.boards, self.broken) = (true, true);
        self.chain.clear();
    }
}

fn is_move(from: &Board, to: &Board) -> bool {
    Move::ALL.iter().any(|&mv| from.slide(mv) == Some(*to))
}

/// The board of a text that is nothing but one.
pub(super) fn only_board(paths: &[Path]) -> Option<Board> {
    match paths {
        [.., Path::Boards(boards)] if boards.len() == 1 => Some(boards[0]),
        _ => None,
    }
}
