//! The first page of a file as bytes.
//!
//! This is the only module that uses `bincode`; a golden test pins the bytes that it makes.

use std::io::{self, Seek, Write};

use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};
use super::sections::{Section, check_length, file_length, layout, write_sections};

/// Offset of the header's fields.
const FIELDS: usize = 16;

/// Offset of the header's checksum.
const CHECKSUM: usize = PAGE - 4;

/// The metric of single-tile moves.
const SINGLE_TILE: u8 = 1;

/// A section on the page: kind, offset, length, checksum.
type SectionFields = (u8, u64, u64, u32);

/// The fields as they are written: rows, columns, metric, blank, encoding; levels; sections. [`bincode`] writes a tuple as
/// its fields, one after the other, and a list behind its length.
type Written = ([u8; 5], Vec<u64>, Vec<SectionFields>);

fn bincode_format() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<PAGE>()
}

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

    /// The first page of a file with these sections.
    pub fn page(&self, sections: &[Section]) -> Vec<u8> {
        let (rows, cols) = self.sides;
        let head = [rows, cols, SINGLE_TILE, self.blank, self.encoding];
        let sections: Vec<SectionFields> = sections.iter().map(section_fields).collect();
        let fields = bincode::encode_to_vec((head, &self.levels, sections), bincode_format())
            .expect("the header of the deepest space fits a page");
        let mut page = MAGIC.to_vec();
        page.extend(VERSION.to_le_bytes());
        page.extend((fields.len() as u32).to_le_bytes());
        page.extend(fields);
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
    sections: Vec<SectionFields>,
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
        let unreadable = || invalid("its header cannot be read");
        let split = page[FIELDS..CHECKSUM].split_at_checked(length);
        let (bytes, rest) = split.ok_or_else(unreadable)?;
        let (written, read): (Written, usize) =
            bincode::decode_from_slice(bytes, bincode_format()).map_err(|_| unreadable())?;
        if read != length {
            return Err(unreadable());
        }
        let ([rows, cols, metric, blank, encoding], levels, sections) = written;
        if rest.iter().any(|&byte| byte != 0) {
            return Err(invalid("there is something behind its header's fields"));
        }
        if metric != SINGLE_TILE {
            return Err(invalid("its metric is unknown"));
        }
        let sides = (rows, cols);
        Ok(FirstPage {
            fields: Fields {
                sides,
                blank,
                encoding,
                levels,
            },
            version,
            sections,
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
            section.checksum = found.3;
            if section_fields(section) != *found {
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
        let length = |section: &SectionFields| usize::try_from(section.2).unwrap_or(usize::MAX);
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

fn section_fields(section: &Section) -> SectionFields {
    let (offset, length) = (section.offset as u64, section.length as u64);
    (section.kind as u8, offset, length, section.checksum)
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
