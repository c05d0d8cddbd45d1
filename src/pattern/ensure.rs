//! Ensures a good file of patterns at a path: the one that is there, or else a new one.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::ControlFlow;
use std::path::Path;

use crate::basics::{Cancel, available_memory};
use crate::bfs::{Alone, Given};
use crate::table::{
    BuildError, Built, Bytes, Disk, Fit, Notice, OpenError, Plan, acquire, checkpoints, followed,
    remove_checkpoint, unchanged, write_error, write_file,
};

use super::build::{Build, PatternBuildError, PatternProgress};
use super::partition::Partition;
use super::patterns::Patterns;

/// Makes sure that a good file of these patterns is at `path`, builds it if it is not, and opens it,
/// as [`table::ensure`](crate::table::ensure) does for tables, whose plan says whether by force, in what memory and with
/// which checkpoints. Patterns of more states than these say are searched one after the other, with checkpoints beside
/// the file, from which the next build resumes.
///
/// `notice` is called with all other messages, also while another process builds the same file; it may then end the
/// wait. `observe` is called with every finished level, and may end the build.
///
/// # Errors
/// [`BuildError`]; the file is as it was before unless the error says otherwise.
pub fn ensure(
    path: impl AsRef<Path>,
    partition: &Partition,
    plan: &Plan,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(PatternProgress) -> ControlFlow<()>,
) -> Result<(Patterns, Built), BuildError> {
    let path = &followed(path.as_ref());
    let open = |path: &Path| open(path, partition);
    match acquire(path, plan.force, open, || notice(Notice::Waiting))? {
        Ok(file) => Ok((file, Built::AlreadyThere)),
        Err((built, lock)) => {
            let (states, needed) = partition.needs();
            if let Some(given) = Given::below(needed, plan.memory, available_memory()) {
                return Err(BuildError::TooLittleMemoryForPatterns { needed, given });
            }
            let when = (states > plan.checkpoints.above).then_some(plan.checkpoints);
            let begin = |saved: Option<&mut BufReader<File>>| match saved {
                Some(file) => Ok(Build::resume(partition, file)),
                None => Build::new(partition).map(Ok).map_err(unchanged(path)),
            };
            let advance = |build: &mut Build<'_>| match build.advance(&Cancel::new()) {
                Ok(Some(progress)) if observe(progress).is_break() => Err(BuildError::Interrupted),
                Ok(progress) => Ok(progress.is_some()),
                Err(PatternBuildError::Io(error)) => Err(unchanged(path)(error)),
                Err(PatternBuildError::Cancelled) => Err(BuildError::Interrupted),
            };
            let patterns =
                checkpoints::run((path, when), &Alone, &mut notice, begin, advance)?.finish();
            let write = |file: &mut File| patterns.write(&mut BufWriter::new(file));
            write_file(&Disk, path, write).map_err(|cause| write_error(path, cause))?;
            let _ = remove_checkpoint(path); // one that is left does no harm
            drop(lock);
            Ok((Patterns::open_by(path, Bytes::by_position)?, built))
        }
    }
}

/// Opens the file at `path` and compares it with the one that is wanted.
fn open(path: &Path, partition: &Partition) -> Result<(Patterns, Fit), OpenError> {
    let patterns = Patterns::open_by(path, Bytes::by_position)?;
    patterns.verify().map_err(OpenError::at(path))?; // a bad file is better found now
    let there = patterns.partition();
    let fit = if there == partition {
        Fit::Same
    } else if there.class == partition.class {
        Fit::Replaceable(format!("databases of the patterns {there}"))
    } else {
        Fit::Other(format!("pattern databases, but of {}", there.class.name()))
    };
    Ok((patterns, fit))
}
