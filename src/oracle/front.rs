//! The front door: an oracle that chooses its source of distances.

use std::path::Path;
use std::sync::Arc;

use crate::basics::Cancel;
use crate::pattern::PatternFile;
use crate::puzzle::{Board, Move, Shape, UsualGoal};
use crate::space::{Frame, GoalClass};
use crate::table::Table;

use super::by_patterns::PatternOracle;
use super::by_table::TableOracle;
use super::error::{OracleError, QueryError};
use super::generate::{GenerateError, Request, generate};
use super::generate_by_patterns::{MOST_STEPS, generate_by_patterns};
use super::optimum::Distances;
use super::probe::Probe;
use super::stats::Stats;

/// Optimal distances and solutions of all boards for one goal, whatever they come from: look-ups in a table, or
/// searches with pattern databases.
///
/// ```
/// use puzzledb::{Board, Oracle};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?; // or Oracle::open(path)
/// let board: Board = "536407182".parse()?;
/// assert_eq!(oracle.distance(&board)?, 22);
/// assert_eq!(board.replay(&oracle.solve(&board)?)?, *oracle.goal());
/// assert_eq!(oracle.optimal_moves(&board)?.len(), 3);
/// assert_eq!(oracle.solutions(&board)?.count(), 7);
///
/// let fifteen = Oracle::for_goal(&"123456789abcdef0".parse()?)?; // searches
/// assert_eq!(fifteen.distance(&"51247308a6be9fcd".parse()?)?, 27);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Oracle {
    /// Look-ups.
    Table(TableOracle),
    /// A search for every board.
    Patterns(PatternOracle),
}

impl Oracle {
    /// Returns an oracle for a goal without a file: a table in memory up to 3x3 and 2x5, which takes milliseconds, and
    /// otherwise pattern databases that are made when a board needs them.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for shapes of more than 25 cells.
    pub fn for_goal(goal: &Board) -> Result<Oracle, OracleError> {
        let class = Frame::new(goal).map(|frame| frame.class());
        if class.is_ok_and(GoalClass::is_small) {
            TableOracle::in_memory(goal).map(Oracle::Table)
        } else {
            PatternOracle::new(goal).map(Oracle::Patterns)
        }
    }

    /// As [`Oracle::for_goal`], for the default goal of a shape: tiles in reading order, the blank last.
    ///
    /// # Errors
    /// As [`Oracle::for_goal`].
    pub fn for_shape(shape: Shape) -> Result<Oracle, OracleError> {
        Oracle::for_goal(&UsualGoal::Last.board(shape))
    }

    /// Opens a database of a table or of patterns, for the default goal of its shape: see [`TableOracle::open`] and
    /// [`PatternFile::open`].
    ///
    /// # Errors
    /// If the file is missing or damaged, or serves only goals with the blank not in a corner.
    pub fn open(path: impl AsRef<Path>) -> Result<Oracle, OracleError> {
        Oracle::open_as(path.as_ref(), |shape| {
            UsualGoal::Last.board(shape.transposed())
        })
    }

    /// As [`Oracle::open`], for `goal`.
    ///
    /// # Errors
    /// If the file is missing or damaged, or is of another shape or class of goals.
    pub fn open_for(path: impl AsRef<Path>, goal: &Board) -> Result<Oracle, OracleError> {
        Oracle::open_as(path.as_ref(), |_| *goal)
    }

    /// Opens a database for the goal that `goal` returns for its shape, which is not wider than high.
    fn open_as(path: &Path, goal: impl FnOnce(Shape) -> Board) -> Result<Oracle, OracleError> {
        match Table::open(path) {
            Err(error) if error.is_of_other_kind() => {
                let patterns = Arc::clone(PatternFile::open(path)?.patterns());
                let goal = goal(patterns.partition().shape());
                PatternOracle::from_patterns(patterns, &goal).map(Oracle::Patterns)
            }
            table => {
                let table = table?;
                let goal = goal(table.header().class().shape());
                TableOracle::new(table, &goal).map(Oracle::Table)
            }
        }
    }
}

impl Distances for Oracle {
    fn goal(&self) -> &Board {
        self.goal()
    }

    fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        self.distance(board)
    }

    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        self.solve(board)
    }
}

