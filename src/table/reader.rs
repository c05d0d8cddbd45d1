//! Reading a table: distances, parent moves and walks to the goal.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::puzzle::Move;
use crate::space::{Ranking, State, StateIndex};

use super::bytes::{Bytes, Opener};
use super::encoding::Encoding;
use super::format::FormatError;
use super::header::Header;
use super::sections::Sections;
use super::watch::WatchedFile;

/// Reason why a file could not be opened as a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The system could not read it.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// It could be read, but is not an undamaged database.
    #[error("{} {cause}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Fault in its contents.
        #[source]
        cause: FormatError,
    },
}

/// A database: the distance of every state of a class.
///
/// ```
/// use puzzledb::Cancel;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::{GoalClass, StateIndex};
/// use puzzledb::table::{Encoding, Table, build};
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let bytes = build(class, Encoding::Full, 1, &Cancel::new())?.unwrap();
/// let table = Table::from_bytes(bytes)?;
/// let ranking = table.ranking();
/// assert_eq!(table.distance(ranking.goal()), Some(0));
/// assert_eq!(table.distance(ranking.state(StateIndex(0))), Some(22)); // 0 1 2 3 4 5 6 7 8
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    contents: Sections,
    header: Header,
    ranking: Ranking,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = &self.header;
        f.debug_struct("Table")
            .field("header", header)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Opens a file and checks its header, its exact length and the checksum of its checksums.
    ///
    /// A file of up to 16 MiB ([`COPIED`](super::bytes::COPIED)), or of up to a quarter of the free memory, is copied and
    /// verified; later changes of the file do not change an answer. Of a larger one, chunks are copied and verified when
    /// they are asked for, and answers come from the copies alone, of which as many are kept as fit that memory. A chunk
    /// that was changed is damage. [`Table::map`] opens a large file faster, and is unsafe.
    ///
    /// ```
    /// use puzzledb::table::Table;
    ///
    /// let file = std::env::temp_dir().join(format!("open-{}.pzdb", std::process::id()));
    /// std::fs::copy("tests/v1/3x3.bit.pzdb", &file)?;
    /// let table = Table::open(&file)?;
    /// std::fs::write(&file, "another program's bytes")?;
    /// assert!(table.verify().is_ok());
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OpenError`] names the file and the fault.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, OpenError> {
        Table::open_by(path.as_ref(), Bytes::open)
    }

    /// Opens a file as [`Table::open`] does, from the bytes that `open` returns.
    ///
    /// # Errors
    /// As [`Table::open`].
    #[doc(hidden)]
    pub fn open_by(path: &Path, open: Opener) -> Result<Table, OpenError> {
        opened(path, open, Table::from_bytes)
    }

    /// Maps a file of more than 16 MiB and checks it as [`Table::open`] does; a chunk is verified before its bytes are
    /// used.
    ///
    /// # Safety
    /// As [`Bytes::map`]: while the table is used, no program may write to its file or shorten it.
    ///
    /// # Errors
    /// As [`Table::open`].
    #[allow(unsafe_code)]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Table, OpenError> {
        // SAFETY: the caller keeps others from changing the file.
        Table::open_by(path.as_ref(), |path| unsafe { Bytes::map(path) })
    }

    /// Opens the table in `bytes`, checked as [`Table::open`] does.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Table, FormatError> {
        let (header, contents) = Header::open(bytes.into(), false)?;
        Ok(Table {
            contents,
            ranking: Ranking::new(header.class()),
            header,
        })
    }

    /// The file, unless it has up to 16 MiB.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.contents.file()
    }

    /// First damage found in the file. Answers computed since then must not be returned.
    #[inline]
    pub fn damage(&self) -> Option<&FormatError> {
        self.contents.damage()
    }

    /// Contents of the first page.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The numbering of the states.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The whole file, as it is.
    pub fn bytes(&self) -> &Bytes {
        self.contents.bytes()
    }

    /// Verifies all chunks.
    ///
    /// # Errors
    /// [`FormatError::Chunks`] names those that are damaged.
    pub fn verify(&self) -> Result<(), FormatError> {
        self.contents.verify()
    }

    /// The length of a shortest solution, in moves: one read of a full table, a walk down a bit
    /// table. `None` if the walk does not lead to the goal, in a table that is wrong or damaged.
    #[inline]
    pub fn distance(&self, state: State) -> Option<u8> {
        let distance = match self.header.encoding() {
            Encoding::Full => self.stored_distance(self.ranking.index(state)),
            Encoding::Bit => {
                let mut distance = 0;
                let end = self.walk(state).run(|_| distance += 1);
                if end != self.ranking.goal() {
                    return None;
                }
                distance
            }
        };
        self.damage().is_none().then_some(distance)
    }

    /// The distance modulo 4: one read of either encoding.
    #[inline]
    pub fn distance_mod_4(&self, state: State) -> u8 {
        let index = self.ranking.index(state);
        match self.header.encoding() {
            Encoding::Full => self.stored_distance(index) & 3,
            Encoding::Bit => {
                let odd = self.ranking.is_odd(state.blank.into());
                let byte = self.contents.section(0).byte(index.0 as usize / 8);
                u8::from(odd) + 2 * (byte >> (index.0 % 8) & 1)
            }
        }
    }

    /// A field of the distances section.
    #[inline]
    pub(crate) fn stored_distance(&self, index: StateIndex) -> u8 {
        let width = self.header.distance_bits();
        let bit = index.0 as usize * width as usize;
        // A field of 8 bits at most spans two bytes.
        let pair = self.contents.section(0).pair(bit / 8);
        (pair >> (bit % 8) & ((1 << width) - 1)) as u8
    }

    /// The bit section from a state on as words of `count` bits, which lie within eight bytes each, as
    /// those of the search's planes do.
    pub(crate) fn words_of_bits(&self, first: StateIndex, count: u32, words: &mut [u64]) {
        let (section, mask) = (self.contents.section(0), (1 << count) - 1);
        let bit = |i: usize| first.0 as usize + i * count as usize;
        let begin = bit(0) / 8;
        let bytes = section.range(begin..section.len().min(bit(words.len()) / 8 + 8));
        for (i, word) in words.iter_mut().enumerate() {
            let bytes = &bytes[bit(i) / 8 - begin..];
            let eight = bytes.first_chunk().copied().unwrap_or_else(|| {
                let mut last = [0; 8];
                last[..bytes.len()].copy_from_slice(bytes);
                last
            });
            *word = u64::from_le_bytes(eight) >> (bit(i) % 8) & mask;
        }
    }

    /// The stored parent move of a state of a full table; meaningless at the goal.
    #[inline]
    pub(crate) fn stored_parent(&self, index: StateIndex) -> Move {
        parent_in(|at| self.contents.section(1).byte(at), index)
    }

    /// The canonical moves that lead one step closer, in move order, each with the state that it leads to.
    pub fn closer(&self, state: State) -> impl Iterator<Item = (Move, State)> {
        let closer = self.distance_mod_4(state).wrapping_sub(1) & 3;
        let away = state != self.ranking.goal();
        Move::ALL
            .into_iter()
            .filter_map(move |mv| Some((mv, self.ranking.step(state, mv)?)))
            .filter(move |&(_, next)| away && self.distance_mod_4(next) == closer)
    }

    /// A shortest path from a state to the goal, by parent moves.
    #[inline]
    pub fn walk(&self, state: State) -> Walk<'_> {
        let left = match self.header.encoding() {
            Encoding::Full => self.stored_distance(self.ranking.index(state)),
            Encoding::Bit => self.header.max_distance(),
        };
        Walk {
            table: self,
            state,
            left,
        }
    }
}

/// The parent move of a state, in a section whose bytes `parents` returns.
#[inline]
fn parent_in(parents: impl Fn(usize) -> u8, index: StateIndex) -> Move {
    Move::from_code(parents(index.0 as usize / 4) >> (index.0 % 4 * 2))
}

impl OpenError {
    /// Returns whether the file is a good one of another kind: of patterns instead of a table, or the reverse.
    pub fn is_of_other_kind(&self) -> bool {
        match self {
            OpenError::Format { cause, .. } => matches!(cause, FormatError::OtherKind { .. }),
            OpenError::Io { .. } => false,
        }
    }

    /// Adds the path to an error of the system, in `map_err`.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> OpenError + '_ {
        |cause| OpenError::Io {
            path: path.to_owned(),
            cause,
        }
    }

    /// Adds the path to the error of a file's contents, in `map_err`.
    #[doc(hidden)]
    pub fn at(path: &Path) -> impl FnOnce(FormatError) -> OpenError + '_ {
        |cause| OpenError::Format {
            path: path.to_owned(),
            cause,
        }
    }
}

/// Opens a file and reads its bytes, and adds its path to errors.
pub(crate) fn opened<T>(
    path: &Path,
    open: Opener,
    read: impl FnOnce(Bytes) -> Result<T, FormatError>,
) -> Result<T, OpenError> {
    let bytes = open(path).map_err(OpenError::io(path))?;
    read(bytes).map_err(OpenError::at(path))
}

/// The moves of [`Table::walk`]: canonical moves, each one step closer to the goal.
#[derive(Debug)]
pub struct Walk<'a> {
    table: &'a Table,
    state: State,
    /// Moves left: their exact number for a full table; for a bit table an upper bound from the
    /// largest distance, so that a walk ends even in a damaged table.
    left: u8,
}

impl Walk<'_> {
    /// Calls `step` with every move and returns the last state, which is the goal unless the table is wrong. Faster
    /// than the iterator, since it looks at the encoding only once.
    #[inline]
    pub fn run(mut self, mut step: impl FnMut(Move)) -> State {
        let Table {
            contents, ranking, ..
        } = self.table;
        let parents = match self.table.header.encoding() {
            Encoding::Full => contents.section(1).verified(),
            Encoding::Bit => None,
        };
        match parents {
            Some(parents) => {
                for _ in 0..self.left {
                    let mv = parent_in(|at| parents[at], ranking.index(self.state));
                    self.state = ranking.after(self.state, mv);
                    step(mv);
                }
            }
            None => self.by_ref().for_each(step),
        }
        self.state
    }
}

impl Iterator for Walk<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let table = self.table;
        self.left = self.left.checked_sub(1)?;
        let (mv, next) = match table.header.encoding() {
            Encoding::Full => {
                let mv = table.stored_parent(table.ranking.index(self.state));
                (mv, table.ranking.after(self.state, mv))
            }
            Encoding::Bit => table.closer(self.state).next()?,
        };
        self.state = next;
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Table {
        /// Opens a table as [`Table::from_bytes`] does, with checksums that are made for what is there.
        pub(crate) fn unverified(bytes: Vec<u8>) -> Result<Table, FormatError> {
            let header = Header::of_page(&bytes, false)?;
            let mut file = io::Cursor::new(Vec::new());
            let written = header.clone().write_file(&mut file, |i, out| {
                let section = &header.sections()[i];
                out.write_all(&bytes[section.offset..][..section.length])
            });
            written.expect("memory takes everything");
            Table::from_bytes(file.into_inner())
        }
    }
}
