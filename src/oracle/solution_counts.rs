//! Numbers of shortest solutions of all states.

use std::fmt;

use crate::basics::{Cancel, Cancelled};
use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::Table;

use super::distances::{CHECK_INTERVAL, sound_distances};
use super::error::QueryError;

/// The number of shortest solutions of every state.
///
/// Eight bytes a state, and seventeen while it is being made.
pub struct SolutionCounts {
    counts: Vec<u64>,
}

impl SolutionCounts {
    /// Counts the shortest solutions of all states of a table.
    ///
    /// # Errors
    /// [`QueryError::WrongTable`] if the numbers of states at its distances are not those of its
    /// header, and [`QueryError::Cancelled`].
    pub(super) fn new(table: &Table, cancel: &Cancel) -> Result<SolutionCounts, QueryError> {
        let distances = sound_distances(cancel, table)?;
        Ok(SolutionCounts::from_distances(cancel, table, &distances)?)
    }

    pub(super) fn from_distances(
        cancel: &Cancel,
        table: &Table,
        distances: &[u8],
    ) -> Result<SolutionCounts, Cancelled> {
        let ranking = table.ranking();
        let mut counts = vec![0u64; distances.len()];
        counts[ranking.index(ranking.goal()).0 as usize] = 1;
        for (i, index) in (0u64..).zip(by_distance(distances)) {
            if i.is_multiple_of(CHECK_INTERVAL) {
                cancel.check()?;
            }
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
        Ok(SolutionCounts { counts })
    }

    /// Returns the number of shortest solutions of a state; 1 for the goal.
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

/// Returns the indices of all states, those at small distances first.
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
