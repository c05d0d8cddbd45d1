//! Making sure of a good file of patterns at a path: the one that is there, or else a new one.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::table::{
    BuildError, Built, Claimed, Disk, Fit, OpenError, WriteError, claim, write_error, write_file,
};

use super::file::PatternFile;
use super::partition::Partition;
use super::patterns::Patterns;

/// Makes sure that a good file of these patterns is at `path`, builds it if it is not, and opens it,
/// as [`table::ensure`](crate::table::ensure) does for tables: with `force` even if one is there, or
/// another file.
///
/// `waiting` is called while another process builds the same file, and may give up; `observe` as by
/// [`Patterns::build_observed`].
///
/// # Errors
/// [`BuildError`]; the file is as it was before unless the error says otherwise.
pub fn ensure(
    path: impl AsRef<Path>,
    partition: &Partition,
    force: bool,
    waiting: impl FnMut() -> ControlFlow<()>,
    observe: impl Fn(usize, u8, u64) -> ControlFlow<()> + Sync,
) -> Result<(PatternFile, Built), BuildError> {
    let open = |path: &Path| open(path, partition);
    match claim(path.as_ref(), force, open, waiting)? {
        Claimed::Good(file) => Ok((file, Built::AlreadyThere)),
        Claimed::Build { path, built, lock } => {
            let failed = |cause| write_error(&path, cause);
            let patterns = Patterns::build_observed(partition, observe)
                .map_err(|error| failed(WriteError::Unchanged(error)))?;
            let patterns = patterns.ok_or(BuildError::Interrupted)?;
            write_file(&Disk, &path, |file| {
                patterns.write(&mut io::BufWriter::new(file))
            })
            .map_err(failed)?;
            drop(lock);
            Ok((PatternFile::open(&path)?, built))
        }
    }
}

/// Opens the file at `path` and compares it with the one that is wanted.
fn open(path: &Path, partition: &Partition) -> Result<(PatternFile, Fit), OpenError> {
    let file = PatternFile::open(path)?;
    file.check_sections().map_err(|cause| OpenError::Format {
        path: path.to_owned(),
        cause,
    })?;
    let there = file.patterns().partition();
    let fit = if there == partition {
        Fit::Same
    } else if (there.shape, there.blank) == (partition.shape, partition.blank) {
        Fit::Replaceable(format!("databases of the patterns {there}"))
    } else {
        Fit::Other(format!("pattern databases, but of {}", there.name()))
    };
    Ok((file, fit))
}
