//! The files of a search in slabs, and the folder that they are in.
//!
//! The manifest names the finished levels. It is replaced when all files of a level are synced. All ranks that work in
//! a folder share its lock, its manifest and its files.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::super::engine::layout::Layout;
use super::super::engine::step::Setup;
use super::super::error::{SearchError, at};
use super::super::ranks::exchange::Exchange;
use super::manifest::{Begun, MANIFEST, Manifest};
use super::slab::SlabFile;
use super::storage::{Folder, NEW, Storage};

/// Files that belong to one search.
#[derive(Debug)]
pub struct Scratch {
    storage: Box<dyn Storage>,
    /// Path of the folder; for messages only where the files are in memory.
    folder: PathBuf,
    pub manifest: Manifest,
    /// What the manifest says when the files are committed.
    pub state: Begun,
    /// Whether this rank writes the manifest of the folder.
    is_first: bool,
    /// Bytes that may be written before they are committed.
    pub uncommitted: u64,
    /// Held until the folder is removed.
    lock: Option<FolderLock>,
    /// Bytes that have been read from files, and bytes that have been written to files.
    pub moved: Arc<[AtomicU64; 2]>,
}

/// The file that the ranks lock while they work in the folder.
pub const LOCK: &str = "lock";

/// The file that names the rank that locked the folder first.
const OWNER: &str = "owner";

/// Bytes that are written before they are committed, at most, beside a slab.
pub const UNCOMMITTED: u64 = 16 << 20;

/// Bytes of a manifest, at most.
const MOST_TEXT: u64 = 1 << 16;

impl Scratch {
    /// Takes a folder, made if it is missing, for a search, by all ranks together. Nothing in it is changed.
    pub fn take(
        folder: &Path,
        manifest: Manifest,
        exchange: &dyn Exchange,
    ) -> Result<Scratch, SearchError> {
        exchange.agree(check_ours(folder))?;
        let (folder_lock, is_first) = lock_together(folder, exchange)?;
        Ok(Scratch {
            lock: Some(folder_lock),
            is_first,
            ..Scratch::new(Box::new(Folder::new(folder.to_owned())), folder, manifest)
        })
    }

    /// Files of a search in a storage that nobody else uses.
    pub fn new(storage: Box<dyn Storage>, folder: &Path, manifest: Manifest) -> Scratch {
        Scratch {
            storage,
            folder: folder.to_owned(),
            manifest,
            state: Begun::default(),
            is_first: true,
            uncommitted: UNCOMMITTED,
            lock: None,
            moved: Arc::default(),
        }
    }

