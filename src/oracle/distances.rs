//! The distances of all states at once.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::basics::parallel::prelude::*;
use crate::basics::{Cancel, Cancelled, all_cores};
use crate::bfs::{Alone, Kept, Search};
use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::{Encoding, Table};

use super::error::QueryError;

/// Most states of a space that is searched state by state, in a second or so: those of all shapes
/// up to 3x3 and 2x5.
pub const SMALL_SPACE: u64 = 10_000_000;

/// The distance of a state that the search in a damaged bit table does not reach.
pub(super) const UNREACHED: u8 = u8::MAX;

/// States between two checks of the flag.
pub(super) const CHECK_INTERVAL: u64 = 1 << 16;

/// Returns the distance of every state, by state index, as the table has it, unless it is cancelled.
///
/// A bit table has distances modulo 4. A breadth-first search from the goal gives the whole
/// distances: a move leads on to a state whose entry is one more. In a good table it reaches every
/// state; in a damaged one the others are [`UNREACHED`].
fn distances_unless(cancel: &Cancel, table: &Table) -> Result<Vec<u8>, Cancelled> {
    let ranking = table.ranking();
    match table.header().encoding() {
        Encoding::Full => (0..ranking.states())
            .map(|index| {
                if index.is_multiple_of(CHECK_INTERVAL) {
                    cancel.check()?;
                }
                Ok(table.stored_distance(StateIndex(index)))
            })
            .collect(),
        Encoding::Bit => {
            let mut distances = vec![UNREACHED; ranking.states() as usize];
            let goal = ranking.goal();
            let claim = table.distance_mod_4(goal);
            distances[ranking.index(goal).0 as usize] = claim;
            let mut level = Vec::new();
            if claim == 0 {
                level.push(goal);
            }
            for distance in 1..UNREACHED {
                let mut next_level = Vec::new();
                for (i, state) in (0u64..).zip(level) {
                    if i.is_multiple_of(CHECK_INTERVAL) {
                        cancel.check()?;
                    }
                    for mv in Move::ALL {
                        if let Some(next) = ranking.step(state, mv) {
                            let claim = &mut distances[ranking.index(next).0 as usize];
                            if *claim == UNREACHED && table.distance_mod_4(next) == distance & 3 {
                                *claim = distance;
                                next_level.push(next);
                            }
                        }
                    }
                }
                level = next_level;
            }
            Ok(distances)
        }
    }
}

/// Counts the states at each distance.
pub(super) fn count_levels(distances: &[u8]) -> [u64; 256] {
    let mut levels = [0; 256];
    for &distance in distances {
        levels[usize::from(distance)] += 1;
    }
    levels
}

/// Returns the distance of every state, found anew on all cores; `None` if the search does not fit the memory.
///
/// # Errors
/// As [`sound_distances`].
fn distances_by_search(cancel: &Cancel, table: &Table) -> Result<Option<Vec<u8>>, QueryError> {
    let (class, ranking) = (table.header().class(), table.ranking());
    let search = Search::shared(class, Kept::Nothing, all_cores(), Arc::new(Alone));
    let Ok(mut search) = search else {
        return Ok(None);
    };
    let mut distances = vec![UNREACHED; class.states() as usize];
    let mut levels = table.header().levels().iter();
    let mut go_on = |_| match cancel.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    while let Ok(Some(level)) = search.advance(&mut go_on) {
        if levels.next() != Some(&level.states()) {
            return Err(QueryError::of_table(table));
        }
        let (distance, orders) = (level.distance(), class.orders());
        let cells = distances.par_chunks_mut(orders as usize).enumerate();
        let cancelled = cells.find_map_first(|(cell, distances)| {
            if ranking.is_odd(cell) == (distance % 2 == 1) {
                for state in level.states_of(cell) {
                    distances[(state.0 - cell as u64 * orders) as usize] = distance;
                }
            }
            cancel.check().err()
        });
        cancelled.map_or(Ok(()), Err)?;
    }
    cancel.check()?;
    match levels.next() {
        None if table.damage().is_none() => Ok(Some(distances)),
        _ => Err(QueryError::of_table(table)),
    }
}

/// As [`distances_unless`], if the numbers of states at the distances are those of the header. In a space of more than
/// [`SMALL_SPACE`] states they are found by a search on bit planes: about two seconds for 3x4.
///
/// # Errors
/// [`QueryError::WrongTable`] if not, and [`QueryError::Cancelled`].
pub(super) fn sound_distances(cancel: &Cancel, table: &Table) -> Result<Vec<u8>, QueryError> {
    if table.header().states() > SMALL_SPACE
        && let Some(distances) = distances_by_search(cancel, table)?
    {
        return Ok(distances);
    }
    let distances = distances_unless(cancel, table)?;
    let levels = table.header().levels();
    let found = count_levels(&distances);
    let (within, beyond) = found.split_at(levels.len());
    let as_many = within == levels && beyond.iter().all(|&states| states == 0);
    if as_many && table.damage().is_none() {
        Ok(distances)
    } else {
        Err(QueryError::of_table(table))
    }
}
