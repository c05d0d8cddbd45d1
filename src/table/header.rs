//! The first page of a table: written, read, and checked against itself.

use std::io::{self, Seek, Write};

use crate::puzzle::Shape;
use crate::space::{GoalClass, MAX_DATABASE_CELLS};

use super::chunks::ChunkSums;
use super::encoding::Encoding;
use super::first_page::{HeaderFields, SINGLE_TILE, check_layout, invalid, section_fields};
use super::format::{FormatError, SectionKind, VERSION};
use super::patterns_page::PATTERNS;
use super::sections::{Section, check_length, file_length, layout, write_sections};

/// Largest number of levels: a distance is a byte, and the counts of 256 levels fit the first page.
const MOST_LEVELS: usize = 256;

/// Cells of the largest shape whose file has offsets that this machine can address.
const MOST_CELLS: usize = if usize::BITS < 64 {
    12
} else {
    MAX_DATABASE_CELLS
};

/// Contents of a database's first page.
#[derive(Clone, Debug)]
pub struct Header {
    class: GoalClass,
    encoding: Encoding,
    levels: Vec<u64>,
    version: u32,
    sections: Vec<Section>,
}

impl Header {
    /// The version of the file's format.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The shape and the goal's blank cell.
    pub fn class(&self) -> GoalClass {
        self.class
    }

    /// Data kept for a state.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of states at each distance.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Number of states.
    pub fn states(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The largest distance.
    pub fn max_distance(&self) -> u8 {
        (self.levels.len() - 1) as u8
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Offset of the section of checksums.
    pub(super) fn checksums_offset(&self) -> u64 {
        self.sections
            .last()
            .map_or(0, |section| section.offset as u64)
    }

    /// The checksum of the last section, which distinguishes the tables of a class.
    pub(crate) fn tag(&self) -> u32 {
        self.sections.last().map_or(0, |section| section.checksum)
    }

    /// Length of the file in bytes.
    pub fn file_length(&self) -> usize {
        file_length(&self.sections)
    }

    /// Bits that the distance of a state takes in a full table.
    pub fn distance_bits(&self) -> u32 {
        self.max_distance().ilog2() + 1
    }

    /// Reads the header from the first page of a file, or as much of it as there is. Checks its consistency,
    /// and the file's length in bytes.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn read(page: &[u8], file_length: u64) -> Result<Header, FormatError> {
        let header = Header::of_page(page)?;
        check_length(file_length, header.file_length())?;
        Ok(header)
    }

    /// Reads the first page alone.
    pub(super) fn of_page(page: &[u8]) -> Result<Header, FormatError> {
        let (fields, version) = HeaderFields::read(page)?;
        if fields.encoding == PATTERNS {
            let (found, expected) = ("pattern databases", "a table");
            return Err(FormatError::OtherKind { found, expected });
        }
        Header::check(fields, version)
    }

    /// Checks the fields and makes a header of them. Only the level counts and the checksums are
    /// free: all else follows from shape, blank and encoding.
    fn check(fields: HeaderFields, version: u32) -> Result<Header, FormatError> {
        let (rows, cols) = (fields.rows, fields.cols);
        let shape = Shape::new(rows.into(), cols.into())
            .ok()
            .filter(|s| s.cells() <= MOST_CELLS && s.cols() <= s.rows())
            .ok_or_else(|| invalid(&format!("there is no database of {rows}x{cols} boards")))?;
        if fields.metric != SINGLE_TILE {
            return Err(invalid("its metric is unknown"));
        }
        let class = Some(usize::from(fields.blank))
            .filter(|&blank| blank < shape.cells())
            .and_then(|blank| GoalClass::new(shape, blank).ok())
            .filter(|class| class.blank() == usize::from(fields.blank))
            .ok_or_else(|| invalid("its goal is not a canonical one"))?;
        let encoding = Encoding::from_code(fields.encoding)
            .ok_or_else(|| invalid("its encoding is unknown"))?;
        let states = class.states();
        let counted = fields
            .levels
            .iter()
            .try_fold(0u64, |sum, n| sum.checked_add(*n));
        let levels = fields.levels.len();
        if counted != Some(states)
            || fields.levels.contains(&0)
            || !(2..=MOST_LEVELS).contains(&levels)
        {
            return Err(invalid(&format!(
                "its levels do not add up to the {states} states of a {shape} board"
            )));
        }
        let mut header = Header::plan(class, encoding, fields.levels, version);
        check_layout(&mut header.sections, &fields.sections, version)?;
        Ok(header)
    }

    /// The header of a database; the sections' offsets and lengths follow from the other fields.
    fn plan(class: GoalClass, encoding: Encoding, levels: Vec<u64>, version: u32) -> Header {
        let mut header = Header {
            class,
            encoding,
            levels,
            version,
            sections: Vec::new(),
        };
        let (states, width) = (class.states() as usize, header.distance_bits() as usize);
        let bytes = |bits: usize| (states * bits).div_ceil(8);
        let kept: &[(SectionKind, usize)] = match encoding {
            Encoding::Full => &[
                (SectionKind::Distances, bytes(width)),
                (SectionKind::Parents, bytes(2)),
            ],
            Encoding::Bit => &[(SectionKind::BitOne, bytes(1))],
        };
        header.sections = layout(kept, version).expect("a space of 16 cells fits a file");
        header
    }

    /// The header of a bit table whose section has these checksums, as it is written.
    pub(super) fn of_bit_table(class: GoalClass, levels: Vec<u64>, sums: &ChunkSums) -> Header {
        let mut header = Header::plan(class, Encoding::Bit, levels, VERSION);
        let checksums = header.sections.last_mut().expect("it has sections");
        checksums.checksum = crc32fast::hash(&sums.bytes());
        header
    }

    /// The first page, as this version writes it.
    #[doc(hidden)]
    pub fn page(&self) -> Vec<u8> {
        let shape = self.class.shape();
        let fields = HeaderFields {
            rows: shape.rows() as u8,
            cols: shape.cols() as u8,
            metric: SINGLE_TILE,
            blank: self.class.blank() as u8,
            encoding: self.encoding.code(),
            levels: self.levels.clone(),
            sections: section_fields(&self.sections),
        };
        fields.page()
    }
}

/// Writes a database; `write_section` writes the bytes of each section.
///
/// The header holds the sections' checksums, so its page is first written as zeros and filled in
/// at the end.
///
/// # Errors
/// Those of `out` and `write_section`.
pub(super) fn write_database<W: Write + Seek>(
    out: &mut W,
    class: GoalClass,
    encoding: Encoding,
    levels: Vec<u64>,
    mut write_section: impl FnMut(SectionKind, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut header = Header::plan(class, encoding, levels, VERSION);
    let kinds: Vec<SectionKind> = header.sections.iter().map(|section| section.kind).collect();
    write_sections(out, &mut header.sections, |i, out| {
        write_section(kinds[i], out)
    })?;
    out.write_all(&header.page())
}
