//! Making sure of a good file of patterns at a path: the one that is there, or else a new one.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::table::{
    BuildError, BuildLock, Built, Disk, FormatError, OpenError, WriteError, write_file,
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
    let path = path.as_ref();
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    if let Ok(file) = inspect(path, partition, force)? {
        return Ok((file, Built::AlreadyThere));
    }
    let failed = |cause| BuildError::Write {
        path: path.to_owned(),
        cause,
    };
    let unchanged = |error| failed(WriteError::Unchanged(error));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unchanged)?;
    }
    let _lock = BuildLock::take(path, waiting).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => BuildError::Interrupted,
        _ => unchanged(error),
    })?;
    // Another process may have built it while this one waited for the lock.
    match inspect(path, partition, force)? {
        Ok(file) => Ok((file, Built::AlreadyThere)),
        Err(built) => {
            let patterns = Patterns::build_observed(partition, observe).map_err(unchanged)?;
            let patterns = patterns.ok_or(BuildError::Interrupted)?;
            write_file(&Disk, path, |file| {
                patterns.write(&mut io::BufWriter::new(file))
            })
            .map_err(failed)?;
            Ok((PatternFile::open(path)?, built))
        }
    }
}

/// The file at `path` if it will do, or else what to call a new one.
fn inspect(
    path: &Path,
    partition: &Partition,
    force: bool,
) -> Result<Result<PatternFile, Built>, BuildError> {
    let replaced = |what: &str| Ok(Err(Built::Replaced(what.to_owned())));
    let in_the_way = |what: String| match force {
        true => Ok(Err(Built::Replaced(what))),
        false => Err(BuildError::InTheWay {
            path: path.to_owned(),
            what,
        }),
    };
    let opened = PatternFile::open(path).and_then(|file| {
        let format = |cause| OpenError::Format {
            path: path.to_owned(),
            cause,
        };
        file.check_sections().map_err(format)?;
        Ok(file)
    });
    match opened {
        Ok(_) if force => replaced("good pattern databases"),
        Ok(file) if file.patterns().partition() == partition => Ok(Ok(file)),
        Ok(file) => {
            let there = file.patterns().partition();
            match (there.shape, there.blank) == (partition.shape, partition.blank) {
                true => replaced(&format!("databases of the patterns {there}")),
                false => in_the_way(format!("pattern databases, but of {}", there.name())),
            }
        }
        Err(OpenError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
            Ok(Err(Built::New))
        }
        Err(error @ OpenError::Io { .. }) => Err(error.into()),
        Err(OpenError::Format { cause, .. }) => match cause {
            FormatError::NotADatabase
            | FormatError::NewerVersion { .. }
            | FormatError::OtherKind { .. } => in_the_way(format!("it {cause}")),
            damaged => replaced(&format!("a file that {damaged}")),
        },
    }
}
