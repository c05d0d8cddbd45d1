//! The folder of a search whose slabs are files.
//!
//! Its manifest is replaced when all files of a level are there, so a search that is ended at any moment
//! resumes from the last finished level. Files of other levels are leftovers, and removed. Only the
//! manifest is forced to the disk, so a power failure may damage the others: their checksums show it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::basics::free_disk;

use super::super::engine::layout::Colour;
use super::super::error::{ScratchError, at};
use super::manifest::{Begun, MANIFEST, Manifest, ranks_of};
use super::pieces::{self, Pieces};

/// A folder that belongs to one search.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    manifest: Manifest,
    /// Leading digits that the states of a slab share.
    digits: usize,
    /// Held until the folder is removed.
    lock: Mutex<Option<FolderLock>>,
    read: AtomicU64,
    written: AtomicU64,
}

/// Bytes that a process has read from files and written to files.
#[derive(Clone, Copy, Debug, Default)]
pub struct BytesMoved {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// The file that a process locks while it works in the folder.
pub const LOCK: &str = "lock";

impl Scratch {
    /// Takes a folder, made if it is missing, for a search, or for the share of one of several ranks, which
    /// has a folder in it. Returns the search that was found there. Nothing else in the folder is changed.
    pub fn take(
        folder: &Path,
        manifest: Manifest,
    ) -> Result<(Scratch, Option<Begun>), ScratchError> {
        let own = manifest.folder(folder);
        let others = match manifest.ranks {
            1 => folder.join("rank-0"),
            _ => folder.to_owned(),
        };
        let found = ranks_of(&own)?;
        let begun_with = [found, ranks_of(&others).ok().flatten()].into_iter();
        if let Some(begun_with) = begun_with.flatten().find(|ranks| *ranks != manifest.ranks) {
            return Err(ScratchError::OtherRanks {
                folder: folder.to_owned(),
                begun_with,
            });
        }
        let is_share = |name: &String| name.starts_with("rank-");
        let is_new = folder.read_dir().is_err();
        if manifest.ranks > 1 && !is_new && !names(folder)?.iter().all(is_share) {
            return Err(ScratchError::NotOurs(folder.to_owned()));
        }
        fs::create_dir_all(&own).map_err(at(&own))?;
        let not_ours = || ScratchError::NotOurs(own.clone());
        if !are_files(&own).map_err(at(&own))? {
            return Err(not_ours());
        }
        // A search that is ended while it makes or removes its files may leave no manifest.
        if found.is_none() && !names(&own)?.iter().all(|name| is_ours(name)) {
            return Err(not_ours());
        }
        let path = own.join(LOCK);
        let lock = locked(File::create(&path).map_err(at(&path))?, &path)?;
        let begun = manifest.read(&own.join(MANIFEST))?; // under the lock: as its last holder left it
        let scratch = Scratch {
            folder: own,
            manifest,
            digits: 0, // until it begins
            lock: Mutex::new(Some(lock)),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        };
        Ok((scratch, begun))
    }

    /// Checks that `needed` bytes are free on the folder's disk.
    pub fn check_disk(&self, needed: u64) -> Result<(), ScratchError> {
        match free_disk(&self.folder).filter(|&free| free < needed) {
            None => Ok(()),
            Some(free) => Err(ScratchError::LittleDisk {
                shape: self.manifest.class.shape().transposed(),
                folder: self.folder.clone(),
                needed,
                free,
            }),
        }
    }

    /// Begins from a state of which all files are there.
    pub fn begin(&mut self, from: &Begun) -> Result<(), ScratchError> {
        self.digits = from.digits;
        self.finish_level(&from.levels)?;
        self.remove_leftovers(&from.levels)
    }

    /// The error of a folder whose files contradict each other, or its manifest.
    pub fn damaged(&self) -> ScratchError {
        ScratchError::Damaged(self.folder.join(MANIFEST))
    }

    /// The error of a thread that the system did not start.
    pub fn no_thread(&self, cause: io::Error) -> ScratchError {
        at(&self.folder)(cause)
    }

    /// Writes the manifest. All files of these levels have to be there.
    pub fn finish_level(&self, levels: &[u64]) -> Result<(), ScratchError> {
        self.manifest
            .write(&self.folder.join(MANIFEST), self.digits, levels)
    }

