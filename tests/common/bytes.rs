//! The bytes of databases, and where their fields are.
#![allow(dead_code, reason = "each test program uses a part")]

use std::ops::ControlFlow;

use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

/// The bytes of the database of a shape's default goal.
pub fn database(rows: usize, cols: usize, encoding: Encoding) -> Vec<u8> {
    let shape = Shape::new(rows, cols).unwrap();
    let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
    build(class, encoding, 1, |_| ControlFlow::Continue(()))
        .unwrap()
        .unwrap()
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The places of the fields of a header, written down from the format's description and not from
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

/// Makes all checksums right again after the bytes were changed.
pub fn mend_checksums(bytes: &mut [u8]) {
    let layout = layout(bytes);
    let count = u64_at(bytes, layout.section_count) as usize;
    for i in 0..count.min(3) {
        let at = layout.sections + i * SECTION;
        let (offset, length) = (
            u64_at(bytes, at + 1) as usize,
            u64_at(bytes, at + 9) as usize,
        );
        if let Some(section) = bytes.get(offset..offset.saturating_add(length)) {
            let checksum = crc32fast::hash(section);
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