/// The methods have the errors of [`TableOracle::distance`] and [`PatternOracle::distance`].
#[expect(clippy::missing_errors_doc)]
impl Oracle {
    /// Returns an oracle for another goal of the shape. Goals of one class share their table or patterns; for another
    /// class they are made in memory, as [`Oracle::for_goal`] does. The limits and flags are kept.
    ///
    /// ```
    /// use puzzledb::{Board, Oracle};
    ///
    /// let (a, b): (Board, Board) = ("704851632".parse()?, "536407182".parse()?);
    /// let oracle = Oracle::for_goal(&a)?;
    /// assert_eq!(oracle.with_goal(&b)?.distance(&a)?, oracle.distance(&b)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_goal(&self, goal: &Board) -> Result<Oracle, OracleError> {
        let other = match self {
            Oracle::Table(oracle) => oracle.with_goal(goal).map(Oracle::Table),
            Oracle::Patterns(oracle) => oracle.with_goal(goal).map(Oracle::Patterns),
        };
        match other {
            Err(OracleError::OtherClass { .. } | OracleError::Pattern(_))
                if goal.shape() == self.shape() =>
            {
                Ok(match (self, Oracle::for_goal(goal)?) {
                    (Oracle::Table(own), made) => made.with_cancel(own.cancel()),
                    (Oracle::Patterns(own), Oracle::Patterns(made)) => {
                        Oracle::Patterns(made.with_settings_of(own))
                    }
                    (Oracle::Patterns(own), made) => made.with_cancel(own.cancel()),
                })
            }
            other => other,
        }
    }

    /// Limits the boards that a search visits: beyond that it fails with [`QueryError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(self, boards: u64) -> Oracle {
        match self {
            Oracle::Patterns(oracle) => Oracle::Patterns(oracle.visiting_at_most(boards)),
            table => table,
        }
    }

    /// Sets a flag that ends the work with [`QueryError::Cancelled`].
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> Oracle {
        match self {
            Oracle::Table(oracle) => Oracle::Table(oracle.with_cancel(cancel)),
            Oracle::Patterns(oracle) => Oracle::Patterns(oracle.with_cancel(cancel)),
        }
    }

    /// Returns the board at distance 0.
    pub fn goal(&self) -> &Board {
        match self {
            Oracle::Table(oracle) => oracle.goal(),
            Oracle::Patterns(oracle) => oracle.goal(),
        }
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal().shape()
    }

    /// Returns the oracle with a table; `None` for patterns.
    pub fn table(&self) -> Option<&TableOracle> {
        match self {
            Oracle::Table(oracle) => Some(oracle),
            Oracle::Patterns(_) => None,
        }
    }

    /// Returns the length of a shortest solution, in moves.
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        match self {
            Oracle::Table(oracle) => oracle.distance(board),
            Oracle::Patterns(oracle) => oracle.distance(board),
        }
    }

    /// Returns a shortest solution.
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            Oracle::Table(oracle) => oracle.solve(board),
            Oracle::Patterns(oracle) => oracle.solve(board),
        }
    }

    /// Returns a shortest solution and the number of them; `None` if a search takes
    /// [too long](PatternOracle::counting_at_most) to count them.
    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, Option<u64>), QueryError> {
        match self {
            Oracle::Table(oracle) => {
                let moves = oracle.solve(board)?;
                Ok((moves, Some(oracle.count_solutions(board)?)))
            }
            Oracle::Patterns(oracle) => oracle.solve_and_count(board),
        }
    }

    /// Returns the first `kept` shortest solutions and the number of all. If finding all is
    /// [given up](Oracle::visiting_at_most), it returns one solution and `None`.
    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        match self {
            Oracle::Table(oracle) => {
                let first = oracle.solutions(board)?.take(kept).collect();
                Ok((first, Some(oracle.count_solutions(board)?)))
            }
            Oracle::Patterns(oracle) => oracle.first_solutions(board, kept),
        }
    }

    /// Returns the number of shortest solutions of a board; 1, the empty one, for the goal.
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        match self {
            Oracle::Table(oracle) => oracle.count_solutions(board),
            Oracle::Patterns(oracle) => oracle.count_solutions(board),
        }
    }

    /// Returns every shortest solution; with patterns, the first million.
    pub fn solutions(
        &self,
        board: &Board,
    ) -> Result<Box<dyn Iterator<Item = Vec<Move>> + '_>, QueryError> {
        Ok(match self {
            Oracle::Table(oracle) => Box::new(oracle.solutions(board)?),
            Oracle::Patterns(oracle) => Box::new(oracle.solutions(board)?.into_iter()),
        })
    }

    /// Returns every move that leads one step closer to the goal, in move order; none at the goal.
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            Oracle::Table(oracle) => oracle.optimal_moves(board),
            Oracle::Patterns(oracle) => oracle.optimal_moves(board),
        }
    }

    /// Returns the distance of a board and of every board one move away.
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        match self {
            Oracle::Table(oracle) => oracle.probe(board),
            Oracle::Patterns(oracle) => oracle.probe(board),
        }
    }

    /// Returns the numbers of boards at each distance; with patterns, [`QueryError::NeedsTable`].
    pub fn stats(&self) -> Result<Stats, QueryError> {
        Ok(self.needs_table()?.stats())
    }

    /// Returns all boards at a distance; with patterns, [`QueryError::NeedsTable`].
    pub fn boards_at(
        &self,
        distance: u8,
    ) -> Result<impl ExactSizeIterator<Item = Board>, OracleError> {
        self.needs_table()?.boards_at(distance)
    }

    /// Draws boards without repetition: see [`generate`](super::generate::generate) and [`generate_by_patterns`].
    pub fn generate(&self, request: &Request) -> Result<Vec<Board>, GenerateError> {
        match self {
            Oracle::Table(oracle) => generate(oracle, request),
            Oracle::Patterns(oracle) => generate_by_patterns(oracle, request, MOST_STEPS),
        }
    }

    fn needs_table(&self) -> Result<&TableOracle, QueryError> {
        let shape = self.shape();
        self.table().ok_or(QueryError::NeedsTable { shape })
    }
}
