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
use super::ensure::{BuildError, unchanged};
use super::file::{WriteError, beside, remove_leftovers};
use super::plan::{Checkpoints, Notice};
use super::shards::write_together;

/// A search that can be saved between two levels.
pub(crate) trait Saved {
    /// The last finished distance; `None` before the first.
    fn distance(&self) -> Option<u8>;

    /// Returns whether all states have been reached.
    fn is_complete(&self) -> bool;

    /// Writes this rank's part of a checkpoint.
    ///
    /// # Errors
    /// Those of the file.
    fn save(&mut self, file: &mut File) -> io::Result<()>;
}

/// Writes and finds the checkpoint of a build.
pub(crate) struct CheckpointFile {
    path: PathBuf,
    /// Whether the build writes checkpoints, and resumes from them.
    pub is_used: bool,
    when: Checkpoints,
    /// Time at which the last checkpoint was finished, or the build was begun.
    last: Instant,
    /// Duration of the last checkpoint; zero before the first.
    took: Duration,
}

impl CheckpointFile {
    /// The checkpoint beside `path`, not used yet.
    pub fn new(path: &Path, when: Checkpoints) -> CheckpointFile {
        CheckpointFile {
            path: beside(path, "checkpoint"),
            is_used: false,
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
    fn save(
        &mut self,
        exchange: &dyn Exchange,
        distance: u8,
        save: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Notice {
        let start = Instant::now();
        let saved = write_together(exchange, &self.path, true, save, |()| |_: &mut File| Ok(()));
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

    /// Runs a search to its end, by all ranks together. `begin` begins it, from a checkpoint if there is one that all ranks
    /// see, or else from the goal or in a scratch folder. `advance` finds a level, if there is a further one. [`BuildError::Interrupted`] ends the search after a level
    /// on all ranks, and it is saved.
    ///
    /// # Errors
    /// Those of `begin` and `advance`; [`BuildError::Interrupted`].
    pub fn run<S: Saved>(
        &mut self,
        exchange: &dyn Exchange,
        notice: &mut dyn FnMut(Notice) -> ControlFlow<()>,
        begin: impl Fn(Option<&mut BufReader<File>>) -> Result<io::Result<S>, BuildError>,
        mut advance: impl FnMut(&mut S) -> Result<bool, BuildError>,
    ) -> Result<S, BuildError> {
        loop {
            let missing = io::ErrorKind::NotFound;
            let opened = match self.is_used {
                true => open_file(&self.path),
                false => Err(missing.into()),
            };
            let resumed = match exchange.agree_or(opened, missing) {
                Ok(file) => begin(Some(&mut BufReader::with_capacity(64 << 10, file)))?,
                Err(error) => Err(error),
            };
            let mut search = match resumed {
                Ok(search) => search,
                Err(error) => {
                    if error.kind() != io::ErrorKind::NotFound {
                        let _ = notice(Notice::BadCheckpoint(error));
                    }
                    begin(None)?.map_err(unchanged(&self.path))?
                }
            };
            if let Some(distance) = search.distance() {
                let _ = notice(Notice::Resumed { distance });
            }
            loop {
                let ended = match advance(&mut search) {
                    Ok(true) => false,
                    Ok(false) => break,
                    Err(BuildError::Interrupted) => true,
                    Err(error) => return Err(error),
                };
                let is_due = || exchange.any(exchange.rank() == 0 && self.is_due());
                if self.is_used && (ended || is_due()) {
                    let distance = search.distance().unwrap_or(0);
                    let saved = self.save(exchange, distance, |file| search.save(file));
                    let _ = notice(saved);
                }
                if ended {
                    return Err(BuildError::Interrupted);
                }
            }
            if search.is_complete() {
                return Ok(search);
            }
            drop(search); // its memory first
            let removed = match exchange.rank() {
                0 => self.remove().map_err(unchanged(&self.path)),
                _ => Ok(()),
            };
            exchange.agree(removed)?;
            let _ = notice(Notice::BadCheckpoint(io::ErrorKind::InvalidData.into()));
        }
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
