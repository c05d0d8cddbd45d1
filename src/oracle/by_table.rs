//! The oracle: a table and a goal.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::basics::Cancel;
use crate::puzzle::{Board, Shape, UsualGoal};
use crate::space::{Frame, GoalClass, SpaceError, State, StateIndex};
use crate::table::{Bytes, Encoding, Table, build};

use super::error::{OracleError, QueryError};
use super::solution_counts::SolutionCounts;

/// Optimal distances and solutions of all boards for one goal.
///
/// Any board can be [the goal](TableOracle::with_goal), and every goal belongs to one of a few classes that share a
/// table: three tables serve the 181,440 x 181,440 pairs of boards of the 8-puzzle. A clone shares the table, and so
/// does the oracle of another goal.
///
/// ```
/// use puzzledb::oracle::TableOracle;
/// use puzzledb::puzzle::Board;
///
/// let oracle = TableOracle::in_memory(&"123456780".parse()?)?;
/// let board: Board = "536407182".parse()?;
/// assert_eq!(oracle.distance(&board)?, 22);
/// let solution = oracle.solve(&board)?;
/// assert_eq!(board.replay(&solution), Ok(*oracle.goal()));
/// assert_eq!(oracle.optimal_moves(&board)?.len(), 3);
/// assert_eq!(oracle.count_solutions(&board)?, 7);
/// assert_eq!(oracle.solutions(&board)?.count(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TableOracle {
    pub(super) table: Arc<Table>,
    /// The numbers of shortest solutions of all states, once they have been counted.
    pub(super) counts: Counts,
    pub(super) frame: Frame,
    /// Flag that ends work on many states.
    pub(super) cancel: Cancel,
    /// The tables of the other classes of goals that were asked for, with their counts.
    classes: Arc<Mutex<Classes>>,
}

type Counts = Arc<OnceLock<SolutionCounts>>;

type Classes = HashMap<GoalClass, (Arc<Table>, Counts)>;

impl TableOracle {
    /// Searches the space of `goal` and keeps the table in memory, on one thread and in the
    /// default encoding.
    ///
    /// # Errors
    /// If the shape is too large.
    pub fn in_memory(goal: &Board) -> Result<TableOracle, OracleError> {
        TableOracle::in_memory_unless(&Cancel::new(), goal)
    }

    /// As [`TableOracle::in_memory`], unless it is cancelled.
    pub(crate) fn in_memory_unless(
        cancel: &Cancel,
        goal: &Board,
    ) -> Result<TableOracle, OracleError> {
        let table = TableOracle::make_table(cancel, Frame::new(goal)?.class())?;
        TableOracle::new(table, goal)
    }

