//! The first page of a file as bytes.

use std::io::{self, Seek, Write};

use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};
use super::sections::{Section, check_length, file_length, layout, write_sections};

/// Offset of the header's fields.
const FIELDS: usize = 16;

/// Offset of the header's checksum.
const CHECKSUM: usize = PAGE - 4;

/// The metric of single-tile moves.
const SINGLE_TILE: u8 = 1;

/// Bytes of a section on the page: kind, offset, length, checksum.
const SECTION: usize = 21;

/// The encoding of a file of pattern databases, which is not an [`Encoding`](super::Encoding) of a table.
const PATTERNS: u8 = 3;

/// Fields of a header from which the places of its sections follow.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Rows and columns of the boards.
    pub sides: (u8, u8),
    /// The goal's blank cell.
    pub blank: u8,
    pub encoding: u8,
    /// Number of states at each distance; of patterns none.
    pub levels: Vec<u64>,
}

impl Fields {
    /// Fields of a file of pattern databases.
    pub fn of_patterns(sides: (u8, u8), blank: u8) -> Fields {
        Fields {
            sides,
            blank,
            encoding: PATTERNS,
            levels: Vec::new(),
        }
    }

    /// Reads the fields between the length and the zeros of a page; `None` if they are damaged.
    fn read(bytes: &[u8]) -> Option<(Fields, u8, &[[u8; SECTION]])> {
        let (&[rows, cols, metric, blank, encoding], rest) = bytes.split_first_chunk()?;
        let (levels, rest) = split_list(rest)?;
        let (sections, rest) = split_list(rest)?;
        let fields = Fields {
            sides: (rows, cols),
            blank,
            encoding,
            levels: levels.iter().map(|n| u64::from_le_bytes(*n)).collect(),
        };
        rest.is_empty().then_some((fields, metric, sections))
    }

    /// The first page of a file with these sections.
    pub fn page(&self, sections: &[Section]) -> Vec<u8> {
        let (rows, cols) = self.sides;
        let mut fields = vec![rows, cols, SINGLE_TILE, self.blank, self.encoding];
        fields.extend((self.levels.len() as u64).to_le_bytes());
        fields.extend(self.levels.iter().flat_map(|states| states.to_le_bytes()));
        fields.extend((sections.len() as u64).to_le_bytes());
        fields.extend(sections.iter().flat_map(section_bytes));
        let mut page = MAGIC.to_vec();
        page.extend(VERSION.to_le_bytes());
        page.extend((fields.len() as u32).to_le_bytes());
        page.extend(fields);
        assert!(page.len() <= CHECKSUM, "the deepest space fits a page");
        page.resize(CHECKSUM, 0);
        page.extend(crc32fast::hash(&page).to_le_bytes());
        page
    }

    /// Writes a file; `write_section` writes the bytes of each section, by its number. The page holds the sections'
    /// checksums, so it is first written as zeros and filled in at the end.
    ///
    /// # Errors
    /// Those of `out` and `write_section`.
    pub fn write_file<W: Write + Seek>(
        &self,
        out: &mut W,
        kept: &[(SectionKind, usize)],
        write_section: impl FnMut(usize, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut sections = layout(kept, VERSION).ok_or(io::ErrorKind::FileTooLarge)?;
        write_sections(out, &mut sections, write_section)?;
        out.write_all(&self.page(&sections))
    }
}

/// A first page that has its checksum.
pub(crate) struct FirstPage {
    pub fields: Fields,
    /// The version of the file's format.
    pub version: u32,
    sections: Vec<[u8; SECTION]>,
}

impl FirstPage {
    /// Reads the first page of a file, or as much of it as there is, and verifies its checksum.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn read(page: &[u8]) -> Result<FirstPage, FormatError> {
        check_magic(page)?;
        let (found, expected) = (page.len() as u64, PAGE as u64);
        let Some(page) = page.get(..PAGE) else {
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
        let fields = page[FIELDS..CHECKSUM].split_at_checked(length);
        let (fields, rest) = fields.ok_or_else(|| invalid("its header cannot be read"))?;
        let fields = Fields::read(fields).ok_or_else(|| invalid("its header cannot be read"))?;
        let (fields, metric, sections) = fields;
        if rest.iter().any(|&byte| byte != 0) {
            return Err(invalid("there is something behind its header's fields"));
        }
        if metric != SINGLE_TILE {
            return Err(invalid("its metric is unknown"));
        }
        Ok(FirstPage {
            fields,
            version,
            sections: sections.to_vec(),
        })
    }

