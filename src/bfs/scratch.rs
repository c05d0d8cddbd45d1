//! The folder of a search whose slabs live in files.
//!
//! Its manifest, a few lines of text with a checksum, says which search it is and how many states each
//! finished level has. It is replaced when all files of a level are there, so a search that is ended at
//! any moment goes on from the last finished level. Files of other levels are leftovers, and removed.
//! Only the manifest is forced to the disk, so a power failure may damage the others: their
//! checksums tell.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::basics::{free_disk, size_text};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::colour_planes::Kept;
use super::error::SearchError;
use super::layout::Colour;
use super::slab_file::{self, Pieces};

/// Why a search in a scratch folder was not begun, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScratchError {
    /// The search could not be begun.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The memory that it may take is not enough even for the smallest slabs.
    #[error("a search of {shape} boards in slabs needs {} of memory, and may take {}",
        size_text(*needed), size_text(*given))]
    LittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it may take.
        given: u64,
    },
    /// The folder's disk is too small.
    #[error("a search of {shape} boards needs about {} in {}, where {} are free",
        size_text(*needed), folder.display(), size_text(*free))]
    LittleDisk {
        /// The shape that was asked for.
        shape: Shape,
        /// The folder.
        folder: PathBuf,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// There are files in the folder that no search has left.
    #[error("{} is not empty, and no scratch folder of a search; it is left as it is", .0.display())]
    NotOurs(PathBuf),
    /// The folder holds another search.
    #[error("{} holds another search ({found}); it is left as it is", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What its manifest says.
        found: String,
    },
    /// The folder holds the search of another number of ranks.
    #[error("{} holds a search that was begun with {begun_with} {}, and goes on with as many",
        folder.display(), if *begun_with == 1 { "process" } else { "ranks" })]
    OtherRanks {
        /// The folder.
        folder: PathBuf,
        /// How many ranks it was begun with.
        begun_with: usize,
    },
    /// The folders of the ranks do not hold the same search.
    #[error("the ranks' folders in {} are not those of one search: each rank goes on only where its own is", .0.display())]
    Apart(PathBuf),
    /// Another process uses the folder.
    #[error("another search is at work in {}", .0.display())]
    Busy(PathBuf),
    /// A file of the folder is not as it was written.
    #[error("{} is damaged: remove the folder and begin anew", .0.display())]
    Damaged(PathBuf),
    /// The system could not read or write a file. The last finished level is still there.
    #[error("{}: {cause}; the search can go on from its last finished level", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The observer ended the search, which can go on from its last finished level.
    #[error("interrupted; the search can go on from its last finished level")]
    Interrupted,
}

/// A folder that belongs to one search.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Is it the folder of a rank, in one of all?
    is_shared: bool,
    /// What the manifest begins with.
    head: String,
    /// Held while the search runs.
    lock: File,
    read: AtomicU64,
    written: AtomicU64,
}

/// What a search that goes on has begun with: the leading digits, and the finished levels.
pub type Begun = (usize, Vec<u64>);

const MANIFEST: &str = "manifest";
const LOCK: &str = "lock";

/// What every manifest begins with, with its version.
const TITLE: &str = "puzzledb scratch 1";

