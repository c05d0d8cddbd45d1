//! The checkpoint file of a long build: when it is written, and how the next build resumes from it.

use std::fs;
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bfs::{Kept, Search, SearchError};

use super::bytes::open_file;
use super::file::{Disk, WriteError, beside, write_file};
use super::plan::{Checkpoints, Notice, Plan};

/// Writes and finds the checkpoint of a build.
pub(super) struct CheckpointFile {
    path: PathBuf,
    when: Checkpoints,
    /// When the last checkpoint was finished, or the build was begun.
    last: Instant,
    /// How long the last checkpoint took, or how long the first may take.
    took: Duration,
}

/// States whose two bits are written in a second, before that has been measured.
const STATES_A_SECOND: f64 = 1e9;

impl CheckpointFile {
    /// The checkpoint beside `path` of a search of so many states.
    pub fn new(path: &Path, when: Checkpoints, states: u64) -> CheckpointFile {
        CheckpointFile {
            path: beside(path, "checkpoint"),
            when,
            last: Instant::now(),
            took: Duration::from_secs_f64(states as f64 / STATES_A_SECOND),
        }
    }

    /// Is it time for the next checkpoint?
    pub fn is_due(&self) -> bool {
        self.when.every.is_zero() || self.last.elapsed() >= self.when.every.max(10 * self.took)
    }

    /// Writes a checkpoint and says whether that worked.
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

    /// Resumes the search from the checkpoint, if there is an undamaged one of the same class.
    pub fn resume(
        &self,
        plan: &Plan,
        notice: &mut impl FnMut(Notice) -> ControlFlow<()>,
    ) -> Result<Option<Search>, SearchError> {
        let file = match open_file(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let _ = notice(Notice::BadCheckpoint(error));
                return Ok(None);
            }
        };
        let mut file = BufReader::with_capacity(1 << 20, file);
        match Search::resume(plan.class, Kept::BitOne, plan.threads, &mut file)? {
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

    /// Removes the checkpoint.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}
