//! Reading a table: distances, parent moves and walks to the goal.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use bitvec::prelude::{BitSlice, Lsb0};

use crate::puzzle::Move;
use crate::space::{Ranking, State, StateIndex};

use super::bytes::Bytes;
use super::encoding::Encoding;
use super::format::FormatError;
use super::header::Header;
use super::watch::MappedFile;

/// Sections of files up to this size are checked when the file is opened.
pub(crate) const CHECKED_AT_OPEN: usize = 16 << 20;

/// Why a file could not be opened as a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The system could not read it.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It could be read, but is not an undamaged database.
    #[error("{} {cause}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: FormatError,
    },
}

/// A database: the distance of every state of a class.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::{GoalClass, StateIndex};
/// use puzzledb::table::{Encoding, Table, build};
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let bytes = build(class, Encoding::Full, 1, |_| ControlFlow::Continue(()))?.unwrap();
/// let table = Table::from_bytes(bytes)?;
/// let ranking = table.ranking();
/// assert_eq!(table.distance(ranking.goal()), Some(0));
/// assert_eq!(table.distance(ranking.state(StateIndex(0))), Some(22)); // 0 1 2 3 4 5 6 7 8
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    bytes: Bytes,
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
    /// Maps a file and checks it: the header, the file's exact length and, up to 16 MiB, the
    /// checksum of every section.
    ///
    /// The file must keep its bytes as long as the table is used. `puzzledb` itself never changes a
    /// database in place, but another program can: bytes that it overwrites make answers wrong,
    /// and a file that it cuts short ends this process with SIGBUS. A process that lives on
    /// uses [`Table::snapshot`], and asks whether [its file](Table::file) has changed.
    ///
    /// # Errors
    /// [`OpenError`] names the file and what is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, OpenError> {
        Table::from_file(path.as_ref(), |path| Bytes::map(path))
    }

    /// As [`Table::open`], but a file of up to 16 MiB is copied into memory before it is checked,
    /// so that nothing that happens to the file later changes an answer. A larger one is mapped.
    ///
    /// ```
    /// use puzzledb::table::Table;
    ///
    /// let file = std::env::temp_dir().join(format!("snapshot-{}.pzdb", std::process::id()));
    /// std::fs::copy("tests/v1/3x3.bit.pzdb", &file)?;
    /// let table = Table::snapshot(&file)?;
    /// std::fs::write(&file, "another program's bytes")?;
    /// assert!(table.check_sections().is_ok());
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn snapshot(path: impl AsRef<Path>) -> Result<Table, OpenError> {
        Table::from_file(path.as_ref(), |path| {
            Bytes::read(path, CHECKED_AT_OPEN as u64)
        })
    }

    /// As [`Table::snapshot`], and compares the checksums of all sections, whatever their size: all bytes
    /// of the file are read. For a process that lives on long enough that this is worth it, and that a file
    /// which is being overwritten must not deceive.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn checked_snapshot(path: impl AsRef<Path>) -> Result<Table, OpenError> {
        let path = path.as_ref();
        let table = Table::snapshot(path)?;
        if table.file().is_some() {
            table.check_sections().map_err(|cause| OpenError::Format {
                path: path.to_owned(),
                cause,
            })?;
        }
        Ok(table)
    }

    /// The file, if the table is mapped from one.
    pub fn file(&self) -> Option<&MappedFile> {
        self.bytes.file()
    }

    fn from_file(
        path: &Path,
        bytes: impl FnOnce(&Path) -> io::Result<Bytes>,
    ) -> Result<Table, OpenError> {
        let bytes = bytes(path).map_err(|cause| OpenError::Io {
            path: path.to_owned(),
            cause,
        })?;
        Table::from_bytes(bytes).map_err(|cause| OpenError::Format {
            path: path.to_owned(),
            cause,
        })
    }
}

