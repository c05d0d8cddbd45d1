//! The first page of a file of pattern databases: written, and read.

use std::io::{self, Seek, Write};

use super::first_page::{Fields, SINGLE_TILE, invalid, section_fields};
use super::format::{FormatError, PAGE, SectionKind};
use super::sections::{Section, check_length, file_length, write_sections};

/// The encoding of a file of pattern databases, which is no [`Encoding`] of a table.
pub(super) const PATTERNS: u8 = 3;

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
