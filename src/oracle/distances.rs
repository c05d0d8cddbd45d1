//! The distances of all states at once.

use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::{Encoding, Table};

use super::error::QueryError;

/// The distance of a state that a damaged bit table gives no way to.
pub(super) const NO_WAY: u8 = u8::MAX;

/// The distance of every state, by state index, as the table claims it.
///
/// A bit table claims distances modulo 4: they are counted up from the goal, over moves to a
/// state that claims one more. In a good table every state is reached and gets its distance;
/// in a damaged one [`NO_WAY`] stands where the way ends.
pub(super) fn all_distances<B: AsRef<[u8]>>(table: &Table<B>) -> Vec<u8> {
    let ranking = table.ranking();
    match table.header().encoding() {
        Encoding::Full => (0..ranking.states())
            .map(|index| table.stored_distance(StateIndex(index)))
            .collect(),
        Encoding::Bit => {
            let mut distances = vec![NO_WAY; ranking.states() as usize];
            let goal = ranking.goal();
            let claim = table.distance_mod_4(goal);
            distances[ranking.index(goal).0 as usize] = claim;
            let mut level = Vec::new();
            if claim == 0 {
                level.push(goal);
            }
            for distance in 1..NO_WAY {
                let mut next_level = Vec::new();
                for state in level {
                    for mv in Move::ALL {
                        if let Some(next) = ranking.step(state, mv) {
                            let claim = &mut distances[ranking.index(next).0 as usize];
                            if *claim == NO_WAY && table.distance_mod_4(next) == distance & 3 {
                                *claim = distance;
                                next_level.push(next);
                            }
                        }
                    }
                }
                level = next_level;
            }
            distances
        }
    }
}

/// How many states have each distance.
pub(super) fn count_levels(distances: &[u8]) -> [u64; 256] {
    let mut levels = [0; 256];
    for &distance in distances {
        levels[usize::from(distance)] += 1;
    }
    levels
}

/// As [`all_distances`], if there are as many states at each distance as the header says.
pub(crate) fn sound_distances<B: AsRef<[u8]>>(table: &Table<B>) -> Result<Vec<u8>, QueryError> {
    let distances = all_distances(table);
    let levels = table.header().levels();
    let found = count_levels(&distances);
    let (within, beyond) = found.split_at(levels.len());
    if within == levels && beyond.iter().all(|&states| states == 0) {
        Ok(distances)
    } else {
        Err(QueryError::WrongTable)
    }
}
