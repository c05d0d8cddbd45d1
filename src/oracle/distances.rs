//! All states, level by level, by a search that the table's header is compared with.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::basics::parallel::first;
use crate::basics::{Cancel, Cancelled, all_cores, available_memory};
use crate::bfs::{Kept, Search, SearchOptions};
use crate::puzzle::{Board, Move};
use crate::space::StateIndex;
use crate::table::Table;

use super::error::{OracleError, QueryError};
use super::front::Oracle;
use super::sources::{ByTable, Once};

/// States between two checks of the flag.
pub(super) const CHECK_INTERVAL: u64 = 1 << 16;

/// Values of all states.
#[derive(Debug, Default)]
pub(super) struct AllStates {
    pub distances: All<u8>,
    pub counts: All<u64>,
}

/// The values of one kind of all states, once they were made, and the number of rows that were asked for.
#[derive(Debug, Default)]
pub(super) struct All<T> {
    pub values: Once<Vec<T>>,
    asked: AtomicU64,
}

/// The values of all states are made once one in so many was asked for: a walk down takes some 20 times as long as
/// the state's part of a search, in a large space eight times that.
const WORTH_ALL: u64 = 16;

impl<T> All<T> {
    /// Returns the values of a table for an answer to so many rows, and makes them if they pay for the rows that were
    /// asked for so far; `None` while single look-ups are cheaper, or if there is no memory.
    pub fn for_rows(
        &self,
        rows: usize,
        (table, cancel): (&Table, &Cancel),
        make: impl FnOnce(&Table, &Cancel) -> Result<Vec<T>, QueryError>,
    ) -> Result<Option<&[T]>, QueryError> {
        if let Some(values) = self.values.get() {
            return Ok(Some(values));
        }
        let (rows, class) = (rows as u64, table.header().class());
        let bytes = class.states() * size_of::<T>() as u64;
        let asked = self.asked.fetch_add(rows, Ordering::Relaxed) + rows;
        let fits = || available_memory().is_none_or(|free| bytes < free / 2);
        let worth = WORTH_ALL * if class.is_small() { 1 } else { 8 };
        if asked < class.states() / worth || !class.is_small() && !fits() {
            return Ok(None);
        }
        let values = self.values.get_or_make(cancel, || make(table, cancel))?;
        Ok(Some(values))
    }
}

/// Searches the states of a table's class anew, up to a distance, and calls `take` with those at each: about two seconds
/// for all of 3x4 on all cores, and a few milliseconds for 3x3.
///
/// A small class is searched on the caller's thread. A thread of a pool that waits for another pool begins other tasks of
/// its own, and one that needs what is made here would wait for itself.
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
    let (header, class) = (table.header(), table.header().class());
    let threads = if class.is_small() { 1 } else { all_cores() };
    let mut search = Search::shared(class, Kept::Nothing, &SearchOptions::threads(threads))?;
    let mut go_on = |_| match cancel.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    for &states in header.levels().iter().take(usize::from(last) + 1) {
        let level = search.advance(&mut go_on);
        cancel.check().map_err(QueryError::from)?;
        match level {
            Ok(Some(level)) if level.states() == states => take(level).map_err(QueryError::from)?,
            _ => return Err(QueryError::no_way(table.file()).into()),
        }
    }
    Ok(QueryError::undamaged(table.file())?)
}