impl Table {
    /// A table in `bytes`, checked as [`Table::open`] does.
    ///
    /// # Errors
    /// [`FormatError`] says what is wrong.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Table, FormatError> {
        let table = Table::unchecked(bytes.into())?;
        if table.bytes().len() <= CHECKED_AT_OPEN {
            table.check_sections()?;
        }
        Ok(table)
    }

    /// As [`Table::from_bytes`], with only the header and the length checked.
    pub(crate) fn unchecked(bytes: Bytes) -> Result<Table, FormatError> {
        let header = Header::read(bytes.as_ref())?;
        let ranking = Ranking::new(header.class());
        Ok(Table {
            bytes,
            header,
            ranking,
        })
    }

    /// What the first page says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The numbering of the states.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Checks the checksums of all sections, whatever their size.
    ///
    /// # Errors
    /// [`FormatError::Checksum`] names the first part that is damaged.
    pub fn check_sections(&self) -> Result<(), FormatError> {
        self.header.check_sections(self.bytes())
    }

    /// The bytes of the file from section `i` on.
    #[inline]
    fn section(&self, i: usize) -> &[u8] {
        &self.bytes.as_ref()[self.header.sections()[i].offset..]
    }

    /// The length of a shortest solution, in moves: one read of a full table, a walk down a bit
    /// table. `None` if the walk does not lead to the goal, in a table that is wrong.
    #[inline]
    pub fn distance(&self, state: State) -> Option<u8> {
        match self.header.encoding() {
            Encoding::Full => Some(self.stored_distance(self.ranking.index(state))),
            Encoding::Bit => {
                let mut distance = 0;
                let end = self.walk(state).run(|_| distance += 1);
                (end == self.ranking.goal()).then_some(distance)
            }
        }
    }

    /// The distance modulo 4: one read of either encoding.
    #[inline]
    pub fn distance_mod_4(&self, state: State) -> u8 {
        let index = self.ranking.index(state);
        match self.header.encoding() {
            Encoding::Full => self.stored_distance(index) & 3,
            Encoding::Bit => {
                let odd = self.ranking.is_odd(state.blank.into());
                u8::from(odd) + 2 * u8::from(self.bit_one(index))
            }
        }
    }

    /// A field of the distances section.
    #[inline]
    pub(crate) fn stored_distance(&self, index: StateIndex) -> u8 {
        let width = self.header.distance_bits();
        let bit = index.0 as usize * width as usize;
        let section = self.section(0);
        // A field of 8 bits at most spans two bytes; the parents section follows the last.
        let pair = u16::from_le_bytes([section[bit / 8], section[bit / 8 + 1]]);
        (pair >> (bit % 8) & ((1 << width) - 1)) as u8
    }

    /// A field of the bit section.
    #[inline]
    fn bit_one(&self, index: StateIndex) -> bool {
        BitSlice::<u8, Lsb0>::from_slice(self.section(0))[index.0 as usize]
    }

    /// The bit section from a state on as words of `count` bits, which lie within eight bytes each, as
    /// those of the search's planes do.
    pub(crate) fn words_of_bits(&self, first: StateIndex, count: u32, words: &mut [u64]) {
        let (section, mask) = (self.section(0), (1 << count) - 1);
        for (i, word) in words.iter_mut().enumerate() {
            let bit = first.0 as usize + i * count as usize;
            let bytes = &section[bit / 8..];
            let eight = bytes.first_chunk().copied().unwrap_or_else(|| {
                let mut last = [0; 8];
                last[..bytes.len()].copy_from_slice(bytes);
                last
            });
            *word = u64::from_le_bytes(eight) >> (bit % 8) & mask;
        }
    }

    /// The stored parent move of a state of a full table; meaningless at the goal.
    #[inline]
    pub(crate) fn stored_parent(&self, index: StateIndex) -> Move {
        parent_in(self.parents(), index)
    }

    /// The parents section of a full table; empty for a bit table.
    #[inline]
    fn parents(&self) -> &[u8] {
        match self.header.encoding() {
            Encoding::Full => self.section(1),
            Encoding::Bit => &[],
        }
    }

    /// The canonical moves that lead one step closer, in move order, and where they lead.
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
            parents: self.parents(),
            state,
            left,
        }
    }
}

/// Field `index` of a parents section.
#[inline]
fn parent_in(parents: &[u8], index: StateIndex) -> Move {
    Move::from_code(parents[index.0 as usize / 4] >> (index.0 % 4 * 2))
}

/// The moves of [`Table::walk`]: canonical moves, each one step closer to the goal.
#[derive(Debug)]
pub struct Walk<'a> {
    table: &'a Table,
    /// The parents section, looked up once for the whole walk.
    parents: &'a [u8],
    state: State,
    /// Moves left: their exact number for a full table; for a bit table an upper bound from the
    /// largest distance, so that a walk ends even in a damaged table.
    left: u8,
}

impl Walk<'_> {
    /// Calls `step` with every move and gives the last state, which is the goal unless the table is
    /// wrong. Faster than the iterator, since it looks at the encoding only once.
    #[inline]
    pub fn run(mut self, mut step: impl FnMut(Move)) -> State {
        if self.table.header.encoding() == Encoding::Full {
            let ranking = &self.table.ranking;
            for _ in 0..self.left {
                let mv = parent_in(self.parents, ranking.index(self.state));
                self.state = ranking.after(self.state, mv);
                step(mv);
            }
        } else {
            self.by_ref().for_each(step);
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
        match table.header.encoding() {
            Encoding::Full => {
                let mv = parent_in(self.parents, table.ranking.index(self.state));
                self.state = table.ranking.after(self.state, mv);
                Some(mv)
            }
            Encoding::Bit => {
                let (mv, next) = table.closer(self.state).next()?;
                self.state = next;
                Some(mv)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = usize::from(self.left);
        match self.table.header.encoding() {
            Encoding::Full => (most, Some(most)),
            Encoding::Bit => (0, Some(most)),
        }
    }
}
