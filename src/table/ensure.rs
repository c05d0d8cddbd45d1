//! Having a good file at a path: the one that is there, or a new one.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::bfs::{Level, Search, SearchError};
use crate::puzzle::Shape;

use super::checkpoints::CheckpointFile;
use super::encode::Distances;
use super::encoding::Encoding;
use super::file::{BuildLock, Disk, WriteError, write_file};
use super::format::FormatError;
use super::plan::{Notice, Plan};
use super::reader::{OpenError, Table};

/// How a good file came to be there.
#[derive(Debug)]
#[non_exhaustive]
pub enum Built {
    /// It was there.
    AlreadyThere,
    /// It was made; there was none.
    New,
    /// It was made in place of another, which is described.
    Replaced(String),
}

/// Why there is no good file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The search could not be begun.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A full table of the shape would not fit the memory of a search.
    #[error("full tables have at most {MOST_CELLS_FULL} cells, and a {} board has {}", .0, .0.cells())]
    TooLargeForFull(Shape),
    /// Something is there that is not ours to replace.
    #[error("{}: {what}; it is left as it is", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: String,
    },
    /// The system could not write it, or not for certain.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: WriteError,
    },
    /// It was written and cannot be read back.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The observer ended the search.
    #[error("interrupted; what was at the file's place is unchanged")]
    Interrupted,
}

/// What to do about a path.
enum Found {
    Good(Box<Table>),
    Build(Built),
}

/// Makes sure that a good database of `plan` is at `path`, builds it if it is not, and opens it.
///
/// The folder is made if need be. A symbolic link is followed. `notice` is told of what happens on
/// the way, and may give up waiting for another process; `observe` is told of every level and may
/// end the search. Large searches write checkpoints beside the file, from which the next build
/// goes on if this one is ended or killed.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Built, Plan, ensure};
///
/// let plan = Plan::new(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?);
/// let path = std::env::temp_dir().join(format!("example-{}.pzdb", std::process::id()));
/// let make = || ensure(&path, &plan, |_| ControlFlow::Continue(()), |_| ControlFlow::Continue(()));
/// assert!(matches!(make()?, (_, Built::New)));
/// assert!(matches!(make()?, (_, Built::AlreadyThere)));
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
    observe: impl FnMut(&Level<'_>) -> ControlFlow<()>,
) -> Result<(Table, Built), BuildError> {
    let path = path.as_ref();
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    if let Found::Good(table) = inspect(path, plan)? {
        return Ok((*table, Built::AlreadyThere));
    }
    let failed = |cause| BuildError::Write {
        path: path.to_owned(),
        cause,
    };
    let unchanged = |error| failed(WriteError::Unchanged(error));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unchanged)?;
    }
    let _lock =
        BuildLock::take(path, || notice(Notice::Waiting)).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => BuildError::Interrupted,
            _ => unchanged(error),
        })?;
    // Whoever had the lock may have built it by now.
    let built = match inspect(path, plan)? {
        Found::Good(table) => return Ok((*table, Built::AlreadyThere)),
        Found::Build(built) => built,
    };
    let encoding = plan
        .encoding
        .unwrap_or_else(|| Encoding::default_for(plan.class));
    if encoding == Encoding::Full && plan.class.shape().cells() > MOST_CELLS_FULL {
        return Err(BuildError::TooLargeForFull(plan.class.shape().transposed()));
    }
    let _ = notice(Notice::Begins(encoding));
    let checkpointed = encoding == Encoding::Bit && plan.class.states() > plan.checkpoints.above;
    let mut checkpoint = CheckpointFile::new(path, plan.checkpoints);
    let search = match checkpointed
        .then(|| checkpoint.resume(plan, &mut notice))
        .transpose()?
        .flatten()
    {
        Some(search) => search,
        None => Search::new(plan.class, plan.threads)?,
    };
    let distances = Distances::find(search, encoding, observe, |search, ended| {
        if checkpointed && (ended || checkpoint.is_due()) {
            let _ = notice(checkpoint.save(search));
        }
    })?;
    let distances = distances.ok_or(BuildError::Interrupted)?;
    write_file(&Disk, path, |file| distances.write(file)).map_err(failed)?;
    checkpoint.remove();
    Ok((Table::open(path)?, built))
}

/// The most cells of a full table.
const MOST_CELLS_FULL: usize = 12;

/// Looks at what is at `path`.
fn inspect(path: &Path, plan: &Plan) -> Result<Found, BuildError> {
    let in_the_way = |what: String| {
        if plan.force {
            return Ok(Found::Build(Built::Replaced(what)));
        }
        let path = path.to_owned();
        Err(BuildError::InTheWay { path, what })
    };
    let opened = Table::open(path).and_then(|table| match table.check_sections() {
        Ok(()) => Ok(table), // however large: a build is the time to look at every byte
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
