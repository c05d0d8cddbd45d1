//! The distances of all states at once.

use crate::basics::{Cancel, Cancelled};
use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::{Encoding, Table};

use super::error::QueryError;

/// Most states of a space that is searched state by state, in a second or so: those of all shapes
/// up to 3x3 and 2x5.
pub const SMALL_SPACE: u64 = 10_000_000;

/// The distance of a state that the search in a damaged bit table does not reach.
pub(super) const UNREACHED: u8 = u8::MAX;

/// Returns the distance of every state, by state index, as the table has it.
///
/// A bit table has distances modulo 4. A breadth-first search from the goal gives the whole
/// distances: a move leads on to a state whose entry is one more. In a good table it reaches every
/// state; in a damaged one the others are [`UNREACHED`].
pub(super) fn all_distances(table: &Table) -> Vec<u8> {
    distances_unless(&Cancel::new(), table).expect("the flag is nowhere else")
}

/// States between two checks of the flag.
pub(super) const CHECK_INTERVAL: u64 = 1 << 16;

/// As [`all_distances`], unless it is cancelled.
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

/// As [`all_distances`], if the numbers of states at the distances are those of the header.
///
/// # Errors
/// [`QueryError::WrongTable`] if not, and [`QueryError::Cancelled`].
pub(super) fn sound_distances(cancel: &Cancel, table: &Table) -> Result<Vec<u8>, QueryError> {
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
