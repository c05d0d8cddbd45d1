//! Blocks of planes as bytes: nothing, sparse, or raw.
//!
//! A code is a length in two bytes, then as many bytes. With length 0 all words are zero. With the
//! length of the words, the words follow, little-endian. With a smaller length the words are
//! squeezed: for each word a mask of its bytes that are not zero, and those bytes. The masks, as
//! bytes of words, are squeezed once more. The masks' masks come first, then the masks, then the
//! words' bytes.

use std::io;

#[cfg(target_arch = "x86_64")]
use super::wide;

/// Writes and reads blocks of up to 8,191 words; holds the working memory.
#[derive(Debug, Default)]
pub struct Coder {
    /// For each eight words the mask of their bytes that are not zero.
    masks: Vec<u64>,
    /// The same of the masks.
    outer: Vec<u64>,
    bytes: Vec<u8>,
}

/// Largest number of words of a block, so that its length fits two bytes.
const MOST_WORDS: usize = 8191;

/// The code of a block without any bit.
pub const EMPTY: [u8; 2] = [0; 2];

/// Bytes that are read and written at a time.
const GROUP: usize = 64;

impl Coder {
    /// Makes room for the masks of `words` words, and returns their numbers of bytes.
    fn make_room(&mut self, words: usize) -> usize {
        self.masks.resize(words.div_ceil(8), 0);
        self.outer.resize(words.div_ceil(64), 0);
        let most = 9 * words + words.div_ceil(8) + 2 * GROUP;
        self.bytes.resize(self.bytes.len().max(most), 0);
        words.div_ceil(8)
    }

    /// Appends a block.
    pub fn append(&mut self, block: &[u64], out: &mut Vec<u8>) {
        debug_assert!(block.len() <= MOST_WORDS);
        if block.iter().all(|&word| word == 0) {
            return out.extend(EMPTY);
        }
        let outer = self.make_room(block.len());
        let data = squeeze(block, &mut self.masks, &mut self.bytes);
        let masks = squeeze(&self.masks, &mut self.outer, &mut self.bytes[data..]);
        let (length, raw) = (outer + data + masks, 8 * block.len());
        out.extend((length.min(raw) as u16).to_le_bytes());
        if length >= raw {
            return out.extend(block.iter().flat_map(|word| word.to_le_bytes()));
        }
        let bytes = self.outer.iter().flat_map(|masks| masks.to_le_bytes());
        out.extend(bytes.take(outer));
        out.extend(&self.bytes[data..data + masks]);
        out.extend(&self.bytes[..data]);
    }

