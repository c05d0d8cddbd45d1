//! Ensuring a good file at a path: the existing one, or else a lock under which a new one is built, and that of a table.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::basics::size_text;
use crate::bfs::{Alone, Exchange, Given, Kept, Observe, Search, SearchError, SearchOptions};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::LevelProgress;
use super::bytes::Bytes;
use super::checkpoints::{self, remove_checkpoint};
use super::encode::Distances;
use super::encoding::Encoding;
use super::file::{self, BuildLock, Disk, WriteError, beside, followed, write_file};
use super::format::FormatError;
use super::plan::{Notice, Plan};
use super::reader::{OpenError, Table};
use super::shards::write_table;

/// Largest number of cells of a full table.
const MOST_CELLS_FULL: usize = 12;

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

/// Opens the table at `path`, which is read by position, verifies all of it, and compares it with the required class, and
/// with the encoding if one is given.
pub(super) fn open_table(
    path: &Path,
    wanted: GoalClass,
    wanted_encoding: Option<Encoding>,
) -> Result<(Table, Fit), OpenError> {
    let table = Table::open_by(path, Bytes::by_position)?;
    table.verify().map_err(OpenError::at(path))?; // a bad file is better found now
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

/// Opens the good file at `path`, in which symbolic links were [followed]. Where there is none, the inner error is what is
/// to be built: the caller has to write a new file, to hold the returned lock until then, so that no other process builds
/// it meanwhile, and to return [`Built`]; its folder is made if it is missing.
///
/// `open` opens, checks and compares the file; `waiting` is called while another process holds the
/// lock, and may give up.
pub(crate) fn acquire<T>(
    path: &Path,
    force: bool,
    open: impl Fn(&Path) -> Result<(T, Fit), OpenError>,
    waiting: impl FnMut() -> ControlFlow<()>,
) -> Result<Result<T, (Built, BuildLock)>, BuildError> {
    let inspect = || inspect(path, force, open(path));
    if let Ok(file) = inspect()? {
        remove_leftovers(path);
        return Ok(Ok(file));
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unchanged(path))?;
    }
    let lock = BuildLock::take(path, waiting).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => BuildError::Interrupted,
        _ => unchanged(path)(error),
    })?;
    // Another process may have built it while this one waited for the lock.
    Ok(inspect()?.map_err(|built| (built, lock)))
}