    /// Removes the files of all levels but the last two, unfinished ones, and, where no level is
    /// finished, those of an earlier search.
    pub fn remove_leftovers(&self, levels: &[u64]) -> Result<(), ScratchError> {
        let last = levels.len();
        for name in names(&self.folder)? {
            let level = name
                .strip_prefix("level-")
                .and_then(|rest| rest.split('-').next());
            let level = level.and_then(|level| level.parse::<usize>().ok());
            let old = level.is_some_and(|level| !(last.saturating_sub(2)..last).contains(&level))
                || last == 0 && name.starts_with("bit-one-")
                || is_unfinished(&name);
            if old && is_ours(&name) {
                let path = self.folder.join(name);
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }

    /// Reads a file of `count` pieces.
    pub fn read(&self, path: &Path, count: usize) -> io::Result<Pieces> {
        let pieces = Pieces::read(path, count)?;
        self.has_read(&pieces);
        Ok(pieces)
    }

    /// Counts the bytes of pieces that have been read.
    pub fn has_read(&self, pieces: &Pieces) {
        self.read.fetch_add(pieces.bytes(), Ordering::Relaxed);
    }

    /// Writes a file of the pieces of these chunks beside its place, and renames it.
    pub fn write(&self, path: &Path, chunks: &[Vec<Vec<u8>>]) -> Result<(), ScratchError> {
        let new = path.with_extension("new");
        let written = pieces::write(&new, chunks).map_err(at(&new))?;
        self.written.fetch_add(written, Ordering::Relaxed);
        fs::rename(&new, path).map_err(at(path))
    }

    /// Bytes that have been read and written.
    pub fn bytes_moved(&self) -> BytesMoved {
        BytesMoved {
            read: self.read.load(Ordering::Relaxed),
            written: self.written.load(Ordering::Relaxed),
        }
    }

    /// The file of a slab's states at a distance.
    pub fn level(&self, distance: u8, slab: usize) -> PathBuf {
        self.folder.join(format!("level-{distance:03}-{slab:04}"))
    }

    /// The file of bit 1 of the distances of a slab's states of a colour.
    pub fn bit_one(&self, colour: Colour, slab: usize) -> PathBuf {
        self.folder
            .join(format!("bit-one-{}-{slab:04}", colour as usize))
    }

    /// Removes the files, and the folder if nothing else is in it. Errors are ignored:
    /// leftovers do no harm.
    pub fn remove(&self) {
        let _ = fs::remove_file(self.folder.join(MANIFEST)); // first: the others are unusable without it
        for name in names(&self.folder).unwrap_or_default() {
            if is_ours(&name) {
                let _ = fs::remove_file(self.folder.join(name));
            }
        }
        // Some systems keep a folder while a file in it is open.
        drop(self.lock.lock().map_or(None, |mut lock| lock.take()));
        let _ = fs::remove_dir(&self.folder);
        if let Some(all) = self.folder.parent().filter(|_| self.manifest.ranks > 1) {
            let _ = fs::remove_dir(all); // the last rank
        }
    }
}

/// Returns whether this is the name of a file that a search makes in its folder.
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".new").unwrap_or(name);
    let numbers = ["level-", "bit-one-"]
        .iter()
        .find_map(|kind| name.strip_prefix(kind));
    [MANIFEST, LOCK].contains(&name)
        || numbers.is_some_and(|rest| rest.bytes().all(|b| b == b'-' || b.is_ascii_digit()))
}

/// Returns whether all entries with the names of our files are files, and not links or pipes of others.
fn are_files(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_ours(&entry.file_name().to_string_lossy()) && !entry.file_type()?.is_file() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether this is the name of a file that was not written to its end.
pub fn is_unfinished(name: &str) -> bool {
    name.ends_with(".new") && is_ours(name)
}

/// The slab that a file is of, by its name.
pub fn slab_of(name: &str) -> Option<usize> {
    is_ours(name).then(|| name.rsplit('-').next()?.parse().ok())?
}

/// The names in a folder.
pub fn names(folder: &Path) -> Result<Vec<String>, ScratchError> {
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let names =
        fs::read_dir(folder).and_then(|entries| entries.map(|entry| entry.map(name)).collect());
    names.map_err(at(folder))
}

/// The lock of a folder, by a file in it; released on drop.
#[derive(Debug)]
pub struct FolderLock(File);

impl FolderLock {
    /// The locked file. On some systems other handles cannot read it.
    pub fn file(&self) -> &File {
        &self.0
    }
}

impl Drop for FolderLock {
    /// Unlocks the file. Closing it is not enough: a child that another thread starts has it open too,
    /// until it runs its program.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Locks a folder by a file in it that no other process has locked.
pub fn locked(file: File, path: &Path) -> Result<FolderLock, ScratchError> {
    match file.try_lock() {
        Ok(()) => Ok(FolderLock(file)),
        Err(TryLockError::WouldBlock) => {
            Err(ScratchError::Busy(path.parent().unwrap_or(path).to_owned()))
        }
        Err(TryLockError::Error(cause)) => Err(at(path)(cause)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second handle stands for that of a child that another thread starts.
    #[test]
    fn a_folder_is_free_when_its_lock_is_dropped_whoever_has_the_file_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LOCK);
        let open = || File::create(&path).unwrap();
        let lock = locked(open(), &path).unwrap();
        let still_open = lock.0.try_clone().unwrap();
        assert!(matches!(locked(open(), &path), Err(ScratchError::Busy(_))));
        drop(lock);
        assert!(locked(open(), &path).is_ok());
        drop(still_open);
    }
}