impl Scratch {
    /// Takes a folder, made if it is missing, for a search, or for the share of a rank of several, which
    /// has a folder in it; and what was found there: the number of leading digits and the finished
    /// levels. Nothing else in it is changed.
    pub fn take(
        folder: &Path,
        class: GoalClass,
        kept: Kept,
        (rank, ranks): (usize, usize),
    ) -> Result<(Scratch, Option<Begun>), ScratchError> {
        let of_rank = |rank: usize| folder.join(format!("rank-{rank}"));
        let (own, others) = match ranks {
            1 => (folder.to_owned(), of_rank(0)),
            _ => (of_rank(rank), folder.to_owned()),
        };
        let is_shared = |name: &String| name.starts_with("rank-");
        let found = manifest(&own)?;
        let others = manifest(&others).ok().flatten();
        let mut begun_with = [&found, &others]
            .into_iter()
            .flatten()
            .map(|text| ranks_of(text));
        if let Some(begun_with) = begun_with.find(|begun_with| *begun_with != ranks) {
            return Err(ScratchError::OtherRanks {
                folder: folder.to_owned(),
                begun_with,
            });
        }
        let is_new = folder.read_dir().is_err();
        if ranks > 1 && !is_new && !names(folder).map_err(at(folder))?.iter().all(is_shared) {
            return Err(ScratchError::NotOurs(folder.to_owned()));
        }
        fs::create_dir_all(&own).map_err(at(&own))?;
        let not_ours = || ScratchError::NotOurs(own.clone());
        if !are_files(&own).map_err(at(&own))? {
            return Err(not_ours());
        }
        // A search that is ended while it makes or removes its files may leave no manifest.
        let names = names(&own).map_err(at(&own))?;
        if found.is_none() && !names.iter().all(|name| is_ours(name)) {
            return Err(not_ours());
        }
        let path = own.join(LOCK);
        let lock = File::create(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ScratchError::Busy(own)),
            Err(TryLockError::Error(cause)) => return Err(at(&path)(cause)),
        }
        let scratch = Scratch {
            folder: own,
            is_shared: ranks > 1,
            head: head(class, kept, rank, ranks),
            lock,
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        };
        let found = manifest(&scratch.folder)?; // as whoever had the lock has left it
        let begun = found.map(|text| scratch.parse(&text, class)).transpose()?;
        Ok((scratch, begun))
    }

    /// Is there room for so many bytes on the folder's disk?
    pub fn has_room(&self, class: GoalClass, needed: u64) -> Result<(), ScratchError> {
        match free_disk(&self.folder).filter(|&free| free < needed) {
            None => Ok(()),
            Some(free) => Err(ScratchError::LittleDisk {
                shape: class.shape().transposed(),
                folder: self.folder.clone(),
                needed,
                free,
            }),
        }
    }

    /// Begins after these levels, of which all files are there.
    pub fn begin(&mut self, digits: usize, levels: &[u64]) -> Result<(), ScratchError> {
        self.head += &format!("leading digits {digits}\n");
        self.finish_level(levels)?;
        self.remove_leftovers(levels)
    }

    /// The leading digits and the levels of a manifest.
    fn parse(&self, text: &str, class: GoalClass) -> Result<Begun, ScratchError> {
        let Some(rest) = text.strip_prefix(&self.head) else {
            let found: Vec<&str> = text.lines().skip(1).take(2).collect();
            return Err(ScratchError::Other {
                folder: self.folder.clone(),
                found: found.join(", "),
            });
        };
        let parsed = (|| {
            let (rest, sum) = rest.split_at_checked(rest.len().checked_sub(SUM)?)?;
            if sum != checksum(&text[..text.len() - SUM]) {
                return None;
            }
            let (digits, levels) = rest.strip_prefix("leading digits ")?.split_once('\n')?;
            let (levels, end) = levels.strip_prefix("levels")?.split_once('\n')?;
            let numbers = levels.split_whitespace().map(|number| number.parse().ok());
            let levels = numbers.collect::<Option<Vec<u64>>>()?;
            let sum = levels
                .iter()
                .try_fold(0u64, |sum, states| sum.checked_add(*states))?;
            (end.is_empty() && sum <= class.states() && levels.len() < 256)
                .then_some((digits.parse().ok()?, levels))
        })();
        parsed.ok_or_else(|| self.damaged())
    }

    /// The error of a folder whose files contradict each other, or its manifest.
    pub fn damaged(&self) -> ScratchError {
        ScratchError::Damaged(self.folder.join(MANIFEST))
    }

    /// The error of a system that gives no thread.
    pub fn no_thread(&self, cause: io::Error) -> ScratchError {
        at(&self.folder)(cause)
    }

    /// Writes the manifest; all files of these levels are there.
    pub fn finish_level(&self, levels: &[u64]) -> Result<(), ScratchError> {
        let numbers: String = levels.iter().map(|states| format!(" {states}")).collect();
        let mut text = format!("{}levels{numbers}\n", self.head);
        text += &checksum(&text);
        let (path, new) = (self.folder.join(MANIFEST), self.folder.join("manifest.new"));
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written
            .and_then(|()| fs::rename(&new, &path))
            .map_err(at(&path))
    }

    /// Removes the files of all levels but the last two, unfinished ones, and, where no level is
    /// finished, those of an earlier search.
    pub fn remove_leftovers(&self, levels: &[u64]) -> Result<(), ScratchError> {
        let last = levels.len();
        for name in names(&self.folder).map_err(at(&self.folder))? {
            let level = name
                .strip_prefix("level-")
                .and_then(|rest| rest.split('-').next());
            let level = level.and_then(|level| level.parse::<usize>().ok());
            let old = level.is_some_and(|level| !(last.saturating_sub(2)..last).contains(&level))
                || last == 0 && name.starts_with("bit-one-")
                || name.ends_with(".new");
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

    /// These pieces have been read.
    pub fn has_read(&self, pieces: &Pieces) {
        self.read.fetch_add(pieces.bytes(), Ordering::Relaxed);
    }

    /// Writes a file of pieces, first beside its place.
    pub fn write(&self, path: &Path, pieces: &[Vec<u8>]) -> Result<(), ScratchError> {
        let new = path.with_extension("new");
        let written = slab_file::write(&new, pieces).map_err(at(&new))?;
        self.written.fetch_add(written, Ordering::Relaxed);
        fs::rename(&new, path).map_err(at(path))
    }

    /// Bytes that have been read and written.
    pub fn bytes_moved(&self) -> (u64, u64) {
        let load = |bytes: &AtomicU64| bytes.load(Ordering::Relaxed);
        (load(&self.read), load(&self.written))
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

    /// Removes the files, and the folder if nothing else is in it. Errors are ignored: what is
    /// left does no harm.
    pub fn remove(&self) {
        let _ = fs::remove_file(self.folder.join(MANIFEST)); // first: the others are worth nothing
        for name in names(&self.folder).unwrap_or_default() {
            if is_ours(&name) {
                let _ = fs::remove_file(self.folder.join(name));
            }
        }
        let _ = self.lock.unlock();
        let _ = fs::remove_dir(&self.folder);
        if let Some(all) = self.folder.parent().filter(|_| self.is_shared) {
            let _ = fs::remove_dir(all); // the last rank
        }
    }
}

/// The last line of a manifest, which has this text before it.
fn checksum(text: &str) -> String {
    format!("CRC-32 {:08x}\n", crc32fast::hash(text.as_bytes()))
}

/// Bytes of a [`checksum`].
const SUM: usize = 16;

/// What a search's manifest begins with.
fn head(class: GoalClass, kept: Kept, rank: usize, ranks: usize) -> String {
    let keeps = match kept {
        Kept::Nothing => "counts".to_owned(),
        Kept::BitOne => "distances".to_owned(),
        Kept::Proof(checksum) => format!("proof {checksum:08x}"),
    };
    let share = match ranks {
        1 => String::new(),
        _ => format!("rank {rank} of {ranks}\n"),
    };
    format!("{TITLE}\n{keeps} of {}\n{share}", class.name())
}

/// The number of ranks of the search that this manifest is of.
fn ranks_of(manifest: &str) -> usize {
    let share = manifest
        .lines()
        .nth(2)
        .and_then(|line| line.strip_prefix("rank "));
    let ranks = share.and_then(|share| share.split(' ').next_back()?.parse().ok());
    ranks.unwrap_or(1)
}

/// The manifest of a folder, if there is one.
fn manifest(folder: &Path) -> Result<Option<String>, ScratchError> {
    let path = folder.join(MANIFEST);
    let not_ours = || Err(ScratchError::NotOurs(folder.to_owned()));
    match fs::symlink_metadata(&path) {
        Ok(there) if !there.is_file() => return not_ours(), // opening a pipe would wait
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(&path)(error)),
    }
    match fs::read_to_string(&path) {
        Ok(text) if text.starts_with(TITLE) => Ok(Some(text)),
        Ok(_) => not_ours(),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => not_ours(),
        Err(error) => Err(at(&path)(error)),
    }
}

/// Is this the name of a file that a search makes in its folder?
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".new").unwrap_or(name);
    let numbers = ["level-", "bit-one-"]
        .iter()
        .find_map(|kind| name.strip_prefix(kind));
    [MANIFEST, LOCK].contains(&name)
        || numbers.is_some_and(|rest| rest.bytes().all(|b| b == b'-' || b.is_ascii_digit()))
}

/// Is what has the names of our files a file, and no link or pipe that others have put there?
fn are_files(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_ours(&entry.file_name().to_string_lossy()) && !entry.file_type()?.is_file() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The names in a folder.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    fs::read_dir(folder)?.map(|entry| entry.map(name)).collect()
}

/// The error of a file.
pub fn at(path: &Path) -> impl Fn(io::Error) -> ScratchError + '_ {
    move |cause| match cause.kind() {
        io::ErrorKind::InvalidData => ScratchError::Damaged(path.to_owned()),
        _ => ScratchError::Io {
            path: path.to_owned(),
            cause,
        },
    }
}
