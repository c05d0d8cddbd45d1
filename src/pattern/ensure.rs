//! Ensures a good file of patterns at a path: the one that is there, or else a new one.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::ControlFlow;
use std::path::Path;

use crate::basics::{Cancel, available_memory};
use crate::bfs::{Alone, Given};
use crate::table::{
    Acquired, BuildError, Built, Bytes, CheckpointFile, Checkpoints, Disk, Fit, Notice, OpenError,
    acquire, unchanged, write_error, write_file,
};

use super::build::{Build, PatternBuildError, PatternProgress};
use super::file::PatternFile;
use super::partition::Partition;

/// Plan of a build of pattern databases.
///
/// ```
/// use puzzledb::pattern::Partition;
/// use puzzledb::internals::pattern::PatternPlan;
/// use puzzledb::puzzle::{Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// let mut plan = PatternPlan::new(Partition::new(&goal, &"8".parse()?)?);
/// plan.memory = Some(16 << 30); // it needs 22 GiB
/// assert!(plan.check_memory().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PatternPlan {
    /// The patterns.
    pub partition: Partition,
    /// Whether to build even if a good file of the same, or another file, is there.
    pub force: bool,
    /// Times at which checkpoints are written.
    pub checkpoints: Checkpoints,
    /// The most bytes of memory that the search may take; `None` is what the machine has to spare.
    pub memory: Option<u64>,
}

impl PatternPlan {
    /// Plans a build of these patterns with the usual checkpoints.
    pub fn new(partition: Partition) -> PatternPlan {
        PatternPlan {
            partition,
            force: false,
            checkpoints: Checkpoints::default(),
            memory: None,
        }
    }

    /// Compares the memory that the search needs with what it may take, and with what this machine has to
    /// spare.
    ///
    /// # Errors
    /// [`BuildError::TooLittleMemoryForPatterns`].
    pub fn check_memory(&self) -> Result<(), BuildError> {
        let needed = self.partition.memory();
        match Given::below(needed, self.memory, available_memory()) {
            Some(given) => Err(BuildError::TooLittleMemoryForPatterns { needed, given }),
            None => Ok(()),
        }
    }

    /// Returns the bytes of the file, at most: each section begins on a page.
    pub(super) fn file_bytes(&self) -> u64 {
        let pages = 2 + self.partition.sizes().len() as u64;
        self.partition.states().div_ceil(8) + 4096 * pages
    }

    /// Returns the bytes of disk that the build takes at most, beside a file that it replaces: the next checkpoint or
    /// the file is written while the last checkpoint is there.
    pub fn disk(&self) -> u64 {
        (self.checkpoints).disk(self.partition.states(), self.file_bytes())
    }
}

/// Makes sure that a good file of these patterns is at `path`, builds it if it is not, and opens it,
/// as [`table::ensure`](crate::table::ensure) does for tables. Patterns of more states than the plan's
/// checkpoints say are searched one after the other, with checkpoints beside the file, from which the
/// next build resumes.
///
/// `notice` is called with all other messages, also while another process builds the same file; it may then end the
/// wait. `observe` is called with every finished level, and may end the build.
///
/// # Errors
/// [`BuildError`]; the file is as it was before unless the error says otherwise.
pub fn ensure(
    path: impl AsRef<Path>,
    plan: &PatternPlan,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(PatternProgress) -> ControlFlow<()>,
) -> Result<(PatternFile, Built), BuildError> {
    let partition = &plan.partition;
    let open = |path: &Path| open(path, partition);
    match acquire(path.as_ref(), plan.force, open, || notice(Notice::Waiting))? {
        Acquired::Good(file) => Ok((file, Built::AlreadyThere)),
        Acquired::Build { path, built, lock } => {
            let failed = |cause| write_error(&path, cause);
            plan.check_memory()?;
            let mut checkpoint = CheckpointFile::new(&path, plan.checkpoints);
            checkpoint.is_used = partition.states() > plan.checkpoints.above;
            let begin = |saved: Option<&mut BufReader<File>>| match saved {
                Some(file) => Ok(Build::resume(partition, file)),
                None => Build::new(partition).map(Ok).map_err(unchanged(&path)),
            };
            let advance = |build: &mut Build<'_>| match build.advance(&Cancel::new()) {
                Ok(Some(progress)) if observe(progress).is_break() => Err(BuildError::Interrupted),
                Ok(progress) => Ok(progress.is_some()),
                Err(PatternBuildError::Io(error)) => Err(unchanged(&path)(error)),
                Err(PatternBuildError::Cancelled) => Err(BuildError::Interrupted),
            };
            let patterns = (checkpoint.run(&Alone, &mut notice, begin, advance)?).finish();
            write_file(&Disk, &path, |file| {
                patterns.write(&mut BufWriter::new(file))
            })
            .map_err(failed)?;
            let _ = checkpoint.remove(); // one that is left does no harm
            drop(lock);
            Ok((PatternFile::open_by(&path, Bytes::by_position)?, built))
        }
    }
}

/// Opens the file at `path` and compares it with the one that is wanted.
fn open(path: &Path, partition: &Partition) -> Result<(PatternFile, Fit), OpenError> {
    let file = PatternFile::open_by(path, Bytes::by_position)?;
    file.verify().map_err(OpenError::at(path))?; // a bad file is better found now
    let there = file.patterns().partition();
    let fit = if there == partition {
        Fit::Same
    } else if there.class == partition.class {
        Fit::Replaceable(format!("databases of the patterns {there}"))
    } else {
        Fit::Other(format!("pattern databases, but of {}", there.name()))
    };
    Ok((file, fit))
}
