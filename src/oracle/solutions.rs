//! Shortest solutions of a board: their number, and all of them.

use std::collections::HashMap;

use crate::puzzle::{Board, Move};
use crate::space::State;

use super::by_table::TableOracle;
use super::distances::CHECK_INTERVAL;
use super::error::QueryError;
use super::solution_counts::SolutionCounts;

impl TableOracle {
    /// Returns the number of shortest solutions of a board; 1, the empty one, for the goal. Counts
    /// above 2^64 - 1 stay there.
    ///
    /// # Errors
    /// As [`TableOracle::distance`].
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        self.count_of_state(self.state(board)?)
    }

    pub(super) fn count_of_state(&self, state: State) -> Result<u64, QueryError> {
        match self.counts.get() {
            Some(counts) => Ok(counts.get(self.table.ranking().index(state))),
            None => self.count_from(state),
        }
    }

    /// Counts the shortest solutions of all states, eight bytes for each, so that from now on
    /// [`TableOracle::count_solutions`] is a look-up, for every oracle that shares the table. It takes
    /// 10 ms for the 8-puzzle and is done once.
    ///
    /// # Errors
    /// As [`SolutionCounts::new`].
    pub fn count_all_solutions(&self) -> Result<&SolutionCounts, QueryError> {
        match self.counts.get() {
            Some(counts) => Ok(counts),
            None => {
                let counts = SolutionCounts::unless(&self.cancel, &self.table)?;
                Ok(self.counts.get_or_init(|| counts))
            }
        }
    }

    fn count_from(&self, state: State) -> Result<u64, QueryError> {
        let goal = self.table.ranking().goal();
        // The number of paths from `state` to each state of one distance, one distance after the
        // other.
        let mut paths = HashMap::from([(state, 1u64)]);
        for _ in 0..=self.table.header().max_distance() {
            if let Some(&count) = paths.get(&goal) {
                // All paths are equally long, so all have come to the goal.
                return if paths.len() == 1 && self.table.damage().is_none() {
                    Ok(count)
                } else {
                    Err(QueryError::of_table(&self.table))
                };
            }
            let mut next = HashMap::with_capacity(paths.len());
            for (i, (state, count)) in (0u64..).zip(paths) {
                if i.is_multiple_of(CHECK_INTERVAL) {
                    self.cancel.check()?;
                }
                let mut dead_end = true;
                for (_, closer) in self.table.closer(state) {
                    let sum: &mut u64 = next.entry(closer).or_default();
                    *sum = sum.saturating_add(count);
                    dead_end = false;
                }
                if dead_end {
                    return Err(QueryError::of_table(&self.table));
                }
            }
            paths = next;
        }
        Err(QueryError::of_table(&self.table))
    }

    /// Returns every shortest solution, one at a time, in the table's move order; that of
    /// [`TableOracle::solve`] first.
    ///
    /// # Errors
    /// As [`TableOracle::distance`].
    pub fn solutions(&self, board: &Board) -> Result<Solutions<'_>, QueryError> {
        let state = self.state(board)?;
        self.count_solutions(board)?; // so every path down ends at the goal, over verified chunks
        let mut solutions = Solutions {
            oracle: self,
            moves: Vec::new(),
            open: Vec::new(),
        };
        solutions.descend(state);
        Ok(solutions)
    }
}

/// All shortest solutions of a board. See [`TableOracle::solutions`].
#[derive(Debug)]
pub struct Solutions<'a> {
    oracle: &'a TableOracle,
    /// The next solution, in canonical moves.
    moves: Vec<Move>,
    /// Other moves closer of each state on its path that have not been tried yet, last first;
    /// the list of the goal is empty. No list is left after the last solution.
    open: Vec<Vec<(Move, State)>>,
}

impl Solutions<'_> {
    /// Walks down to the goal from `state`, where the last list of `open` would be.
    fn descend(&mut self, mut state: State) {
        loop {
            let mut closer: Vec<_> = self.oracle.table.closer(state).collect();
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
        let frame = &self.oracle.frame;
        let solution = self.moves.iter().map(|&mv| frame.user_move(mv)).collect();
        self.advance();
        Some(solution)
    }
}
