//! The part of crc32fast that is used here, without its tables of 16 KiB, which a module for browsers would have.

use std::sync::LazyLock;

/// Computes a CRC-32.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    sum: u32,
    length: u64,
}

/// The remainders of a byte that is followed by 0 to 7 bytes of 0.
static REMAINDERS: LazyLock<[[u32; 256]; 8]> = LazyLock::new(|| {
    let mut all = [[0; 256]; 8];
    for byte in 0..256 {
        let mut sum = byte as u32;
        for of_distance in &mut all {
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xEDB8_8320 * (sum & 1));
            }
            of_distance[byte] = sum;
        }
    }
    all
});

impl Hasher {
    pub fn new() -> Hasher {
        Hasher::default()
    }

    pub fn new_with_initial(sum: u32) -> Hasher {
        Hasher::new_with_initial_len(sum, 0)
    }

    pub fn new_with_initial_len(sum: u32, length: u64) -> Hasher {
        Hasher { sum, length }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        let remainders = &*REMAINDERS;
        let (words, rest) = bytes.as_chunks::<8>();
        let mut sum = !self.sum;
        for word in words {
            let word = u64::from_le_bytes(*word) ^ u64::from(sum);
            let word = word.to_le_bytes().into_iter().zip(remainders.iter().rev());
            sum = word.fold(0, |sum, (byte, of_distance)| {
                sum ^ of_distance[usize::from(byte)]
            });
        }
        for byte in rest {
            sum = (sum >> 8) ^ remainders[0][(sum as u8 ^ byte) as usize];
        }
        self.sum = !sum;
        self.length += bytes.len() as u64;
    }

    /// Appends the bytes of another.
    pub fn combine(&mut self, next: &Hasher) {
        let after = |sum: u32, _| (sum >> 8) ^ REMAINDERS[0][(sum & 255) as usize];
        self.sum = (0..next.length).fold(self.sum, after) ^ next.sum;
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
            let mut whole = Hasher::new_with_initial(hash(first));
            whole.update(second);
            assert_eq!(whole.finalize(), crc32fast::hash(&bytes));
            let mut whole = Hasher::new_with_initial(hash(first));
            let length = second.len() as u64;
            whole.combine(&Hasher::new_with_initial_len(hash(second), length));
            assert_eq!(whole.finalize(), crc32fast::hash(&bytes));
        }
    }
}
