//! Writing a file so that a crash at any moment leaves the old file or none.
//!
//! The bytes go to a temporary file beside the target. That file is synced and renamed over the target, then the
//! folder is synced. A lock file beside it keeps two builders apart. The next builder clears the leftovers of a
//! killed one: the lock of a dead process is gone, and its temporary file is removed. A temporary file is always a
//! new file with an unpredictable name, so that a link that was put in its place is not followed.
//!
//! [`OutputFile`] writes the result of a command to a path that a person named, in the same way, or through a device
//! or a pipe.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Seek, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::watch::stamp;

/// The steps of an atomic write, so that tests can make any of them fail.
pub trait Storage {
    /// A file that is being written.
    type File: Write + Seek;

    /// Makes a new temporary file beside `path`, and removes those that earlier processes left there.
    ///
    /// # Errors
    /// Those of the system, as in all other steps.
    fn create_beside(&self, path: &Path) -> io::Result<(Self::File, PathBuf)>;

    /// Waits until a file's bytes are on the disk.
    ///
    /// # Errors
    /// Those of the system.
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Renames a file, over another if there is one.
    ///
    /// # Errors
    /// Those of the system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Waits until a folder's entries are on the disk.
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

    fn create_beside(&self, path: &Path) -> io::Result<(File, PathBuf)> {
        remove_leftovers(path);
        let temporary = temporary_beside(path);
        let file = File::create_new(&temporary)?;
        #[cfg(unix)] // elsewhere a new file has the permissions of its folder
        keep_permissions(path, &file);
        Ok((file, temporary))
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::rename(from, to) {
            Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => {
                replace_in_use(from, to).map_err(|_| error)
            }
            renamed => renamed,
        }
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

/// Reason why a file was not written, or may not have been.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It was not written; the file that was there is unchanged.
    #[error("{0}; what was there is unchanged")]
    Unchanged(#[source] io::Error),
    /// It was written and is in its place, but the system did not confirm that the folder's new
    /// entry would survive a power failure.
    #[error("it is written, but fsync failed: {0}")]
    NotConfirmed(#[source] io::Error),
}

/// Writes a file by `write`, all or nothing: after an error or a crash `path` has its old file, or
/// none if there was none.
///
/// The caller must hold the [`BuildLock`] of `path`.
///
/// # Errors
/// [`WriteError`]. The temporary file is removed if that is possible.
pub fn write_file<S: Storage>(
    storage: &S,
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut S::File) -> io::Result<()>,
) -> Result<(), WriteError> {
    let (file, temporary) = storage
        .create_beside(path.as_ref())
        .map_err(WriteError::Unchanged)?;
    finish_file(storage, path.as_ref(), file, &temporary, write)
}

/// Writes the temporary file of `path` by `write`, and puts it into its place.
///
/// # Errors
/// As [`write_file`].
pub(super) fn finish_file<S: Storage>(
    storage: &S,
    path: &Path,
    mut file: S::File,
    temporary: &Path,
    write: impl FnOnce(&mut S::File) -> io::Result<()>,
) -> Result<(), WriteError> {
    let written = (|| {
        write(&mut file)?;
        file.flush()?;
        storage.sync(&file)?;
        storage.rename(temporary, path)
    })();
    if let Err(error) = written {
        let _ = storage.remove(temporary);
        return Err(WriteError::Unchanged(error));
    }
    let synced = storage.sync_folder(folder(path));
    synced.map_err(WriteError::NotConfirmed)
}

/// The file at a path that a person named for a result.
///
/// A regular file is replaced by [`write_file`]; symbolic links are followed, and one that leads nowhere is replaced.
/// A device or a pipe is written through, and so is a file that is open already (`/dev/stdout`), at its end.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    /// Open from the start, so that a pipe keeps its reader.
    through: Option<File>,
}

impl OutputFile {
    /// Ensures that the file can be written, before the work whose result it gets. What is there stays.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<OutputFile> {
        let through = match File::options().append(true).open(path) {
            Ok(file) if !file.metadata()?.is_file() || is_descriptor(path) => Some(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => None,
        };
        let path = followed(path);
        if through.is_none() {
            let temporary = temporary_beside(&path);
            File::create_new(&temporary)?;
            let _ = fs::remove_file(temporary); // another writer may have removed it
        }
        Ok(OutputFile { path, through })
    }

    /// Writes the content by `write`. `waiting` is called while another process writes the file, as by
    /// [`BuildLock::take`].
    ///
    /// # Errors
    /// Those of the system and of `write`, with [`WriteError`] inside for a regular file.
    pub fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        waiting: impl FnMut() -> ControlFlow<()>,
    ) -> io::Result<()> {
        if let Some(mut file) = self.through {
            return write(&mut file);
        }
        let _lock = match BuildLock::take(&self.path, waiting) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None, // it would cost a result of hours
            lock => Some(lock?),
        };
        write_file(&Disk, &self.path, |file| write(file)).map_err(io::Error::other)
    }
}