    fn make_table(cancel: &Cancel, class: GoalClass) -> Result<Table, OracleError> {
        let encoding = Encoding::default_for(class);
        let bytes = build(class, encoding, 1, |_| {
            if cancel.is_cancelled() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let bytes = bytes.ok_or(QueryError::Cancelled)?;
        Ok(Table::from_bytes(Bytes::from(bytes)).expect("a table just made is good"))
    }

    /// As [`TableOracle::in_memory`], for the default goal of a shape.
    ///
    /// ```
    /// use puzzledb::oracle::TableOracle;
    /// use puzzledb::puzzle::Shape;
    ///
    /// let oracle = TableOracle::for_shape(Shape::EIGHT_PUZZLE)?;
    /// assert_eq!(oracle.goal().to_string(), "123456780");
    /// # Ok::<(), puzzledb::oracle::OracleError>(())
    /// ```
    ///
    /// # Errors
    /// As [`TableOracle::in_memory`].
    pub fn for_shape(shape: Shape) -> Result<TableOracle, OracleError> {
        TableOracle::in_memory(&UsualGoal::Last.board(shape))
    }

    /// Opens a database as [`Table::open`] does, for the default goal of its shape: tiles in reading order, the blank last.
    ///
    /// A database serves its shape in both orientations. Boards are opened wider than high: a database of 4x3 boards is
    /// opened for 3x4 boards. [`TableOracle::open_for`] names the goal and so the orientation.
    ///
    /// # Errors
    /// If the file is missing or damaged, or serves only goals with the blank not in a corner.
    pub fn open(path: impl AsRef<Path>) -> Result<TableOracle, OracleError> {
        let table = Table::open(path.as_ref())?;
        let shape = table.header().class().shape().transposed();
        TableOracle::new(table, &UsualGoal::Last.board(shape))
    }

    /// Opens a database as [`Table::open`] does, for `goal`.
    ///
    /// # Errors
    /// If the file is missing or damaged, or is of another shape or class of goals.
    pub fn open_for(path: impl AsRef<Path>, goal: &Board) -> Result<TableOracle, OracleError> {
        TableOracle::new(Table::open(path.as_ref())?, goal)
    }
}

impl TableOracle {
    /// Returns an oracle for `goal` from a table of its class.
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] if the table does not serve this goal.
    pub fn new(table: impl Into<Arc<Table>>, goal: &Board) -> Result<TableOracle, OracleError> {
        let (table, frame) = (table.into(), Frame::new(goal)?);
        if frame.class() != table.header().class() {
            let (table, goal) = (table.header().class().shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        }
        Ok(TableOracle {
            table,
            counts: Arc::default(),
            frame,
            cancel: Cancel::new(),
            classes: Arc::default(),
        })
    }

    /// Returns an oracle for another goal of the same shape. Goals of one class share their table. Up to 3x3 and 2x5
    /// the table of another class is made in memory, once for all oracles that come from this one.
    ///
    /// ```
    /// use puzzledb::oracle::TableOracle;
    /// use puzzledb::puzzle::Board;
    ///
    /// let (a, b): (Board, Board) = ("704851632".parse()?, "536407182".parse()?);
    /// let oracle = TableOracle::in_memory(&a)?;
    /// let to_b = oracle.with_goal(&b)?;
    /// assert_eq!(to_b.distance(&a)?, oracle.distance(&b)?);
    /// assert_eq!(a.replay(&to_b.solve(&a)?), Ok(b));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] for another shape, and in larger shapes for another class than the table's.
    pub fn with_goal(&self, goal: &Board) -> Result<TableOracle, OracleError> {
        let frame = Frame::new(goal)?;
        let (own, class) = (self.frame.class(), frame.class());
        let (table, counts) = if class == own {
            (Arc::clone(&self.table), Arc::clone(&self.counts))
        } else if class.is_small() && class.shape() == own.shape() {
            self.of_class(class)?
        } else {
            let (table, goal) = (own.shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        };
        Ok(TableOracle {
            table,
            counts,
            frame,
            ..self.clone()
        })
    }

    /// Returns the table of another class and its counts. It is locked while it is made, so that it is made once.
    fn of_class(&self, class: GoalClass) -> Result<(Arc<Table>, Counts), OracleError> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let own = || (Arc::clone(&self.table), Arc::clone(&self.counts));
        classes.entry(self.frame.class()).or_insert_with(own);
        Ok(match classes.entry(class) {
            Entry::Occupied(made) => made.get().clone(),
            Entry::Vacant(place) => {
                let table = TableOracle::make_table(&self.cancel, class)?;
                place.insert((Arc::new(table), Arc::default())).clone()
            }
        })
    }

    /// Sets a flag that ends work on many states: counts of solutions, statistics, lists and draws of boards. They end
    /// with [`QueryError::Cancelled`](super::QueryError::Cancelled).
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> TableOracle {
        TableOracle {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Returns the flag that ends its work.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table alone, which other oracles may share.
    pub fn into_table(self) -> Arc<Table> {
        self.table
    }

    /// Returns the board at distance 0.
    pub fn goal(&self) -> &Board {
        self.frame.goal()
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal().shape()
    }

    /// Returns the map of boards of this goal to the canonical ones of the table, by turning and renaming.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    #[inline]
    pub(super) fn state(&self, board: &Board) -> Result<State, SpaceError> {
        self.frame.state(self.table.ranking(), board)
    }

    pub(super) fn board(&self, state: State) -> Board {
        self.frame.board(self.table.ranking(), state)
    }

    /// Returns the number of a board.
    ///
    /// # Errors
    /// [`SpaceError`] for an unsolvable board or one of another shape.
    pub fn rank(&self, board: &Board) -> Result<StateIndex, SpaceError> {
        Ok(self.table.ranking().index(self.state(board)?))
    }

    /// Returns the board with a number.
    ///
    /// # Panics
    /// If the number is not below the number of states.
    pub fn unrank(&self, index: StateIndex) -> Board {
        self.board(self.table.ranking().state(index))
    }
}

impl fmt::Debug for TableOracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableOracle")
            .field("goal", self.frame.goal())
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_class_is_made_once_by_however_many_threads() {
        let oracle = TableOracle::for_shape("2x3".parse().unwrap()).unwrap();
        let tables = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|first| {
                    let oracle = &oracle;
                    scope.spawn(move || {
                        let mut tables = HashMap::new();
                        for index in (first..360).step_by(5).map(StateIndex) {
                            let goal = oracle.unrank(index);
                            let other = oracle.with_goal(&goal).unwrap();
                            assert_eq!(other.distance(&goal), Ok(0));
                            let back = other.with_goal(oracle.goal()).unwrap();
                            assert!(Arc::ptr_eq(&back.table, &oracle.table));
                            tables.insert(other.frame.class(), Arc::as_ptr(&other.table) as usize);
                        }
                        tables
                    })
                })
                .collect();
            let tables = threads.into_iter().map(|thread| thread.join().unwrap());
            tables.collect::<Vec<_>>()
        });
        let classes = GoalClass::all(oracle.shape()).unwrap().len();
        assert_eq!(tables[0].len(), classes);
        assert!(tables.iter().all(|other| *other == tables[0]));
    }

    #[test]
    fn a_goal_of_another_shape_or_of_another_large_class_is_refused() {
        let oracle = TableOracle::for_shape("2x3".parse().unwrap()).unwrap();
        let refused = oracle.with_goal(&"123456780".parse().unwrap());
        assert!(matches!(refused, Err(OracleError::OtherClass { .. })));
    }
}
