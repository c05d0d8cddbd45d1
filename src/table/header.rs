//! The first page of a file: written, read, and checked against itself.
//!
//! This is the only module that uses `bincode`; a golden test pins the bytes that it makes.

use std::io::{self, Seek, SeekFrom, Write};

use bincode::{Decode, Encode};

use crate::basics::Checksummed;
use crate::puzzle::Shape;
use crate::space::{GoalClass, MAX_DATABASE_CELLS};

use super::encoding::Encoding;
use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};

const _: () = assert!(usize::BITS >= 64, "offsets in a database need 64 bits");

/// Where the header's fields begin.
const FIELDS: usize = 16;

/// Where the header's checksum is.
const CHECKSUM: usize = PAGE - 4;

/// The metric of single-tile moves.
const SINGLE_TILE: u8 = 1;

/// The most levels: a distance is a byte, and the counts of 256 levels fit the first page.
const MOST_LEVELS: usize = 256;

/// The encoding of a file of pattern databases, which is no [`Encoding`] of a table.
const PATTERNS: u8 = 3;

/// The header's fields as they are written.
#[derive(Encode, Decode)]
struct Fields {
    rows: u8,
    cols: u8,
    metric: u8,
    blank: u8,
    encoding: u8,
    levels: Vec<u64>,
    sections: Vec<SectionFields>,
}

#[derive(Encode, Decode)]
struct SectionFields {
    kind: u8,
    offset: u64,
    length: u64,
    checksum: u32,
}

impl Fields {
    /// Reads the first page of the file in `bytes` and checks it against its checksum.
    fn read(bytes: &[u8]) -> Result<Fields, FormatError> {
        check_magic(bytes)?;
        let (found, expected) = (bytes.len() as u64, PAGE as u64);
        let Some(page) = bytes.get(..PAGE) else {
            return Err(FormatError::Length { found, expected });
        };
        let version = u32_at(page, MAGIC.len());
        if version > VERSION {
            return Err(FormatError::NewerVersion { found: version });
        }
        if crc32fast::hash(&page[..CHECKSUM]) != u32_at(page, CHECKSUM) {
            return Err(FormatError::Checksum { part: "header" });
        }
        if version == 0 {
            return Err(invalid("its format version is 0"));
        }
        let length = u32_at(page, MAGIC.len() + 4) as usize;
        let fields: Fields = page[FIELDS..CHECKSUM]
            .get(..length)
            .and_then(|fields| bincode::decode_from_slice(fields, bincode_format()).ok())
            .and_then(|(fields, read)| (read == length).then_some(fields))
            .ok_or_else(|| invalid("its header cannot be read"))?;
        match page[FIELDS + length..CHECKSUM]
            .iter()
            .all(|&byte| byte == 0)
        {
            true => Ok(fields),
            false => Err(invalid("there is something behind its header's fields")),
        }
    }

    /// The first page.
    fn page(self) -> Vec<u8> {
        let fields = bincode::encode_to_vec(self, bincode_format())
            .expect("the header of the deepest space fits a page");
        let mut page = Vec::with_capacity(PAGE);
        page.extend(MAGIC);
        page.extend(VERSION.to_le_bytes());
        page.extend((fields.len() as u32).to_le_bytes());
        page.extend(fields);
        page.resize(CHECKSUM, 0);
        page.extend(crc32fast::hash(&page).to_le_bytes());
        page
    }
}

fn bincode_format() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<PAGE>()
}