    /// Returns whether it is that of a table, and not of pattern databases.
    pub fn is_table(&self) -> bool {
        self.fields.encoding != PATTERNS
    }

    /// The places of these sections and of the checksums, if they are those on the page.
    ///
    /// # Errors
    /// [`FormatError::InvalidHeader`] if the page has other sections, or a checksum where none is kept.
    pub fn places(&self, kept: &[(SectionKind, usize)]) -> Result<Vec<Section>, FormatError> {
        let elsewhere = || invalid("its sections are not where they should be");
        let mut sections = layout(kept, self.version).ok_or_else(elsewhere)?;
        if sections.len() != self.sections.len() {
            return Err(elsewhere());
        }
        for (section, found) in sections.iter_mut().zip(&self.sections) {
            section.checksum = u32_at(found, SECTION - 4);
            if section_bytes(section) != *found {
                return Err(elsewhere());
            }
            let has_own = self.version == 1 || section.kind == SectionKind::Checksums;
            if section.checksum != 0 && !has_own {
                return Err(invalid("a section has two checksums"));
            }
        }
        Ok(sections)
    }

    /// The places of the sections of a file of pattern databases of `file_length` bytes: the tiles, the bits of each
    /// pattern, from version 2 on the checksums.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn pattern_places(&self, file_length: u64) -> Result<Vec<Section>, FormatError> {
        if self.is_table() {
            let (found, expected) = ("a table", "pattern databases");
            return Err(FormatError::OtherKind { found, expected });
        }
        if !self.fields.levels.is_empty() {
            return Err(invalid("its header is not that of pattern databases"));
        }
        let checksums = usize::from(self.version > 1);
        let kept = self.sections.len().saturating_sub(checksums);
        let length = |section: &[u8; SECTION]| {
            let length = section[9..].first_chunk().copied().unwrap_or_default();
            usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX)
        };
        let lengths: Vec<usize> = self.sections[..kept].iter().map(length).collect();
        let sections = self.places(&pattern_sections(&lengths))?;
        check_length(file_length, self::file_length(&sections))?;
        Ok(sections)
    }
}

/// The sections of pattern databases, of these lengths: the tiles, then the bits of each pattern.
pub(crate) fn pattern_sections(lengths: &[usize]) -> Vec<(SectionKind, usize)> {
    let kinds = std::iter::once(SectionKind::PatternTiles)
        .chain(std::iter::repeat(SectionKind::PatternBits));
    kinds.zip(lengths.iter().copied()).collect()
}

/// Splits a list off: the number of its items in eight bytes, and the items.
fn split_list<const N: usize>(bytes: &[u8]) -> Option<(&[[u8; N]], &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (items, rest) = rest.split_at_checked(count.checked_mul(N)?)?;
    Some((items.as_chunks().0, rest))
}

fn section_bytes(section: &Section) -> [u8; SECTION] {
    let mut bytes = [0; SECTION];
    bytes[0] = section.kind as u8;
    bytes[1..9].copy_from_slice(&(section.offset as u64).to_le_bytes());
    bytes[9..17].copy_from_slice(&(section.length as u64).to_le_bytes());
    bytes[17..].copy_from_slice(&section.checksum.to_le_bytes());
    bytes
}

fn u32_at(page: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&page[at..at + 4]);
    u32::from_le_bytes(bytes)
}

/// The error of a page that contradicts itself.
pub(super) fn invalid(what: &str) -> FormatError {
    FormatError::InvalidHeader {
        what: what.to_owned(),
    }
}
