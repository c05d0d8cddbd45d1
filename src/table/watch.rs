//! Mapped files, and whether they still are what was mapped.
//!
//! A mapped table has the bytes of its file, also if these change. Nothing can prevent that, but a process
//! that asks before and after its questions whether a file was changed gives no wrong answer.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// A file that this process has mapped.
#[derive(Debug)]
pub struct MappedFile {
    path: PathBuf,
    stamp: Stamp,
}

/// What tells a file from another, and from itself once it was written to.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    /// Device and number on it, where the system has them.
    identity: Option<(u64, u64)>,
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn new(metadata: &Metadata) -> Stamp {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Stamp {
            identity,
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// The mapped files of this process.
static MAPPED: Mutex<Vec<Weak<MappedFile>>> = Mutex::new(Vec::new());

impl MappedFile {
    /// Watches a file that is about to be mapped.
    pub(super) fn new(path: &Path, file: &File) -> io::Result<Arc<MappedFile>> {
        let mapped = Arc::new(MappedFile {
            path: std::path::absolute(path)?,
            stamp: Stamp::new(&file.metadata()?),
        });
        let mut all = MAPPED.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|file| file.strong_count() > 0);
        all.push(Arc::downgrade(&mapped));
        Ok(mapped)
    }

    /// The file's path when it was mapped.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Was it written to, cut short, replaced or removed since?
    pub fn has_changed(&self) -> bool {
        !fs::metadata(&self.path).is_ok_and(|now| Stamp::new(&now) == self.stamp)
    }
}

/// The files that this process has mapped and not unmapped again.
///
/// ```
/// use puzzledb::table::{Table, mapped_files};
///
/// let table = Table::open("tests/v1/3x3.bit.pzdb")?;
/// assert!(mapped_files().iter().any(|file| file.path().ends_with("3x3.bit.pzdb")));
/// assert!(mapped_files().iter().all(|file| !file.has_changed()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mapped_files() -> Vec<Arc<MappedFile>> {
    let all = MAPPED.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter_map(Weak::upgrade).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::bytes::Bytes;

    #[test]
    fn whatever_happens_to_a_mapped_file_is_seen() {
        type Change = fn(&std::path::Path);
        let changes: [(&str, bool, Change); 7] = [
            ("nothing", false, |_| {}),
            ("it is read", false, |file| drop(fs::read(file))),
            ("other bytes", true, |file| fs::write(file, "B").unwrap()),
            ("cut short", true, |file| fs::write(file, "").unwrap()),
            ("removed", true, |file| fs::remove_file(file).unwrap()),
            ("written in 1970, as its time has it", true, |file| {
                let file = fs::File::options().write(true).open(file).unwrap();
                file.set_modified(std::time::UNIX_EPOCH).unwrap();
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
            let bytes = Bytes::map(&path).unwrap();
            // The system's clock of files has ticks of some milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(20));
            change(&path);
            assert_eq!(bytes.file().unwrap().has_changed(), changed, "{what}");
        }
    }
}
