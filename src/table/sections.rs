//! The sections of a file: where they are, and whether they are what was written.

use std::io::{self, Seek, SeekFrom, Write};

use crate::basics::Checksummed;

use super::format::{FormatError, PAGE, SectionKind};

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

/// The length of a file with these sections.
pub(super) fn file_length(sections: &[Section]) -> usize {
    sections
        .last()
        .map_or(PAGE, |section| section.offset + section.length)
}

pub(super) fn check_length(bytes: &[u8], expected: usize) -> Result<(), FormatError> {
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
pub(super) fn write_sections<W: Write + Seek>(
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
