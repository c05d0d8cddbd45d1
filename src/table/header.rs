//! The first page of a table: written, read, and checked against itself.

use crate::space::{GoalClass, MAX_DATABASE_CELLS};

use super::encoding::Encoding;
use super::first_page::{FirstPage, invalid};
use super::format::{FormatError, SectionKind};
use super::sections::{Section, check_length, file_length};

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
    encoding: Encoding,
    pub(super) first: FirstPage,
}

impl Header {
    /// The version of the file's format.
    pub fn version(&self) -> u32 {
        self.first.version
    }

    /// The shape and the goal's blank cell.
    pub fn class(&self) -> GoalClass {
        self.first.class
    }

    /// Data kept for a state.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of states at each distance.
    pub fn levels(&self) -> &[u64] {
        &self.first.levels
    }

    /// Number of states.
    pub fn states(&self) -> u64 {
        self.levels().iter().sum()
    }

    /// The largest distance.
    pub fn max_distance(&self) -> u8 {
        (self.levels().len() - 1) as u8
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.first.sections
    }

    /// The checksum of the last section, which distinguishes the tables of a class.
    pub(crate) fn tag(&self) -> u32 {
        self.sections().last().map_or(0, |section| section.checksum)
    }

    /// Length of the file in bytes.
    pub fn file_length(&self) -> usize {
        file_length(self.sections())
    }

    /// Bits that the distance of a state takes in a full table.
    pub fn distance_bits(&self) -> u32 {
        distance_bits(self.levels())
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

    /// Reads the first page alone. Only the level counts and the checksums are free: all else follows from shape, blank
    /// and encoding.
    pub(super) fn of_page(page: &[u8]) -> Result<Header, FormatError> {
        let first = FirstPage::read(page)?;
        let Some(encoding) = first.encoding else {
            let (found, expected) = ("pattern databases", "a table");
            return Err(FormatError::OtherKind { found, expected });
        };
        let shape = first.class.shape();
        if shape.cells() > MOST_CELLS {
            let what = format!("there is no database of {shape} boards");
            return Err(invalid(&what));
        }
        let (states, levels) = (first.class.states(), &first.levels);
        let counted = levels.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
        let is_possible = !levels.contains(&0) && (2..=MOST_LEVELS).contains(&levels.len());
        if counted != Some(states) || !is_possible {
            return Err(invalid(&format!(
                "its levels do not add up to the {states} states of a {shape} board"
            )));
        }
        first.check_sections(&kept(first.class, encoding, levels))?;
        Ok(Header { encoding, first })
    }

    /// The header of a database as it is written; the checksum of its checksums is 0.
    pub(super) fn new(class: GoalClass, encoding: Encoding, levels: Vec<u64>) -> Header {
        let kept = kept(class, encoding, &levels);
        let first = FirstPage::new(class, Some(encoding), levels, &kept);
        let first = first.expect("a space of 16 cells fits a file");
        Header { encoding, first }
    }

    /// The first page.
    #[doc(hidden)]
    pub fn page(&self) -> Vec<u8> {
        self.first.bytes()
    }
}

/// The sections of a table but the checksums, with their lengths.
fn kept(class: GoalClass, encoding: Encoding, levels: &[u64]) -> Vec<(SectionKind, usize)> {
    let section = |kind, bits: u32| (kind, (class.states() as usize * bits as usize).div_ceil(8));
    match encoding {
        Encoding::Full => vec![
            section(SectionKind::Distances, distance_bits(levels)),
            section(SectionKind::Parents, 2),
        ],
        Encoding::Bit => vec![section(SectionKind::BitOne, 1)],
    }
}

/// Bits of the largest distance.
fn distance_bits(levels: &[u64]) -> u32 {
    (levels.len() - 1).ilog2() + 1
}
