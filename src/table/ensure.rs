//! Making sure of a good file at a path: the one that is there, or else a new one.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::bfs::{Kept, Level, ScratchError, Search, SearchError, SlabSearch};
use crate::puzzle::Shape;

use super::checkpoints::CheckpointFile;
use super::encode::{Distances, write_slabs};
use super::encoding::Encoding;
use super::file::{BuildLock, Disk, WriteError, write_file};
use super::format::FormatError;
use super::plan::{Notice, Plan, Progress};
use super::reader::{OpenError, Table};

/// Whether [`ensure`] built the file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Built {
    /// No: a good file was there.
    AlreadyThere,
    /// Yes, where no file was.
    New,
    /// Yes, in place of another file, which is described.
    Replaced(String),
}

/// Why there is no good file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The search could not be begun.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Full tables are not built for shapes this large.
    #[error("full tables have at most {MOST_CELLS_FULL} cells, and a {} board has {}", .0, .0.cells())]
    TooLargeForFull(Shape),
    /// The search in a scratch folder could not be begun, or ended early.
    #[error(transparent)]
    Scratch(ScratchError),
    /// In a scratch folder bit tables alone are built.
    #[error("full tables are built in memory alone")]
    FullInScratch,
    /// A file is there that is replaced only by force: it is no database, or a good one of another
    /// class.
    #[error("{}: {what}; it is left as it is", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: String,
    },
    /// The system could not write it, or did not confirm that it had.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: WriteError,
    },
    /// The file that was there, or the new one, cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// `observe` ended the search, or `notice` the waiting.
    #[error("interrupted; what was at the file's place is unchanged")]
    Interrupted,
}

impl From<ScratchError> for BuildError {
    fn from(error: ScratchError) -> BuildError {
        match error {
            ScratchError::Search(error) => error.into(),
            ScratchError::Interrupted => BuildError::Interrupted,
            other => BuildError::Scratch(other),
        }
    }
}

/// What follows from the file at a path, or from there being none.
enum Found {
    /// It will do.
    Good(Box<Table>),
    /// A new one is to be built; this is what to call it then.
    Build(Built),
}

/// Makes sure that a good database of `plan` is at `path`, builds it if it is not, and opens it.
///
/// The folder is made if it is missing. A symbolic link is followed; one that leads nowhere is
/// replaced by the file. `notice` is called with what
/// happens meanwhile, and may give up waiting for another process that builds the same file;
/// `observe` is called with every finished level, in a scratch folder with every slab, and may end
/// the search. Large searches in memory write checkpoints beside the file, from which the next
/// build resumes if this one is ended or killed.
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
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    observe: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<(Table, Built), BuildError> {
    let path = path.as_ref();
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    if let Found::Good(table) = inspect(path, plan)? {
        return Ok((*table, Built::AlreadyThere));
    }
    let unchanged = |error| write_error(path, WriteError::Unchanged(error));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unchanged)?;
    }
    let _lock =
        BuildLock::take(path, || notice(Notice::Waiting)).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => BuildError::Interrupted,
            _ => unchanged(error),
        })?;
    // Another process may have built it while this one waited for the lock.
    match inspect(path, plan)? {
        Found::Good(table) => Ok((*table, Built::AlreadyThere)),
        Found::Build(built) => {
            build_file(path, plan, notice, observe)?;
            Ok((Table::open(path)?, built))
        }
    }
}

