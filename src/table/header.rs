//! The first page of a file: written, read, and checked against itself.

use std::io::{self, Seek, SeekFrom, Write};

use crate::basics::crc32;
use crate::puzzle::Shape;
use crate::space::{GoalClass, MAX_DATABASE_CELLS};

use super::bytes::Bytes;
use super::chunks::Summed;
use super::encoding::Encoding;
use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};
use super::sections::{Section, Sections, file_length, layout, read};

/// Offset of the header's fields.
const FIELDS: usize = 16;

/// Offset of the code of what is kept of a state.
const CODE: usize = 20;

/// Offset of the header's checksum.
const CHECKSUM: usize = PAGE - 4;

/// The metric of single-tile moves.
const SINGLE_TILE: u8 = 1;

/// The code of pattern databases in the place of that of an encoding.
const PATTERNS: u8 = 3;

/// A section on the page: kind, offset, length, checksum.
type SectionFields = (u8, u64, u64, u32);

/// The fields: rows, columns, metric, blank, encoding; levels; sections. [`bincode`] writes a tuple as its fields, one
/// after the other, and a list behind its length; a golden test pins the bytes.
type Fields = ([u8; 5], Vec<u64>, Vec<SectionFields>);

fn bincode_format() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<PAGE>()
}

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
    version: u32,
    class: GoalClass,
    /// The encoding of a table; `None` of pattern databases.
    encoding: Option<Encoding>,
    /// Number of states at each distance; of patterns none.
    levels: Vec<u64>,
    /// In the order of the file, the checksums last.
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

    /// Data kept for a state. Pattern databases keep one bit, too.
    #[inline]
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(Encoding::Bit)
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
        distance_bits(&self.levels)
    }

    /// Opens a file of a table or of patterns: reads and checks the first page and the length, and then the
    /// [sections](Sections::open).
    pub(crate) fn open(bytes: Bytes, of_patterns: bool) -> Result<(Header, Sections), FormatError> {
        let header = Header::of_file(&bytes, of_patterns)?;
        let contents = Sections::open(bytes, &header.sections)?;
        Ok((header, contents))
    }

    /// Reads and checks the first page of a file, or as much of it as there is, and the file's length.
    pub(crate) fn of_file(bytes: &Bytes, of_patterns: bool) -> Result<Header, FormatError> {
        let found = bytes.len();
        let page = read(bytes, 0, found.min(PAGE as u64) as usize)?;
        let header = Header::of_page(&page, of_patterns)?;
        match header.file_length() as u64 {
            expected if found != expected => Err(FormatError::Length { found, expected }),
            _ => Ok(header),
        }
    }

    /// Reads the first page alone, of a table or of patterns. Only its free fields are read. The page that is written of
    /// them must be this one, so every other field is the one that follows from them.
    pub(super) fn of_page(page: &[u8], of_patterns: bool) -> Result<Header, FormatError> {
        check_magic(page)?;
        let (found, expected) = (page.len() as u64, PAGE as u64);
        let Some(page) = page.get(..PAGE) else {
            return Err(FormatError::Length { found, expected });
        };
        let number = |at: usize| page[at..].first_chunk().copied().map(u32::from_le_bytes);
        let version = number(MAGIC.len()).unwrap_or_default();
        if version > VERSION {
            return Err(FormatError::NewerVersion { found: version });
        }
        if Some(crc32::hash(&page[..CHECKSUM])) != number(CHECKSUM) {
            return Err(FormatError::Checksum { part: "header" });
        }
        let kinds = ["a table", "pattern databases"];
        let are_patterns = page[CODE] == PATTERNS;
        if are_patterns != of_patterns {
            let [found, expected] = [are_patterns, of_patterns].map(|are| kinds[usize::from(are)]);
            return Err(FormatError::OtherKind { found, expected });
        }
        Header::of_free_fields(version, &page[FIELDS..CHECKSUM])
            .filter(|header| version > 0 && header.page() == page)
            .ok_or_else(|| invalid("its header contradicts itself"))
    }

    /// Makes the header of the free fields: class, encoding, level counts and the checksums that are kept; of patterns also
    /// the lengths of the sections.
    fn of_free_fields(version: u32, fields: &[u8]) -> Option<Header> {
        let (fields, _): (Fields, usize) =
            bincode::decode_from_slice(fields, bincode_format()).ok()?;
        let ([rows, cols, _, blank, code], levels, found) = fields;
        let (shape, blank) = (Shape::new(rows.into(), cols.into()).ok()?, blank.into());
        let class = (blank < shape.cells()).then(|| GoalClass::of_any_shape(shape, blank))?;
        let kept = found.len().checked_sub(usize::from(version > 1))?;
        let lengths = found[..kept].iter().map(|its| its.2 as usize);
        let mut encodings = Encoding::ALL.into_iter();
        let encoding = encodings.find(|encoding| *encoding as u8 == code);
        let mut header = Header::new(version, class, encoding, levels, lengths)?;
        for (section, found) in header.sections.iter_mut().zip(&found) {
            if version == 1 || section.kind == SectionKind::Checksums {
                section.checksum = found.3;
            }
        }
        Some(header)
    }

    /// Header of a file as it is written, without checksums; of patterns if there is no encoding, with sections of these
    /// lengths. Returns `None` for other levels than those of all states, and for more bytes than a file can have.
    fn new(
        version: u32,
        class: GoalClass,
        encoding: Option<Encoding>,
        mut levels: Vec<u64>,
        lengths: impl Iterator<Item = usize>,
    ) -> Option<Header> {
        let kept = match encoding {
            Some(encoding) => table_sections(class, encoding, &levels)?,
            None => {
                levels.clear();
                let tiles = std::iter::once(SectionKind::PatternTiles);
                let kinds = tiles.chain(std::iter::repeat(SectionKind::PatternBits));
                kinds.zip(lengths).collect()
            }
        };
        Some(Header {
            version,
            class,
            encoding,
            levels,
            sections: layout(&kept, version)?,
        })
    }

    /// Header of a table as it is written; the checksum of its checksums is 0.
    pub(super) fn of_table(class: GoalClass, encoding: Encoding, levels: Vec<u64>) -> Header {
        let header = Header::new(VERSION, class, Some(encoding), levels, std::iter::empty());
        header.expect("all states are counted, and a space of 16 cells fits a file")
    }

    /// Header of pattern databases as it is written, with sections of these lengths; the checksum of its checksums is 0.
    ///
    /// # Errors
    /// [`io::ErrorKind::FileTooLarge`] for more bytes than a file can have.
    pub(crate) fn of_patterns(
        class: GoalClass,
        lengths: impl Iterator<Item = usize>,
    ) -> io::Result<Header> {
        let header = Header::new(VERSION, class, None, Vec::new(), lengths);
        Ok(header.ok_or(io::ErrorKind::FileTooLarge)?)
    }

    /// The first page.
    #[doc(hidden)]
    pub fn page(&self) -> Vec<u8> {
        let (shape, blank) = (self.class.shape(), self.class.blank());
        let code = self.encoding.map_or(PATTERNS, |encoding| encoding as u8);
        let [rows, cols, blank] = [shape.rows(), shape.cols(), blank].map(|n| n as u8);
        let head = [rows, cols, SINGLE_TILE, blank, code];
        let fields = |section: &Section| -> SectionFields {
            let (offset, length) = (section.offset as u64, section.length as u64);
            (section.kind as u8, offset, length, section.checksum)
        };
        let sections: Vec<SectionFields> = self.sections.iter().map(fields).collect();
        let fields = bincode::encode_to_vec((head, &self.levels, sections), bincode_format())
            .expect("the header of the deepest space fits a page");
        let mut page = MAGIC.to_vec();
        page.extend(self.version.to_le_bytes());
        page.extend((fields.len() as u32).to_le_bytes());
        page.extend(fields);
        page.resize(CHECKSUM, 0);
        page.extend(crc32::hash(&page).to_le_bytes());
        page
    }

    /// Writes a file; `write_section` writes the bytes of each section, by its number.
    ///
    /// # Errors
    /// Those of `out` and `write_section`.
    pub(crate) fn write_file<W: Write + Seek>(
        mut self,
        out: &mut W,
        mut write_section: impl FnMut(usize, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut sums = Vec::new();
        let kept = self.sections.len() - 1;
        for (i, section) in self.sections[..kept].iter().enumerate() {
            out.seek(SeekFrom::Start(section.offset as u64))?;
            let mut out = Summed::new(&mut *out, 0);
            write_section(i, &mut out)?;
            let name = section.kind.name();
            assert_eq!(
                out.run.length, section.length as u64,
                "length of the {name}"
            );
            sums.extend(out.run.bytes());
        }
        self.set_sums(&sums);
        self.write_ends(out, &sums)
    }

    /// Sets the checksum of the section of checksums, of which these are the bytes.
    pub(super) fn set_sums(&mut self, sums: &[u8]) {
        let checksums = self.sections.last_mut().expect("the checksums are there");
        checksums.checksum = crc32::hash(sums);
    }

    /// Writes the page and the checksums, which are written after the other sections.
    pub(super) fn write_ends(&self, out: &mut (impl Write + Seek), sums: &[u8]) -> io::Result<()> {
        let checksums = self.sections.last().map_or(PAGE, |last| last.offset);
        out.seek(SeekFrom::Start(checksums as u64))?;
        out.write_all(sums)?;
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&self.page())
    }
}

/// The sections of a table but the checksums, with their lengths; `None` unless the levels are those of all its states.
fn table_sections(
    class: GoalClass,
    encoding: Encoding,
    levels: &[u64],
) -> Option<Vec<(SectionKind, usize)>> {
    let has_table = class.shape().cells() <= MOST_CELLS;
    let counted = levels.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    let is_possible = !levels.contains(&0) && (2..=MOST_LEVELS).contains(&levels.len());
    if !has_table || !is_possible || counted != Some(class.states()) {
        return None;
    }
    let section = |kind, bits: u32| (kind, (class.states() as usize * bits as usize).div_ceil(8));
    Some(match encoding {
        Encoding::Full => vec![
            section(SectionKind::Distances, distance_bits(levels)),
            section(SectionKind::Parents, 2),
        ],
        Encoding::Bit => vec![section(SectionKind::BitOne, 1)],
    })
}

/// Bits of the largest distance.
fn distance_bits(levels: &[u64]) -> u32 {
    (levels.len() - 1).ilog2() + 1
}

/// The error of a page that contradicts itself.
pub(crate) fn invalid(what: &str) -> FormatError {
    FormatError::InvalidHeader {
        what: what.to_owned(),
    }
}
