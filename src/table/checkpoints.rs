//! Checkpoints of a long build: when they are due, writing them, and resuming from them.
//!
//! All ranks that share a search write one file together.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bfs::Exchange;

use super::bytes::open_file;
use super::ensure_file::BuildError;
use super::file::{WriteError, beside, remove_leftovers};
use super::plan::{Checkpoints, Notice};
use super::shares::RanksFile;

/// Writes and finds the checkpoint of a build.
pub(crate) struct CheckpointFile {
    path: PathBuf,
    when: Checkpoints,
    /// Time at which the last checkpoint was finished, or the build was begun.
    last: Instant,
    /// Duration of the last checkpoint; zero before the first.
    took: Duration,
}

impl CheckpointFile {
    /// The checkpoint beside `path`.
    pub fn new(path: &Path, when: Checkpoints) -> CheckpointFile {
        CheckpointFile {
            path: beside(path, "checkpoint"),
            when,
            last: Instant::now(),
            took: Duration::ZERO,
        }
    }

    /// Returns whether the next checkpoint is due.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.pause()
    }

    /// The least time from the last checkpoint to the next.
    fn pause(&self) -> Duration {
        match self.when.every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(10 * self.took),
        }
    }

    /// Writes the checkpoint at a distance by all ranks together, each its part by `save`, and reports success or failure.
    pub fn save(
        &mut self,
        exchange: &dyn Exchange,
        distance: u8,
        save: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Notice {
        let start = Instant::now();
        let saved = RanksFile::create(exchange, &self.path, true).and_then(|mut out| {
            let saved = save(&mut out.file);
            out.sync(saved)?;
            out.finish(|_| Ok(()))
        });
        let took = start.elapsed();
        (self.took, self.last) = (took, Instant::now());
        match saved {
            Ok(()) => Notice::Saved { distance, took },
            Err(BuildError::Write {
                cause: WriteError::Unchanged(error) | WriteError::NotConfirmed(error),
                ..
            }) => Notice::NotSaved(error),
            Err(error) => Notice::NotSaved(io::Error::other(error)),
        }
    }

    /// Resumes a search from the checkpoint by `load`, which returns its last finished distance too, if there is an
    /// undamaged one of the same search that all ranks see.
    ///
    /// # Errors
    /// The outer ones of `load`.
    pub fn resume<T, E>(
        &self,
        exchange: &dyn Exchange,
        notice: &mut impl FnMut(Notice) -> ControlFlow<()>,
        load: impl FnOnce(&mut BufReader<File>) -> Result<io::Result<(u8, T)>, E>,
    ) -> Result<Option<T>, E> {
        let opened = exchange.agree(open_file(&self.path), || io::ErrorKind::NotFound.into());
        let resumed = match opened {
            Ok(file) => load(&mut BufReader::with_capacity(64 << 10, file))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(error),
        };
        let (what, search) = match resumed {
            Ok((distance, search)) => (Notice::Resumed { distance }, Some(search)),
            Err(error) => (Notice::BadCheckpoint(error), None),
        };
        let _ = notice(what);
        Ok(search)
    }

    /// Removes the checkpoint.
    pub fn remove(&self) -> io::Result<()> {
        let removed = fs::remove_file(&self.path);
        remove_leftovers(&self.path);
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_checkpoint_follows_the_pause_that_was_asked_for_and_the_next_the_last() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = |every| {
            let when = Checkpoints { above: 0, every };
            CheckpointFile::new(&dir.path().join("4x4.pzdb"), when)
        };
        let minute = Duration::from_secs(60);
        for every in [Duration::from_nanos(1), minute, 30 * minute] {
            let mut file = checkpoint(every);
            assert_eq!(file.pause(), every, "whatever the number of states");
            file.save(&crate::bfs::Alone, 7, |_| Ok(()));
            assert_eq!(file.pause(), every.max(10 * file.took));
            file.took = minute;
            assert_eq!(file.pause(), every.max(10 * minute));
        }
        let mut file = checkpoint(Duration::ZERO);
        file.took = minute;
        assert!(file.is_due(), "after every level");
    }
}