    /// The search that is there.
    pub fn begun(&self) -> Result<Option<Begun>, SearchError> {
        let path = self.path(MANIFEST);
        let (file, mut text) = (self.storage.open(MANIFEST), Vec::new());
        match file.and_then(|file| file.take(MOST_TEXT).read_to_end(&mut text)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(&path)(error)),
            Ok(_) => (self.manifest.parse(&String::from_utf8_lossy(&text), &path)).map(Some),
        }
    }

    /// Checks that `needed` bytes are free.
    pub fn check_disk(&self, needed: u64) -> Result<(), SearchError> {
        match self.storage.free().filter(|&free| free < needed) {
            None => Ok(()),
            Some(free) => Err(SearchError::LittleDisk {
                shape: self.manifest.class.shape().transposed(),
                folder: self.folder.clone(),
                needed,
                free,
            }),
        }
    }

    /// Begins after some levels, with the files of this rank's share. The files of levels that are not needed any more are
    /// removed.
    pub fn begin(&mut self, from: Begun, setup: &Setup) -> Result<(), SearchError> {
        let (layout, last) = (setup.layout(), from.levels.len());
        let own = setup.slabs();
        let has = |level: usize, slab| self.storage.open(&level_file(level as u8, slab)).is_ok();
        let is_complete = |slab| {
            (last < 1 || has(last - 1, slab))
                && (last < 2 || has(last - 2, slab) || has(last, slab))
        };
        if from.ranks != layout.ranks && !own.clone().all(is_complete) {
            let ranks = match from.ranks {
                1 => "1 process".to_owned(),
                ranks => format!("{ranks} ranks"),
            };
            let why = format!(
                "holds a part of a search that was begun with {ranks}; it goes on with as many, or with any number in \
                 a folder that holds the files of all"
            );
            return Err(SearchError::folder(&self.folder, why));
        }
        self.state = Begun {
            ranks: layout.ranks,
            ..from
        };
        self.commit()?;
        for name in self.names()? {
            let Some((level, slab)) = level_and_slab(&name) else {
                continue;
            };
            let is_foreign = slab < layout.slabs && !own.contains(&slab);
            let is_needed = last > 0 && (level + 2 >= last || setup.keeps(level as u8));
            if !is_foreign && !is_needed {
                self.remove_file(&name)?;
            }
        }
        Ok(())
    }

    /// The error of files that contradict each other, or the manifest.
    pub fn damaged(&self) -> SearchError {
        SearchError::Damaged(self.path(MANIFEST))
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Opens the file of a slab's states at a distance.
    pub fn open(&self, level: u8, slab: usize, layout: &Layout) -> Result<SlabFile, SearchError> {
        let cells = layout.cells(usize::from(level % 2)).count();
        let blocks = cells * layout.slab_words() / layout.block;
        let name = level_file(level, slab);
        let from = (self.path(&name), Arc::clone(&self.moved));
        let file = self.storage.open(&name);
        let file = file.and_then(|file| SlabFile::open(file, from, blocks));
        file.map_err(at(&self.path(&name)))
    }

    /// Writes a file, and returns its number of bytes.
    pub fn write(&self, name: &str, parts: &[&[u8]]) -> Result<u64, SearchError> {
        let written = self.storage.write(name, parts);
        written.map_err(at(&self.path(name)))?;
        let bytes = parts.iter().map(|part| part.len() as u64).sum();
        self.moved[1].fetch_add(bytes, Ordering::Relaxed);
        Ok(bytes)
    }

    /// Commits the files that were written, and then the manifest.
    pub fn commit(&self) -> Result<(), SearchError> {
        let text = self.is_first.then(|| self.manifest.text(&self.state));
        let committed = self.storage.commit(text.as_deref());
        committed.map_err(at(&self.path(MANIFEST)))
    }

    /// Removes a file, if it is there.
    pub fn remove_file(&self, name: &str) -> Result<(), SearchError> {
        self.storage.remove(name).map_err(at(&self.path(name)))
    }

    fn names(&self) -> Result<Vec<String>, SearchError> {
        self.storage.names().map_err(at(&self.folder))
    }

    /// Removes the files, and the folder if nothing else is in it. Errors are ignored:
    /// leftovers do no harm.
    pub fn remove(&mut self) {
        self.is_first = false; // there is no manifest any more
        let _ = self.remove_file(MANIFEST); // first: the others are unusable without it
        let names = self.names().unwrap_or_default();
        for name in names.iter().filter(|name| is_ours(name)) {
            let _ = self.remove_file(name);
        }
        if let Some(lock) = self.lock.take() {
            drop(lock); // some systems keep a folder while a file in it is open
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// The file of a slab's states at a distance.
pub fn level_file(distance: u8, slab: usize) -> String {
    format!("level-{distance:03}-{slab:04}")
}

/// The level and the slab that a file is of.
fn level_and_slab(name: &str) -> Option<(usize, usize)> {
    let name = name.strip_suffix(NEW).unwrap_or(name);
    let (level, slab) = name.strip_prefix("level-")?.split_once('-')?;
    let level: u8 = level.parse().ok()?;
    Some((level.into(), slab.parse().ok()?))
}

/// Returns whether this is the name of a file that a search makes in its folder.
fn is_ours(name: &str) -> bool {
    let place = name.strip_suffix(NEW).unwrap_or(name);
    [MANIFEST, LOCK, OWNER].contains(&place) || level_and_slab(name).is_some()
}

/// Makes a folder, and checks that what is in it is a search's. One that is ended while it makes or removes its files
/// may leave no manifest.
fn check_ours(folder: &Path) -> Result<(), SearchError> {
    let entries = fs::create_dir_all(folder).and_then(|()| fs::read_dir(folder)?.collect());
    let entries: Vec<fs::DirEntry> = entries.map_err(at(folder))?;
    let has_our_name = |entry: &fs::DirEntry| is_ours(&entry.file_name().to_string_lossy());
    // Opening a pipe would wait.
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let has_manifest = entries.iter().any(|entry| entry.file_name() == MANIFEST);
    let is_good = |entry| match has_our_name(entry) {
        true => is_file(entry),
        false => has_manifest,
    };
    match entries.iter().all(is_good) {
        true => Ok(()),
        false => Err(SearchError::not_ours(folder)),
    }
}

/// The lock of a folder, by a file in it; released on drop.
#[derive(Debug)]
pub struct FolderLock(File);

impl Drop for FolderLock {
    /// Unlocks the file. Closing it is not enough: a child that another thread starts has it open too,
    /// until it runs its program.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Locks a folder for all ranks that work in it, and returns whether this one was the first. The first holds the lock and
/// writes a name for itself; the others see that it is one of them.
fn lock_together(
    folder: &Path,
    exchange: &dyn Exchange,
) -> Result<(FolderLock, bool), SearchError> {
    let (path, owner) = (folder.join(LOCK), folder.join(OWNER));
    let file = File::options().create(true).append(true).open(&path);
    let lock = exchange.agree(file.map(FolderLock).map_err(at(&path)))?;
    let (rank, now) = (exchange.rank(), SystemTime::now());
    let name = format!("{rank} {} {now:?}", process::id());
    let is_first = match lock.0.try_lock() {
        Ok(()) => fs::write(&owner, &name).map(|()| true).map_err(at(&owner)),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(cause)) => Err(at(&path)(cause)),
    };
    let is_first = exchange.agree(is_first)?;
    let names = exchange.all(name.as_bytes());
    let checked = match fs::read(&owner) {
        Ok(owner) if names.contains(&owner) => Ok(()),
        _ => Err(SearchError::folder(folder, "is in use by another search")),
    };
    exchange.agree(checked)?;
    Ok((lock, is_first))
}

#[cfg(test)]
mod tests {
    use super::super::super::ranks::exchange::Alone;
    use super::*;

    /// The second handle stands for that of a child that another thread starts.
    #[test]
    fn a_folder_is_free_when_its_lock_is_dropped_whoever_has_the_file_open() {
        let dir = tempfile::tempdir().unwrap();
        let open = || lock_together(dir.path(), &Alone);
        let (lock, _) = open().unwrap();
        let still_open = lock.0.try_clone().unwrap();
        let busy = open().unwrap_err().to_string();
        assert!(busy.ends_with("is in use by another search"), "{busy}");
        drop(lock);
        assert!(open().is_ok());
        drop(still_open);
    }
}
