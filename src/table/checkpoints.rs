//! Checkpoints of a long build: when they are due, writing them, and resuming from them.
//!
//! One process writes one file. If several ranks share a search, each writes a part beside it. When
//! all parts are there, a manifest replaces the file before: it holds the distance and the number of
//! parts.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bfs::{Exchange, Search, SearchError};
use crate::space::GoalClass;

use super::bytes::open_file;
use super::file::{Disk, WriteError, beside, folder, remove_leftovers, write_file};
use super::plan::{Checkpoints, Notice, Plan};

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

    /// Writes a checkpoint and reports success or failure.
    pub(super) fn save(&mut self, search: &Search) -> Notice {
        let distance = search.levels().len() as u8 - 1;
        self.timed(distance, |file| file.write(search, distance))
    }

    /// Writes the checkpoint at a distance by `save`.
    pub fn save_one(
        &mut self,
        distance: u8,
        save: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Notice {
        self.timed(distance, |file| {
            write_file(&Disk, &file.path, buffered(save))
        })
    }

    fn timed(
        &mut self,
        distance: u8,
        write: impl FnOnce(&CheckpointFile) -> Result<(), WriteError>,
    ) -> Notice {
        let start = Instant::now();
        let saved = write(self);
        self.took = start.elapsed();
        self.last = Instant::now();
        let took = self.took;
        match saved {
            Ok(()) => Notice::Saved { distance, took },
            Err(WriteError::Unchanged(error) | WriteError::NotConfirmed(error)) => {
                Notice::NotSaved(error)
            }
        }
    }

    fn write(&self, search: &Search, distance: u8) -> Result<(), WriteError> {
        let exchange = search.exchange();
        let (ranks, rank) = (exchange.ranks(), exchange.rank());
        let save = buffered(|out: &mut dyn Write| search.save(out));
        if ranks == 1 {
            write_file(&Disk, &self.path, save)?;
        } else {
            let part = write_part(&self.part(distance, rank, ranks), save);
            exchange.agree(part.map_err(WriteError::Unchanged), other_rank)?;
            let manifest = manifest(distance, ranks as u32);
            let written = match rank {
                0 => write_file(&Disk, &self.path, |file| file.write_all(&manifest)),
                _ => Ok(()),
            };
            exchange.agree(written, other_rank)?;
        }
        if rank == 0 {
            self.remove_parts(|name| ranks > 1 && name.contains(&suffix(distance, ranks)));
        }
        Ok(())
    }

    /// The part of a rank at a distance.
    fn part(&self, distance: u8, rank: usize, ranks: usize) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!("{}{rank}", suffix(distance, ranks)));
        name.into()
    }

    /// Removes the parts whose names are not to be kept; one that is left does no harm.
    fn remove_parts(&self, is_kept: impl Fn(&str) -> bool) {
        let stem = self.path.file_name().unwrap_or_default().as_encoded_bytes();
        for entry in fs::read_dir(folder(&self.path))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let ending = name.as_encoded_bytes().strip_prefix(stem);
            let ending = ending.and_then(|ending| std::str::from_utf8(ending).ok());
            if ending.is_some_and(|ending| is_part(ending) && !is_kept(ending)) {
                let _ = fs::remove_file(entry.path());
            }
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
        let (class, threads) = (plan.class, plan.threads);
        let opened = self.open(plan.class, &**exchange);
        let none = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let missing = exchange.sum([opened.as_ref().is_err_and(none).into()]);
        if missing == [exchange.ranks() as u64] {
            return Ok(None);
        }
        let other = || io::ErrorKind::InvalidData.into();
        let resumed = match exchange.agree(opened, other) {
            Ok(mut parts) => Search::resume(class, threads, exchange.clone(), &mut parts)?,
            Err(error) => Err(error),
        };
        match resumed {
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

    /// Opens the checkpoint of one process.
    pub fn open_one(&self) -> io::Result<BufReader<File>> {
        open_file(&self.path).map(buffered_reader)
    }

    /// Opens the parts of the checkpoint that this rank needs.
    fn open(&self, class: GoalClass, exchange: &dyn Exchange) -> io::Result<Vec<BufReader<File>>> {
        let mut file = self.open_one()?;
        let Some((distance, ranks)) = read_manifest(file.fill_buf()?) else {
            return Ok(vec![file]);
        };
        let part = |rank| open_file(&self.part(distance, rank, ranks)).map(buffered_reader);
        let parts = Search::parts_for(class, ranks, exchange).map(part);
        let parts: io::Result<_> = parts.collect();
        parts.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                io::Error::new(io::ErrorKind::InvalidData, "a part is missing")
            }
            _ => error,
        })
    }

    /// Removes the checkpoint.
    pub fn remove(&self) -> io::Result<()> {
        let removed = fs::remove_file(&self.path); // first: the parts are unusable without it
        remove_leftovers(&self.path);
        self.remove_parts(|_| false);
        removed
    }
}

fn buffered_reader(file: File) -> BufReader<File> {
    BufReader::with_capacity(1 << 20, file)
}

/// Writes a file through a buffer.
fn buffered(
    save: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> impl Fn(&mut File) -> io::Result<()> {
    move |file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        save(&mut out)?;
        out.flush()
    }
}

/// Writes a part, a new file: a link in its place is not followed.
fn write_part(path: &Path, save: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let _ = fs::remove_file(path);
    let mut file = File::create_new(path)?;
    save(&mut file)?;
    file.sync_all()
}

/// Ending of the parts' names, without the rank.
fn suffix(distance: u8, ranks: usize) -> String {
    format!("-{distance}-{ranks}-")
}

/// Returns whether this is the ending of the name of a part.
fn is_part(ending: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbers: Vec<&str> = ending.split('-').collect();
    numbers.len() == 4 && numbers[0].is_empty() && numbers[1..].iter().all(|n| is_number(n))
}

/// The first bytes of the file that names the parts; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKM\x01";

/// Largest number of ranks of a valid manifest; one with more is damaged.
const MOST_RANKS: u32 = 1 << 20;

/// The file that names the parts: magic, distance, ranks and the CRC-32 of these.
fn manifest(distance: u8, ranks: u32) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &[distance], &ranks.to_le_bytes()].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Distance and ranks, if these are the bytes of a [`manifest`].
fn read_manifest(bytes: &[u8]) -> Option<(u8, usize)> {
    let (distance, rest) = bytes.strip_prefix(&MAGIC)?.split_first()?;
    let ranks = u32::from_le_bytes(*rest.first_chunk()?);
    let is_one = bytes == manifest(*distance, ranks) && (1..=MOST_RANKS).contains(&ranks);
    is_one.then_some((*distance, ranks as usize))
}

/// The error of a rank that has none itself.
fn other_rank() -> WriteError {
    WriteError::Unchanged(io::Error::other("another rank could not write its part"))
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
