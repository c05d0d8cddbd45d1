//! The first page of a table: written, read, and checked against itself.

use std::io::{self, Seek, Write};

use crate::puzzle::Shape;
use crate::space::{GoalClass, MAX_DATABASE_CELLS};

use super::encoding::Encoding;
use super::first_page::{Fields, SINGLE_TILE, SectionFields, invalid, section_fields};
use super::format::{FormatError, PAGE, SectionKind};
use super::patterns_page::PATTERNS;
use super::sections::{Section, check_length, check_sections, file_length, write_sections};

const _: () = assert!(usize::BITS >= 64, "offsets in a database need 64 bits");

/// The most levels: a distance is a byte, and the counts of 256 levels fit the first page.
const MOST_LEVELS: usize = 256;

/// What a database's first page says.
#[derive(Clone, Debug)]
pub struct Header {
    class: GoalClass,
    encoding: Encoding,
    levels: Vec<u64>,
    sections: Vec<Section>,
}

impl Header {
    /// The shape and the goal's blank cell.
    pub fn class(&self) -> GoalClass {
        self.class
    }

    /// What is kept for a state.
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

    /// Length of the file in bytes.
    pub fn file_length(&self) -> usize {
        file_length(&self.sections)
    }

    /// Bits that the distance of a state takes in a full table.
    pub fn distance_bits(&self) -> u32 {
        self.max_distance().ilog2() + 1
    }

    /// Reads the header of the database in `bytes`, the whole file, and checks it against
    /// itself and against the file's length.
    ///
    /// # Errors
    /// [`FormatError`] says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Header, FormatError> {
        let header = Header::of_page(bytes)?;
        check_length(bytes, header.file_length())?;
        Ok(header)
    }

    /// Reads the first page alone.
    pub(super) fn of_page(bytes: &[u8]) -> Result<Header, FormatError> {
        let fields = Fields::read(bytes)?;
        if fields.encoding == PATTERNS {
            let (found, expected) = ("pattern databases", "a table");
            return Err(FormatError::OtherKind { found, expected });
        }
        Header::check(fields)
    }

    /// Checks the fields and makes a header of them. Only the level counts and the checksums are
    /// free: all else follows from shape, blank and encoding.
    fn check(fields: Fields) -> Result<Header, FormatError> {
        let (rows, cols) = (fields.rows, fields.cols);
        let shape = Shape::new(rows.into(), cols.into())
            .ok()
            .filter(|s| s.cells() <= MAX_DATABASE_CELLS && s.cols() <= s.rows())
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
        let checksums: Vec<u32> = fields.sections.iter().map(|s| s.checksum).collect();
        let header = Header::plan(class, encoding, fields.levels, &checksums);
        let expected = section_fields(&header.sections);
        let same = |(a, b): (&SectionFields, &SectionFields)| {
            (a.kind, a.offset, a.length) == (b.kind, b.offset, b.length)
        };
        if expected.len() != fields.sections.len()
            || !expected.iter().zip(&fields.sections).all(same)
        {
            return Err(invalid("its sections are not where they should be"));
        }
        Ok(header)
    }

    /// The header of a database; the sections' offsets and lengths follow from the other fields.
    pub(super) fn plan(
        class: GoalClass,
        encoding: Encoding,
        levels: Vec<u64>,
        checksums: &[u32],
    ) -> Header {
        let mut header = Header {
            class,
            encoding,
            levels,
            sections: Vec::new(),
        };
        let distance_bits = header.distance_bits() as usize;
        let kinds: &[(SectionKind, usize)] = match encoding {
            Encoding::Full => &[
                (SectionKind::Distances, distance_bits),
                (SectionKind::Parents, 2),
            ],
            Encoding::Bit => &[(SectionKind::BitOne, 1)],
        };
        let states = class.states() as usize;
        for (i, &(kind, bits)) in kinds.iter().enumerate() {
            let section = Section {
                kind,
                offset: header.file_length().next_multiple_of(PAGE),
                length: (states * bits).div_ceil(8),
                checksum: checksums.get(i).copied().unwrap_or(0),
            };
            header.sections.push(section);
        }
        header
    }

    /// The first page.
    pub(super) fn page(&self) -> Vec<u8> {
        let shape = self.class.shape();
        let fields = Fields {
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

    /// Compares the checksums of all sections of the database in `bytes`, the whole file.
    ///
    /// # Errors
    /// [`FormatError::Checksum`] names the first part whose bytes are not those that were written.
    ///
    /// # Panics
    /// If `bytes` are not those the header was read from.
    pub fn check_sections(&self, bytes: &[u8]) -> Result<(), FormatError> {
        check_sections(bytes, &self.sections)
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
    let mut header = Header::plan(class, encoding, levels, &[]);
    let kinds: Vec<SectionKind> = header.sections.iter().map(|section| section.kind).collect();
    write_sections(out, &mut header.sections, |i, out| {
        write_section(kinds[i], out)
    })?;
    out.write_all(&header.page())
}
