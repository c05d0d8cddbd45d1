//! Ensuring a good file of any contents at a path: the existing one, or else a lock under which a new one
//! is built.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::basics::size_text;
use crate::bfs::{Given, SearchError};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::checkpoints::CheckpointFile;
use super::encoding::Encoding;
use super::file::{self, BuildLock, WriteError, beside, followed};
use super::format::FormatError;
use super::plan::Checkpoints;
use super::reader::{OpenError, Table};

/// Largest number of cells of a full table.
pub(super) const MOST_CELLS_FULL: usize = 12;

/// Result of [`ensure`](super::ensure()): whether it built the file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Built {
    /// Not built: a good file was there.
    AlreadyThere,
    /// Built where no file was.
    New,
    /// Built by force, in place of a good file of the same contents.
    Anew,
    /// Built in place of another file, which is described.
    Replaced(String),
}

/// Reason why there is no good file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The search could not be begun, or ended early.
    #[error(transparent)]
    Search(SearchError),
    /// The search of patterns needs more memory than it may take, or than this machine has to spare.
    #[error("the search of these patterns needs {} of memory, and {given}", size_text(*needed))]
    TooLittleMemoryForPatterns {
        /// Bytes that it needs.
        needed: u64,
        /// Memory that there is.
        given: Given,
    },
    /// Full tables are not built for shapes this large.
    #[error("full tables have at most {MOST_CELLS_FULL} cells, and a {} board has {}", .0, .0.cells())]
    TooLargeForFull(Shape),
    /// Only bit tables are built in shards or in a scratch folder.
    #[error("full tables are built whole, and in memory alone")]
    FullInParts,
    /// A database of another kind or class is there. It is replaced only by force.
    #[error("{}: {what}; it is left as it is", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// Description of the file.
        what: String,
    },
    /// A file is there that is not a database. It is never replaced.
    #[error("{}: it is not a puzzledb database; it is left as it is", .0.display())]
    Foreign(PathBuf),
    /// The system could not write it, or did not confirm the write.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: WriteError,
    },
    /// The file that was there, or the new one, cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Another rank could not continue, and reports the reason.
    #[error("another rank cannot go on")]
    OtherRank,
    /// A file is not a shard of a table, or is damaged.
    #[error("{} is damaged, or no shard of a table", .0.display())]
    NoShard(PathBuf),
    /// Files are not all shards of one table, each once.
    #[error("{0}")]
    Shards(String),
    /// `observe` ended the search, or `notice` the waiting.
    #[error("interrupted; what was at the file's place is unchanged")]
    Interrupted,
}

impl From<SearchError> for BuildError {
    fn from(error: SearchError) -> BuildError {
        match error {
            SearchError::OtherRank => BuildError::OtherRank,
            SearchError::Interrupted => BuildError::Interrupted,
            other => BuildError::Search(other),
        }
    }
}

/// Comparison of a good file with the required one.
pub(crate) enum Fit {
    /// It is the required file.
    Same,
    /// It has the same contents in another form, which is described: it is replaced.
    Replaceable(String),
    /// It has other contents, which are described: it is replaced only by force.
    Other(String),
}

/// Opens the table at `path` and compares it with the required class, and with the encoding if one is
/// given.
pub(super) fn open_table(
    path: &Path,
    wanted: GoalClass,
    wanted_encoding: Option<Encoding>,
) -> Result<(Table, Fit), OpenError> {
    let table = Table::open_verified(path)?; // a bad file is better found now
    let (class, encoding) = (table.header().class(), table.header().encoding());
    let fit = if class != wanted {
        Fit::Other(format!("a good database, but of {}", class.name()))
    } else if wanted_encoding.is_some_and(|wanted| wanted != encoding) {
        Fit::Replaceable(format!("a good database in the encoding `{encoding}`"))
    } else {
        Fit::Same
    };
    Ok((table, fit))
}

/// Result of [`acquire`]: a good file, or the lock to build one.
pub(crate) enum Acquired<T> {
    /// A good file is there.
    Good(T),
    /// The caller has to write a new one to `path`, in which symbolic links were followed, and to return
    /// `built`.
    Build {
        path: PathBuf,
        built: Built,
        /// Held until the file is written, so that no other process builds it meanwhile.
        lock: BuildLock,
    },
}

/// Opens the good file at `path`, or takes its lock to build it; its folder is made if it is missing.
///
/// `open` opens, checks and compares the file; `waiting` is called while another process holds the
/// lock, and may give up.
pub(crate) fn acquire<T>(
    path: &Path,
    force: bool,
    open: impl Fn(&Path) -> Result<(T, Fit), OpenError>,
    waiting: impl FnMut() -> ControlFlow<()>,
) -> Result<Acquired<T>, BuildError> {
    let path = followed(path);
    let inspect = || inspect(&path, force, open(&path));
    if let Ok(file) = inspect()? {
        remove_leftovers(&path);
        return Ok(Acquired::Good(file));
    }
    let unchanged = |error| write_error(&path, WriteError::Unchanged(error));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unchanged)?;
    }
    let lock = BuildLock::take(&path, waiting).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => BuildError::Interrupted,
        _ => unchanged(error),
    })?;
    // Another process may have built it while this one waited for the lock.
    Ok(match inspect()? {
        Ok(file) => Acquired::Good(file),
        Err(built) => Acquired::Build { path, built, lock },
    })
}

/// Removes the leftovers of killed builds beside a good file, unless a build is at work there. A file
/// that cannot be removed does no harm.
fn remove_leftovers(path: &Path) {
    let is_left = |ending| beside(path, ending).exists();
    if (is_left("lock") || is_left("checkpoint"))
        && let Ok(_lock) = BuildLock::take(path, || ControlFlow::Break(()))
    {
        file::remove_leftovers(path);
        let _ = CheckpointFile::new(path, Checkpoints::default()).remove();
    }
}

/// Decides whether to build, from the result of opening the file at `path`: it is good, or [`Built`] is what a build of
/// it returns.
fn inspect<T>(
    path: &Path,
    force: bool,
    opened: Result<(T, Fit), OpenError>,
) -> Result<Result<T, Built>, BuildError> {
    let replaced = |what| Ok(Err(Built::Replaced(what)));
    let in_the_way = |what| {
        if force {
            replaced(what)
        } else {
            Err(BuildError::InTheWay {
                path: path.to_owned(),
                what,
            })
        }
    };
    match opened {
        Ok((_, Fit::Other(what))) => in_the_way(what),
        Ok((_, Fit::Replaceable(what))) => replaced(what),
        Ok((_, Fit::Same)) if force => Ok(Err(Built::Anew)),
        Ok((file, Fit::Same)) => Ok(Ok(file)),
        Err(OpenError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
            Ok(Err(Built::New))
        }
        Err(error @ OpenError::Io { .. }) => Err(error.into()),
        Err(OpenError::Format { cause, .. }) => match cause {
            FormatError::NotADatabase => Err(BuildError::Foreign(path.to_owned())),
            FormatError::NewerVersion { .. } | FormatError::OtherKind { .. } => {
                in_the_way(format!("it {cause}"))
            }
            damaged => replaced(format!("a file that {damaged}")),
        },
    }
}

/// The error of a file that could not be written.
pub(crate) fn write_error(path: &Path, cause: WriteError) -> BuildError {
    BuildError::Write {
        path: path.to_owned(),
        cause,
    }
}
