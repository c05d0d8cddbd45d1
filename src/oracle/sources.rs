//! The databases, and the sources of distances of all classes of goals that an oracle and its relatives were asked for.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::basics::Cancel;
use crate::bfs::{Alone, Kept, Search};
use crate::pattern::Patterns;
use crate::puzzle::Board;
use crate::space::{Frame, GoalClass};
use crate::table::{Bytes, OpenError, Opener, Table};

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
            Err(error) if error.is_of_other_kind() => Ok(Patterns::open_by(path, open)?.into()),
            table => Ok(table?.into()),
        }
    }

    /// Returns the bytes of its file.
    #[doc(hidden)]
    pub fn bytes(&self) -> &Bytes {
        match self {
            Database::Table(table) => table.bytes(),
            Database::Patterns(patterns) => patterns.bytes(),
        }
    }

    /// Returns the class of goals that it serves.
    pub fn class(&self) -> GoalClass {
        match self {
            Database::Table(table) => table.header().class(),
            Database::Patterns(patterns) => patterns.partition().class(),
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

    /// Returns the source for another goal; `None` if that is of another class.
    pub fn for_goal(&self, goal: &Board) -> Option<Source> {
        match self {
            Source::Table(table) => table.for_goal(goal).map(Source::Table),
            Source::Patterns(patterns) => {
                (patterns.serves(goal)).then(|| Source::Patterns(patterns.clone()))
            }
        }
    }
}

/// Most states of a table that is made without being asked for: 3x4 and 2x6 take about half a second on two cores.
#[cfg(not(target_family = "wasm"))]
const MADE: u64 = 240_000_000;
#[cfg(target_family = "wasm")]
const MADE: u64 = super::distances::SMALL_SPACE;

/// Returns whether the table of a class is made in memory where there is no file: in about a second, and there is the
/// memory.
#[doc(hidden)]
pub fn is_made(class: GoalClass) -> bool {
    class.is_small()
        || class.states() <= MADE && Search::check_memory(class, Kept::BitOne, None, &Alone).is_ok()
}

/// Returns the path of the database for a goal, if there is one.
type Find = dyn Fn(&Board) -> Option<PathBuf> + Send + Sync;

/// Place for the first source of a class, which is locked while it is made.
type Place = Arc<Mutex<Option<Source>>>;

/// The sources of the classes of goals, each found or made once.
#[derive(Default)]
pub(super) struct Sources {
    /// The function that finds files, and the one that opens them.
    pub files: Option<(Box<Find>, Opener)>,
    pub classes: Mutex<FxHashMap<GoalClass, Place>>,
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
        let place = self.place(goal);
        let mut place = lock(&place);
        if let Some(source) = &*place
            && let Some(source) = source.for_goal(goal)
        {
            return Ok(source);
        }
        let file = self.files.as_ref();
        let source = match file.and_then(|(find, open)| Some((find(goal)?, open))) {
            Some((path, open)) => Source::new(Database::open(&path, *open)?, goal)?,
            None => Source::make(goal, cancel)?,
        };
        Ok(place.insert(source).clone())
    }

    pub fn insert(&self, goal: &Board, source: Source) {
        *lock(&self.place(goal)) = Some(source);
    }

    fn place(&self, goal: &Board) -> Place {
        let class = GoalClass::of_any_shape(goal.shape(), goal.blank());
        Arc::clone(lock(&self.classes).entry(class).or_default())
    }

    pub fn made(&self) -> Vec<Made> {
        let places: Vec<Place> = lock(&self.classes).values().cloned().collect();
        let made = |place: &Place| match &*lock(place) {
            Some(Source::Table(table)) => Some(Made::Table(*table.frame.goal(), table.made_in?)),
            Some(Source::Patterns(patterns)) => {
                let larger = patterns.made().nth(1)?;
                Some(Made::LargerPatterns(larger.partition().class()))
            }
            None => None,
        };
        places.iter().filter_map(made).collect()
    }
}

/// Locks a mutex. A source whose making panicked left its place empty, so a poisoned lock can be used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
