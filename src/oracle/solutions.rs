//! All shortest solutions of a board in a table.

use crate::puzzle::Move;
use crate::space::{Frame, State};
use crate::table::Table;

/// All shortest solutions of a board. See [`Oracle::solutions`](super::Oracle::solutions).
#[derive(Debug)]
pub(super) struct Solutions<'a> {
    table: &'a Table,
    frame: &'a Frame,
    /// The next solution, in canonical moves.
    moves: Vec<Move>,
    /// Other moves closer of each state on its path that have not been tried yet, last first;
    /// the list of the goal is empty. No list is left after the last solution.
    open: Vec<Vec<(Move, State)>>,
}

impl<'a> Solutions<'a> {
    /// Returns the solutions of a state. Every path down from it must end at the goal.
    pub fn new(table: &'a Table, frame: &'a Frame, state: State) -> Solutions<'a> {
        let mut solutions = Solutions {
            table,
            frame,
            moves: Vec::new(),
            open: Vec::new(),
        };
        solutions.descend(state);
        solutions
    }

    /// Walks down to the goal from `state`, where the last list of `open` would be.
    fn descend(&mut self, mut state: State) {
        loop {
            let mut closer: Vec<_> = self.table.closer(state).collect();
            closer.reverse();
            let first = closer.pop();
            self.open.push(closer);
            let Some((mv, next)) = first else { return };
            self.moves.push(mv);
            state = next;
        }
    }

    /// Goes back to the last state with an untried move, and down from there.
    fn advance(&mut self) {
        while let Some(last) = self.open.last_mut() {
            if let Some((mv, next)) = last.pop() {
                self.moves.truncate(self.open.len() - 1);
                self.moves.push(mv);
                return self.descend(next);
            }
            self.open.pop();
        }
    }
}

impl Iterator for Solutions<'_> {
    type Item = Vec<Move>;

    fn next(&mut self) -> Option<Vec<Move>> {
        if self.open.is_empty() {
            return None;
        }
        let moves = self.moves.iter();
        let solution = moves.map(|&mv| self.frame.user_move(mv)).collect();
        self.advance();
        Some(solution)
    }
}
