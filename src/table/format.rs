//! The file format, `.pzdb`, version 2.
//!
//! Little-endian; the same bytes on every machine and for every number of threads: no time, no
//! path and no host is in it. The first page (4096 bytes) is the header:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | magic: `89 50 5A 44 42 0D 0A 1A`, which is 0x89 `PZDB` CR LF ^Z |
//! | 8..12 | format version, `u32`: 2 |
//! | 12..16 | length L of the fields that follow, `u32` |
//! | 16 | rows, `u8`; rows >= columns |
//! | 17 | columns, `u8` |
//! | 18 | metric, `u8`: 1 = single-tile moves (2 is kept for multi-tile moves) |
//! | 19 | the goal's blank cell, `u8`: the canonical one of its class |
//! | 20 | encoding, `u8`: 1 = full, 2 = bit, 3 = patterns |
//! | 21..29 | number of levels N, `u64`: the largest distance + 1; 0 for patterns |
//! | 29..29+8N | states of each level, `u64` each |
//! | then 8 | number of sections, `u64` |
//! | then 21 each | kind `u8`, offset `u64`, length in bytes `u64`, `u32`: CRC-32 of the bytes of section 6, 0 for others |
//! | up to 4092 | zeros |
//! | 4092..4096 | CRC-32 of bytes 0..4092, `u32` |
//!
//! The states are numbered as follows. Boards are those of the header's shape; a board of the
//! transposed shape is transposed first. Tiles are renamed and the board is turned or mirrored so
//! that the goal has its tiles in reading order, 1..m with m = cells - 1, and its blank in the
//! header's cell. Leaving the blank out, tile i of the board's reading order has the Lehmer digit
//! d_i, the number of later tiles that are smaller; the order's rank is the sum of
//! d_i * (m-1-i)!, halved without remainder. The state's number is
//! blank cell * (m!/2) + order rank. `tests/library/format.rs` has a reader of thirty lines.
//!
//! The sections follow in order, each at the next multiple of 4096, with zeros between them and
//! nothing after the last. Fields are packed by state index, without gaps, the lowest bit first:
//! field i of width w is bits i*w.. of the section, where bit b is bit b%8 of byte b/8.
//!
//! | kind | section | field |
//! | --- | --- | --- |
//! | 1 | distances | the distance, in as many bits as the largest needs |
//! | 2 | parents | a move one step closer to the goal: 0 up, 1 down, 2 left, 3 right (the way of the blank on the board as it is numbered); 0 at the goal |
//! | 3 | bit one | bit 1 of the distance, one bit |
//! | 4 | tiles of the patterns | for each pattern the number of its tiles and their goal cells in order, a byte each |
//! | 5 | bits of a pattern | bit 1 of the distance of each state of the pattern, one bit |
//! | 6 | checksums | for each chunk of the sections before it the CRC-32 of its bytes, `u32` |
//!
//! `full` has sections 1 and 2, `bit` has section 3, `patterns` has section 4 and then a section 5 for each
//! pattern. Section 6 is the last of every file. A section's chunks are its bytes 0..16384, 16384..32768 and so on;
//! the last may be shorter. The CRC-32 is the one of zip and PNG.
//!
//! In version 1, which is read but not written, there is no section 6, and the `u32` of each section in the header
//! is the CRC-32 of its bytes.
//!
//! The states of a pattern of k tiles are numbered block * k! + order. A set of k cells for the tiles is
//! the number with their bits set, cell c being bit c; sets are in the order of these numbers. The
//! other cells of a set fall into regions, connected by their sides, in the order of their first cells;
//! the blocks are the regions of the first set, of the second set, and so on. The state's block is that
//! of the blank's region. The order is the rank of the pattern's tiles in reading order, each named by
//! the place of its goal cell among those of the pattern: the sum of d_i * (k-1-i)!, not halved. The
//! distance is the fewest moves of the pattern's tiles to their goal cells and the blank's region to that
//! of the goal's blank, other moves not counted. Its parity is whether the number of tiles on
//! cells with an odd sum of row and column differs by an odd number from that at the goal. Bits of states
//! that no board shows, where fewer than two tiles are in no pattern, are 0.

use std::io::ErrorKind;

pub use super::chunks::CHUNK;

