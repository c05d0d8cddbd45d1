//! The oracle: a table and a goal.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::basics::Cancel;
use crate::puzzle::{Board, Shape, UsualGoal};
use crate::space::{Frame, SpaceError, State, StateIndex};
use crate::table::{Bytes, Encoding, Table, build};

use super::error::{OracleError, QueryError};
use super::solution_counts::SolutionCounts;

/// Optimal distances and solutions of all boards for one goal.
///
/// A clone shares the table, and so does the oracle of [another goal](TableOracle::with_goal).
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
pub struct TableOracle {
    pub(super) table: Arc<Table>,
    /// The numbers of shortest solutions of all states, once they have been counted.
    pub(super) counts: Arc<OnceLock<SolutionCounts>>,
    pub(super) frame: Frame,
    /// Flag that ends work on many states.
    pub(super) cancel: Cancel,
}

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
        let class = Frame::new(goal)?.class();
        let encoding = Encoding::default_for(class);
        let bytes = build(class, encoding, 1, |_| {
            if cancel.is_cancelled() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let bytes = bytes.ok_or(QueryError::Cancelled)?;
        let table = Table::from_bytes(Bytes::from(bytes)).expect("a table just made is good");
        TableOracle::new(table, goal)
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
        TableOracle::with_counts(table.into(), Arc::default(), goal)
    }

    /// Returns an oracle for another goal of the same class, from the same table.
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] if the table does not serve the goal.
    pub fn with_goal(&self, goal: &Board) -> Result<TableOracle, OracleError> {
        let other =
            TableOracle::with_counts(Arc::clone(&self.table), Arc::clone(&self.counts), goal)?;
        Ok(other.with_cancel(&self.cancel))
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

    fn with_counts(
        table: Arc<Table>,
        counts: Arc<OnceLock<SolutionCounts>>,
        goal: &Board,
    ) -> Result<TableOracle, OracleError> {
        let frame = Frame::new(goal)?;
        if frame.class() != table.header().class() {
            let (table, goal) = (table.header().class().shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        }
        Ok(TableOracle {
            table,
            counts,
            frame,
            cancel: Cancel::new(),
        })
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

impl Clone for TableOracle {
    fn clone(&self) -> TableOracle {
        TableOracle {
            table: Arc::clone(&self.table),
            counts: Arc::clone(&self.counts),
            frame: self.frame.clone(),
            cancel: self.cancel.clone(),
        }
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
