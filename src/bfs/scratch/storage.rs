//! Storage of the files of a search: a folder of a disk, or memory.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::manifest::MANIFEST;
use crate::basics::{available_memory, free_disk};

/// An open file.
pub trait ReadSeek: Read + Seek + Send + Sync + fmt::Debug {}

impl<T: Read + Seek + Send + Sync + fmt::Debug> ReadSeek for T {}

/// Named files.
pub trait Storage: fmt::Debug + Send + Sync {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>>;

    /// Writes a file. A kill may leave a part of it, and until it is committed a power cut may leave a part or nothing.
    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Makes sure that written files are there after a power cut. Then replaces the manifest by this text, if one is given.
    fn commit(&self, manifest: Option<&str>) -> io::Result<()>;

    /// Removes a file, if it is there. After a power cut it may be there again.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files; that of a manifest that is not committed ends with [`NEW`].
    fn names(&self) -> io::Result<Vec<String>>;

    /// Bytes that are free, if that is known.
    fn free(&self) -> Option<u64>;
}

/// End of the name of a manifest that is not committed.
pub const NEW: &str = ".new";

/// A folder of a disk.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Files that are not committed.
    new: Mutex<Vec<File>>,
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

    /// Waits until the contents of files and their names are on the disk.
    fn sync(&self, files: &[File]) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if files.len() > 2 {
            return Ok(rustix::fs::syncfs(File::open(&self.path)?)?); // one wait in place of many
        }
        files.iter().try_for_each(File::sync_all)?;
        match cfg!(unix) {
            true => File::open(&self.path)?.sync_all(),
            false => Ok(()), // a folder cannot be opened as a file
        }
    }
}

impl Storage for Folder {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        Ok(Box::new(File::open(self.path.join(name))?))
    }

    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let path = self.path.join(name);
        let _ = fs::remove_file(&path); // a link in its place is not followed
        let mut out = BufWriter::with_capacity(1 << 20, File::create_new(path)?);
        parts.iter().try_for_each(|part| out.write_all(part))?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        lock(&self.new).push(file);
        Ok(())
    }

    fn commit(&self, manifest: Option<&str>) -> io::Result<()> {
        let new = format!("{MANIFEST}{NEW}");
        if let Some(text) = manifest {
            self.write(&new, &[text.as_bytes()])?;
        }
        let files = std::mem::take(&mut *lock(&self.new));
        self.sync(&files)?;
        if manifest.is_some() {
            fs::rename(self.path.join(new), self.path.join(MANIFEST))?;
            self.sync(&[])?;
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
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

    fn commit(&self, _: Option<&str>) -> io::Result<()> {
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
