//! The part of a table that one of several ranks has written to a file of its own.
//!
//! Its first page holds the number of the shard and the places of its pieces in the section. The first
//! page of the whole file follows, and then the pieces, one behind the other.

use super::format::PAGE;

/// The first bytes of a shard; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBSHD\x01";

/// Offset of the pieces.
pub(super) const PIECES: usize = 2 * PAGE;

/// Bytes of the section that one rank has written: offset, length, CRC-32.
pub(super) type Piece = [u64; 3];

/// Contents of a shard's first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShardHead {
    pub rank: u32,
    pub ranks: u32,
    /// In the order of the section and of the file; no more than there are cells.
    pub pieces: Vec<Piece>,
}

impl ShardHead {
    /// The page: magic, rank, ranks, number of pieces, the pieces, zeros, the CRC-32 of all that.
    pub(super) fn page(&self) -> Vec<u8> {
        let mut page = MAGIC.to_vec();
        for number in [self.rank, self.ranks, self.pieces.len() as u32] {
            page.extend(number.to_le_bytes());
        }
        page.extend(self.pieces.iter().flatten().flat_map(|n| n.to_le_bytes()));
        page.resize(PAGE - 4, 0);
        page.extend(crc32fast::hash(&page).to_le_bytes());
        page
    }

    /// Reads the page; `None` if it is not a valid one.
    pub(super) fn read(page: &[u8]) -> Option<ShardHead> {
        let rest = page.strip_prefix(&MAGIC)?;
        let (numbers, rest) = rest.split_at_checked(12)?;
        let [rank, ranks, count] = *numbers.as_chunks().0 else {
            return None;
        };
        let [rank, ranks, count] = [rank, ranks, count].map(u32::from_le_bytes);
        let pieces = rest.as_chunks().0.iter().map(|n| u64::from_le_bytes(*n));
        let pieces: Vec<u64> = pieces.take(3 * count as usize).collect();
        let pieces = pieces.as_chunks().0.to_vec();
        let head = ShardHead {
            rank,
            ranks,
            pieces,
        };
        (rank < ranks && head.pieces.len() == count as usize && head.page() == page).then_some(head)
    }

    /// Bytes of the whole shard; `None` if there are more than a number holds.
    pub(super) fn length(&self) -> Option<u64> {
        let mut lengths = self.pieces.iter().map(|[_, length, _]| *length);
        lengths.try_fold(PIECES as u64, u64::checked_add)
    }
}
