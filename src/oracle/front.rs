//! The one oracle: its source of distances and its settings.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::basics::{Cancel, Progress};
use crate::pattern::Patterns;
use crate::puzzle::{Board, Shape, UsualGoal};
use crate::space::Space;
use crate::table::{Bytes, OpenError, Table, WatchedFile};

use super::error::{OracleError, QueryError};
use super::sources::{ByTable, Database, Source, Sources};

/// Optimal distances and solutions of all boards for one goal, whatever they come from: look-ups in a table, or
/// searches with pattern databases.
///
/// Any board can be [the goal](Oracle::with_goal). Every goal belongs to one of a few classes that share a table or
/// patterns: three tables serve the 181,440 x 181,440 pairs of boards of the 8-puzzle. A clone shares them, and so does
/// the oracle of another goal.
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
#[derive(Clone)]
pub struct Oracle {
    pub(super) goal: Board,
    pub(super) source: Source,
    /// The sources of the classes of goals that were asked for.
    sources: Arc<Sources>,
    pub(super) limits: Limits,
    pub(crate) cancel: Cancel,
    pub(crate) progress: Option<Arc<Progress>>,
}

/// Limits of the work of an oracle that searches with patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most boards that a search visits: beyond that it fails with [`QueryError::GaveUp`].
    pub visited: u64,
    /// Most boards that are visited to count the solutions of a board beside another answer, in addition to those that
    /// the first solution took.
    pub counted: u64,
    /// Whether larger patterns, which take several hundred megabytes, are made for hard boards and for many boards.
    pub larger_patterns: bool,
    /// Whether a search runs on the caller's thread alone.
    pub one_thread: bool,
}

impl Limits {
    /// The limits of a new oracle.
    pub const DEFAULT: Limits = Limits {
        visited: u64::MAX,
        counted: WORTH_COUNTING,
        larger_patterns: true,
        one_thread: false,
    };

    /// Returns the default limits with this number of visited boards.
    pub const fn visiting(visited: u64) -> Limits {
        Limits {
            visited,
            ..Limits::DEFAULT
        }
    }
}

/// Boards that are visited to count solutions where their number is only a part of the answer: about a second. A
/// 15-puzzle of average distance takes a tenth of that, and one of 80 moves several times as many.
const WORTH_COUNTING: u64 = 10_000_000;

impl Oracle {
    /// Returns an oracle for a goal without a file: a table in memory if that is made in about a second (up to 3x4 and
    /// 2x6), and otherwise pattern databases that are made when a board needs them. For shapes of more than 25 cells it
    /// knows the rules alone: [`QueryError::Unknown`].
    ///
    /// # Errors
    /// [`OracleError`] if the table cannot be made.
    pub fn for_goal(goal: &Board) -> Result<Oracle, OracleError> {
        Oracle::for_goal_unless(goal, &Cancel::new())
    }

    /// As [`Oracle::for_goal`], with a flag that ends the making of the table and is [set](Oracle::with_cancel) for the
    /// oracle.
    ///
    /// # Errors
    /// As [`Oracle::for_goal`], and [`QueryError::Cancelled`].
    pub fn for_goal_unless(goal: &Board, cancel: &Cancel) -> Result<Oracle, OracleError> {
        Oracle::of_sources(&Arc::default(), goal, cancel)
    }

    /// As [`Oracle::for_goal`], for the default goal of a shape: tiles in reading order, the blank last.
    ///
    /// # Errors
    /// As [`Oracle::for_goal`].
    pub fn for_shape(shape: Shape) -> Result<Oracle, OracleError> {
        Oracle::for_goal(&UsualGoal::Last.board(shape))
    }

    /// Opens a database of a table or of patterns, for the default goal of its shape: tiles in reading order, the blank
    /// last. See [`Table::open`] and [`Patterns::open`].
    ///
    /// A database serves its shape in both orientations. Boards are opened wider than high: a database of 4x3 boards is
    /// opened for 3x4 boards. [`Oracle::open_for`] names the goal and so the orientation.
    ///
    /// # Errors
    /// If the file is missing or damaged, or serves only goals with the blank not in a corner.
    pub fn open(path: impl AsRef<Path>) -> Result<Oracle, OracleError> {
        let database = Database::open(path.as_ref(), Bytes::open)?;
        let goal = UsualGoal::Last.board(database.class().shape().transposed());
        Oracle::from_database(database, &goal)
    }

    /// As [`Oracle::open`], for `goal`.
    ///
    /// # Errors
    /// If the file is missing or damaged, or is of another shape or class of goals.
    pub fn open_for(path: impl AsRef<Path>, goal: &Board) -> Result<Oracle, OracleError> {
        let database = Database::open(path.as_ref(), Bytes::open)?;
        Oracle::from_database(database, goal)
    }