/// Removes the leftovers of killed builds beside a good file, unless a build is at work there. A file
/// that cannot be removed does no harm.
fn remove_leftovers(path: &Path) {
    let is_left = |ending| beside(path, ending).exists();
    if (is_left("lock") || is_left("checkpoint"))
        && let Ok(_lock) = BuildLock::take(path, || ControlFlow::Break(()))
    {
        file::remove_leftovers(path);
        let _ = remove_checkpoint(path);
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
    let in_the_way = |what| match (force, path.to_owned()) {
        (true, _) => replaced(what),
        (false, path) => Err(BuildError::InTheWay { path, what }),
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
    let path = path.to_owned();
    BuildError::Write { path, cause }
}

/// The error of a file that was not written, in `map_err`.
pub(crate) fn unchanged(path: &Path) -> impl Fn(io::Error) -> BuildError + '_ {
    |cause| write_error(path, WriteError::Unchanged(cause))
}

/// Ensures that a good database of `plan` is at `path`: builds it if it is not, and opens it.
///
/// The folder is made if it is missing. A symbolic link is followed; one that leads nowhere is replaced by
/// the file. `notice` is called with each event of the build, and may give up waiting for another process
/// that builds the same file. `observe` is called with every finished level, in a scratch folder with every
/// slab, and may end the search. Large searches in memory write checkpoints beside the file, from which the
/// next build resumes if this one is ended or killed.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Built, Plan, ensure};
///
/// let plan = Plan::new(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?);
/// let path = std::env::temp_dir().join(format!("example-{}.pzdb", std::process::id()));
/// let go_on = ControlFlow::Continue(());
/// let (table, built) = ensure(&path, &plan, |_| go_on, |_| go_on)?;
/// assert!(matches!(built, Built::New));
/// assert_eq!(table.header().max_distance(), 31);
/// let (_, built) = ensure(&path, &plan, |_| go_on, |_| go_on)?;
/// assert!(matches!(built, Built::AlreadyThere));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BuildError`]; the file is as it was before unless the error says otherwise.
pub fn ensure(
    path: impl AsRef<Path>,
    plan: &Plan,
    notice: impl FnMut(Notice) -> ControlFlow<()>,
    observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<(Table, Built), BuildError> {
    let made = ensure_shared(&path, plan, &(Arc::new(Alone) as _), notice, observe)?;
    let (_, built) = made.expect("this is the first rank");
    Ok((Table::open(path)?, built))
}

/// Does the work of [`ensure`] by all ranks of `exchange` together, in a folder that all of them see.
/// Returns the table on the first rank, read by position, `None` on the others. The bytes of the file are those of one
/// process.
///
/// The first rank makes full tables alone: they are small. A table that is built in shards is not returned
/// on the first rank either.
///
/// # Errors
/// [`BuildError`] on all ranks if any has one; [`BuildError::OtherRank`] on those that have none.
pub fn ensure_shared(
    path: impl AsRef<Path>,
    plan: &Plan,
    exchange: &Arc<dyn Exchange>,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<Option<(Table, Built)>, BuildError> {
    let path = &followed(path.as_ref());
    let open = |path: &Path| open_table(path, plan.class, plan.encoding);
    let waiting = || notice(Notice::Waiting);
    let acquired = exchange.first(|| acquire(path, plan.force, open, waiting))?;
    if exchange.any(matches!(acquired, Some(Ok(_)))) {
        Search::remove_finished(plan.class, Kept::BitOne, &options(plan, exchange));
    } else {
        let mut build = |exchange: &Arc<dyn Exchange>| {
            build_file(path, plan, exchange, &mut notice, &mut observe)
        };
        match plan.encoding() {
            Encoding::Bit => exchange.agree(build(exchange))?,
            Encoding::Full => drop(exchange.first(|| build(&(Arc::new(Alone) as _)))?),
        }
    }
    Ok(match acquired {
        Some(Ok(table)) => Some((table, Built::AlreadyThere)),
        Some(Err((built, lock))) if !plan.shards => {
            drop(lock);
            Some((Table::open_by(path, Bytes::by_position)?, built))
        }
        _ => None,
    })
}

/// Searches, or resumes a search, and writes the file.
fn build_file(
    path: &Path,
    plan: &Plan,
    exchange: &Arc<dyn Exchange>,
    notice: &mut dyn FnMut(Notice) -> ControlFlow<()>,
    observe: Observe<'_>,
) -> Result<(), BuildError> {
    let encoding = plan.encoding();
    if encoding == Encoding::Full && plan.class.shape().cells() > MOST_CELLS_FULL {
        return Err(BuildError::TooLargeForFull(plan.class.shape().transposed()));
    }
    if encoding == Encoding::Full && (plan.shards || plan.scratch.is_some()) {
        return Err(BuildError::FullInParts);
    }
    let (class, options) = (plan.class, options(plan, exchange));
    if options.scratch.is_none() {
        exchange.agree(Search::check_memory(class, Kept::BitOne, &options))?;
    }
    let _ = notice(Notice::Begins(encoding));
    let has_checkpoints = encoding == Encoding::Bit
        && class.states() > plan.checkpoints.above
        && !plan.shards
        && options.scratch.is_none();
    let when = has_checkpoints.then_some(plan.checkpoints);
    let begin = |saved: Option<&mut BufReader<File>>| {
        let search = match saved {
            Some(file) => Search::resume(class, &options, file)?,
            None => Ok(Search::open(class, Kept::BitOne, &options)?),
        };
        Ok(search.map(|search| Distances::new(search, encoding)))
    };
    let advance = |distances: &mut Distances| Ok(distances.advance(observe)?);
    let mut distances = checkpoints::run((path, when), &**exchange, notice, begin, advance)?;
    distances.search.finish();
    match encoding {
        Encoding::Bit => write_table(&distances.search, path, plan.shards)?,
        Encoding::Full => write_file(&Disk, path, |file| distances.write(file))
            .map_err(|cause| write_error(path, cause))?,
    }
    if exchange.rank() == 0 {
        let _ = remove_checkpoint(path); // one that is left does no harm
    }
    distances.search.remove();
    Ok(())
}

/// Options of the search of a plan.
fn options(plan: &Plan, exchange: &Arc<dyn Exchange>) -> SearchOptions {
    let mut options = SearchOptions::threads(plan.threads);
    options.scratch = plan.scratch.clone();
    options.memory = plan.memory;
    options.exchange = exchange.clone();
    options
}
