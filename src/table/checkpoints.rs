//! Checkpoints of a long build: when they are due, writing them, and resuming from them.
//!
//! All ranks that share a search write one file together.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bfs::{Exchange, Search, SearchError};

use super::bytes::open_file;
use super::ensure_file::{BuildError, write_error};
use super::file::{Disk, WriteError, beside, remove_leftovers, write_file};
use super::plan::{Checkpoints, Notice, Plan};
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

    /// Writes a checkpoint by all ranks together, and reports success or failure.
    pub(super) fn save(&mut self, search: &mut Search) -> Notice {
        let (distance, exchange) = (search.levels().len() as u8 - 1, search.exchange().clone());
        self.timed(distance, |path| {
            let mut out = RanksFile::create(&*exchange, path, true)?;
            let saved = search.save(&mut out.file);
            out.sync(saved)?;
            out.finish(|_| Ok(()))
        })
    }

    /// Writes the checkpoint at a distance by `save`.
    pub fn save_one(
        &mut self,
        distance: u8,
        save: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Notice {
        let save = |file: &mut File| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            save(&mut out)?;
            out.flush()
        };
        self.timed(distance, |path| {
            write_file(&Disk, path, save).map_err(|cause| write_error(path, cause))
        })
    }

    fn timed(
        &mut self,
        distance: u8,
        write: impl FnOnce(&Path) -> Result<(), BuildError>,
    ) -> Notice {
        let start = Instant::now();
        let saved = write(&self.path);
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

    /// Resumes the search from the checkpoint, if there is an undamaged one of the same class that
    /// all ranks see.
    pub(super) fn resume(
        &self,
        plan: &Plan,
        exchange: &Arc<dyn Exchange>,
        notice: &mut impl FnMut(Notice) -> ControlFlow<()>,
    ) -> Result<Option<Search>, SearchError> {
        let opened = self.open();
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        if !exchange.any(!opened.as_ref().is_err_and(is_missing)) {
            return Ok(None);
        }
        let other = || io::ErrorKind::InvalidData.into();
        let resumed = match exchange.agree(opened, other) {
            Ok(mut file) => Search::resume(plan.class, plan.threads, exchange.clone(), &mut file)?,
            Err(error) => Err(error),
        };
        let (what, search) = match resumed {
            Ok(search) => {
                let distance = search.levels().len() as u8 - 1;
                (Notice::Resumed { distance }, Some(search))
            }
            Err(error) => (Notice::BadCheckpoint(error), None),
        };
        let _ = notice(what);
        Ok(search)
    }

    /// Opens the checkpoint.
    pub fn open(&self) -> io::Result<BufReader<File>> {
        Ok(BufReader::with_capacity(64 << 10, open_file(&self.path)?))
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
            file.save_one(7, |_| Ok(()));
            assert_eq!(file.pause(), every.max(10 * file.took));
            file.took = minute;
            assert_eq!(file.pause(), every.max(10 * minute));
        }
        let mut file = checkpoint(Duration::ZERO);
        file.took = minute;
        assert!(file.is_due(), "after every level");
    }
}