/// Searches, or resumes a search, and writes the file.
fn build_file(
    path: &Path,
    plan: &Plan,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), BuildError> {
    let encoding = plan
        .encoding
        .unwrap_or_else(|| Encoding::default_for(plan.class));
    if encoding == Encoding::Full && plan.class.shape().cells() > MOST_CELLS_FULL {
        return Err(BuildError::TooLargeForFull(plan.class.shape().transposed()));
    }
    if let Some(folder) = &plan.scratch {
        if encoding == Encoding::Full {
            return Err(BuildError::FullInScratch);
        }
        return build_in_slabs(path, folder, plan, notice, observe);
    }
    Search::is_possible(plan.class, Kept::BitOne, plan.memory)?;
    let _ = notice(Notice::Begins(encoding));
    let checkpointed = encoding == Encoding::Bit && plan.class.states() > plan.checkpoints.above;
    let mut checkpoint = CheckpointFile::new(path, plan.checkpoints, plan.class.states());
    let search = match checkpointed
        .then(|| checkpoint.resume(plan, &mut notice))
        .transpose()?
        .flatten()
    {
        Some(search) => search,
        None => Search::new(plan.class, plan.threads)?,
    };
    let mut states = search.levels().iter().sum();
    let each_level = |level: &Level<'_>| {
        states += level.states();
        observe(Progress {
            distance: level.distance(),
            slabs: (1, 1),
            states,
        })
    };
    let distances = Distances::find(search, encoding, each_level, |search, ended| {
        if checkpointed && (ended || checkpoint.is_due()) {
            let _ = notice(checkpoint.save(search));
        }
    })?;
    let distances = distances.ok_or(BuildError::Interrupted)?;
    if !distances.is_complete() {
        drop(distances);
        checkpoint
            .remove()
            .map_err(|error| write_error(path, WriteError::Unchanged(error)))?;
        let _ = notice(Notice::BadCheckpoint(io::ErrorKind::InvalidData.into()));
        return build_file(path, plan, notice, observe);
    }
    write_file(&Disk, path, |file| distances.write(file))
        .map_err(|cause| write_error(path, cause))?;
    let _ = checkpoint.remove(); // one that is left does no harm
    Ok(())
}

/// Searches in a scratch folder, or goes on there, and writes the bit table.
fn build_in_slabs(
    path: &Path,
    folder: &Path,
    plan: &Plan,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), BuildError> {
    let _ = notice(Notice::Begins(Encoding::Bit));
    let mut search = SlabSearch::open(plan.class, Kept::BitOne, plan.threads, plan.memory, folder)?;
    if let Some(distance) = search.levels().len().checked_sub(1) {
        let distance = distance as u8;
        let _ = notice(Notice::Resumed { distance });
    }
    search.run(|distance, slabs, states| {
        observe(Progress {
            distance,
            slabs,
            states,
        })
    })?;
    write_file(&Disk, path, |file| write_slabs(&search, file))
        .map_err(|cause| write_error(path, cause))?;
    search.remove();
    Ok(())
}

fn write_error(path: &Path, cause: WriteError) -> BuildError {
    BuildError::Write {
        path: path.to_owned(),
        cause,
    }
}

/// The most cells of a full table.
const MOST_CELLS_FULL: usize = 12;

/// Looks at the file at `path` and decides whether to build.
fn inspect(path: &Path, plan: &Plan) -> Result<Found, BuildError> {
    let in_the_way = |what: String| {
        if plan.force {
            return Ok(Found::Build(Built::Replaced(what)));
        }
        let path = path.to_owned();
        Err(BuildError::InTheWay { path, what })
    };
    let opened = Table::open(path).and_then(|table| match table.check_sections() {
        Ok(()) => Ok(table), // checked whatever the size: a bad file is better found now
        Err(cause) => Err(OpenError::Format {
            path: path.to_owned(),
            cause,
        }),
    });
    match opened {
        Ok(table) => {
            let (class, encoding) = (table.header().class(), table.header().encoding());
            if class != plan.class {
                in_the_way(format!("a good database, but of {}", class.name()))
            } else if plan.force {
                Ok(Found::Build(Built::Replaced("a good database".to_owned())))
            } else if plan.encoding.is_some_and(|wanted| wanted != encoding) {
                let what = format!("a good database in the encoding `{encoding}`");
                Ok(Found::Build(Built::Replaced(what)))
            } else {
                Ok(Found::Good(Box::new(table)))
            }
        }
        Err(OpenError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
            Ok(Found::Build(Built::New))
        }
        Err(error @ OpenError::Io { .. }) => Err(error.into()),
        Err(OpenError::Format { cause, .. }) => match cause {
            FormatError::NotADatabase | FormatError::NewerVersion { .. } => {
                in_the_way(format!("it {cause}"))
            }
            damaged => Ok(Found::Build(Built::Replaced(format!(
                "a file that {damaged}"
            )))),
        },
    }
}
