//! The first page of a file of pattern databases: written, and read.

use std::io::{self, Seek, Write};

use super::first_page::{HeaderFields, SINGLE_TILE, check_layout, invalid, section_fields};
use super::format::{FormatError, SectionKind, VERSION};
use super::sections::{Section, check_length, file_length, layout, write_sections};

/// The encoding of a file of pattern databases, which is not an [`Encoding`] of a table.
pub(super) const PATTERNS: u8 = 3;

/// The first page of a file of pattern databases.
pub(crate) struct PatternsPage {
    /// Rows and columns of the boards.
    pub sides: (u8, u8),
    /// The goal's blank cell.
    pub blank: u8,
    /// The version of the file's format.
    pub version: u32,
    /// Places of the sections: the tiles, the bits of each pattern, from version 2 on the checksums.
    pub sections: Vec<Section>,
}

impl PatternsPage {
    /// Reads the first page of a file of `file_length` bytes.
    ///
    /// # Errors
    /// [`FormatError`] describes the fault.
    pub fn read(page: &[u8], file_length: u64) -> Result<PatternsPage, FormatError> {
        let (fields, version) = HeaderFields::read(page)?;
        if fields.encoding != PATTERNS {
            let (found, expected) = ("a table", "pattern databases");
            return Err(FormatError::OtherKind { found, expected });
        }
        if fields.metric != SINGLE_TILE || !fields.levels.is_empty() {
            return Err(invalid("its header is not that of pattern databases"));
        }
        let checksums = usize::from(version > 1);
        let kept = fields.sections.len().saturating_sub(checksums);
        let lengths = fields.sections[..kept].iter();
        let lengths: Vec<usize> = lengths
            .map(|section| usize::try_from(section.length).unwrap_or(usize::MAX))
            .collect();
        let sections = layout(&kinds(&lengths), version);
        let mut sections =
            sections.ok_or_else(|| invalid("its sections are not where they should be"))?;
        check_layout(&mut sections, &fields.sections, version)?;
        check_length(file_length, self::file_length(&sections))?;
        let (sides, blank) = ((fields.rows, fields.cols), fields.blank);
        Ok(PatternsPage {
            sides,
            blank,
            version,
            sections,
        })
    }

    /// Writes a file; `write_section` writes the bytes of each section.
    ///
    /// # Errors
    /// Those of `out` and `write_section`.
    pub fn write<W: Write + Seek>(
        sides: (u8, u8),
        blank: u8,
        out: &mut W,
        lengths: &[usize],
        write_section: impl FnMut(usize, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let sections = layout(&kinds(lengths), VERSION);
        let mut sections = sections.ok_or(io::ErrorKind::FileTooLarge)?;
        write_sections(out, &mut sections, write_section)?;
        let fields = HeaderFields {
            rows: sides.0,
            cols: sides.1,
            metric: SINGLE_TILE,
            blank,
            encoding: PATTERNS,
            levels: Vec::new(),
            sections: section_fields(&sections),
        };
        out.write_all(&fields.page())
    }
}

/// The sections of these lengths: the tiles, then the bits of each pattern.
fn kinds(lengths: &[usize]) -> Vec<(SectionKind, usize)> {
    let kinds = std::iter::once(SectionKind::PatternTiles)
        .chain(std::iter::repeat(SectionKind::PatternBits));
    kinds.zip(lengths.iter().copied()).collect()
}
