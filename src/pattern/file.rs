//! Pattern databases in a file; [`crate::table::format`] describes every byte.

use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use crate::space::{GoalClass, factorial};
use crate::table::{
    Bytes, FormatError, Header, OpenError, Opener, SectionKind, Sections, invalid, opened,
};

use super::blocks::{MAX_PATTERN_CELLS, choose};
use super::database::Database;
use super::partition::Partition;
use super::patterns::Patterns;

impl Patterns {
    /// Writes the bytes of a file, the same on every machine.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write<W: Write + Seek>(&self, out: &mut W) -> io::Result<()> {
        let partition = self.partition();
        let tiles = partition.tiles_section();
        let bits = self
            .databases
            .iter()
            .map(|database| database.states.bytes());
        let lengths = std::iter::once(tiles.len()).chain(bits);
        let header = Header::of_patterns(partition.class, lengths)?;
        header.write_file(out, |i, out| match i.checked_sub(1) {
            None => out.write_all(&tiles),
            Some(i) => {
                let bits = self.databases[i].bits();
                out.write_all(&bits.range(0..bits.len()))
            }
        })
    }

    /// Opens a file as [`Table::open`](crate::table::Table::open) does: it is copied and verified, or if it is too large
    /// for the free memory, its chunks are when they are asked for.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use puzzledb::pattern::{Partition, Patterns};
    /// use puzzledb::{Board, Oracle};
    ///
    /// let goal: Board = "123456780".parse()?;
    /// let patterns = Patterns::build(&Partition::new(&goal, &"4-4".parse()?)?)?;
    /// let mut bytes = Cursor::new(Vec::new());
    /// patterns.write(&mut bytes)?;
    /// let read = Patterns::from_bytes(bytes.into_inner())?; // or Patterns::open(path)
    /// assert_eq!(Oracle::from_database(read, &goal)?.distance(&"704851632".parse()?)?, 19);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OpenError`] names the file and the fault.
    pub fn open(path: impl AsRef<Path>) -> Result<Patterns, OpenError> {
        Patterns::open_by(path.as_ref(), Bytes::open)
    }

    /// Opens a file as [`Patterns::open`] does, from the bytes that `open` returns.
    ///
    /// # Errors
    /// As [`Patterns::open`].
    #[doc(hidden)]
    pub fn open_by(path: &Path, open: Opener) -> Result<Patterns, OpenError> {
        opened(path, open, Patterns::from_bytes)
    }

    /// Maps a file of more than 16 MiB and checks it as [`Patterns::open`] does; a chunk is verified before its bytes
    /// are used.
    ///
    /// # Safety
    /// As [`Bytes::map`]: while the patterns are used, no program may write to the file or shorten it.
    ///
    /// # Errors
    /// As [`Patterns::open`].
    #[allow(unsafe_code)]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Patterns, OpenError> {
        // SAFETY: the caller keeps others from changing the file.
        Patterns::open_by(path.as_ref(), |path| unsafe { Bytes::map(path) })
    }

    /// Returns the file in `bytes`, checked as [`Patterns::open`] does.
    ///
    /// # Errors
    /// [`FormatError`] names the fault.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Patterns, FormatError> {
        let (header, contents) = Header::open(bytes.into(), true)?;
        let contents = contents.into();
        let patterns = Patterns::of_sections(&header, &contents);
        match contents.damage() {
            Some(damage) => Err(damage.clone()),
            None => patterns.ok_or_else(|| invalid("its patterns contradict its sections")),
        }
    }

    /// Returns the patterns in the sections of a file, if these fit each other.
    fn of_sections(header: &Header, contents: &Arc<Sections>) -> Option<Patterns> {
        let patterns = header.sections().iter();
        let patterns = patterns.filter(|section| section.kind == SectionKind::PatternBits);
        let bits: Vec<usize> = patterns.map(|section| section.length).collect();
        bits.first()?;
        let tiles = contents.section(0);
        let partition = Partition::from_section(header.class(), &tiles.range(0..tiles.len()))?;
        // The numbering of the states is made only where the file is long enough to have them.
        let (cells, sizes) = (header.class().shape().cells(), partition.sizes());
        let fits = |(&tiles, &bytes): (&usize, &usize)| {
            choose(cells, tiles) * factorial(tiles) <= bytes as u64 * 8
        };
        if sizes.len() != bits.len() || !sizes.iter().zip(&bits).all(fits) {
            return None;
        }
        let numbered = partition.all_states().into_iter().enumerate();
        let database = |(i, states)| {
            let goal = partition.goal_state(i);
            Database::new(states, goal, Arc::clone(contents), i + 1)
        };
        let databases: Vec<Database> = numbered.map(database).collect();
        let found = databases.iter().map(|database| database.states.bytes());
        (found.eq(bits)).then_some(Patterns {
            partition,
            databases,
        })
    }

    /// Returns the whole file, as it is; of patterns that were made here the first database.
    #[doc(hidden)]
    pub fn bytes(&self) -> &Bytes {
        self.contents().bytes()
    }
}

impl Partition {
    /// Returns the section of the tiles.
    fn tiles_section(&self) -> Vec<u8> {
        let pattern = |&goal: &u32| {
            let cells = super::blocks::bits(goal).map(|cell| cell as u8);
            std::iter::once(goal.count_ones() as u8).chain(cells)
        };
        self.goals.iter().flat_map(pattern).collect()
    }

    /// Reads the patterns of a section of tiles, if they are well formed, of a canonical board.
    fn from_section(class: GoalClass, mut section: &[u8]) -> Option<Partition> {
        let cells_of_shape = class.shape().cells();
        if cells_of_shape > MAX_PATTERN_CELLS {
            return None;
        }
        let (mut goals, mut seen) = (Vec::new(), 1u32 << class.blank());
        while let Some((&count, rest)) = section.split_first() {
            let (cells, rest) = rest.split_at_checked(count.into())?;
            let mut goal = 0u32;
            for &cell in cells {
                let bit = 1u32.checked_shl(cell.into())?;
                if usize::from(cell) >= cells_of_shape || bit <= goal || seen & bit != 0 {
                    return None;
                }
                goal |= bit;
                seen |= bit;
            }
            goals.push(goal);
            section = rest;
        }
        Partition::of_goals(class, goals).ok()
    }
}
