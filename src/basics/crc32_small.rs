//! The part of crc32fast that is used here, without its tables of 16 KiB, which a module for browsers would have.

use std::sync::LazyLock;

/// Computes a CRC-32.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    sum: u32,
    length: u64,
}

/// The remainder of each byte.
static REMAINDERS: LazyLock<[u32; 256]> = LazyLock::new(|| {
    let shift = |sum, _| (sum >> 1) ^ (0xEDB8_8320 * (sum & 1));
    std::array::from_fn(|byte| (0..8).fold(byte as u32, shift))
});

/// Returns a sum after some bytes more.
fn after(sum: u32, bytes: impl Iterator<Item = u8>) -> u32 {
    let remainders = &*REMAINDERS;
    bytes.fold(sum, |sum, byte| {
        (sum >> 8) ^ remainders[usize::from(sum as u8 ^ byte)]
    })
}

impl Hasher {
    pub fn new() -> Hasher {
        Hasher::default()
    }

    pub fn new_with_initial_len(sum: u32, length: u64) -> Hasher {
        Hasher { sum, length }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.sum = !after(!self.sum, bytes.iter().copied());
        self.length += bytes.len() as u64;
    }

    /// Appends the bytes of another.
    pub fn combine(&mut self, next: &Hasher) {
        self.sum = after(self.sum, (0..next.length).map(|_| 0)) ^ next.sum;
        self.length += next.length;
    }

    pub fn finalize(self) -> u32 {
        self.sum
    }
}

/// The CRC-32 of some bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_crc32fast() {
        let bytes: Vec<u8> = (0..999u32).map(|i| (i * i / 7) as u8).collect();
        for cut in [0, 1, 500, 999] {
            let (first, second) = bytes.split_at(cut);
            assert_eq!(hash(first), crc32fast::hash(first));
            let mut whole = Hasher::new_with_initial_len(hash(first), 0);
            whole.update(second);
            assert_eq!(whole.finalize(), crc32fast::hash(&bytes));
            let mut whole = Hasher::new_with_initial_len(hash(first), 0);
            let length = second.len() as u64;
            whole.combine(&Hasher::new_with_initial_len(hash(second), length));
            assert_eq!(whole.finalize(), crc32fast::hash(&bytes));
        }
    }
}