/// Where a section is in the file, and its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// What is there.
    pub kind: SectionKind,
    /// Offset of its first byte.
    pub offset: usize,
    /// Its length in bytes.
    pub length: usize,
    /// CRC-32 of its bytes.
    pub checksum: u32,
}

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
        let fields = Fields::read(bytes)?;
        if fields.encoding == PATTERNS {
            let (found, expected) = ("pattern databases", "a table");
            return Err(FormatError::OtherKind { found, expected });
        }
        let header = Header::check(fields)?;
        check_length(bytes, header.file_length())?;
        Ok(header)
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
    fn plan(class: GoalClass, encoding: Encoding, levels: Vec<u64>, checksums: &[u32]) -> Header {
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
    fn page(&self) -> Vec<u8> {
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

/// The first page of a file of pattern databases.
pub(crate) struct PatternsPage {
    /// Rows and columns of the boards.
    pub sides: (u8, u8),
    /// The goal's blank cell.
    pub blank: u8,
    /// Where the sections are: the tiles, then the bits of each pattern.
    pub sections: Vec<Section>,
}

impl PatternsPage {
    /// Reads the first page of the file in `bytes`. Of the sections the last ends within the file.
    ///
    /// # Errors
    /// [`FormatError`] says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<PatternsPage, FormatError> {
        let fields = Fields::read(bytes)?;
        if fields.encoding != PATTERNS {
            let (found, expected) = ("a table", "pattern databases");
            return Err(FormatError::OtherKind { found, expected });
        }
        if fields.metric != SINGLE_TILE || !fields.levels.is_empty() {
            return Err(invalid("its header is not that of pattern databases"));
        }
        let kinds = std::iter::once(SectionKind::PatternTiles)
            .chain(std::iter::repeat(SectionKind::PatternBits));
        let mut sections: Vec<Section> = Vec::new();
        for (section, kind) in fields.sections.iter().zip(kinds) {
            let offset = file_length(&sections).next_multiple_of(PAGE);
            let length = usize::try_from(section.length).unwrap_or(usize::MAX);
            let place = (section.kind, section.offset);
            if place != (kind.code(), offset as u64) || offset.checked_add(length).is_none() {
                return Err(invalid("its sections are not where they should be"));
            }
            let checksum = section.checksum;
            sections.push(Section {
                kind,
                offset,
                length,
                checksum,
            });
            if file_length(&sections) > bytes.len() {
                break; // it was cut short
            }
        }
        check_length(bytes, file_length(&sections))?;
        let (sides, blank) = ((fields.rows, fields.cols), fields.blank);
        Ok(PatternsPage {
            sides,
            blank,
            sections,
        })
    }

    /// Writes a file; `write_section` writes the bytes of each section.
    ///
    /// # Errors
    /// Those of `out` and `write_section`.
    pub fn write<W: Write + Seek>(
        mut self,
        out: &mut W,
        lengths: &[usize],
        write_section: impl FnMut(usize, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        for (i, &length) in lengths.iter().enumerate() {
            let offset = file_length(&self.sections).next_multiple_of(PAGE);
            let kind = match i {
                0 => SectionKind::PatternTiles,
                _ => SectionKind::PatternBits,
            };
            self.sections.push(Section {
                kind,
                offset,
                length,
                checksum: 0,
            });
        }
        write_sections(out, &mut self.sections, write_section)?;
        let fields = Fields {
            rows: self.sides.0,
            cols: self.sides.1,
            metric: SINGLE_TILE,
            blank: self.blank,
            encoding: PATTERNS,
            levels: Vec::new(),
            sections: section_fields(&self.sections),
        };
        out.write_all(&fields.page())
    }
}

/// The length of a file with these sections.
fn file_length(sections: &[Section]) -> usize {
    sections
        .last()
        .map_or(PAGE, |section| section.offset + section.length)
}

fn check_length(bytes: &[u8], expected: usize) -> Result<(), FormatError> {
    let (found, expected) = (bytes.len() as u64, expected as u64);
    match found == expected {
        true => Ok(()),
        false => Err(FormatError::Length { found, expected }),
    }
}

/// Compares the checksums of sections of the file in `bytes`.
///
/// # Errors
/// [`FormatError::Checksum`] names the first part whose bytes are not those that were written.
pub(crate) fn check_sections(bytes: &[u8], sections: &[Section]) -> Result<(), FormatError> {
    let mut end = PAGE;
    for section in sections {
        if bytes[end..section.offset].iter().any(|&byte| byte != 0) {
            let part = "space between sections";
            return Err(FormatError::Checksum { part });
        }
        end = section.offset + section.length;
        if crc32fast::hash(&bytes[section.offset..end]) != section.checksum {
            let part = section.kind.name();
            return Err(FormatError::Checksum { part });
        }
    }
    Ok(())
}

/// Writes a page of zeros and the sections, then goes back to the first page, which holds their
/// checksums.
fn write_sections<W: Write + Seek>(
    out: &mut W,
    sections: &mut [Section],
    mut write_section: impl FnMut(usize, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    for (i, section) in sections.iter_mut().enumerate() {
        out.write_all(&vec![0; section.offset - at])?;
        let mut out = Checksummed::new(&mut *out);
        write_section(i, &mut out)?;
        let name = section.kind.name();
        assert_eq!(out.length, section.length, "length of the {name}");
        section.checksum = out.checksum();
        at = section.offset + section.length;
    }
    out.seek(SeekFrom::Start(0))?;
    Ok(())
}

fn section_fields(sections: &[Section]) -> Vec<SectionFields> {
    let fields = |section: &Section| SectionFields {
        kind: section.kind.code(),
        offset: section.offset as u64,
        length: section.length as u64,
        checksum: section.checksum,
    };
    sections.iter().map(fields).collect()
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

fn u32_at(page: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&page[at..at + 4]);
    u32::from_le_bytes(bytes)
}

fn invalid(what: &str) -> FormatError {
    FormatError::InvalidHeader {
        what: what.to_owned(),
    }
}
