//! The array door: rows of cells or numbers of states in, values out in the caller's memory.
//!
//! A row is the n cells of a board, row by row, 0 for the blank. The methods work on all threads of the caller's pool.
//! Once enough rows of a table were asked for, they make an array of the values of all its states and read that.

use crate::basics::Cancel;
use crate::basics::parallel::first;
use crate::puzzle::{Board, BoardError, Move, Shape};
use crate::space::{SpaceError, State, StateIndex};

use super::distances;
use super::error::QueryError;
use super::front::Oracle;
use super::sources::ByTable;

/// The boards of a question about many.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Rows<'a> {
    /// Rows of n cells, one after the other.
    Cells(&'a [u8]),
    /// Numbers of states.
    States(&'a [u64]),
    /// The states from this number on, as many as there are places for values.
    From(u64),
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Rows<'a> {
    fn from(cells: &'a T) -> Rows<'a> {
        Rows::Cells(cells.as_ref())
    }
}

/// Reason why there are no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// A row is not a permutation of 0 to n - 1. It is the first such row.
    #[error("row {row}: {cause}")]
    Row {
        /// Number of the row, from 0.
        row: usize,
        /// Fault in its cells.
        #[source]
        cause: BoardError,
    },
    /// A board has no answer, or there is no state of a number. It is the first such row.
    #[error("row {row}: {cause}")]
    NoAnswer {
        /// Number of the row, from 0.
        row: usize,
        /// Reason why it has no answer.
        #[source]
        cause: QueryError,
    },
    /// The rows and the places for values are not equally many.
    #[error("{cells} cells or numbers do not fit {values} values: each row has {width}")]
    Lengths {
        /// Cells, or numbers of states.
        cells: usize,
        /// Cells, or numbers, of a row.
        width: usize,
        /// Places for values.
        values: usize,
    },
    /// The oracle has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// The value of an unsolvable row among distances.
const NO_DISTANCE: u8 = u8::MAX;

/// Rows that a thread answers between two checks of the flag.
const LOOK_UPS: usize = 4096;

impl ByTable {
    /// Returns the state of a row; `None` if it is unsolvable.
    #[inline]
    fn state_of_row(&self, rows: Rows<'_>, row: usize) -> Result<Option<State>, RowsError> {
        let Rows::Cells(cells) = rows else {
            let index = self.index_of_row(rows, row)?;
            return Ok(index.map(|index| self.table.ranking().state(index)));
        };
        let shape = self.space.goal().shape();
        let cells = &cells[row * shape.cells()..][..shape.cells()];
        match self.space.row(cells) {
            Some(state) => Ok(state),
            None => board_of_row(shape, rows, row).map(|_| None),
        }
    }

    /// Returns the number of the state of a row; `None` if it is unsolvable.
    #[inline]
    fn index_of_row(&self, rows: Rows<'_>, row: usize) -> Result<Option<StateIndex>, RowsError> {
        let ranking = self.table.ranking();
        let index = match rows {
            Rows::Cells(_) => {
                let state = self.state_of_row(rows, row)?;
                return Ok(state.map(|state| ranking.index(state)));
            }
            Rows::States(numbers) => numbers[row],
            Rows::From(first) => first.saturating_add(row as u64),
        };
        let states = ranking.states();
        if index < states {
            return Ok(Some(StateIndex(index)));
        }
        let cause = SpaceError::NoState { index, states }.into();
        Err(RowsError::NoAnswer { row, cause })
    }
}

/// Returns the board of a row of cells.
#[cold]
fn board_of_row(shape: Shape, rows: Rows<'_>, row: usize) -> Result<Board, RowsError> {
    let Rows::Cells(cells) = rows else {
        return Err(QueryError::NeedsTable { shape }.into());
    };
    let cells = &cells[row * shape.cells()..][..shape.cells()];
    Board::new(shape, cells).map_err(|cause| RowsError::Row { row, cause })
}

/// Returns the mask of some moves: 1 for up, 2 for down, 4 for left, 8 for right.
fn mask(moves: impl IntoIterator<Item = Move>) -> u8 {
    moves.into_iter().fold(0, |mask, mv| mask | 1 << mv.code())
}

/// Fills places of `width` values each, in parallel, `run` places to a task; `fill` gets the number of a place. A single
/// task is done on the caller's thread.
fn fill_each<T: Send>(
    values: &mut [T],
    (width, run): (usize, usize),
    cancel: &Cancel,
    fill: impl Fn(usize, &mut [T]) -> Result<(), RowsError> + Sync,
) -> Result<(), RowsError> {
    let fill_task = |(task, values): (usize, &mut [T])| {
        if cancel.is_cancelled() {
            return Some(QueryError::Cancelled.into());
        }
        let mut places = (task * run..).zip(values.chunks_exact_mut(width));
        places.find_map(|(row, place)| fill(row, place).err())
    };
    let first_error = if values.len() <= width * run {
        fill_task((0, values))
    } else {
        first(values.chunks_mut(width * run).enumerate(), fill_task)
    };
    first_error.map_or(Ok(()), Err)
}

/// The methods fail with [`RowsError::Row`] for the first row that is not a permutation of 0 to n - 1, with
/// [`RowsError::NoAnswer`] for a number of which there is no state, with [`RowsError::Lengths`] if there is not one place
/// for each row, and with [`RowsError::Query`] as the question about one board does. Numbers of states need a table.
/// After an error the values are not defined. An unsolvable row is no error.
#[expect(clippy::missing_errors_doc)]
impl Oracle {
    /// Writes the distance of each row, in moves; 255 for an unsolvable row.
    ///
    /// ```
    /// use puzzledb::Oracle;
    /// use puzzledb::oracle::Rows;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let rows = [[7, 0, 4, 8, 5, 1, 6, 3, 2], [1, 2, 3, 4, 5, 6, 8, 7, 0]];
    /// let mut distances = [0; 2];
    /// oracle.distances_into(rows.as_flattened(), &mut distances)?;
    /// assert_eq!(distances, [19, 255]);
    /// let mut all = vec![0; 181_440];
    /// oracle.distances_into(Rows::From(0), &mut all)?; // of every state, in their order
    /// assert_eq!(all.iter().max(), Some(&31));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distances_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        distances: &mut [u8],
    ) -> Result<(), RowsError> {
        let (count, cancel) = (distances.len(), &self.cancel);
        self.values_into(
            rows.into(),
            (distances, NO_DISTANCE),
            |table| {
                (table.all.distances).for_rows(count, (&table.table, cancel), distances::distances)
            },
            (ByTable::distance, Oracle::distance),
        )
    }

    /// Writes a mask of the moves of each row that lead one step closer to the goal: 1 for up, 2 for down, 4 for left, 8
    /// for right; 0 for the goal and for an unsolvable row.
    pub fn closer_moves_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        masks: &mut [u8],
    ) -> Result<(), RowsError> {
        self.values_into(
            rows.into(),
            (masks, 0),
            |_| Ok(None),
            (
                |table: &ByTable, state| Ok(mask(table.closer(state))),
                |oracle: &Oracle, board: &_| Ok(mask(oracle.optimal_moves(board)?)),
            ),
        )
    }

    /// Writes the number of shortest solutions of each row, up to 2^64 - 1; 0 for an unsolvable row.
    pub fn solution_counts_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        counts: &mut [u64],
    ) -> Result<(), RowsError> {
        let (count, cancel) = (counts.len(), &self.cancel);
        self.values_into(
            rows.into(),
            (counts, 0),
            |table| (table.all.counts).for_rows(count, (&table.table, cancel), distances::counts),
            (
                |table: &ByTable, state| table.count(state, cancel),
                Oracle::count_solutions,
            ),
        )
    }

    /// Writes the number of the state of each row; 2^64 - 1 for an unsolvable row. It needs a table.
    pub fn states_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        states: &mut [u64],
    ) -> Result<(), RowsError> {
        let (table, rows) = (self.by_table()?, rows.into());
        self.check_lengths(rows, states.len(), 1)?;
        fill_each(states, (1, LOOK_UPS), &self.cancel, |row, place| {
            place[0] = (table.index_of_row(rows, row)?).map_or(u64::MAX, |index| index.0);
            Ok(())
        })
    }

    /// Writes the n cells of each row's board, which is of interest for numbers of states. It needs a table.
    ///
    /// ```
    /// use puzzledb::Oracle;
    /// use puzzledb::oracle::Rows;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let (mut cells, mut states) = ([0; 18], [0; 2]);
    /// oracle.boards_into(Rows::States(&[0, 181_439]), &mut cells)?;
    /// assert_eq!(cells[..9], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    /// oracle.states_into(&cells, &mut states)?;
    /// assert_eq!(states, [0, 181_439]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn boards_into(&self, rows: Rows<'_>, cells: &mut [u8]) -> Result<(), RowsError> {
        let (table, width) = (self.by_table()?, self.shape().cells());
        self.check_lengths(rows, cells.len(), width)?;
        fill_each(cells, (width, LOOK_UPS), &self.cancel, |row, place| {
            match table.state_of_row(rows, row)? {
                Some(state) => table.space.write_row(state, place),
                None => place.copy_from_slice(board_of_row(self.shape(), rows, row)?.tiles()),
            }
            Ok(())
        })
    }

    /// Fails unless there are as many rows as places of `width` values.
    fn check_lengths(&self, rows: Rows<'_>, values: usize, width: usize) -> Result<(), RowsError> {
        let places = values / width;
        let (cells, each) = match rows {
            Rows::Cells(cells) => (cells.len(), self.shape().cells()),
            Rows::States(numbers) => (numbers.len(), 1),
            Rows::From(_) => (places, 1),
        };
        if values.is_multiple_of(width) && places.checked_mul(each) == Some(cells) {
            return Ok(());
        }
        Err(RowsError::Lengths {
            cells,
            width: each,
            values,
        })
    }

    /// Writes values of rows. From a table they are those of `all` states, if there are such, or that of `one` state after
    /// the other; otherwise a search finds each.
    fn values_into<'a, T: Copy + Send + Sync + 'static>(
        &'a self,
        rows: Rows<'_>,
        (values, unsolvable): (&mut [T], T),
        all: impl FnOnce(&'a ByTable) -> Result<Option<&'a [T]>, QueryError>,
        (one, search): (
            impl Fn(&ByTable, State) -> Result<T, QueryError> + Sync,
            impl Fn(&Oracle, &Board) -> Result<T, QueryError> + Sync,
        ),
    ) -> Result<(), RowsError> {
        self.check_lengths(rows, values.len(), 1)?;
        let cancel = &self.cancel;
        let Ok(table) = self.by_table() else {
            let oracle = self.on_one_thread();
            return fill_each(values, (1, 1), cancel, |row, place| {
                let found = search(&oracle, &board_of_row(self.shape(), rows, row)?);
                place[0] = match found {
                    Err(QueryError::Space(SpaceError::Unsolvable { .. })) => unsolvable,
                    value => value?,
                };
                Ok(())
            });
        };
        let all = all(table)?;
        if let (Rows::From(first), Some(all)) = (rows, all)
            && let Some(part) = all
                .get(first as usize..)
                .and_then(|all| all.get(..values.len()))
        {
            values.copy_from_slice(part);
            return Ok(());
        }
        fill_each(values, (1, LOOK_UPS), cancel, |row, place| {
            let value = match all {
                Some(all) => table
                    .index_of_row(rows, row)?
                    .map(|index| all[index.0 as usize]),
                None => (table.state_of_row(rows, row)?)
                    .map(|state| one(table, state))
                    .transpose()?,
            };
            place[0] = value.unwrap_or(unsolvable);
            Ok(())
        })?;
        Ok(QueryError::undamaged(self.file())?)
    }

    /// Returns the distance of each board, in moves. [`Oracle::distances_into`] does it for rows of cells, faster.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Shape};
    /// use puzzledb::Oracle;
    ///
    /// let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?;
    /// let boards: [Board; 2] = ["704851632".parse()?, "536407182".parse()?];
    /// assert_eq!(oracle.distances_of(&boards)?, [19, 22]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RowsError::NoAnswer`] of the first board that has no answer.
    pub fn distances_of(&self, boards: &[Board]) -> Result<Vec<u8>, RowsError> {
        let run = self.table().map_or(1, |_| LOOK_UPS);
        let oracle = self.on_one_thread();
        let mut distances = vec![0; boards.len()];
        fill_each(&mut distances, (1, run), &self.cancel, |row, place| {
            let distance = oracle.distance(&boards[row]);
            place[0] = distance.map_err(|cause| RowsError::NoAnswer { row, cause })?;
            Ok(())
        })?;
        Ok(distances)
    }
}

#[cfg(test)]
mod tests;
