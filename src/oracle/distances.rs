//! All states, level by level, by a search that the table's header is compared with.

use std::sync::Arc;

use crate::basics::parallel::prelude::*;
use crate::basics::{Cancel, Cancelled, all_cores};
use crate::bfs::{Alone, Kept, Search};
use crate::puzzle::Move;
use crate::table::Table;

use super::error::{OracleError, QueryError};

/// Most states of a space that is searched without being asked for, in a second or so: those of all shapes
/// up to 3x3 and 2x5.
pub const SMALL_SPACE: u64 = 10_000_000;

/// States between two checks of the flag.
pub(super) const CHECK_INTERVAL: u64 = 1 << 16;

/// Searches the states of a table's class anew on all cores, up to a distance, and calls `take` with those at each: about
/// two seconds for all of 3x4, and a few milliseconds for 3x3.
///
/// # Errors
/// [`QueryError::WrongTable`] if the numbers of states are not those of the header, [`QueryError::Cancelled`], and
/// [`OracleError::Search`] if the search does not fit the memory.
pub(super) fn each_level(
    table: &Table,
    last: u8,
    cancel: &Cancel,
    mut take: impl FnMut(&Search) -> Result<(), Cancelled>,
) -> Result<(), OracleError> {
    let header = table.header();
    let mut search = Search::shared(header.class(), Kept::Nothing, all_cores(), Arc::new(Alone))?;
    let mut levels = header.levels().iter().take(usize::from(last) + 1);
    while let Ok(Some(level)) = search.advance(&mut |_| cancel.go_on()) {
        if level.distance() > last {
            break;
        }
        if levels.next() != Some(&level.states()) {
            return Err(QueryError::of_table(table).into());
        }
        take(level).map_err(QueryError::from)?;
    }
    cancel.check().map_err(QueryError::from)?;
    match levels.next() {
        None if table.damage().is_none() => Ok(()),
        _ => Err(QueryError::of_table(table).into()),
    }
}

/// Returns the distance of every state, by state index.
///
/// # Errors
/// As [`each_level`].
pub(super) fn distances(table: &Table, cancel: &Cancel) -> Result<Vec<u8>, QueryError> {
    let (ranking, orders) = (table.ranking(), table.ranking().orders());
    let mut distances = vec![0; ranking.states() as usize];
    each_level(table, u8::MAX, cancel, |level| {
        let cells = distances.par_chunks_mut(orders as usize).enumerate();
        let cancelled = cells.find_map_first(|(cell, distances)| {
            if ranking.is_odd(cell) == (level.distance() % 2 == 1) {
                for state in level.states_of(cell) {
                    distances[(state.0 - cell as u64 * orders) as usize] = level.distance();
                }
            }
            cancel.check().err()
        });
        cancelled.map_or(Ok(()), Err)
    })?;
    Ok(distances)
}

/// Counts the shortest solutions of every state, up to 2^64 - 1, by state index. `take` is called with each level and
/// the counts up to its distance.
///
/// # Errors
/// As [`each_level`].
pub(super) fn count_solutions(
    table: &Table,
    cancel: &Cancel,
    mut take: impl FnMut(&Search, &[u64]),
) -> Result<Vec<u64>, QueryError> {
    let ranking = table.ranking();
    let mut counts = vec![0u64; ranking.states() as usize];
    each_level(table, u8::MAX, cancel, |level| {
        for (i, index) in (0u64..).zip(level.states_in_order()) {
            if i.is_multiple_of(CHECK_INTERVAL) {
                cancel.check()?;
            }
            let state = ranking.state(index);
            let neighbours = Move::ALL.iter().filter_map(|&mv| ranking.step(state, mv));
            // Neighbours that are farther away are not counted yet.
            let closer = neighbours.map(|next| counts[ranking.index(next).0 as usize]);
            let count = closer.fold(u64::from(level.distance() == 0), u64::saturating_add);
            counts[index.0 as usize] = count;
        }
        take(level, &counts);
        Ok(())
    })?;
    Ok(counts)
}
