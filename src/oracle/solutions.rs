//! All shortest solutions of a board: how many, and which.

use std::collections::HashMap;
use std::fmt;

use crate::puzzle::{Board, Move};
use crate::space::{State, StateIndex};
use crate::table::{Bytes, Table};

use super::distances::sound_distances;
use super::error::QueryError;
use super::open::Oracle;

impl<B: AsRef<[u8]>> Oracle<B> {
    /// How many shortest solutions a board has; 1, the empty one, for the goal. Counts above
    /// 2^64 - 1 stay there.
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        let state = self.state(board)?;
        match self.counts.get() {
            Some(counts) => Ok(counts.get(self.table.ranking().index(state))),
            None => self.count_from(state),
        }
    }

    /// Counts the shortest solutions of all states, eight bytes for each, so that from now on
    /// [`Oracle::count_solutions`] is a look-up, for every oracle that shares the table. It takes
    /// 10 ms for the 8-puzzle and is done once.
    ///
    /// # Errors
    /// As [`SolutionCounts::new`].
    pub fn count_all_solutions(&self) -> Result<&SolutionCounts, QueryError> {
        match self.counts.get() {
            Some(counts) => Ok(counts),
            None => {
                let counts = SolutionCounts::new(&self.table)?;
                Ok(self.counts.get_or_init(|| counts))
            }
        }
    }

    fn count_from(&self, state: State) -> Result<u64, QueryError> {
        let goal = self.table.ranking().goal();
        // The number of paths from `state` to each state of one distance, a distance at a time.
        let mut paths = HashMap::from([(state, 1u64)]);
        for _ in 0..=self.table.header().max_distance() {
            if let Some(&count) = paths.get(&goal) {
                // All paths are equally long, so all have come to the goal.
                return if paths.len() == 1 {
                    Ok(count)
                } else {
                    Err(QueryError::WrongTable)
                };
            }
            let mut next = HashMap::with_capacity(paths.len());
            for (state, count) in paths {
                let mut dead_end = true;
                for (_, closer) in self.table.closer(state) {
                    let sum: &mut u64 = next.entry(closer).or_default();
                    *sum = sum.saturating_add(count);
                    dead_end = false;
                }
                if dead_end {
                    return Err(QueryError::WrongTable);
                }
            }
            paths = next;
        }
        Err(QueryError::WrongTable)
    }

    /// Every shortest solution, one at a time, in the table's move order; that of
    /// [`Oracle::solve`] first.
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn solutions(&self, board: &Board) -> Result<Solutions<'_, B>, QueryError> {
        let state = self.state(board)?;
        self.count_solutions(board)?; // so every path down ends at the goal
        let mut solutions = Solutions {
            oracle: self,
            moves: Vec::new(),
            open: Vec::new(),
        };
        solutions.descend(state);
        Ok(solutions)
    }
}

/// All shortest solutions of a board. See [`Oracle::solutions`].
#[derive(Debug)]
pub struct Solutions<'a, B = Bytes> {
    oracle: &'a Oracle<B>,
    /// The next solution, in canonical moves.
    moves: Vec<Move>,
    /// For each state on its path the other moves closer that have not been tried yet, last first;
    /// the list of the goal is empty. No list is left after the last solution.
    open: Vec<Vec<(Move, State)>>,
}

impl<B: AsRef<[u8]>> Solutions<'_, B> {
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

impl<B: AsRef<[u8]>> Iterator for Solutions<'_, B> {
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

/// The number of shortest solutions of every state.
///
/// Eight bytes a state, and seventeen while it is being made.
pub struct SolutionCounts {
    counts: Vec<u64>,
}

impl SolutionCounts {
    /// Counts for all states of a table.
    ///
    /// # Errors
    /// [`QueryError::WrongTable`] if its distances are not as many as its header says.
    pub fn new<B: AsRef<[u8]>>(table: &Table<B>) -> Result<SolutionCounts, QueryError> {
        let distances = sound_distances(table)?;
        Ok(SolutionCounts::from_distances(table, &distances))
    }

    pub(super) fn from_distances<B: AsRef<[u8]>>(table: &Table<B>, distances: &[u8]) -> Self {
        let ranking = table.ranking();
        let mut counts = vec![0u64; distances.len()];
        counts[ranking.index(ranking.goal()).0 as usize] = 1;
        for index in by_distance(distances) {
            let state = ranking.state(StateIndex(index));
            let own = usize::try_from(index).expect("an index of a slice");
            for mv in Move::ALL {
                if let Some(next) = ranking.step(state, mv) {
                    let next = ranking.index(next).0 as usize;
                    if distances[next] < distances[own] {
                        counts[own] = counts[own].saturating_add(counts[next]);
                    }
                }
            }
        }
        SolutionCounts { counts }
    }

    /// The number of shortest solutions of a state; 1 for the goal.
    ///
    /// # Panics
    /// If the state is not of the table that was counted.
    pub fn get(&self, index: StateIndex) -> u64 {
        self.counts[index.0 as usize]
    }
}

impl fmt::Debug for SolutionCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolutionCounts")
            .field("states", &self.counts.len())
            .finish_non_exhaustive()
    }
}

/// The indices of all states, those at small distances first.
fn by_distance(distances: &[u8]) -> Vec<u64> {
    let mut starts = [0usize; 257];
    for &distance in distances {
        starts[usize::from(distance) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut sorted = vec![0; distances.len()];
    for (index, &distance) in (0..).zip(distances) {
        let place = &mut starts[usize::from(distance)];
        sorted[*place] = index;
        *place += 1;
    }
    sorted
}