    /// Returns an oracle for `goal` from an open database of its class.
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] and [`OracleError::Pattern`] if the database does not serve this goal.
    pub fn from_database(
        database: impl Into<Database>,
        goal: &Board,
    ) -> Result<Oracle, OracleError> {
        let source = Source::new(database.into(), goal)?;
        Ok(Oracle::of_source(source, goal))
    }

    /// Returns an oracle that searches with pattern databases, whatever the shape.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for shapes of more than 25 cells.
    pub fn by_search(goal: &Board) -> Result<Oracle, OracleError> {
        Ok(Oracle::of_source(Source::by_search(goal)?, goal))
    }

    /// Returns an oracle that knows the rules of the puzzle alone: which boards can be solved, and no distances.
    pub fn of_rules(goal: &Board) -> Oracle {
        Oracle::of_source(Source::default(), goal)
    }

    fn of_source(source: Source, goal: &Board) -> Oracle {
        let sources = Arc::<Sources>::default();
        sources.insert(goal, source.clone());
        Oracle {
            goal: *goal,
            source,
            sources,
            limits: Limits::DEFAULT,
            cancel: Cancel::new(),
            progress: None,
        }
    }

    /// Returns the oracle for a goal from sources, which it shares.
    ///
    /// # Errors
    /// [`OracleError`] if a file is damaged or of another class, or the table cannot be made.
    #[doc(hidden)]
    pub fn of_sources(
        sources: &Arc<Sources>,
        goal: &Board,
        cancel: &Cancel,
    ) -> Result<Oracle, OracleError> {
        Ok(Oracle {
            sources: Arc::clone(sources),
            ..Oracle::of_source(sources.get(goal, cancel)?, goal).with_cancel(cancel)
        })
    }

    /// Returns an oracle for another goal, with the same limits and flags. Goals of one class share their table or
    /// patterns. Those of another class are found or made as for [`Oracle::for_goal`], once for all oracles that come
    /// from this one.
    ///
    /// ```
    /// use puzzledb::{Board, Oracle};
    ///
    /// let (a, b): (Board, Board) = ("704851632".parse()?, "536407182".parse()?);
    /// let oracle = Oracle::for_goal(&a)?;
    /// let to_b = oracle.with_goal(&b)?;
    /// assert_eq!(to_b.distance(&a)?, oracle.distance(&b)?);
    /// assert_eq!(a.replay(&to_b.solve(&a)?), Ok(b));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Oracle::for_goal`].
    pub fn with_goal(&self, goal: &Board) -> Result<Oracle, OracleError> {
        Ok(Oracle {
            goal: *goal,
            source: self.sources.get(goal, &self.cancel)?,
            ..self.clone()
        })
    }

    /// Sets the limits of searches.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Oracle {
        self.limits = limits;
        self
    }

    /// Returns the oracle for one of many boards, each of which is searched on one thread.
    pub(super) fn on_one_thread(&self) -> Oracle {
        let mut oracle = self.clone();
        oracle.limits.one_thread = true;
        oracle
    }

    /// Sets a flag that ends searches, the making of patterns, and work on many states (counts of solutions,
    /// statistics, lists and draws of boards) with [`QueryError::Cancelled`].
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Oracle {
        self.cancel = cancel.clone();
        self
    }

    /// Keeps counters up to date in each search.
    #[must_use]
    pub fn with_progress(mut self, progress: &Arc<Progress>) -> Oracle {
        self.progress = Some(Arc::clone(progress));
        self
    }

    /// Returns the board at distance 0.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal.shape()
    }

    /// Returns the table; `None` if the oracle searches.
    pub fn table(&self) -> Option<&Arc<Table>> {
        Some(&self.source.table.as_ref()?.table)
    }

    /// Returns the patterns that it searches with and that are made, small ones first.
    #[doc(hidden)]
    pub fn patterns(&self) -> impl Iterator<Item = &Arc<Patterns>> {
        self.source.made()
    }

    /// Returns the file that answers rest on, unless it is copied.
    #[doc(hidden)]
    pub fn file(&self) -> Option<&WatchedFile> {
        match self.table() {
            Some(table) => table.file(),
            None => self.patterns().next()?.file(),
        }
    }

    /// Verifies every byte of the file that answers rest on, and returns the oracle.
    ///
    /// # Errors
    /// [`OpenError`] names the file and the fault.
    #[doc(hidden)]
    pub fn verified(self) -> Result<Oracle, OracleError> {
        let Some(file) = self.file() else {
            return Ok(self); // copied bytes were verified
        };
        let verified = match self.table() {
            Some(table) => table.verify(),
            None => self.patterns().try_for_each(|patterns| patterns.verify()),
        };
        verified.map_err(OpenError::at(file.path()))?;
        Ok(self)
    }

    /// Returns the numbering of the boards.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`] unless there is a table.
    pub fn space(&self) -> Result<Space, QueryError> {
        Ok(self.by_table()?.space.clone())
    }

    pub(super) fn by_table(&self) -> Result<&ByTable, QueryError> {
        let shape = self.shape();
        (self.source.table.as_ref()).ok_or(QueryError::NeedsTable { shape })
    }
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle")
            .field("goal", &self.goal)
            .field("table", &self.table())
            .finish_non_exhaustive()
    }
}
