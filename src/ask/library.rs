//! The folder of databases.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::basics::Cancel;
use crate::oracle::sources::{Made, Sources};
use crate::oracle::{Database, Oracle, OracleError};
use crate::pattern::Partition;
use crate::puzzle::Board;
use crate::space::GoalClass;
use crate::table::{Bytes, Opener};

/// The folder of databases: it finds, names and opens them. Its fields are set before the first oracle is asked for.
///
/// ```
/// use puzzledb::ask::Library;
///
/// let library = Library::new(Some("no-such-folder".into()));
/// let goal = "123456780".parse()?;
/// assert_eq!(library.find(&goal), None);
/// assert_eq!(library.oracle(&goal)?.distance(&"704851632".parse()?)?, 19); // made in memory
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    /// The folder; `None` if there is none.
    pub dir: Option<PathBuf>,
    /// The database for all goals, instead of those in the folder.
    pub file: Option<PathBuf>,
    /// Function that opens a database.
    #[doc(hidden)]
    pub open: Opener,
    /// What the oracles share.
    sources: OnceLock<Arc<Sources>>,
}

impl Library {
    /// Returns the library of a folder.
    pub fn new(dir: Option<PathBuf>) -> Library {
        Library {
            dir,
            file: None,
            open: Bytes::open,
            sources: OnceLock::new(),
        }
    }

    /// Returns the path of the table of a class, whether it exists or not; `None` without a folder.
    pub fn table_path(&self, class: GoalClass) -> Option<PathBuf> {
        Some(self.dir.as_ref()?.join(format!("{}.pzdb", class.name())))
    }

    /// Returns the path of the patterns for a class, whether they exist or not; `None` without a folder.
    pub fn pattern_path(&self, partition: &Partition) -> Option<PathBuf> {
        let name = format!("{}-patterns.pzdb", partition.class().name());
        Some(self.dir.as_ref()?.join(name))
    }

    /// Returns the path of the database for a goal, if there is one: that of a table, or of patterns unless a table is
    /// made in milliseconds.
    pub fn find(&self, goal: &Board) -> Option<PathBuf> {
        if let Some(file) = &self.file {
            return Some(file.clone());
        }
        let class = GoalClass::of(goal).ok();
        let table = class.and_then(|class| self.table_path(class));
        let table = table.filter(|path| path.symlink_metadata().is_ok());
        if table.is_some() || class.is_some_and(GoalClass::is_small) {
            return table;
        }
        let any_patterns = Partition::up_to(goal, 3).ok()?; // all of the class have its name
        self.pattern_path(&any_patterns)
            .filter(|path| path.exists())
    }

    /// Returns the oracle for a goal, from a database that is found, or made in memory; so it does for
    /// [other goals](Oracle::with_goal). What was opened or made is kept for the next oracles.
    ///
    /// # Errors
    /// As [`Oracle::open_for`] and [`Oracle::for_goal`].
    pub fn oracle(&self, goal: &Board) -> Result<Oracle, OracleError> {
        let sources = self.sources.get_or_init(|| {
            let library = self.clone();
            let open = move |goal: &Board| Some(Database::open(&library.find(goal)?, library.open));
            let mut sources = Sources::default();
            sources.open = Some(Box::new(open));
            sources.into()
        });
        Oracle::of_sources(sources, goal, &Cancel::new())
    }

    /// Returns what was made in memory for the oracles.
    #[doc(hidden)]
    pub fn made(&self) -> Vec<Made> {
        let sources = self.sources.get();
        sources.map_or(Vec::new(), |sources| sources.made())
    }
}
