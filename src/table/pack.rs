//! Fields of a few bits, one after the other without gaps, least significant bit first.

use std::io::{self, Write};

/// Collects bits into bytes and writes them out.
pub struct BitWriter<'a> {
    out: &'a mut dyn Write,
    bytes: Vec<u8>,
    /// The last `count` bits, fewer than 64, that are not in `bytes` yet.
    pending: u64,
    count: u32,
}

/// Bytes that are written out at a time, at least.
const PIECE: usize = 64 << 10;

impl<'a> BitWriter<'a> {
    /// Creates a writer to `out`.
    pub fn new(out: &'a mut dyn Write) -> BitWriter<'a> {
        BitWriter {
            out,
            bytes: Vec::new(),
            pending: 0,
            count: 0,
        }
    }

    /// Writes out the collected bytes, if they are 64 KiB or more. Must be called every few
    /// thousand bits.
    pub fn write_out(&mut self) -> io::Result<()> {
        if self.bytes.len() >= PIECE {
            self.out.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }

    /// Appends the low `count` bits of `bits`, at most 64; the bits above them must be 0.
    #[inline]
    pub fn push(&mut self, bits: u64, count: u32) {
        self.pending |= bits << self.count;
        self.count += count;
        if self.count >= 64 {
            self.bytes.extend(self.pending.to_le_bytes());
            self.count -= 64;
            // The bits that did not fit: none if the shift is by all 64.
            self.pending = bits.checked_shr(count - self.count).unwrap_or(0);
        }
    }

    /// Appends the low `count` bits of each word, then calls [`BitWriter::write_out`].
    pub fn push_words(&mut self, words: &[u64], count: u32) -> io::Result<()> {
        words.iter().for_each(|word| self.push(*word, count));
        self.write_out()
    }

    /// Appends one field for each of the low `states` bits of `W` planes, at most 8: bit k of
    /// field i is bit i of `planes[k]`.
    ///
    /// The width is a constant, so that the masks of the packing are too.
    #[inline]
    pub fn push_fields<const W: usize>(&mut self, planes: [u64; W], states: u32) {
        // Eight groups of eight states, all by the same steps so that they can be vectorised.
        let mut groups: [u64; 8] = std::array::from_fn(|group| {
            let byte = |plane: u64| plane >> (8 * group) & 0xFF;
            (0..W).fold(0, |rows, k| rows | byte(planes[k]) << (8 * k))
        });
        for group in &mut groups {
            *group = close_gaps::<W>(transpose(*group));
        }
        for (first, fields) in (0..states).step_by(8).zip(groups) {
            self.push(fields, W as u32 * (states - first).min(8));
        }
    }

    /// Writes out all that is left, the last byte filled up with zeros.
    pub fn finish(mut self) -> io::Result<()> {
        let rest = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.pending.to_le_bytes()[..rest]);
        self.out.write_all(&self.bytes)
    }
}

/// Exchanges bit i of byte k and bit k of byte i, for all i and k.
///
/// An 8x8 bit matrix is transposed by exchanging the off-diagonal blocks of size 1, 2 and 4
/// (Warren, Hacker's Delight, 7-3).
#[inline]
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in [
        (7, 0x00AA_00AA_00AA_00AA),
        (14, 0x0000_CCCC_0000_CCCC),
        (28, 0x0000_0000_F0F0_F0F0),
    ] {
        let swap = (x ^ x >> shift) & mask;
        x ^= swap ^ swap << shift;
    }
    x
}

/// Moves eight fields of `W` bits together, from a byte each to one after the other.
#[inline]
fn close_gaps<const W: usize>(mut x: u64) -> u64 {
    // The masks, computed at compile time.
    let all = const {
        [
            low_fields(W, 16),
            low_fields(2 * W, 32),
            low_fields(4 * W, 64),
        ]
    };
    for (step, low) in all.into_iter().enumerate() {
        let (slot, kept) = (8 << step, W << step);
        x = x & low | (x >> (slot - kept)) & (low << kept);
    }
    x
}

/// The low `kept` bits of every `slot` bits.
const fn low_fields(kept: usize, slot: usize) -> u64 {
    let (mut mask, mut at) = (0, 0);
    while at < 64 {
        mask |= (u64::MAX >> (64 - kept)) << at;
        at += slot;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitvec::prelude::*;

    /// The packing against the plain one, a field at a time.
    fn same_as_plain<const W: usize>(planes: [u64; W], states: u32, words: usize) {
        let planes = planes.map(|plane| plane & ((1 << states) - 1));
        let mut bytes = Vec::new();
        let mut packed = BitWriter::new(&mut bytes);
        let mut plain = BitVec::<u8, Lsb0>::new();
        for _ in 0..words {
            packed.push_fields(planes, states);
            packed.write_out().unwrap();
            for i in 0..states {
                plain.extend(planes.iter().map(|plane| plane >> i & 1 == 1));
            }
        }
        plain.set_uninitialized(false);
        packed.finish().unwrap();
        assert_eq!(bytes, plain.into_vec());
    }

    proptest::proptest! {
        #[test]
        fn fields_are_where_bitvec_puts_them(planes: [u64; 8], states in 1u32..61, words in 1usize..5) {
            same_as_plain::<1>([planes[0]], states, words);
            same_as_plain::<2>([planes[0], planes[1]], states, words);
            same_as_plain::<5>(std::array::from_fn(|i| planes[i]), states, words);
            same_as_plain::<7>(std::array::from_fn(|i| planes[i]), states, words);
            same_as_plain::<8>(planes, states, words);
        }
    }
}
