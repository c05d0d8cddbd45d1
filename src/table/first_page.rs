//! The first page of a file as bytes.
//!
//! This is the only module that uses `bincode`; a golden test pins the bytes that it makes.

use super::format::{FormatError, MAGIC, PAGE, SectionKind, VERSION, check_magic};
use super::sections::Section;

/// Offset of the header's fields.
const FIELDS: usize = 16;

/// Offset of the header's checksum.
const CHECKSUM: usize = PAGE - 4;

/// The metric of single-tile moves.
pub(super) const SINGLE_TILE: u8 = 1;

/// The header's fields as they are written: [`bincode`] writes a tuple as its fields, one after the other.
type Written = (u8, u8, u8, u8, u8, Vec<u64>, Vec<(u8, u64, u64, u32)>);

/// The header's fields.
pub(super) struct HeaderFields {
    pub rows: u8,
    pub cols: u8,
    pub metric: u8,
    pub blank: u8,
    pub encoding: u8,
    pub levels: Vec<u64>,
    pub sections: Vec<SectionFields>,
}

pub(super) struct SectionFields {
    pub kind: u8,
    pub offset: u64,
    pub length: u64,
    pub checksum: u32,
}

impl HeaderFields {
    fn from_written(
        (rows, cols, metric, blank, encoding, levels, sections): Written,
    ) -> HeaderFields {
        let section = |(kind, offset, length, checksum)| SectionFields {
            kind,
            offset,
            length,
            checksum,
        };
        HeaderFields {
            rows,
            cols,
            metric,
            blank,
            encoding,
            levels,
            sections: sections.into_iter().map(section).collect(),
        }
    }

    fn into_written(self) -> Written {
        let section = |s: SectionFields| (s.kind, s.offset, s.length, s.checksum);
        let sections = self.sections.into_iter().map(section).collect();
        let HeaderFields {
            rows,
            cols,
            metric,
            blank,
            encoding,
            levels,
            ..
        } = self;
        (rows, cols, metric, blank, encoding, levels, sections)
    }

    /// Reads the first page of a file, or as much of it as there is, and verifies its checksum. Returns the fields
    /// and the version of the format.
    pub(super) fn read(page: &[u8]) -> Result<(HeaderFields, u32), FormatError> {
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
        let fields: Written = page[FIELDS..CHECKSUM]
            .get(..length)
            .and_then(|fields| bincode::decode_from_slice(fields, bincode_format()).ok())
            .and_then(|(fields, read)| (read == length).then_some(fields))
            .ok_or_else(|| invalid("its header cannot be read"))?;
        if page[FIELDS + length..CHECKSUM]
            .iter()
            .all(|&byte| byte == 0)
        {
            Ok((HeaderFields::from_written(fields), version))
        } else {
            Err(invalid("there is something behind its header's fields"))
        }
    }

    /// The first page.
    pub(super) fn page(self) -> Vec<u8> {
        let fields = bincode::encode_to_vec(self.into_written(), bincode_format())
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

/// Sets the checksums of a layout's sections to those of the header.
///
/// # Errors
/// [`FormatError::InvalidHeader`] if the header has other sections, or a checksum where none is kept.
pub(super) fn check_layout(
    sections: &mut [Section],
    fields: &[SectionFields],
    version: u32,
) -> Result<(), FormatError> {
    let elsewhere = || invalid("its sections are not where they should be");
    if sections.len() != fields.len() {
        return Err(elsewhere());
    }
    for (section, field) in sections.iter_mut().zip(fields) {
        let place = (
            section.kind.code(),
            section.offset as u64,
            section.length as u64,
        );
        if place != (field.kind, field.offset, field.length) {
            return Err(elsewhere());
        }
        if version > 1 && section.kind != SectionKind::Checksums && field.checksum != 0 {
            return Err(invalid("a section has two checksums"));
        }
        section.checksum = field.checksum;
    }
    Ok(())
}

pub(super) fn section_fields(sections: &[Section]) -> Vec<SectionFields> {
    let fields = |section: &Section| SectionFields {
        kind: section.kind.code(),
        offset: section.offset as u64,
        length: section.length as u64,
        checksum: section.checksum,
    };
    sections.iter().map(fields).collect()
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
