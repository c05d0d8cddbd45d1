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

/// The file of the checkpoints of a build of `path`.
fn file(path: &Path) -> PathBuf {
    beside(path, "checkpoint")
}

/// Removes the checkpoint of a build of `path`.
pub(crate) fn remove_checkpoint(path: &Path) -> io::Result<()> {
    let removed = fs::remove_file(file(path));
    remove_leftovers(&file(path));
    removed
}

/// Runs the search of a build of `path` to its end, by all ranks together. `begin` begins it, from a checkpoint if there
/// is one that all ranks see, or else from the goal or in a scratch folder. `advance` finds a level, if there is a further
/// one. Checkpoints are written at the times of `when`; without it none is read either. [`BuildError::Interrupted`] ends
/// the search after a level on all ranks, and it is saved.
///
/// # Errors
/// Those of `begin` and `advance`; [`BuildError::Interrupted`].
pub(crate) fn run<S: Saved>(
    (path, when): (&Path, Option<Checkpoints>),
    exchange: &dyn Exchange,
    notice: &mut dyn FnMut(Notice) -> ControlFlow<()>,
    begin: impl Fn(Option<&mut BufReader<File>>) -> Result<io::Result<S>, BuildError>,
    mut advance: impl FnMut(&mut S) -> Result<bool, BuildError>,
) -> Result<S, BuildError> {
    let file = file(path);
    let (mut last, mut took) = (Instant::now(), Duration::ZERO); // of the last checkpoint
    loop {
        let missing = io::ErrorKind::NotFound;
        let opened = when.map_or(Err(missing.into()), |_| open_file(&file));
        let resumed = match exchange.agree_or(opened, missing) {
            Ok(file) => begin(Some(&mut BufReader::with_capacity(64 << 10, file)))?,
            Err(error) => Err(error),
        };
        let mut search = match resumed {
            Ok(search) => search,
            Err(error) => {
                if error.kind() != missing {
                    let _ = notice(Notice::BadCheckpoint(error));
                }
                begin(None)?.map_err(unchanged(&file))?
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
            let is_due = |when: Checkpoints| last.elapsed() >= when.pause(took);
            if let Some(when) = when
                && (ended || exchange.any(exchange.rank() == 0 && is_due(when)))
            {
                let start = Instant::now();
                let saved = save(&mut search, &file, exchange);
                (took, last) = (start.elapsed(), Instant::now());
                let distance = search.distance().unwrap_or(0);
                let saved = saved.map(|()| Notice::Saved { distance, took });
                let _ = notice(saved.unwrap_or_else(Notice::NotSaved));
            }
            if ended {
                return Err(BuildError::Interrupted);
            }
        }
        if search.is_complete() {
            return Ok(search);
        }
        drop(search); // its memory first
        exchange.first(|| remove_checkpoint(path).map_err(unchanged(&file)))?;
        let _ = notice(Notice::BadCheckpoint(io::ErrorKind::InvalidData.into()));
    }
}

/// Writes a checkpoint by all ranks together.
fn save(search: &mut impl Saved, file: &Path, exchange: &dyn Exchange) -> io::Result<()> {
    let save = |file: &mut File| search.save(file);
    let saved = write_together(exchange, file, true, save, |()| |_: &mut File| Ok(()));
    saved.map_err(|error| match error {
        BuildError::Write {
            cause: WriteError::Unchanged(error) | WriteError::NotConfirmed(error),
            ..
        } => error,
        error => io::Error::other(error),
    })
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::bfs::Alone;

    #[test]
    fn the_first_checkpoint_follows_the_pause_that_was_asked_for_and_the_next_the_last() {
        let minute = Duration::from_secs(60);
        for every in [Duration::from_nanos(1), minute, 30 * minute] {
            let when = Checkpoints { above: 0, every };
            assert_eq!(when.pause(Duration::ZERO), every, "of any number of states");
            assert_eq!(when.pause(minute), every.max(10 * minute));
        }
        let when = Checkpoints::new(0, Duration::ZERO);
        assert_eq!(when.pause(minute), Duration::ZERO, "after every level");
    }

    /// Writing a checkpoint of it takes 2 ms.
    #[derive(Default)]
    struct Slow {
        distance: u8,
        saved: u32,
    }

    impl Saved for Slow {
        fn distance(&self) -> Option<u8> {
            Some(self.distance)
        }

        fn is_complete(&self) -> bool {
            self.distance == 50
        }

        fn save(&mut self, _: &mut File) -> io::Result<()> {
            sleep(Duration::from_millis(2));
            self.saved += 1;
            Ok(())
        }
    }

    #[test]
    fn a_tenth_of_the_time_goes_to_checkpoints_unless_they_follow_every_level() {
        let saved = |every| {
            let (dir, start) = (tempfile::tempdir().unwrap(), Instant::now());
            let (path, when) = (dir.path().join("4x4.pzdb"), Checkpoints { above: 0, every });
            let advance = |search: &mut Slow| {
                sleep(Duration::from_millis(1));
                search.distance += 1;
                Ok(!search.is_complete())
            };
            let begin = |_: Option<&mut BufReader<File>>| Ok(Ok(Slow::default()));
            let notice = &mut |_| ControlFlow::Continue(());
            let slow = run((&path, Some(when)), &Alone, notice, begin, advance).unwrap();
            assert_eq!(file(&path).exists(), slow.saved > 0);
            (slow.saved, start.elapsed())
        };
        let (often, time) = saved(Duration::from_nanos(1));
        assert!(often > 0 && Duration::from_millis(20) * (often - 1) < time);
        assert_eq!(saved(Duration::ZERO).0, 49);
        assert_eq!(saved(Duration::MAX).0, 0);
    }
}
