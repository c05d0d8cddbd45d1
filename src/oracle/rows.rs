//! The array door: rows of cells or numbers of states in, values out in the caller's memory.
//!
//! A row is the n cells of a board, row by row, 0 for the blank. The methods work on all threads of the caller's pool.
//! Once enough rows of a table were asked for, they make an array of the values of all its states and read that.

use crate::basics::Cancel;
use crate::basics::parallel::prelude::*;
use crate::puzzle::{Board, BoardError, Move, Shape};
use crate::space::{Frame, Ranking, RowState, SpaceError, State, StateIndex};

use super::by_table::ByTable;
use super::error::QueryError;
use super::front::Oracle;

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
    /// There is no state of a number. It is the first such number.
    #[error("row {row}: {cause}")]
    State {
        /// Number of the row, from 0.
        row: usize,
        /// The number of the state.
        #[source]
        cause: SpaceError,
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

/// Rows, in the terms of a table.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    rows: Rows<'a>,
    frame: &'a Frame,
    ranking: &'a Ranking,
}

impl Numbered<'_> {
    /// Returns the state of a row; `None` if it is unsolvable.
    #[inline]
    fn state(&self, row: usize) -> Result<Option<State>, RowsError> {
        let state = match self.rows {
            Rows::Cells(cells) => {
                let shape = self.frame.goal().shape();
                let cells = &cells[row * shape.cells()..][..shape.cells()];
                return match self.frame.row(self.ranking, cells) {
                    RowState::Solvable(state) => Ok(Some(state)),
                    RowState::Unsolvable => Ok(None),
                    RowState::NoBoard => Err(RowsError::no_board(row, shape, cells)),
                };
            }
            _ => self.index(row)?,
        };
        Ok(state.map(|index| self.ranking.state(index)))
    }

    /// Returns the number of the state of a row; `None` if it is unsolvable.
    #[inline]
    fn index(&self, row: usize) -> Result<Option<StateIndex>, RowsError> {
        let index = match self.rows {
            Rows::Cells(_) => return Ok(self.state(row)?.map(|state| self.ranking.index(state))),
            Rows::States(numbers) => numbers[row],
            Rows::From(first) => first.saturating_add(row as u64),
        };
        let states = self.ranking.states();
        if index < states {
            return Ok(Some(StateIndex(index)));
        }
        let cause = SpaceError::NoState { index, states };
        Err(RowsError::State { row, cause })
    }
}

impl RowsError {
    #[cold]
    fn no_board(row: usize, shape: Shape, cells: &[u8]) -> RowsError {
        let cause = Board::new(shape, cells).expect_err("the row is not a permutation");
        RowsError::Row { row, cause }
    }

    fn lengths(cells: usize, width: usize, values: usize) -> RowsError {
        RowsError::Lengths {
            cells,
            width,
            values,
        }
    }
}

impl ByTable {
    fn numbered<'a>(&'a self, rows: Rows<'a>) -> Numbered<'a> {
        Numbered {
            rows,
            frame: &self.frame,
            ranking: self.table.ranking(),
        }
    }

    /// Returns the moves of the user's boards that lead one step closer, from the distances of all states if there are
    /// such.
    fn closer_moves(&self, state: State, bytes: Option<&[u8]>) -> u8 {
        let ranking = self.table.ranking();
        let mask = |mask, mv| mask | 1 << self.frame.user_move(mv).code();
        let Some(bytes) = bytes else {
            return (self.table.closer(state)).fold(0, |bits, (mv, _)| mask(bits, mv));
        };
        let distance = |state| bytes[ranking.index(state).0 as usize];
        let here = distance(state);
        let is_closer = |mv: &Move| {
            ranking
                .step(state, *mv)
                .is_some_and(|next| distance(next) < here)
        };
        Move::ALL.into_iter().filter(is_closer).fold(0, mask)
    }
}

/// Returns the distances of states that follow each other, if those of all are there.
fn part_of<'a>(bytes: Option<&'a [u8]>, rows: Rows<'_>, count: usize) -> Option<&'a [u8]> {
    let Rows::From(first) = rows else {
        return None;
    };
    bytes?.get(usize::try_from(first).ok()?..)?.get(..count)
}

/// Returns the mask of some moves: 1 for up, 2 for down, 4 for left, 8 for right.
fn mask(moves: Vec<Move>) -> u8 {
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
        let tasks = values.par_chunks_mut(width * run).enumerate();
        tasks.find_map_first(fill_task)
    };
    first_error.map_or(Ok(()), Err)
}

