//! When a long build puts its search away, and how it finds it again.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bfs::{Search, SearchError};

use super::ensure::{Notice, Plan};
use super::file::beside;
use super::file::{Disk, WriteError, write_file};

/// When a build writes checkpoints, from which the next one goes on if it is killed.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints {
    /// Only for bit tables of more states than this.
    pub above: u64,
    /// This long after the last one at the earliest, and no sooner than ten times the time that
    /// it took to write: so they take a tenth of the time at the most. Zero is after every level.
    pub every: Duration,
}

impl Default for Checkpoints {
    /// Every minute, above 10^9 states.
    fn default() -> Checkpoints {
        Checkpoints {
            above: 1_000_000_000,
            every: Duration::from_secs(60),
        }
    }
}

/// Writes and finds the checkpoint of a build.
pub(super) struct Keeper {
    path: PathBuf,
    when: Checkpoints,
    /// The end of the last checkpoint, or of the start.
    last: Instant,
    took: Duration,
}

impl Keeper {
    /// The keeper of the checkpoint beside `path`.
    pub fn new(path: &Path, when: Checkpoints) -> Keeper {
        Keeper {
            path: beside(path, "checkpoint"),
            when,
            last: Instant::now(),
            took: Duration::ZERO,
        }
    }

    /// Is it time for the next one?
    pub fn is_due(&self) -> bool {
        self.when.every.is_zero() || self.last.elapsed() >= self.when.every.max(10 * self.took)
    }

    /// Writes one; what happened.
    pub fn save(&mut self, search: &Search) -> Notice {
        let start = Instant::now();
        let saved = write_file(&Disk, &self.path, |file| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            search.save(&mut out)?;
            out.flush()
        });
        self.took = start.elapsed();
        self.last = Instant::now();
        match saved {
            Ok(()) => Notice::Saved {
                distance: search.levels().len() as u8 - 1,
                took: self.took,
            },
            Err(WriteError::Unchanged(error) | WriteError::NotConfirmed(error)) => {
                Notice::NotSaved(error)
            }
        }
    }

    /// The search of the checkpoint, if there is a good one.
    pub fn resume(
        &self,
        plan: &Plan,
        notice: &mut impl FnMut(Notice) -> ControlFlow<()>,
    ) -> Result<Option<Search>, SearchError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let _ = notice(Notice::BadCheckpoint(error));
                return Ok(None);
            }
        };
        let mut file = BufReader::with_capacity(1 << 20, file);
        match Search::resume(plan.class, plan.threads, &mut file)? {
            Ok(search) => {
                let distance = search.levels().len() as u8 - 1;
                let _ = notice(Notice::Resumed { distance });
                Ok(Some(search))
            }
            Err(error) => {
                let _ = notice(Notice::BadCheckpoint(error));
                Ok(None)
            }
        }
    }

    /// Removes the checkpoint; if it is not there, or cannot be removed, nothing is lost.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}
