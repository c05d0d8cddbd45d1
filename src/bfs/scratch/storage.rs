//! Storage of the files of a search: a folder of a disk, or memory.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::basics::{available_memory, free_disk};

/// An open file.
pub trait ReadSeek: Read + Seek + Send + fmt::Debug {}

impl<T: Read + Seek + Send + fmt::Debug> ReadSeek for T {}

/// Named files.
pub trait Storage: fmt::Debug + Send + Sync {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>>;

    /// Writes a file. Until it is committed a kill or a power cut may take it away; an older one of its name is left
    /// then.
    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Makes sure that written files are there after a power cut. If this fails, each may be or not.
    fn commit(&self, names: &[String]) -> io::Result<()>;

    /// Removes a file, if it is there. After a power cut it may be there again.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files; those of files that are not committed end with [`NEW`].
    fn names(&self) -> io::Result<Vec<String>>;

    /// Bytes that are free, if that is known.
    fn free(&self) -> Option<u64>;
}

/// End of the name of a file that is not committed.
pub const NEW: &str = ".new";

/// A folder of a disk.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Files that are not committed.
    new: Mutex<BTreeMap<String, Arc<File>>>,
}

/// Locks a mutex whose content no panic leaves half changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    pub fn new(path: PathBuf) -> Folder {
        let new = Mutex::default();
        Folder { path, new }
    }

    /// Path of a file that is not committed.
    fn beside(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{NEW}"))
    }

    /// Waits until the contents of files are on the disk.
    fn sync(&self, files: &[Arc<File>]) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if files.len() > 2 {
            return Ok(rustix::fs::syncfs(File::open(&self.path)?)?); // one wait in place of many
        }
        files.iter().try_for_each(|file| file.sync_all())
    }
}

impl Storage for Folder {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        let new = lock(&self.new); // it keeps its name meanwhile
        let path = match new.contains_key(name) {
            true => self.beside(name),
            false => self.path.join(name),
        };
        Ok(Box::new(File::open(path)?))
    }

    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let path = self.beside(name);
        lock(&self.new).remove(name); // closed: some systems keep the name of an open file
        let _ = fs::remove_file(&path); // a link in its place is not followed
        let mut out = BufWriter::with_capacity(1 << 20, File::create_new(path)?);
        parts.iter().try_for_each(|part| out.write_all(part))?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        lock(&self.new).insert(name.to_owned(), file.into());
        Ok(())
    }

    fn commit(&self, names: &[String]) -> io::Result<()> {
        let new = lock(&self.new);
        let files = names.iter().filter_map(|name| new.get(name).cloned());
        let files: Vec<Arc<File>> = files.collect();
        drop(new);
        self.sync(&files)?;
        for name in names {
            let mut new = lock(&self.new);
            if new.remove(name).is_some() {
                fs::rename(self.beside(name), self.path.join(name))?;
            }
        }
        if cfg!(unix) && !files.is_empty() {
            File::open(&self.path)?.sync_all()?; // elsewhere a folder cannot be opened as a file
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let removed = match lock(&self.new).remove(name) {
            Some(_) => fs::remove_file(self.beside(name)),
            None => fs::remove_file(self.path.join(name)),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let entries = fs::read_dir(&self.path)?;
        entries.map(|entry| entry.map(name)).collect()
    }

    fn free(&self) -> Option<u64> {
        free_disk(&self.path)
    }
}

/// Files in memory, which end with the search.
#[derive(Debug, Default)]
pub struct MemoryFiles(Mutex<BTreeMap<String, Arc<[u8]>>>);

impl Storage for MemoryFiles {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        let file = lock(&self.0).get(name).cloned();
        Ok(Box::new(Cursor::new(file.ok_or(io::ErrorKind::NotFound)?)))
    }

    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        lock(&self.0).insert(name.to_owned(), parts.concat().into());
        Ok(())
    }

    fn commit(&self, _: &[String]) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        lock(&self.0).remove(name);
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(lock(&self.0).keys().cloned().collect())
    }

    fn free(&self) -> Option<u64> {
        available_memory()
    }
}
