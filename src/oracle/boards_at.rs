//! Boards at given distances.

use std::ops::RangeInclusive;

use crate::basics::Cancel;
use crate::puzzle::Board;
use crate::space::StateIndex;

use super::by_table::ByTable;
use super::distances::{distances, each_level};
use super::error::{OracleError, QueryError};
use super::front::Oracle;

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
        Ok(states.into_iter().map(|index| table.unrank(index)))
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
        self.by_table()?.count_all_solutions(&self.cancel)
    }
}

impl ByTable {
    /// Returns all states at some distances, in their order, at the cost of [`Oracle::boards_at`].
    pub(super) fn states_at(
        &self,
        distances: &RangeInclusive<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<StateIndex>, OracleError> {
        let mut states = Vec::new();
        if *distances.start() <= self.table.header().max_distance() {
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
        for at in (0..=last).map(|at| at..=at).chain([3..=last, 5..=u8::MAX]) {
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
