//! Open files, and detection of changes to them.
//!
//! A mapped table reads the bytes of its file, even if these change. That cannot be prevented, but a process that checks
//! the file for changes before and after its queries returns no wrong answer.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::SystemTime;

use super::format::FormatError;

/// A file of more than 16 MiB that this process has opened.
#[derive(Debug)]
pub struct WatchedFile {
    path: PathBuf,
    stamp: Stamp,
    damage: OnceLock<FormatError>,
}

/// Damage of an open file, met while it was read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {cause}", path.display())]
#[non_exhaustive]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// What is damaged.
    #[source]
    pub cause: FormatError,
}

/// Metadata that distinguishes a file from others, and from itself before a write.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Device and number on it; zeros where the system does not have them.
    pub identity: [u64; 2],
    /// Its length, the time of the last write to it, and that of the last change of its contents or its entry, in seconds
    /// and nanoseconds; zeros where the system does not have it. No program can set this last time back.
    contents: (u64, Option<SystemTime>, [i64; 2]),
}

/// The stamp of a file with this metadata.
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    #[cfg(unix)]
    let (identity, changed) = {
        use std::os::unix::fs::MetadataExt;
        let identity = [metadata.dev(), metadata.ino()];
        (identity, [metadata.ctime(), metadata.ctime_nsec()])
    };
    #[cfg(not(unix))]
    let (identity, changed) = ([0; 2], [0; 2]);
    let contents = (metadata.len(), metadata.modified().ok(), changed);
    Stamp { identity, contents }
}

/// The open files of this process.
static OPEN: Mutex<Vec<Weak<WatchedFile>>> = Mutex::new(Vec::new());

impl WatchedFile {
    /// Watches a file that is about to be mapped or read by position.
    pub(super) fn new(path: &Path, file: &File) -> io::Result<Arc<WatchedFile>> {
        let watched = Arc::new(WatchedFile {
            path: std::path::absolute(path)?,
            stamp: stamp(&file.metadata()?),
            damage: OnceLock::new(),
        });
        let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|file| file.strong_count() > 0);
        all.push(Arc::downgrade(&watched));
        Ok(watched)
    }

    /// The file's path when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the file was written to, cut short, replaced or removed since it was opened.
    pub fn has_changed(&self) -> bool {
        !fs::metadata(&self.path).is_ok_and(|now| stamp(&now) == self.stamp)
    }

    /// First damage found. Answers computed since then may rest on damaged bytes.
    #[inline]
    pub fn damage(&self) -> Option<&FormatError> {
        self.damage.get()
    }

    /// Fails if damage was met. Must be called after the work for an answer and before it is returned.
    pub(crate) fn undamaged(&self) -> Result<(), Box<Damage>> {
        let Some(cause) = self.damage() else {
            return Ok(());
        };
        Err(Box::new(Damage {
            path: self.path.clone(),
            cause: cause.clone(),
        }))
    }

    /// Records damage; the first is kept.
    pub(super) fn set_damage(&self, damage: FormatError) {
        let _ = self.damage.set(damage);
    }
}

/// The files of more than 16 MiB that this process has opened, and has not closed again.
///
/// ```no_run
/// use puzzledb::table::Table;
/// use puzzledb::internals::watched_files;
///
/// let table = Table::open("3x4.pzdb")?;
/// assert!(watched_files().iter().any(|file| file.path().ends_with("3x4.pzdb")));
/// assert!(watched_files().iter().all(|file| !file.has_changed()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn watched_files() -> Vec<Arc<WatchedFile>> {
    let all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter_map(Weak::upgrade).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::WatchedFile;

    #[test]
    fn whatever_happens_to_an_open_file_is_seen() {
        type Change = fn(&std::path::Path);
        let changes: [(&str, bool, Change); 8] = [
            ("nothing", false, |_| {}),
            ("it is read", false, |file| drop(fs::read(file))),
            ("other bytes", true, |file| fs::write(file, "B").unwrap()),
            ("cut short", true, |file| fs::write(file, "").unwrap()),
            ("removed", true, |file| fs::remove_file(file).unwrap()),
            ("written in 1970, as its time has it", true, |file| {
                let file = fs::File::options().write(true).open(file).unwrap();
                file.set_modified(std::time::UNIX_EPOCH).unwrap();
            }),
            // Where a system has no time of a change that cannot be set back, this is not seen.
            ("other bytes, and its time set back", cfg!(unix), |path| {
                let before = fs::metadata(path).unwrap().modified().unwrap();
                fs::write(path, "B").unwrap();
                let file = fs::File::options().write(true).open(path).unwrap();
                file.set_modified(before).unwrap();
            }),
            ("replaced by its copy", true, |file| {
                let copy = file.with_extension("copy");
                fs::copy(file, &copy).unwrap();
                fs::rename(copy, file).unwrap();
            }),
        ];
        for (what, changed, change) in changes {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            fs::write(&path, "A").unwrap();
            let watched = WatchedFile::new(&path, &fs::File::open(&path).unwrap()).unwrap();
            // The system's clock of files has ticks of some milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(20));
            change(&path);
            assert_eq!(watched.has_changed(), changed, "{what}");
        }
    }
}