    /// Reads a block over all words of `block`.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] or [`io::ErrorKind::InvalidData`] if `source` does not begin with the code of such a
    /// block.
    pub fn read(&mut self, source: &mut &[u8], block: &mut [u64]) -> io::Result<()> {
        let code = &split_code(source, 1)?[2..];
        let length = code.len();
        if length == 0 || length == 8 * block.len() {
            read_words(code, block);
            return Ok(());
        }
        let outer = self.make_room(block.len());
        if length > 8 * block.len() || length < outer {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let bytes = &mut self.bytes[..length + GROUP]; // a group is read wherever a byte is
        bytes[..length].copy_from_slice(code);
        let (first, rest) = bytes.split_at(outer);
        read_words(first, &mut self.outer);
        let squeezed = stretch(&self.outer, rest, &mut self.masks)
            .and_then(|used| Some(outer + used + stretch(&self.masks, &rest[used..], block)?));
        match squeezed {
            Some(used) if used == length => Ok(()),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Splits the codes of `blocks` blocks off `source`.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if it is shorter.
pub fn split_code<'a>(source: &mut &'a [u8], blocks: usize) -> io::Result<&'a [u8]> {
    let (all, mut end) = (*source, 0);
    for _ in 0..blocks {
        let rest = all.get(end..).unwrap_or_default();
        let length = rest.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        end += 2 + usize::from(u16::from_le_bytes(*length));
    }
    let (code, rest) = all
        .split_at_checked(end)
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    *source = rest;
    Ok(code)
}

/// Reads little-endian words, the last filled up with zeros.
fn read_words(bytes: &[u8], words: &mut [u64]) {
    words.fill(0);
    bytemuck::cast_slice_mut(words)[..bytes.len()].copy_from_slice(bytes);
    words
        .iter_mut()
        .for_each(|word| *word = u64::from_le(*word));
}

/// Computes the masks of the bytes that are not zero, of eight words each, and writes those bytes. Returns their
/// number. `bytes` must have room for all and a [`GROUP`] more.
pub fn squeeze(words: &[u64], masks: &mut [u64], bytes: &mut [u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(end) = wide::squeeze(words, masks, bytes) {
        return end;
    }
    plain_squeeze(words, masks, bytes)
}

/// Undoes [`squeeze`] and returns the number of bytes used; `None` if there is not a [`GROUP`] from each that is used.
pub fn stretch(masks: &[u64], bytes: &[u8], words: &mut [u64]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(used) = wide::stretch(masks, bytes, words) {
        return used;
    }
    plain_stretch(masks, bytes, words)
}

fn plain_squeeze(words: &[u64], masks: &mut [u64], bytes: &mut [u8]) -> usize {
    let mut end = 0;
    masks.fill(0);
    for (i, &word) in words.iter().enumerate() {
        let mask = nonzero_bytes(word);
        masks[i / 8] |= u64::from(mask) << (i % 8 * 8);
        let closed = MOVES[usize::from(mask)].iter().enumerate();
        let closed = closed.fold(word, |word, (k, moved)| {
            let part = word & moved;
            word ^ part | part >> (8 << k)
        });
        // All eight are written, and those behind the end written over by the next word's.
        bytes[end..end + 8].copy_from_slice(&closed.to_le_bytes());
        end += mask.count_ones() as usize;
    }
    end
}

fn plain_stretch(masks: &[u64], bytes: &[u8], words: &mut [u64]) -> Option<usize> {
    let mut at = 0;
    for (i, word) in words.iter_mut().enumerate() {
        let mask = (masks[i / 8] >> (i % 8 * 8)) as u8;
        let eight = bytes.get(at..)?.first_chunk::<GROUP>()?.first_chunk()?;
        let count = mask.count_ones();
        let closed = u64::from_le_bytes(*eight) & u64::MAX.checked_shr(64 - 8 * count).unwrap_or(0);
        let moves = MOVES[usize::from(mask)].iter().enumerate().rev();
        *word = moves.fold(closed, |word, (k, moved)| {
            let part = word & moved >> (8 << k);
            word ^ part | part << (8 << k)
        });
        at += count as usize;
    }
    Some(at)
}

/// Bit i is set if byte i of the word is not zero.
fn nonzero_bytes(word: u64) -> u8 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let high = (((word & LOW) + LOW) | word) & !LOW;
    // Each byte's bit is brought to the top byte, to a place of its own.
    ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Bytes of a word that move down by one, by two and by four bytes, one after the other, when the
/// bytes outside the mask are removed; for each mask (Warren, Hacker's Delight, 7-4).
const MOVES: [[u64; 3]; 256] = {
    let mut moves = [[0; 3]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut byte, mut gaps) = (0, 0);
        while byte < 8 {
            if mask >> byte & 1 == 0 {
                gaps += 1;
            } else {
                let (mut at, mut k) = (byte, 0);
                while k < 3 {
                    if gaps >> k & 1 == 1 {
                        moves[mask][k] |= 0xFF << (8 * at);
                        at -= 1 << k;
                    }
                    k += 1;
                }
            }
            byte += 1;
        }
        mask += 1;
    }
    moves
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basics::crc32;

    #[test]
    fn a_block_of_any_density_is_read_as_it_was_written() {
        let mut random = 1u64;
        let mut draw = || {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            random >> 4
        };
        let mut coder = Coder::default();
        let mut shortest = usize::MAX;
        for words in [1, 3, 7, 8, 9, 42, 336] {
            for thinning in 0..12 {
                let thin = |_| (0..thinning).fold(draw(), |word, _| word & draw());
                let block: Vec<u64> = (0..words).map(thin).collect();
                let mut code = Vec::new();
                coder.append(&block, &mut code);
                coder.append(&block, &mut code);
                assert!(code.len() <= 2 * (2 + 8 * words));
                shortest = shortest.min(code.len());
                let (mut source, mut read) = (&code[..], vec![u64::MAX; words]);
                coder.read(&mut source, &mut read).unwrap();
                assert_eq!(read, block);
                coder.read(&mut source, &mut read).unwrap();
                assert!(read == block && source.is_empty());
                for end in 0..code.len() / 2 {
                    assert!(coder.read(&mut &code[..end], &mut read).is_err());
                }
            }
        }
        assert_eq!(shortest, 4, "a block of zeros is its length");
    }

    /// Words with bytes at the places of a mask.
    fn word_of(mask: u8, draw: u64) -> u64 {
        let byte = |i: u32| (draw >> i & 0xFF | 1) << (8 * i);
        (0..8).filter(|i| mask >> i & 1 == 1).map(byte).sum()
    }

    /// The plain way and the processor's on the same words.
    fn check_ways(words: &[u64]) {
        let most = 8 * words.len() + GROUP;
        let (mut masks, mut plain_masks) = (vec![7; words.len().div_ceil(8)], vec![]);
        plain_masks.resize(masks.len(), 0);
        let (mut bytes, mut plain) = (vec![0; most], vec![0; most]);
        let end = squeeze(words, &mut masks, &mut bytes);
        assert_eq!(end, plain_squeeze(words, &mut plain_masks, &mut plain));
        assert!(masks == plain_masks && bytes[..end] == plain[..end]);
        for stretch in [stretch, plain_stretch] {
            let mut read = vec![1; words.len()];
            assert_eq!(stretch(&masks, &bytes[..end + GROUP], &mut read), Some(end));
            assert_eq!(read, words);
        }
    }

    #[test]
    fn both_ways_give_the_same_bytes_for_every_mask() {
        for place in 0..19 {
            for mask in 0..=255u8 {
                let mut words = vec![0x0100_0000_0000_0080; 19];
                words[place] = word_of(mask, 0x1234_5678_9ABC_DEF0);
                check_ways(&words);
                check_ways(&words[..=place]);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn both_ways_give_the_same_bytes_for_any_block(
            words in proptest::collection::vec(
                (proptest::num::u8::ANY, proptest::num::u64::ANY), 0..400
            ),
            thin in proptest::bool::ANY,
        ) {
            let word = |&(mask, draw): &(u8, u64)| word_of(if thin { mask & draw as u8 } else { mask }, draw);
            let words: Vec<u64> = words.iter().map(word).collect();
            check_ways(&words);
        }
    }

    /// The bytes that checkpoints and scratch folders have on any machine.
    #[test]
    fn the_bytes_are_those_of_the_first_version() {
        let block: Vec<u64> = (0..42u64)
            .map(|i| i.wrapping_mul(i) << (i * 7 % 56) & 0xFF00_00FF_F0FF_000F)
            .collect();
        let mut code = Vec::new();
        Coder::default().append(&block, &mut code);
        assert_eq!((code.len(), crc32::hash(&code)), (65, 0x9717B038));
    }

    #[test]
    fn any_bytes_are_a_block_or_an_error() {
        let mut coder = Coder::default();
        let mut block = [0; 42];
        for seed in 0..2000u32 {
            let byte = |i: u32| ((i * seed).wrapping_mul(2_654_435_761 + i) >> 13) as u8;
            let bytes: Vec<u8> = (0..400).map(byte).collect();
            let _ = coder.read(&mut &bytes[..], &mut block);
        }
    }
}
