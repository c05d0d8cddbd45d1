//! Fields of a few bits, one after the other without gaps, least significant bit first.

/// Collects bits into bytes.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u128,
    count: u32,
}

impl BitWriter {
    /// A writer that expects `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> BitWriter {
        BitWriter {
            bytes: Vec::with_capacity(bytes),
            ..BitWriter::default()
        }
    }

    /// Appends the low `count` bits of `bits`, at most 64; the bits above them must be 0.
    #[inline]
    pub fn push(&mut self, bits: u64, count: u32) {
        self.pending |= u128::from(bits) << self.count;
        self.count += count;
        if self.count >= 64 {
            self.bytes.extend((self.pending as u64).to_le_bytes());
            self.pending >>= 64;
            self.count -= 64;
        }
    }

    /// Appends one field for each of the low `states` bits of `planes`: bit k of field i is bit i
    /// of `planes[k]`. At most 8 planes.
    pub fn push_fields(&mut self, planes: &[u64], states: u32) {
        let width = planes.len() as u32;
        for first in (0..states).step_by(8) {
            let byte = |plane: &u64| plane >> first & 0xFF;
            let rows = planes
                .iter()
                .rev()
                .fold(0, |rows, plane| rows << 8 | byte(plane));
            let fields = close_gaps(transpose(rows), width);
            self.push(fields, width * (states - first).min(8));
        }
    }

    /// All bytes, the last one filled up with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        let rest = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.pending.to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Exchanges bit i of byte k and bit k of byte i, for all i and k.
///
/// Three rounds exchange ever larger corners (Warren, Hacker's Delight, 7-3).
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

/// Moves eight fields of `width` bits from a byte each to one after the other.
fn close_gaps(mut x: u64, width: u32) -> u64 {
    for step in 0..3 {
        let (slot, kept) = (8 << step, width << step);
        let pair = slot * 2;
        let ones = |n: u32| u64::MAX.checked_shr(64 - n).unwrap_or(0);
        let low = repeat(ones(kept), pair);
        x = x & low | (x >> (slot - kept)) & (low << kept);
    }
    x
}

/// `bits` at every multiple of `every` bits.
fn repeat(bits: u64, every: u32) -> u64 {
    (0..64)
        .step_by(every as usize)
        .fold(0, |all, at| all | bits << at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitvec::prelude::*;

    proptest::proptest! {
        /// The packing against the plain one, a field at a time.
        #[test]
        fn fields_are_where_bitvec_puts_them(
            planes in proptest::collection::vec(proptest::arbitrary::any::<u64>(), 1..9),
            states in 1u32..61,
            words in 1usize..5,
        ) {
            let full = (1u64 << states) - 1;
            let planes: Vec<u64> = planes.iter().map(|p| p & full).collect();
            let mut packed = BitWriter::with_capacity(0);
            let mut plain = BitVec::<u8, Lsb0>::new();
            for _ in 0..words {
                packed.push_fields(&planes, states);
                for i in 0..states {
                    plain.extend(planes.iter().map(|plane| plane >> i & 1 == 1));
                }
            }
            plain.set_uninitialized(false);
            proptest::prop_assert_eq!(packed.finish(), plain.into_vec());
        }
    }
}