/// Returns the distance of every state, by state index.
///
/// # Errors
/// As [`each_level`].
pub(super) fn distances(table: &Table, cancel: &Cancel) -> Result<Vec<u8>, QueryError> {
    let (ranking, orders) = (table.ranking(), table.ranking().orders());
    let mut distances = vec![0; ranking.states() as usize];
    each_level(table, u8::MAX, cancel, |level| {
        let cells = distances.chunks_mut(orders as usize).enumerate();
        let cancelled = first(cells, |(cell, distances)| {
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

/// Returns the number of shortest solutions of every state, by state index.
///
/// # Errors
/// As [`each_level`].
pub(super) fn counts(table: &Table, cancel: &Cancel) -> Result<Vec<u64>, QueryError> {
    count_solutions(table, cancel, |_, _| ())
}

impl Oracle {
    /// Returns all boards at a distance, in the order of their state indices; none above the
    /// largest distance.
    ///
    /// The levels up to the distance are searched anew on all cores, which takes as much memory as building the table and
    /// no more time: milliseconds for the 8-puzzle. The list of their indices takes eight bytes for each.
    ///
    /// ```
    /// use puzzledb::puzzle::Shape;
    /// use puzzledb::Oracle;
    ///
    /// let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?;
    /// let hardest: Vec<String> = oracle.boards_at(31)?.map(|board| board.to_string()).collect();
    /// assert_eq!(hardest, ["647850321", "867254301"]);
    /// assert_eq!(oracle.boards_at(20)?.len(), 16_993);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`] and [`QueryError::WrongTable`], and [`OracleError::Search`] if the search does not fit
    /// the memory.
    pub fn boards_at(
        &self,
        distance: u8,
    ) -> Result<impl ExactSizeIterator<Item = Board>, OracleError> {
        let table = self.by_table()?;
        let states = table.states_at(&(distance..=distance), &self.cancel)?;
        Ok(states.into_iter().map(|index| table.space.unrank(index)))
    }

    /// Returns the distance of every state, by state index; one byte a state.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`], [`QueryError::WrongTable`] if the numbers of states at the distances are not those
    /// of the header, and [`QueryError::Memory`].
    pub fn distances(&self) -> Result<Vec<u8>, QueryError> {
        distances(&self.by_table()?.table, &self.cancel)
    }

    /// Counts the shortest solutions of all states, by state index, eight bytes for each, so that from now on
    /// [`Oracle::count_solutions`] is a look-up, for every oracle that shares the table. It takes 10 ms for the 8-puzzle
    /// and is done once.
    ///
    /// # Errors
    /// As [`Oracle::distances`].
    pub fn count_all_solutions(&self) -> Result<&[u64], QueryError> {
        let ByTable { table, all, .. } = self.by_table()?;
        let make = || counts(table, &self.cancel);
        Ok(all.counts.values.get_or_make(&self.cancel, make)?)
    }
}

impl ByTable {
    /// Returns all states at some distances, in their order, at the cost of [`Oracle::boards_at`] at most.
    pub(super) fn states_at(
        &self,
        distances: &RangeInclusive<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<StateIndex>, OracleError> {
        let (mut states, header) = (Vec::new(), self.table.header());
        let are_all = *distances.start() == 0 && *distances.end() >= header.max_distance();
        if are_all && header.class().is_small() {
            return Ok((0..header.states()).map(StateIndex).collect());
        }
        if *distances.start() <= header.max_distance() {
            each_level(&self.table, *distances.end(), cancel, |level| {
                if distances.contains(&level.distance()) {
                    states.extend(level.states_in_order());
                }
                Ok(())
            })?;
        }
        states.sort_unstable();
        Ok(states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;

    #[test]
    fn states_by_search_are_those_of_the_table() {
        let oracle = Oracle::for_shape(Shape::new(2, 4).unwrap()).unwrap();
        let table = oracle.by_table().unwrap();
        let last = table.table.header().max_distance();
        let distance = |&index: &StateIndex| {
            let state = table.table.ranking().state(index);
            table.table.distance(state).unwrap()
        };
        for at in (0..=last)
            .map(|at| at..=at)
            .chain([0..=last, 3..=last, 5..=u8::MAX])
        {
            let all = (0..table.table.ranking().states()).map(StateIndex);
            let inside: Vec<_> = all.filter(|index| at.contains(&distance(index))).collect();
            assert_eq!(table.states_at(&at, &Cancel::new()).unwrap(), inside);
        }
        assert_eq!(oracle.boards_at(last + 1).unwrap().len(), 0);
        for board in oracle.boards_at(7).unwrap() {
            assert_eq!(oracle.distance(&board), Ok(7));
        }
    }
}
