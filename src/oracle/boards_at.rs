//! Boards at given distances.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::basics::{Cancel, all_cores};
use crate::bfs::{Alone, Kept, Search, go_on};
use crate::puzzle::Board;
use crate::space::StateIndex;

use super::by_table::ByTable;
use super::distances::SMALL_SPACE;
use super::error::{OracleError, QueryError};
use super::front::Oracle;
use super::solution_counts::SolutionCounts;

impl Oracle {
    /// Returns all boards at a distance, in the order of their state indices; none above the
    /// largest distance.
    ///
    /// In a space of up to [`SMALL_SPACE`] states they are found in the table, with one byte of
    /// memory a state: milliseconds for the 8-puzzle. In a larger one the levels up to the distance
    /// are searched anew on all cores, which takes as much memory as building the table and no more
    /// time. The list of their indices takes eight bytes for each.
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
    /// [`QueryError::NeedsTable`], and [`QueryError::WrongTable`] if the numbers of states at the distances are not those
    /// of the header.
    pub fn distances(&self) -> Result<Vec<u8>, QueryError> {
        self.by_table()?.distances(&self.cancel)
    }

    /// Counts the shortest solutions of all states, eight bytes for each, so that from now on
    /// [`Oracle::count_solutions`] is a look-up, for every oracle that shares the table. It takes 10 ms for the 8-puzzle
    /// and is done once.
    ///
    /// # Errors
    /// As [`Oracle::distances`].
    pub fn count_all_solutions(&self) -> Result<&SolutionCounts, QueryError> {
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
        if *distances.start() > self.table.header().max_distance() {
            Ok(Vec::new())
        } else if self.table.header().states() <= SMALL_SPACE {
            Ok(self.states_in_table(distances, cancel)?)
        } else {
            self.states_by_search(distances, cancel)
        }
    }

    fn states_in_table(
        &self,
        distances: &RangeInclusive<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<StateIndex>, QueryError> {
        let all = self.distances(cancel)?;
        let numbered = (0..).map(StateIndex).zip(&all);
        let inside = numbered.filter(|(_, distance)| distances.contains(distance));
        Ok(inside.map(|(index, _)| index).collect())
    }

    fn states_by_search(
        &self,
        distances: &RangeInclusive<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<StateIndex>, OracleError> {
        let class = self.table.header().class();
        let mut search = Search::shared(class, Kept::Nothing, all_cores(), Arc::new(Alone))?;
        let mut states = Vec::new();
        while let Ok(Some(level)) = search.advance(&mut go_on) {
            cancel.check().map_err(QueryError::from)?;
            if level.distance() > *distances.end() {
                break;
            }
            if distances.contains(&level.distance()) {
                states.extend(level.states_in_order());
            }
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
    fn the_table_and_a_search_give_the_same_states() {
        let oracle = Oracle::for_shape(Shape::new(2, 4).unwrap()).unwrap();
        let table = oracle.by_table().unwrap();
        let cancel = Cancel::new();
        let levels = table.table.header().levels();
        for (distance, &states) in (0u8..).zip(levels) {
            let at = distance..=distance;
            let in_table = table.states_in_table(&at, &cancel).unwrap();
            assert_eq!(in_table.len() as u64, states);
            assert_eq!(in_table, table.states_by_search(&at, &cancel).unwrap());
        }
        let last = table.table.header().max_distance();
        let all = table.states_by_search(&(3..=last), &cancel).unwrap();
        assert_eq!(all, table.states_in_table(&(3..=u8::MAX), &cancel).unwrap());
        assert_eq!(oracle.boards_at(last + 1).unwrap().len(), 0);
        for board in oracle.boards_at(7).unwrap() {
            assert_eq!(oracle.distance(&board), Ok(7));
        }
    }
}