/// Returns whether a path names an open file of a process, as `/dev/stdout` and `/dev/fd/3` do.
fn is_descriptor(path: &Path) -> bool {
    let is_open = |path: &Path| path.starts_with("/proc") || path.starts_with("/dev/fd");
    fs::read_link(path).is_ok_and(|target| is_open(&folder(path).join(target)))
        || fs::canonicalize(folder(path)).is_ok_and(|folder| is_open(&folder))
}

/// Follows the symbolic links of a path.
pub(crate) fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Gives a new file the owner and the permissions of the regular file that it will replace, as far as the system allows.
#[cfg(unix)]
fn keep_permissions(old: &Path, new: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if let Ok(old) = fs::symlink_metadata(old)
        && old.is_file()
    {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
        let _ = new.set_permissions(old.permissions());
    }
}

/// Renames a file over one that a process has open, where the system refuses that: the old file is first renamed
/// to a temporary one, which this or a later write removes. Between both renames there is no file.
fn replace_in_use(from: &Path, to: &Path) -> io::Result<()> {
    let old = temporary_beside(to);
    fs::rename(to, &old)?;
    if let Err(error) = fs::rename(from, to) {
        let _ = fs::rename(&old, to);
        return Err(error);
    }
    let _ = fs::remove_file(old); // refused while it is mapped
    Ok(())
}

/// New, unpredictable name of a temporary file beside `path`.
fn temporary_beside(path: &Path) -> PathBuf {
    let random = RandomState::new().hash_one(std::process::id());
    beside(path, &format!("{random:016x}.tmp"))
}

/// Removes the temporary files of `path` that dead processes left; a file that cannot be removed does no
/// harm.
pub(super) fn remove_leftovers(path: &Path) {
    let stem = beside(path, "");
    let stem = stem.file_name().unwrap_or_default().as_encoded_bytes();
    for entry in fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ending = name.as_encoded_bytes().strip_prefix(stem);
        let random = ending.and_then(|ending| ending.strip_suffix(b".tmp"));
        if random.is_some_and(|r| r.len() == 16 && r.iter().all(u8::is_ascii_hexdigit)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The folder that a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// `dir/.name.ending` for `dir/name`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// The lock on building one file: held by one process at a time, released on drop.
#[derive(Debug)]
pub struct BuildLock {
    file: File,
    path: PathBuf,
}

impl BuildLock {
    /// Takes the lock of `path`. While another process holds it, `waiting` is called ten times a
    /// second and may give up.
    ///
    /// # Errors
    /// Those of the system in making the lock file, [`io::ErrorKind::Unsupported`] where the file
    /// system has no locks, and [`io::ErrorKind::Interrupted`] if `waiting` gave up.
    pub fn take(
        path: impl AsRef<Path>,
        mut waiting: impl FnMut() -> ControlFlow<()>,
    ) -> io::Result<BuildLock> {
        let path = beside(path.as_ref(), "lock");
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            let what = format!("{} is in the way: it is not a file", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what)); // opening a pipe would wait
        }
        loop {
            let file = File::options().create(true).append(true).open(&path)?;
            match file.try_lock() {
                // The last holder removes the lock file before it releases it. If that happened between open and
                // lock, no other process would see this lock: try again.
                Ok(()) if is_at(&file, &path) => return Ok(BuildLock { file, path }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if waiting().is_break() {
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
                Err(TryLockError::Error(error)) => return Err(error),
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

/// Returns whether `file` is the file that has this path now; always on systems where lock files are not removed.
fn is_at(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| stamp(&metadata).identity;
    let (ours, theirs) = (file.metadata().map(id), fs::metadata(path).map(id));
    ours.is_ok_and(|ours| theirs.is_ok_and(|theirs| ours == theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_use_is_replaced_and_no_other_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let (new, old) = (dir.path().join("new"), dir.path().join("old"));
        fs::write(&new, "new").unwrap();
        fs::write(&old, "old").unwrap();
        let mut open = File::open(&old).unwrap();
        replace_in_use(&new, &old).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "new");
        assert_eq!(io::read_to_string(&mut open).unwrap(), "old");
        drop(open);
        remove_leftovers(&old);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        // Without a new file the old one stays in its place.
        assert!(replace_in_use(&new, &old).is_err());
        assert_eq!(fs::read_to_string(&old).unwrap(), "new");
    }
}
