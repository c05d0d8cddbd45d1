//! Blocks of planes as bytes: nothing, sparse, or raw.
//!
//! A code is a length in two bytes, then as many bytes. With length 0 all words are zero. With the
//! length of the words, the words follow, little-endian. With a smaller length the words are
//! squeezed: for each word a mask of its bytes that are not zero, and those bytes. The masks, as
//! bytes of words, are squeezed once more. The masks' masks come first, then the masks, then the
//! words' bytes.

use std::io::{self, Read};

/// Writes and reads blocks of up to [`MOST_WORDS`] words; holds the working memory.
#[derive(Debug, Default)]
pub struct Coder {
    masks: Vec<u8>,
    outer: Vec<u8>,
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// Largest number of words of a block, so that its length fits two bytes.
const MOST_WORDS: usize = 8191;

impl Coder {
    /// Appends a block.
    pub fn append(&mut self, block: &[u64], out: &mut Vec<u8>) {
        debug_assert!(block.len() <= MOST_WORDS);
        if block.iter().all(|&word| word == 0) {
            return out.extend([0; 2]);
        }
        self.bytes.clear();
        squeeze(block, &mut self.masks, &mut self.bytes);
        let data = self.bytes.len();
        words_of(&self.masks, &mut self.words);
        squeeze(&self.words, &mut self.outer, &mut self.bytes);
        let (length, raw) = (self.outer.len() + self.bytes.len(), 8 * block.len());
        out.extend((length.min(raw) as u16).to_le_bytes());
        if length >= raw {
            return out.extend(block.iter().flat_map(|word| word.to_le_bytes()));
        }
        out.extend(&self.outer);
        out.extend(&self.bytes[data..]);
        out.extend(&self.bytes[..data]);
    }

    /// Reads a block over all words of `block`.
    ///
    /// # Errors
    /// Those of `source`, or [`io::ErrorKind::InvalidData`] if it is not the code of such a block.
    pub fn read(&mut self, source: &mut impl Read, block: &mut [u64]) -> io::Result<()> {
        let mut length = [0; 2];
        source.read_exact(&mut length)?;
        let length = usize::from(u16::from_le_bytes(length));
        if length == 0 {
            block.fill(0);
            return Ok(());
        }
        if length > 8 * block.len() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.bytes.resize(length, 0);
        source.read_exact(&mut self.bytes)?;
        if length == 8 * block.len() {
            words_of(&self.bytes, &mut self.words);
            block.copy_from_slice(&self.words);
            return Ok(());
        }
        let masks = block.len().div_ceil(8);
        self.bytes.resize(length.max(masks) + 8, 0); // eight bytes are read wherever one is
        let (outer, rest) = self.bytes.split_at(masks);
        self.words.resize(masks, 0);
        let squeezed = stretch(outer, rest, &mut self.words).and_then(|used| {
            self.masks.clear();
            let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
            self.masks.extend(bytes.take(block.len()));
            Some(masks + used + stretch(&self.masks, &rest[used..], block)?)
        });
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

/// The bytes as little-endian words, the last filled up with zeros.
fn words_of(bytes: &[u8], words: &mut Vec<u64>) {
    let (whole, rest) = bytes.as_chunks::<8>();
    words.clear();
    words.extend(whole.iter().map(|bytes| u64::from_le_bytes(*bytes)));
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_le_bytes(last));
    }
}

/// Computes for each word the mask of its bytes that are not zero, and appends those bytes to `bytes`.
fn squeeze(words: &[u64], masks: &mut Vec<u8>, bytes: &mut Vec<u8>) {
    masks.clear();
    let mut end = bytes.len();
    bytes.resize(end + 8 * words.len(), 0);
    for &word in words {
        let mask = nonzero_bytes(word);
        masks.push(mask);
        if mask == 0 {
            continue;
        }
        let closed = MOVES[usize::from(mask)].iter().enumerate();
        let closed = closed.fold(word, |word, (k, moved)| {
            let part = word & moved;
            word ^ part | part >> (8 << k)
        });
        // All eight are written, and those behind the end written over by the next word's.
        bytes[end..end + 8].copy_from_slice(&closed.to_le_bytes());
        end += mask.count_ones() as usize;
    }
    bytes.truncate(end);
}

/// Undoes [`squeeze`] and returns the number of bytes used; `None` if there are not eight more than
/// that.
fn stretch(masks: &[u8], bytes: &[u8], words: &mut [u64]) -> Option<usize> {
    let mut at = 0;
    for (word, &mask) in words.iter_mut().zip(masks) {
        if mask == 0 {
            *word = 0;
            continue;
        }
        let eight = bytes.get(at..)?.first_chunk()?;
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
