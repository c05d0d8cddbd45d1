//! The bytes of a table, in memory or mapped from a file.
//!
//! The only `unsafe` code of the project is here. If another program shortens or changes a mapped
//! file, a slice changes that Rust takes to be constant, or is there no more, of which the system
//! tells by a signal.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::watch::MappedFile;

/// The bytes of a table: owned, or a mapped file.
///
/// ```
/// use puzzledb::table::Bytes;
///
/// let bytes = Bytes::from(vec![1, 2, 3]);
/// assert_eq!(bytes.as_ref(), [1, 2, 3]);
/// ```
#[derive(Debug)]
pub struct Bytes(Source);

#[derive(Debug)]
enum Source {
    Owned(Vec<u8>),
    Mapped(Mmap, Arc<MappedFile>),
}

impl Bytes {
    /// Maps a file for reading.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::IsADirectory`] for a folder and
    /// [`io::ErrorKind::InvalidInput`] for a pipe or a device.
    pub fn map(path: impl AsRef<Path>) -> io::Result<Bytes> {
        let file = open_file(path.as_ref())?;
        if file.metadata()?.len() == 0 {
            return Ok(Vec::new().into()); // there is nothing to map
        }
        let watched = MappedFile::new(path.as_ref(), &file)?;
        // SAFETY: our own writers never change a database in place: they write a temporary file
        // and rename it, so the mapped file keeps its bytes as long as it is mapped. Another
        // program that truncates it while it is in use would end this process with SIGBUS, and
        // one that writes to it could make a look-up wrong; every look-up checks its bounds
        // against the length of the mapping, so neither reaches memory that is not ours.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes(Source::Mapped(map, watched)))
    }

    /// Reads a file of at most `largest` bytes into memory; maps a larger one.
    ///
    /// # Errors
    /// As [`Bytes::map`].
    pub fn read(path: impl AsRef<Path>, largest: u64) -> io::Result<Bytes> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        // One byte more than the most tells whether the file is larger, even while it grows.
        open_file(path)?.take(largest + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > largest {
            true => Bytes::map(path),
            false => Ok(bytes.into()),
        }
    }

    /// The file, if they are mapped from one.
    pub fn file(&self) -> Option<&MappedFile> {
        match &self.0 {
            Source::Owned(_) => None,
            Source::Mapped(_, file) => Some(file),
        }
    }
}

/// From now on, when a mapped file cannot be read any more (SIGBUS: it was cut short, or its disk
/// failed), `report` is called on a thread of its own and the thread that reads goes no further.
/// `report` has to end the process.
///
/// # Errors
/// Those of the system in making a pipe, a thread and a signal handler.
#[cfg(all(unix, feature = "cli"))]
pub(crate) fn on_unreadable(report: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    let (mut failed, tell) = io::pipe()?;
    let wait = move || {
        if failed.read_exact(&mut [0]).is_ok() {
            report();
        }
    };
    let name = "unreadable files".to_owned();
    std::thread::Builder::new().name(name).spawn(wait)?;
    let _ = UNREADABLE.set(tell);
    let handler = SigHandler::Handler(tell_unreadable);
    let action = SigAction::new(handler, SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler only calls write(2) and nanosleep(2), which a signal handler may call at any
    // moment; it takes no lock, allocates nothing and does not return. Crates that call handlers for their
    // users call the one before first, and that of the standard library takes all handlers away.
    #[allow(unsafe_code)]
    let set = unsafe { sigaction(Signal::SIGBUS, &action) };
    set.map(drop).map_err(io::Error::from)
}

/// Where the signal handler writes to.
#[cfg(all(unix, feature = "cli"))]
static UNREADABLE: std::sync::OnceLock<io::PipeWriter> = std::sync::OnceLock::new();

#[cfg(all(unix, feature = "cli"))]
extern "C" fn tell_unreadable(_signal: std::ffi::c_int) {
    use std::io::Write;
    if let Some(mut tell) = UNREADABLE.get() {
        let _ = tell.write(&[0]);
    }
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

/// Opens a regular file for reading.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let metadata = std::fs::metadata(path)?; // before opening: opening a pipe would wait
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        let what = "it is a pipe, a device or the like, and no file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    File::open(path)
}

impl AsRef<[u8]> for Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Source::Owned(bytes) => bytes,
            Source::Mapped(map, _) => map,
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Source::Owned(bytes))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        bytes.to_vec().into()
    }
}