/// The methods fail with [`RowsError::Row`] for the first row that is not a permutation of 0 to n - 1, with
/// [`RowsError::State`] for a number of which there is no state, with [`RowsError::Lengths`] if there is not one place
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
        let rows = self.checked(rows.into(), distances.len())?;
        let Ok(table) = self.by_table() else {
            return self.search_each(rows, distances, NO_DISTANCE, Oracle::distance);
        };
        let by_look_up = |state| table.distance_of_state(state);
        let bytes = table.bytes_for(distances.len(), &self.cancel)?;
        if let Some(part) = part_of(bytes, rows, distances.len()) {
            distances.copy_from_slice(part);
            return Ok(());
        }
        let numbered = table.numbered(rows);
        fill_each(distances, (1, LOOK_UPS), &self.cancel, |row, place| {
            place[0] = match bytes {
                Some(bytes) => (numbered.index(row)?).map_or(NO_DISTANCE, |i| bytes[i.0 as usize]),
                None => (numbered.state(row)?).map_or(Ok(NO_DISTANCE), by_look_up)?,
            };
            Ok(())
        })
    }

    /// Writes a mask of the moves of each row that lead one step closer to the goal: 1 for up, 2 for down, 4 for left, 8
    /// for right; 0 for the goal and for an unsolvable row.
    pub fn closer_moves_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        masks: &mut [u8],
    ) -> Result<(), RowsError> {
        let rows = self.checked(rows.into(), masks.len())?;
        let Ok(table) = self.by_table() else {
            let by_search = |oracle: &Oracle, board: &Board| Ok(mask(oracle.optimal_moves(board)?));
            return self.search_each(rows, masks, 0, by_search);
        };
        let bytes = table.bytes_for(masks.len(), &self.cancel)?;
        let numbered = table.numbered(rows);
        let closer = |state| table.closer_moves(state, bytes);
        fill_each(masks, (1, LOOK_UPS), &self.cancel, |row, place| {
            place[0] = numbered.state(row)?.map_or(0, closer);
            Ok(())
        })?;
        Ok(QueryError::undamaged(self.file())?)
    }

    /// Writes the number of shortest solutions of each row, up to 2^64 - 1; 0 for an unsolvable row.
    pub fn solution_counts_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        counts: &mut [u64],
    ) -> Result<(), RowsError> {
        let rows = self.checked(rows.into(), counts.len())?;
        let Ok(table) = self.by_table() else {
            return self.search_each(rows, counts, 0, Oracle::count_solutions);
        };
        table.counts_for(counts.len(), &self.cancel)?;
        let numbered = table.numbered(rows);
        let count = |state| table.count_of_state(state, &self.cancel);
        fill_each(counts, (1, LOOK_UPS), &self.cancel, |row, place| {
            place[0] = numbered.state(row)?.map_or(Ok(0), count)?;
            Ok(())
        })
    }

    /// Writes the number of the state of each row; 2^64 - 1 for an unsolvable row. It needs a table.
    pub fn states_into<'a>(
        &self,
        rows: impl Into<Rows<'a>>,
        states: &mut [u64],
    ) -> Result<(), RowsError> {
        let numbered = (self.by_table()?).numbered(self.checked(rows.into(), states.len())?);
        fill_each(states, (1, LOOK_UPS), &self.cancel, |row, place| {
            place[0] = numbered.index(row)?.map_or(u64::MAX, |index| index.0);
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
        if !cells.len().is_multiple_of(width) {
            return Err(RowsError::lengths(cells.len(), width, cells.len() / width));
        }
        let numbered = table.numbered(self.checked(rows, cells.len() / width)?);
        fill_each(cells, (width, LOOK_UPS), &self.cancel, |row, place| {
            match (numbered.state(row)?, rows) {
                (Some(state), _) => table.frame.write_row(numbered.ranking, state, place),
                (None, Rows::Cells(cells)) => place.copy_from_slice(&cells[row * width..][..width]),
                (None, _) => unreachable!("a number of a state is that of a solvable board"),
            }
            Ok(())
        })
    }

    /// Returns the rows if there are so many.
    fn checked<'a>(&self, rows: Rows<'a>, values: usize) -> Result<Rows<'a>, RowsError> {
        let (cells, width) = match rows {
            Rows::Cells(cells) => (cells.len(), self.shape().cells()),
            Rows::States(numbers) => (numbers.len(), 1),
            Rows::From(_) => return Ok(rows),
        };
        if values.checked_mul(width) == Some(cells) {
            Ok(rows)
        } else {
            Err(RowsError::lengths(cells, width, values))
        }
    }

    /// Searches rows of cells one by one, each on one thread.
    fn search_each<A: Copy + Send + Sync>(
        &self,
        rows: Rows<'_>,
        values: &mut [A],
        unsolvable: A,
        search: impl Fn(&Oracle, &Board) -> Result<A, QueryError> + Sync,
    ) -> Result<(), RowsError> {
        let (oracle, shape) = (&self.on_one_thread(), self.shape());
        let Rows::Cells(cells) = rows else {
            return Err(QueryError::NeedsTable { shape }.into());
        };
        fill_each(values, (1, 1), &self.cancel, |row, place| {
            let cells = &cells[row * shape.cells()..][..shape.cells()];
            let board = Board::new(shape, cells).map_err(|cause| RowsError::Row { row, cause })?;
            place[0] = match search(oracle, &board) {
                Err(QueryError::Space(SpaceError::Unsolvable { .. })) => unsolvable,
                value => value?,
            };
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
