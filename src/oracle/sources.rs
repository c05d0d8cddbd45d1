//! The databases, and the sources of distances of all classes of goals that an oracle and its relatives were asked for.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::basics::Cancel;
use crate::bfs::{Alone, Kept, Search};
use crate::pattern::{PatternFile, Patterns};
use crate::puzzle::{Board, Shape};
use crate::space::{Frame, GoalClass, SpaceError};
use crate::table::{OpenError, Opener, Table};

use super::by_patterns::PatternLadder;
use super::by_table::ByTable;
use super::error::OracleError;

/// An open database: a table, or patterns.
#[derive(Clone, Debug)]
pub enum Database {
    /// The distances of all states.
    Table(Arc<Table>),
    /// Pattern databases.
    Patterns(Arc<Patterns>),
}

impl Database {
    /// Opens a file of either kind.
    ///
    /// # Errors
    /// [`OpenError`] names the file and the fault.
    #[doc(hidden)]
    pub fn open(path: &Path, open: Opener) -> Result<Database, OpenError> {
        match Table::open_by(path, open) {
            Err(error) if error.is_of_other_kind() => {
                Ok(PatternFile::open_by(path, open)?.patterns().clone().into())
            }
            table => Ok(table?.into()),
        }
    }

    /// Returns the shape of its boards, not wider than high.
    pub fn shape(&self) -> Shape {
        match self {
            Database::Table(table) => table.header().class().shape(),
            Database::Patterns(patterns) => patterns.partition().shape(),
        }
    }
}

impl From<Arc<Table>> for Database {
    fn from(table: Arc<Table>) -> Database {
        Database::Table(table)
    }
}

impl From<Table> for Database {
    fn from(table: Table) -> Database {
        Database::Table(table.into())
    }
}

impl From<Arc<Patterns>> for Database {
    fn from(patterns: Arc<Patterns>) -> Database {
        Database::Patterns(patterns)
    }
}

impl From<Patterns> for Database {
    fn from(patterns: Patterns) -> Database {
        Database::Patterns(patterns.into())
    }
}

/// Source of the distances to one goal.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Table(ByTable),
    Patterns(PatternLadder),
}

impl Source {
    /// Returns the source for a goal that the database serves.
    pub fn new(database: Database, goal: &Board) -> Result<Source, OracleError> {
        Ok(match database {
            Database::Table(table) => Source::Table(ByTable::new(table, goal)?),
            Database::Patterns(patterns) => {
                Source::Patterns(PatternLadder::from_patterns(patterns, goal)?)
            }
        })
    }

    /// Makes the source for a goal in memory: what can be made in about a second is a table.
    fn make(goal: &Board, cancel: &Cancel) -> Result<Source, OracleError> {
        Ok(match Frame::new(goal).map(|frame| frame.class()) {
            Ok(class) if is_made(class) => Source::Table(ByTable::make(goal, cancel)?),
            _ => Source::Patterns(PatternLadder::new(goal).unwrap_or_default()),
        })
    }

    /// Returns the source for another goal of its class.
    pub fn for_goal(&self, goal: &Board) -> Result<Source, SpaceError> {
        Ok(match self {
            Source::Table(table) => Source::Table(table.for_goal(goal)?),
            Source::Patterns(patterns) => Source::Patterns(patterns.clone()),
        })
    }
}

/// Most states of a table that is made without being asked for: 3x4 and 2x6 take about half a second on two cores. In a
/// browser only small ones are made.
const MADE: u64 = if cfg!(target_family = "wasm") {
    0
} else {
    240_000_000
};

/// Returns whether the table of a class is made in memory where there is no file: in about a second, and there is the
/// memory.
#[doc(hidden)]
pub fn is_made(class: GoalClass) -> bool {
    class.is_small()
        || class.states() <= MADE && Search::check_memory(class, Kept::BitOne, None, &Alone).is_ok()
}

/// Opens the database for a goal, if there is one.
type Open = dyn Fn(&Board) -> Option<Result<Database, OpenError>> + Send + Sync;

/// The sources of the classes of goals, each found or made once.
#[derive(Default)]
pub(super) struct Sources {
    pub open: Option<Box<Open>>,
    /// The first source of each class, locked while one is made: large ones are made by all cores.
    pub classes: Mutex<FxHashMap<GoalClass, Source>>,
}

/// A source that was made in memory.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    /// A table, first for this goal, in this time.
    Table(Board, Duration),
    /// Larger patterns for a class.
    LargerPatterns(GoalClass),
}

impl Sources {
    /// Returns the source for a goal.
    pub fn get(&self, goal: &Board, cancel: &Cancel) -> Result<Source, OracleError> {
        let (class, mut classes) = (class_of(goal), self.classes());
        if let Some(source) = classes.get(&class) {
            return Ok(source.for_goal(goal)?);
        }
        let source = match self.open.as_ref().and_then(|open| open(goal)) {
            Some(database) => Source::new(database?, goal)?,
            None => Source::make(goal, cancel)?,
        };
        classes.insert(class, source.clone());
        Ok(source)
    }

    pub fn insert(&self, goal: &Board, source: Source) {
        self.classes().insert(class_of(goal), source);
    }

    pub fn made(&self) -> Vec<Made> {
        let made = |source: &Source| match source {
            Source::Table(table) => Some(Made::Table(*table.frame.goal(), table.made_in?)),
            Source::Patterns(patterns) => {
                let larger = patterns.made().nth(1)?;
                Some(Made::LargerPatterns(larger.partition().class()))
            }
        };
        self.classes().values().filter_map(made).collect()
    }

    /// Returns the sources. One whose making panicked was not inserted, so a poisoned lock can be used.
    fn classes(&self) -> MutexGuard<'_, FxHashMap<GoalClass, Source>> {
        (self.classes.lock()).unwrap_or_else(PoisonError::into_inner)
    }
}

fn class_of(goal: &Board) -> GoalClass {
    GoalClass::of_any_shape(goal.shape(), goal.blank())
}
