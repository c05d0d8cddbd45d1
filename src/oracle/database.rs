//! Opening a file of either kind.

use std::path::Path;
use std::sync::Arc;

use crate::pattern::{PatternFile, Patterns};
use crate::puzzle::Shape;
use crate::table::{OpenError, Opener, Table};

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
