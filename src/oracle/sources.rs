//! The databases, and the sources of distances of all classes of goals that an oracle and its relatives were asked for.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::basics::{Cancel, Instant, all_cores};
use crate::bfs::{Kept, Search, SearchOptions};
use crate::pattern::Patterns;
use crate::puzzle::Board;
use crate::space::{GoalClass, Space};
use crate::table::{Bytes, Encoding, OpenError, Opener, Table, build};

use super::by_patterns::SharedPatterns;
use super::distances::AllStates;
use super::error::{OracleError, QueryError};

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

impl From<Table> for Database {
    fn from(table: Table) -> Database {
        Database::Table(table.into())
    }
}

impl From<Patterns> for Database {
    fn from(patterns: Patterns) -> Database {
        Database::Patterns(patterns.into())
    }
}

/// Source of the distances to one goal.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    pub table: Option<ByTable>,
    /// Without a table, the patterns that the oracles of a class of goals share, each made in memory once the searches with
    /// those before have cost as much as making it, so that the time is never much more than twice that of the best choice.
    ///
    /// They are tiny and small patterns, or those of a file, and larger ones where there are such; none if nothing is known
    /// of a shape but the rules.
    pub rungs: Arc<[SharedPatterns]>,
    /// The time in which the table was made in memory.
    pub made_in: Option<Duration>,
}

/// A table and a goal of its class.
#[derive(Clone, Debug)]
pub(super) struct ByTable {
    pub table: Arc<Table>,
    /// The numbering of the boards of the goal.
    pub space: Space,
    /// Values of all states, which oracles of the table share.
    pub all: Arc<AllStates>,
}

impl Source {
    /// Returns the source for a goal that the database serves.
    pub fn new(database: Database, goal: &Board) -> Result<Source, OracleError> {
        let table = match database {
            Database::Table(table) => table,
            Database::Patterns(patterns) => return Source::from_patterns(patterns, goal),
        };
        let (space, class) = (Space::new(goal)?, table.header().class());
        if space.ranking().class() != class {
            let (table, goal) = (class.shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        }
        let all = Arc::default();
        Ok(Source {
            table: Some(ByTable { table, space, all }),
            ..Source::default()
        })
    }

    /// Makes the source for a goal in memory. What can be made in about a second is a table: a small one is made on the
    /// caller's thread, another on all cores.
    fn make(goal: &Board, cancel: &Cancel) -> Result<Source, OracleError> {
        let class = GoalClass::of(goal);
        let Some(class) = class.ok().filter(|class| is_made(*class)) else {
            return Ok(Source::by_search(goal).unwrap_or_default());
        };
        let begun = Instant::now();
        let threads = if class.is_small() { 1 } else { all_cores() };
        let bytes = build(class, Encoding::default_for(class), threads, cancel)?;
        let table = Table::from_bytes(bytes.ok_or(QueryError::Cancelled)?);
        let table = table.expect("a table just made is good");
        Ok(Source {
            made_in: Some(begun.elapsed()),
            ..Source::new(table.into(), goal)?
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
        || class.states() <= MADE
            && Search::check_memory(class, Kept::BitOne, &SearchOptions::default()).is_ok()
}

/// Opens the database for a goal, if there is one.
type Open = dyn Fn(&Board) -> Option<Result<Database, OpenError>> + Send + Sync;

/// The sources of the classes of goals, each found or made once.
#[derive(Default)]
pub struct Sources {
    /// Function that opens files, which is called once a class of goals; without it all sources are made.
    pub open: Option<Box<Open>>,
    classes: Mutex<FxHashMap<GoalClass, Arc<Once<Source>>>>,
}

/// A source that was made in memory.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    /// A table, first for this goal, in this time.
    Table(Board, Duration),
    /// Larger patterns for a class.
    LargerPatterns(GoalClass),
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Sources {
    /// Returns the source for a goal. If another thread opens or makes that of its class, this one waits.
    pub(super) fn get(&self, goal: &Board, cancel: &Cancel) -> Result<Source, OracleError> {
        let place = Arc::clone(self.classes().entry(class_of(goal)).or_default());
        let open = || self.open.as_ref().and_then(|open| open(goal));
        let first = place.get_or_make(cancel, || match open() {
            Some(database) => Source::new(database?, goal),
            None => Source::make(goal, cancel),
        });
        let mut source = first?.clone();
        if let Some(table) = &mut source.table {
            table.space = table.space.with_goal(goal);
        }
        Ok(source)
    }

    pub(super) fn insert(&self, goal: &Board, source: Source) {
        (self.classes()).insert(class_of(goal), Once::new(source.into()).into());
    }

    /// Returns what was made in memory.
    pub fn made(&self) -> Vec<Made> {
        let made = |place: &Arc<Once<Source>>| {
            let source = place.get()?;
            match &source.table {
                Some(table) => Some(Made::Table(*table.space.goal(), source.made_in?)),
                None => {
                    let larger = source.made().nth(1)?;
                    Some(Made::LargerPatterns(larger.partition().class()))
                }
            }
        };
        self.classes().values().filter_map(made).collect()
    }

    fn classes(&self) -> MutexGuard<'_, FxHashMap<GoalClass, Arc<Once<Source>>>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn class_of(goal: &Board) -> GoalClass {
    GoalClass::of_any_shape(goal.shape(), goal.blank())
}

/// A value that is made once, when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Once<T> {
    value: OnceLock<T>,
    /// Lock that is held while the value is made.
    making: Mutex<()>,
}

/// Time that a thread sleeps between two checks whether another has made the value.
const WAIT: Duration = Duration::from_millis(2);

impl<T> Once<T> {
    pub fn new(value: OnceLock<T>) -> Once<T> {
        let making = Mutex::default();
        Once { value, making }
    }

    /// Returns the value, if it was made.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns the value, and makes it if that was not done. Other threads wait meanwhile, unless they are cancelled.
    pub fn get_or_make<E: From<QueryError>>(
        &self,
        cancel: &Cancel,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<&T, E> {
        let mut making = self.making.try_lock();
        while matches!(making, Err(TryLockError::WouldBlock)) && self.value.get().is_none() {
            cancel.check().map_err(QueryError::from)?;
            std::thread::sleep(WAIT);
            making = self.making.try_lock();
        }
        // A thread that panicked made none.
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = make()?;
        Ok(self.value.get_or_init(|| value))
    }
}
