//! Pattern databases in a file; [`crate::table::format`] describes every byte.

use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use crate::puzzle::Shape;
use crate::space::{Symmetry, factorial};
use crate::table::{
    Bytes, CHECKED_AT_OPEN, FormatError, OpenError, PatternsPage, Section, check_sections,
};

use super::blocks::{MAX_PATTERN_CELLS, choose};
use super::partition::Partition;
use super::patterns::Patterns;

/// A file of pattern databases, whose header and length have been checked.
///
/// ```
/// use std::io::Cursor;
/// use puzzledb::pattern::{Partition, PatternFile, Patterns, Solver};
/// use puzzledb::puzzle::Board;
/// use puzzledb::table::Bytes;
///
/// let goal: Board = "123456780".parse()?;
/// let patterns = Patterns::build(&Partition::new(&goal, &"4-4".parse()?)?)?;
/// let mut bytes = Cursor::new(Vec::new());
/// patterns.write(&mut bytes)?;
/// let file = PatternFile::new(Bytes::from(bytes.into_inner()))?;
/// let solver = Solver::new(file.patterns().clone(), &goal)?;
/// assert_eq!(solver.solve(&"704851632".parse()?)?.distance, 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PatternFile {
    bytes: Arc<Bytes>,
    sections: Vec<Section>,
    patterns: Arc<Patterns>,
}

impl Patterns {
    /// Writes the bytes of a file, the same on every machine.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write<W: Write + Seek>(&self, out: &mut W) -> io::Result<()> {
        let partition = self.partition();
        let tiles = partition.tiles_section();
        let lengths = self
            .databases
            .iter()
            .map(|database| database.states.bytes());
        let lengths: Vec<usize> = std::iter::once(tiles.len()).chain(lengths).collect();
        let page = PatternsPage {
            sides: (partition.shape.rows() as u8, partition.shape.cols() as u8),
            blank: partition.blank as u8,
            sections: Vec::new(),
        };
        page.write(out, &lengths, |i, out| match i.checked_sub(1) {
            None => out.write_all(&tiles),
            Some(i) => out.write_all(self.databases[i].bits()),
        })
    }
}

impl PatternFile {
    /// Maps a file and checks it: the header, the file's exact length and, up to 16 MiB, the
    /// checksum of every section.
    ///
    /// # Errors
    /// [`OpenError`] names the file and what is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<PatternFile, OpenError> {
        let path = path.as_ref();
        let bytes = Bytes::map(path);
        let bytes = bytes.map_err(|cause| OpenError::Io {
            path: path.to_owned(),
            cause,
        })?;
        let file = PatternFile::new(bytes);
        file.map_err(|cause| OpenError::Format {
            path: path.to_owned(),
            cause,
        })
    }

    /// The file in `bytes`, checked as [`PatternFile::open`] does.
    ///
    /// # Errors
    /// [`FormatError`] says what is wrong.
    pub fn new(bytes: Bytes) -> Result<PatternFile, FormatError> {
        let all = bytes.as_ref();
        let page = PatternsPage::read(all)?;
        let invalid = |what: &str| FormatError::InvalidHeader {
            what: what.to_owned(),
        };
        let (tiles, bits) =
            (page.sections.split_first()).ok_or_else(|| invalid("it has no patterns"))?;
        check_sections(all, std::slice::from_ref(tiles))?;
        let tiles = &all[tiles.offset..tiles.offset + tiles.length];
        let partition = Partition::from_section(page.sides, page.blank, tiles)
            .ok_or_else(|| invalid("its patterns are no patterns"))?;
        // The numbering of the states is made only where the file is long enough to have them.
        let cells = partition.shape.cells();
        let fits = |(tiles, section): (&usize, &Section)| {
            choose(cells, *tiles) * factorial(*tiles) <= section.length as u64 * 8
        };
        let sizes = partition.sizes();
        let lengths = || invalid("its sections are not as long as they should be");
        if sizes.len() != bits.len() || !sizes.iter().zip(bits).all(fits) {
            return Err(lengths());
        }
        let offsets: Vec<usize> = bits.iter().map(|section| section.offset).collect();
        let right: Vec<usize> = bits.iter().map(|section| section.length).collect();
        let sections = page.sections;
        if all.len() <= CHECKED_AT_OPEN {
            check_sections(all, &sections)?;
        }
        let bytes = Arc::new(bytes);
        let patterns = Patterns::in_bytes(partition, &bytes, &offsets);
        let found = patterns
            .databases
            .iter()
            .map(|database| database.states.bytes());
        if !found.eq(right) {
            return Err(lengths());
        }
        Ok(PatternFile {
            bytes,
            sections,
            patterns: Arc::new(patterns),
        })
    }

    /// The patterns.
    pub fn patterns(&self) -> &Arc<Patterns> {
        &self.patterns
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Checks the checksums of all sections, whatever their size.
    ///
    /// # Errors
    /// [`FormatError::Checksum`] names the first part that is damaged.
    pub fn check_sections(&self) -> Result<(), FormatError> {
        check_sections(self.bytes(), &self.sections)
    }
}

impl Partition {
    /// The section of the tiles.
    fn tiles_section(&self) -> Vec<u8> {
        let pattern = |&goal: &u32| {
            let cells = super::blocks::bits(goal).map(|cell| cell as u8);
            std::iter::once(goal.count_ones() as u8).chain(cells)
        };
        self.goals.iter().flat_map(pattern).collect()
    }

    /// The patterns of a section of tiles, if they are well formed, of a canonical board.
    fn from_section((rows, cols): (u8, u8), blank: u8, mut section: &[u8]) -> Option<Partition> {
        let shape = Shape::new(rows.into(), cols.into()).ok()?;
        let blank = usize::from(blank);
        if shape.cells() > MAX_PATTERN_CELLS || blank >= shape.cells() {
            return None;
        }
        let (symmetries, canonical) = Symmetry::all_to_canonical(shape, blank);
        if (symmetries[0].to(), canonical) != (shape, blank) {
            return None;
        }
        let (mut goals, mut seen) = (Vec::new(), 1u32 << blank);
        while let Some((&count, rest)) = section.split_first() {
            let (cells, rest) = rest.split_at_checked(count.into())?;
            let mut goal = 0u32;
            for &cell in cells {
                let bit = 1u32.checked_shl(cell.into())?;
                if usize::from(cell) >= shape.cells() || bit <= goal || seen & bit != 0 {
                    return None;
                }
                goal |= bit;
                seen |= bit;
            }
            goals.push(goal);
            section = rest;
        }
        Partition::of_goals(shape, blank, goals).ok()
    }
}
