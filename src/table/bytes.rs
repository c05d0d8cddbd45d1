//! The bytes of a file: in memory, read by position, or mapped.
//!
//! The only `unsafe` code that maps a file is here; other functions of the library pass its contract on.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::Mmap;

use crate::basics::available_memory;

use super::watch::WatchedFile;

/// Files of up to this size are always copied into memory when they are opened.
pub const COPIED: u64 = 16 << 20;

/// The share of the free memory that a larger file may take: as a copy, or as copies of its chunks.
const SHARE: u64 = 4;

/// The most bytes that a file may take in memory now.
pub(super) fn memory_for_a_file() -> u64 {
    available_memory().map_or(COPIED, |free| COPIED.max(free / SHARE))
}

/// The bytes of a file: in memory, read by position, or mapped.
///
/// ```
/// use puzzledb::table::Bytes;
///
/// let bytes = Bytes::from(vec![1, 2, 3]);
/// assert_eq!(bytes.whole(), Some(&[1, 2, 3][..]));
/// assert_eq!(bytes.part(1, 2)?, [2, 3].as_slice());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Bytes {
    contents: Contents,
    /// The file, unless it has up to [`COPIED`] bytes.
    file: Option<Arc<WatchedFile>>,
}

#[derive(Debug)]
enum Contents {
    Memory(Vec<u8>),
    /// A file that several threads read at any position, and its length.
    ByPosition(Mutex<File>, u64),
    Mapped(Mmap),
}

/// Function that opens the bytes of a file.
pub type Opener = fn(&Path) -> io::Result<Bytes>;

impl Bytes {
    /// Copies a file into memory if it has up to [`COPIED`] bytes, or up to a quarter of the memory that is free. A
    /// larger one is read by position, when its bytes are asked for.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::IsADirectory`] for a folder and
    /// [`io::ErrorKind::InvalidInput`] for a pipe or a device.
    pub fn open(path: &Path) -> io::Result<Bytes> {
        let file = open_file(path)?;
        let mut bytes = Vec::new();
        // Reading one byte above the limit detects a larger file, even while it grows.
        (&file).take(COPIED + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= COPIED {
            return Ok(bytes.into());
        }
        let watched = WatchedFile::new(path, &file)?;
        let length = file.metadata()?.len();
        let left = length.saturating_sub(bytes.len() as u64) as usize;
        if length <= memory_for_a_file() && bytes.try_reserve_exact(left).is_ok() {
            file.take(left as u64).read_to_end(&mut bytes)?;
            return Ok(Bytes::of_file(Contents::Memory(bytes), watched));
        }
        Bytes::by_position(path)
    }

    /// Opens a file that is read by position, as [`Bytes::open`] does above its limits.
    ///
    /// # Errors
    /// As [`Bytes::open`].
    pub fn by_position(path: &Path) -> io::Result<Bytes> {
        let file = open_file(path)?;
        let (watched, length) = (WatchedFile::new(path, &file)?, file.metadata()?.len());
        let contents = Contents::ByPosition(file.into(), length);
        Ok(Bytes::of_file(contents, watched))
    }

    /// Maps a file for reading, if it has more than [`COPIED`] bytes, and copies a smaller one.
    ///
    /// # Safety
    /// While the file is mapped, no program may write to it or shorten it. Otherwise a slice changes that Rust
    /// takes to be constant, and reading behind the new end raises SIGBUS, which ends the process. The writers of
    /// this crate rename a new file over the old one, which leaves a mapped file as it is. A program that cannot
    /// exclude other writers must check [its file](Bytes::file) for changes before it returns an answer.
    ///
    /// # Errors
    /// As [`Bytes::open`].
    #[allow(unsafe_code)]
    pub unsafe fn map(path: &Path) -> io::Result<Bytes> {
        let file = open_file(path)?;
        if file.metadata()?.len() <= COPIED {
            return Bytes::open(path);
        }
        let watched = WatchedFile::new(path, &file)?;
        // SAFETY: the caller keeps others from changing the file.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes::of_file(Contents::Mapped(map), watched))
    }

    fn of_file(contents: Contents, file: Arc<WatchedFile>) -> Bytes {
        let file = Some(file);
        Bytes { contents, file }
    }

    /// The number of bytes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        match &self.contents {
            Contents::Memory(bytes) => bytes.len() as u64,
            Contents::ByPosition(_, length) => *length,
            Contents::Mapped(map) => map.len() as u64,
        }
    }

    /// All bytes, unless they are read by position.
    #[inline]
    pub fn whole(&self) -> Option<&[u8]> {
        match &self.contents {
            Contents::Memory(bytes) => Some(bytes),
            Contents::ByPosition(..) => None,
            Contents::Mapped(map) => Some(map),
        }
    }

    /// `length` bytes from position `at` on.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::UnexpectedEof`] if there are fewer bytes.
    pub fn part(&self, at: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        if let Contents::ByPosition(file, _) = &self.contents {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let mut part = vec![0; length];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut part)?;
            return Ok(part.into());
        }
        let (all, at) = (self.whole().unwrap_or_default(), usize::try_from(at));
        let part = at.ok().and_then(|at| all.get(at..)?.get(..length));
        Ok(part.ok_or(io::ErrorKind::UnexpectedEof)?.into())
    }

    /// Returns whether they are copied into memory, where changes of the file do not reach them.
    pub(super) fn are_copied(&self) -> bool {
        matches!(self.contents, Contents::Memory(_))
    }

    /// The file, unless it has up to [`COPIED`] bytes.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.file.as_deref()
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

impl<T: Into<Vec<u8>>> From<T> for Bytes {
    fn from(bytes: T) -> Bytes {
        let (contents, file) = (Contents::Memory(bytes.into()), None);
        Bytes { contents, file }
    }
}
