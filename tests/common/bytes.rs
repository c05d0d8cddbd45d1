//! Bytes of databases, and the positions of their fields.
#![allow(dead_code, reason = "each test program uses a part")]

use puzzledb::Cancel;
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

/// Bytes of the database of a shape's default goal.
pub fn database(rows: usize, cols: usize, encoding: Encoding) -> Vec<u8> {
    let shape = Shape::new(rows, cols).unwrap();
    let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
    build(class, encoding, 1, &Cancel::new()).unwrap().unwrap()
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Positions of the fields of a header, written down from the format's description and not from
/// the program.
pub struct Layout {
    pub levels: usize,
    pub level_count: usize,
    pub section_count: usize,
    pub sections: usize,
}

pub const SECTION: usize = 21;

pub fn layout(bytes: &[u8]) -> Layout {
    let level_count = u64_at(bytes, 21) as usize;
    let section_count = 29 + 8 * level_count;
    Layout {
        levels: 29,
        level_count,
        section_count,
        sections: section_count + 8,
    }
}

/// Sections that a header names: the position of the entry, and the range of the section.
fn sections(bytes: &[u8]) -> Vec<(usize, std::ops::Range<usize>)> {
    let layout = layout(bytes);
    let count = u64_at(bytes, layout.section_count) as usize;
    let named = (0..count.min(9)).map(|i| layout.sections + i * SECTION);
    let place = |at: usize| {
        let (offset, length) = (u64_at(bytes, at + 1), u64_at(bytes, at + 9));
        (at, offset as usize..offset.saturating_add(length) as usize)
    };
    named.map(place).collect()
}

/// Makes all checksums right again after the bytes were changed, as far as the header still has their positions.
pub fn mend_checksums(bytes: &mut [u8]) {
    let mut sections = sections(bytes);
    if let Some((at, last)) = sections.pop() {
        let chunks = sections
            .iter()
            .filter_map(|(_, section)| bytes.get(section.clone()));
        let sums = chunks.flat_map(|section| section.chunks(16_384).map(crc32fast::hash));
        let sums: Vec<u8> = sums.flat_map(u32::to_le_bytes).collect();
        if let Some(checksums) = bytes
            .get_mut(last)
            .filter(|there| there.len() == sums.len())
        {
            checksums.copy_from_slice(&sums);
            let checksum = crc32fast::hash(&sums);
            bytes[at + 17..at + 21].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    mend_header(bytes);
}

/// Makes the header's own checksum right again.
pub fn mend_header(bytes: &mut [u8]) {
    let checksum = crc32fast::hash(&bytes[..4092]);
    bytes[4092..4096].copy_from_slice(&checksum.to_le_bytes());
}
