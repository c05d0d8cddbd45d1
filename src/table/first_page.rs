//! The first page of a file as bytes.
//!
//! This is the only module that uses `bincode`; a golden test pins the bytes that it makes.

use std::io::{self, Seek, SeekFrom, Write};

use super::chunks::Summed;
use super::encoding::Encoding;
use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};
use super::sections::{Section, check_length, file_length, layout};
use crate::basics::crc32;
use crate::puzzle::Shape;
use crate::space::GoalClass;

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

/// The code of pattern databases in the place of that of an encoding.
const PATTERNS: u8 = 3;

/// The first page of a file.
#[derive(Clone, Debug)]
pub(crate) struct FirstPage {
    /// The version of the file's format.
    pub version: u32,
    /// The class of goals, of any shape.
    pub class: GoalClass,
    /// The encoding of a table; `None` of pattern databases.
    pub encoding: Option<Encoding>,
    /// Number of states at each distance; of patterns none.
    pub levels: Vec<u64>,
    /// In the order of the file, the checksums last.
    pub sections: Vec<Section>,
}

impl FirstPage {
    /// Page of a file with these sections and the checksums, as it is written; the checksum of its checksums is 0.
    ///
    /// # Errors
    /// [`io::ErrorKind::FileTooLarge`] for more bytes than a file can have.
    pub fn new(
        class: GoalClass,
        encoding: Option<Encoding>,
        levels: Vec<u64>,
        kept: &[(SectionKind, usize)],
    ) -> io::Result<FirstPage> {
        Ok(FirstPage {
            version: VERSION,
            class,
            encoding,
            levels,
            sections: layout(kept, VERSION).ok_or(io::ErrorKind::FileTooLarge)?,
        })
    }

    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let (shape, blank) = (self.class.shape(), self.class.blank() as u8);
        let encoding = self.encoding.map_or(PATTERNS, |encoding| encoding as u8);
        let [rows, cols] = [shape.rows(), shape.cols()].map(|side| side as u8);
        let head = [rows, cols, SINGLE_TILE, blank, encoding];
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
        if crc32::hash(&page[..CHECKSUM]) != u32_at(page, CHECKSUM) {
            return Err(FormatError::Checksum { part: "header" });
        }
        if version == 0 {
            return Err(invalid("its format version is 0"));
        }
        let unreadable = || invalid("its header cannot be read");
        let decoded = bincode::decode_from_slice(&page[FIELDS..CHECKSUM], bincode_format());
        let (written, _): (Written, usize) = decoded.map_err(|_| unreadable())?;
        let ([rows, cols, metric, blank, encoding], levels, sections) = written;
        if metric != SINGLE_TILE {
            return Err(invalid("its metric is unknown"));
        }
        let class = class_of(rows, cols, blank);
        let class = class.ok_or_else(|| invalid("its goal is not a canonical one"))?;
        let encoding = match encoding {
            PATTERNS => None,
            code => {
                Some(Encoding::from_code(code).ok_or_else(|| invalid("its encoding is unknown"))?)
            }
        };
        let section = |(kind, offset, length, checksum): SectionFields| {
            Some(Section {
                kind: SectionKind::from_code(kind)?,
                offset: offset as usize,
                length: length as usize,
                checksum,
            })
        };
        let sections: Option<_> = sections.into_iter().map(section).collect();
        let read = FirstPage {
            version,
            class,
            encoding,
            levels,
            sections: sections.ok_or_else(unreadable)?,
        };
        // So there is nothing behind the fields, and every number fits.
        (read.bytes() == page)
            .then_some(read)
            .ok_or_else(unreadable)
    }

    /// Checks that these sections and the checksums are on the page, in their places.
    ///
    /// # Errors
    /// [`FormatError::InvalidHeader`] if the page has other sections, or a checksum where none is kept.
    pub fn check_sections(&self, kept: &[(SectionKind, usize)]) -> Result<(), FormatError> {
        let mut sections = layout(kept, self.version).unwrap_or_default();
        for (section, found) in sections.iter_mut().zip(&self.sections) {
            if self.version == 1 || section.kind == SectionKind::Checksums {
                section.checksum = found.checksum;
            }
        }
        match sections == self.sections {
            true => Ok(()),
            false => Err(invalid("its sections are not where they should be")),
        }
    }

    /// Checks the sections of a file of pattern databases of `file_length` bytes: the tiles, the bits of each pattern,
    /// from version 2 on the checksums.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn check_patterns(&self, file_length: u64) -> Result<(), FormatError> {
        if self.encoding.is_some() {
            let (found, expected) = ("a table", "pattern databases");
            return Err(FormatError::OtherKind { found, expected });
        }
        if !self.levels.is_empty() {
            return Err(invalid("its header is not that of pattern databases"));
        }
        let checksums = usize::from(self.version > 1);
        let kept = self.sections.len().saturating_sub(checksums);
        let lengths = self.sections[..kept].iter().map(|section| section.length);
        self.check_sections(&pattern_sections(lengths))?;
        check_length(file_length, self::file_length(&self.sections))
    }

    /// Writes a file; `write_section` writes the bytes of each section, by its number.
    ///
    /// # Errors
    /// Those of `out` and `write_section`.
    pub fn write_file<W: Write + Seek>(
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
            let run = out.finish();
            let name = section.kind.name();
            assert_eq!(run.length, section.length as u64, "length of the {name}");
            sums.extend(run.bytes());
        }
        self.set_sums(&sums);
        self.write_ends(out, &sums)
    }

    /// Sets the checksum of the section of checksums, of which these are the bytes.
    pub fn set_sums(&mut self, sums: &[u8]) {
        let checksums = self.sections.last_mut().expect("the checksums are there");
        checksums.checksum = crc32::hash(sums);
    }

    /// Writes the page and the checksums, which are written after the other sections.
    pub fn write_ends(&self, out: &mut (impl Write + Seek), sums: &[u8]) -> io::Result<()> {
        let checksums = self.sections.last().map_or(PAGE, |last| last.offset);
        out.seek(SeekFrom::Start(checksums as u64))?;
        out.write_all(sums)?;
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&self.bytes())
    }
}

/// The sections of pattern databases, of these lengths: the tiles, then the bits of each pattern.
pub(crate) fn pattern_sections(lengths: impl Iterator<Item = usize>) -> Vec<(SectionKind, usize)> {
    let kinds = std::iter::once(SectionKind::PatternTiles)
        .chain(std::iter::repeat(SectionKind::PatternBits));
    kinds.zip(lengths).collect()
}

/// The class with these fields, if they are those of its canonical goal.
fn class_of(rows: u8, cols: u8, blank: u8) -> Option<GoalClass> {
    let (shape, blank) = (Shape::new(rows.into(), cols.into()).ok()?, blank.into());
    let class = (blank < shape.cells()).then(|| GoalClass::of_any_shape(shape, blank))?;
    ((class.shape(), class.blank()) == (shape, blank)).then_some(class)
}

fn u32_at(page: &[u8], at: usize) -> u32 {
    page[at..]
        .first_chunk()
        .copied()
        .map_or(0, u32::from_le_bytes)
}

/// The error of a page that contradicts itself.
pub(super) fn invalid(what: &str) -> FormatError {
    FormatError::InvalidHeader {
        what: what.to_owned(),
    }
}
