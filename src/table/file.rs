//! Writing a file so that a crash at any moment leaves the old file or none.
//!
//! The bytes go to a temporary file beside the target, which is synced, renamed over the target,
//! and the folder synced. A lock file beside it keeps two builders apart. Both names are fixed,
//! so whatever a killed builder leaves is taken over by the next one: the lock of a dead process
//! is gone, and the temporary file is written anew.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The steps of an atomic write, so that tests can make any of them fail.
pub trait Storage {
    /// A file that is being written.
    type File: Write + Seek;

    /// Makes or empties a file.
    ///
    /// # Errors
    /// Those of the system, as in all other steps.
    fn create(&self, path: &Path) -> io::Result<Self::File>;

    /// Brings a file's bytes to the disk.
    ///
    /// # Errors
    /// Those of the system.
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Puts a file in another's place.
    ///
    /// # Errors
    /// Those of the system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Brings a folder's names to the disk.
    ///
    /// # Errors
    /// Those of the system.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the system.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The system's files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {
    type File = File;

    fn create(&self, path: &Path) -> io::Result<File> {
        File::create(path)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if cfg!(unix) {
            File::open(folder)?.sync_all()
        } else {
            Ok(()) // elsewhere a folder cannot be opened as a file
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Makes the file at `path` of what `write` writes: afterwards the file is there whole, or, after
/// an error or a crash, as it was before.
///
/// The caller holds the [`BuildLock`] of `path`.
///
/// # Errors
/// Those of the storage and of `write`. The temporary file is removed if that is possible.
pub fn write_file<S: Storage>(
    storage: &S,
    path: &Path,
    write: impl FnOnce(&mut S::File) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = beside(path, "tmp");
    let written = (|| {
        let mut file = storage.create(&temporary)?;
        write(&mut file)?;
        file.flush()?;
        storage.sync(&file)?;
        storage.rename(&temporary, path)
    })();
    if let Err(error) = written {
        let _ = storage.remove(&temporary);
        return Err(error);
    }
    storage.sync_folder(folder(path))
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// `dir/.name.ending` for `dir/name`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// The right to build one file: held by one process at a time, given back on drop.
#[derive(Debug)]
pub struct BuildLock {
    file: File,
    path: PathBuf,
}

impl BuildLock {
    /// Takes the lock of `path`; if another process has it, calls `on_wait` and waits.
    ///
    /// # Errors
    /// Those of the system in making the lock file.
    pub fn take(path: &Path, on_wait: impl FnOnce()) -> io::Result<BuildLock> {
        let path = beside(path, "lock");
        let mut on_wait = Some(on_wait);
        loop {
            let options = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .to_owned();
            let file = options.open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if let Some(on_wait) = on_wait.take() {
                        on_wait();
                    }
                    file.lock()?;
                }
                // A file system without locks: building twice at once is only wasteful there,
                // because the rename is atomic.
                Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(e),
            }
            // The one before us removes the file before it lets go: then this lock is of a file
            // that nobody else can find.
            if is_at(&file, &path) {
                return Ok(BuildLock { file, path });
            }
        }
    }
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Is `file` the file that has this path now?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (ours, theirs) = (file.metadata().map(id), fs::metadata(path).map(id));
    ours.is_ok_and(|ours| theirs.is_ok_and(|theirs| ours == theirs))
}

/// Lock files are not removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