/// The first bytes of every database.
pub const MAGIC: [u8; 8] = *b"\x89PZDB\r\n\x1a";

/// The version of the format that is written. It and the earlier one are read.
pub const VERSION: u32 = 2;

/// The header's size and the alignment of sections, in bytes.
pub const PAGE: usize = 4096;

/// Fault in the bytes of a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// No bytes at all.
    #[error("is empty")]
    Empty,
    /// It does not begin as a database does.
    #[error("is not a puzzledb database")]
    NotADatabase,
    /// The magic bytes were changed as a text-mode transfer changes them.
    #[error("was damaged by a transfer in text mode")]
    TextMode,
    /// Written by a later version.
    #[error("has format version {found}, which is newer than this puzzledb reads ({VERSION})")]
    NewerVersion {
        /// The version in the file.
        found: u32,
    },
    /// It is a table where patterns are expected, or the other way round.
    #[error("holds {found}, and not {expected}")]
    OtherKind {
        /// Contents of the file.
        found: &'static str,
        /// Expected contents.
        expected: &'static str,
    },
    /// A part does not have its checksum.
    #[error("is damaged: the checksum of the {part} is wrong")]
    Checksum {
        /// Name of the part.
        part: &'static str,
    },
    /// Chunks of a section do not have their checksums.
    #[error("is damaged: {} of the {part} ({} KiB each)", chunks_text(.chunks), CHUNK >> 10)]
    Chunks {
        /// Name of the section.
        part: &'static str,
        /// Numbers of the chunks, from 0, each of [`CHUNK`] bytes.
        chunks: Vec<usize>,
    },
    /// The system cannot read a part of it any more.
    #[error("cannot be read: {0}")]
    Unreadable(ErrorKind),
    /// The header has its checksum, but a field has no valid value or contradicts another.
    #[error("is damaged: {what}")]
    InvalidHeader {
        /// Description of the fault.
        what: String,
    },
    /// The file is shorter or longer than its header requires.
    #[error("is {} bytes long and should be {expected}: it {}", found,
        if found < expected { "was cut short" } else { "has bytes too many" })]
    Length {
        /// Bytes that are there.
        found: u64,
        /// Bytes that there should be.
        expected: u64,
    },
}

/// Names the first chunks, and counts the others.
fn chunks_text(chunks: &[usize]) -> String {
    const NAMED: usize = 10;
    let numbers: Vec<String> = chunks.iter().take(NAMED).map(usize::to_string).collect();
    let numbers = numbers.join(", ");
    match chunks.len() {
        1 => format!("chunk {numbers}"),
        ..=NAMED => format!("chunks {numbers}"),
        all => format!("chunks {numbers} and {} more", all - NAMED),
    }
}

/// Kind of a section: its contents, by the number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionKind {
    /// Distances, in as many bits as the largest needs.
    Distances = 1,
    /// Parent moves, two bits each.
    Parents = 2,
    /// Bit 1 of the distances.
    BitOne = 3,
    /// The goal cells of each pattern's tiles.
    PatternTiles = 4,
    /// Bit 1 of the distances of a pattern's states.
    PatternBits = 5,
    /// The CRC-32 of each chunk of the other sections.
    Checksums = 6,
}

impl SectionKind {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            SectionKind::Distances => "distances section",
            SectionKind::Parents => "parents section",
            SectionKind::BitOne => "bit section",
            SectionKind::PatternTiles => "tiles of the patterns",
            SectionKind::PatternBits => "bits of a pattern",
            SectionKind::Checksums => "section of checksums",
        }
    }
}

/// Checks that the file begins as a database does.
pub(super) fn check_magic(bytes: &[u8]) -> Result<(), FormatError> {
    // The magic bytes after CR LF -> LF or LF -> CR CR LF, or with the eighth bit cut off.
    let text_mode = [
        &b"\x89PZDB\n\x1a"[..],
        b"\x89PZDB\r\r\n",
        b"\x09PZDB\r\n",
        b"\x09PZDB\n",
    ];
    match bytes {
        [] => Err(FormatError::Empty),
        _ if MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) => Ok(()),
        _ if text_mode.iter().any(|start| bytes.starts_with(start)) => Err(FormatError::TextMode),
        _ => Err(FormatError::NotADatabase),
    }
}
