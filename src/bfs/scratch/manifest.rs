//! The manifest of a scratch folder, or of a rank's share of one: the search, and the number of states of
//! each finished level.
//!
//! It is a few lines of text with a checksum, replaced when all files of a level are there.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::space::GoalClass;

use super::super::engine::step::Kept;
use super::super::error::{ScratchError, at};
use super::super::ranks::exchange::Exchange;

/// The file's name.
pub const MANIFEST: &str = "manifest";

/// First line of every manifest, with its version.
const TITLE: &str = "puzzledb scratch 1";

/// State of a begun search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Leading digits that the states of a slab share.
    pub digits: usize,
    /// Number of states of each finished level.
    pub levels: Vec<u64>,
}

/// Search that a manifest is of, and the rank whose share it is.
#[derive(Clone, Copy, Debug)]
pub struct Manifest {
    pub class: GoalClass,
    pub kept: Kept,
    /// The checksum of the table that the search verifies.
    pub proof_of: Option<u32>,
    pub rank: usize,
    pub ranks: usize,
}

impl Manifest {
    /// Builds the manifest of this rank's share of a search.
    pub fn new(class: GoalClass, kept: Kept, exchange: &dyn Exchange) -> Manifest {
        Manifest {
            class,
            kept,
            proof_of: None,
            rank: exchange.rank(),
            ranks: exchange.ranks(),
        }
    }

    /// The manifest of another rank's share, or of a share among another number of ranks.
    pub fn of_rank(self, rank: usize, ranks: usize) -> Manifest {
        Manifest {
            rank,
            ranks,
            ..self
        }
    }

    /// The folder of the rank's share, in that of all; one process has no folder of its own.
    pub fn folder(&self, all: &Path) -> PathBuf {
        match self.ranks {
            1 => all.to_owned(),
            _ => all.join(format!("rank-{}", self.rank)),
        }
    }

    /// Reads the manifest at a path, if there is one.
    ///
    /// # Errors
    /// [`ScratchError::Other`] if it is of another search; [`ScratchError::Damaged`].
    pub fn read(&self, path: &Path) -> Result<Option<Begun>, ScratchError> {
        text(path)?.map(|text| self.parse(&text, path)).transpose()
    }

    /// Reads the manifest in an open file. Where a lock is mandatory, only its holder's handle can read.
    ///
    /// # Errors
    /// As [`read`](Manifest::read).
    pub fn read_open(&self, mut file: &File, path: &Path) -> Result<Begun, ScratchError> {
        let mut text = String::new();
        let read = file.read_to_string(&mut text);
        self.parse(&own_text(read.map(|_| text), path)?, path)
    }

    /// Reads the text of the manifest at a path.
    fn parse(&self, text: &str, path: &Path) -> Result<Begun, ScratchError> {
        let Some(rest) = text.strip_prefix(&self.head()) else {
            let found: Vec<&str> = text.lines().skip(1).take(2).collect();
            return Err(ScratchError::Other {
                folder: path.parent().unwrap_or(path).to_owned(),
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
            let digits = digits.parse().ok()?;
            (end.is_empty() && sum <= self.class.states() && levels.len() < 256)
                .then_some(Begun { digits, levels })
        })();
        let damaged = || ScratchError::Damaged(path.to_owned());
        parsed.ok_or_else(damaged)
    }

    /// Writes the manifest beside its place and renames it, so that it has the old contents or the new.
    ///
    /// # Errors
    /// [`ScratchError::Io`].
    pub fn write(&self, path: &Path, digits: usize, levels: &[u64]) -> Result<(), ScratchError> {
        let numbers: String = levels.iter().map(|states| format!(" {states}")).collect();
        let mut text = format!("{}leading digits {digits}\nlevels{numbers}\n", self.head());
        text += &checksum(&text);
        let new = path.with_extension("new");
        let _ = fs::remove_file(&new); // a link in its place is not followed
        let written = File::create_new(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written
            .and_then(|()| fs::rename(&new, path))
            .map_err(at(path))
    }

    /// First lines of the manifest.
    fn head(&self) -> String {
        let keeps = match (self.proof_of, self.kept) {
            (Some(checksum), _) => format!("proof {checksum:08x}"),
            (None, Kept::Nothing) => "counts".to_owned(),
            (None, Kept::BitOne) => "distances".to_owned(),
        };
        let share = match self.ranks {
            1 => String::new(),
            ranks => format!("rank {} of {ranks}\n", self.rank),
        };
        format!("{TITLE}\n{keeps} of {}\n{share}", self.class.name())
    }
}

/// The number of ranks of the search whose manifest is in a folder, if there is one.
///
/// # Errors
/// [`ScratchError::NotOurs`] if the file is not a manifest.
pub fn ranks_of(folder: &Path) -> Result<Option<usize>, ScratchError> {
    let text = text(&folder.join(MANIFEST))?;
    Ok(text.map(|text| {
        let share = text.lines().nth(2);
        let share = share.and_then(|line| line.strip_prefix("rank "));
        let ranks = share.and_then(|share| share.split(' ').next_back()?.parse().ok());
        ranks.unwrap_or(1)
    }))
}

/// State from which all ranks resume: the levels that all have finished. `None` if they are not of one
/// search.
///
/// A search may be ended when some ranks have finished a level and others have not.
pub fn common(begun: &[Begun]) -> Option<Begun> {
    let digits = begun.first()?.digits;
    let most = begun.iter().max_by_key(|begun| begun.levels.len())?;
    let fewest = begun.iter().map(|begun| begun.levels.len()).min()?;
    let is_of_one =
        |begun: &Begun| begun.digits == digits && most.levels.starts_with(&begun.levels);
    (begun.iter().all(is_of_one) && most.levels.len() <= fewest + 1).then(|| Begun {
        digits,
        levels: most.levels[..fewest].to_vec(),
    })
}

/// The text of a manifest, if there is one.
fn text(path: &Path) -> Result<Option<String>, ScratchError> {
    let there = is_file(path)?;
    let text = there.then(|| own_text(fs::read_to_string(path), path));
    text.transpose()
}

/// Returns whether there is a file at a path.
///
/// # Errors
/// [`ScratchError::NotOurs`] if it is something else: opening a pipe would wait.
pub fn is_file(path: &Path) -> Result<bool, ScratchError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => Ok(true),
        Ok(_) => Err(not_ours(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(at(path)(error)),
    }
}

/// The text read from a path, if it is that of a manifest.
fn own_text(read: io::Result<String>, path: &Path) -> Result<String, ScratchError> {
    match read {
        Ok(text) if text.starts_with(TITLE) => Ok(text),
        Ok(_) => Err(not_ours(path)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(not_ours(path)),
        Err(error) => Err(at(path)(error)),
    }
}

/// The error of a folder that has something else at the path of a manifest.
fn not_ours(path: &Path) -> ScratchError {
    ScratchError::NotOurs(path.parent().unwrap_or(path).to_owned())
}

/// The last line of a manifest, which has this text before it.
fn checksum(text: &str) -> String {
    format!("CRC-32 {:08x}\n", crc32fast::hash(text.as_bytes()))
}

/// Bytes of a [`checksum`].
const SUM: usize = 16;
