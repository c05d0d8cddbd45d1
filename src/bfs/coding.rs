//! Blocks of planes as bytes: nothing, sparse, or raw.
//!
//! A length of two bytes comes first, then as many bytes. None: all words are zero. As many as the
//! words have: they follow, little-endian. Fewer: the words are squeezed. For each word a mask of
//! its bytes that are not zero, and those bytes; the masks, as bytes of words, once more so: the
//! masks' masks come first, then the masks, then the words' bytes.

use std::io::{self, Read, Write};

/// Writes and reads blocks of up to [`MOST_WORDS`] words; holds the room to work in.
#[derive(Debug, Default)]
pub struct Coder {
    masks: Vec<u8>,
    outer: Vec<u8>,
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// The most words of a block, so that its length fits two bytes.
const MOST_WORDS: usize = 8191;

impl Coder {
    /// Writes a block.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&mut self, block: &[u64], out: &mut impl Write) -> io::Result<()> {
        debug_assert!(block.len() <= MOST_WORDS);
        if block.iter().all(|&word| word == 0) {
            return out.write_all(&[0; 2]);
        }
        self.bytes.clear();
        squeeze(block, &mut self.masks, &mut self.bytes);
        let data = self.bytes.len();
        words_of(&self.masks, &mut self.words);
        squeeze(&self.words, &mut self.outer, &mut self.bytes);
        let length = self.outer.len() + self.bytes.len();
        if length >= 8 * block.len() {
            out.write_all(&(8 * block.len() as u16).to_le_bytes())?;
            self.bytes.clear();
            self.bytes
                .extend(block.iter().flat_map(|word| word.to_le_bytes()));
            return out.write_all(&self.bytes);
        }
        out.write_all(&(length as u16).to_le_bytes())?;
        out.write_all(&self.outer)?;
        out.write_all(&self.bytes[data..])?;
        out.write_all(&self.bytes[..data])
    }

    /// Reads a block over all words of `block`.
    ///
    /// # Errors
    /// Those of `source`, or [`io::ErrorKind::InvalidData`] if it is the code of no such block.
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
        let rest = self
            .bytes
            .split_at_checked(masks)
            .and_then(|(outer, rest)| {
                self.words.resize(masks, 0);
                let rest = stretch(outer, rest, &mut self.words)?;
                self.masks.clear();
                self.masks
                    .extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
                stretch(&self.masks[..block.len()], rest, block)
            });
        match rest {
            Some([]) => Ok(()),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
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

/// For each word the mask of its bytes that are not zero; appends those bytes to `bytes`.
fn squeeze(words: &[u64], masks: &mut Vec<u8>, bytes: &mut Vec<u8>) {
    masks.clear();
    let mut end = bytes.len();
    bytes.resize(end + 8 * words.len(), 0);
    for word in words {
        let mut mask = 0;
        if *word != 0 {
            // All eight are written, and those that are zero written over by the next: no branch.
            for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
                bytes[end] = byte;
                end += usize::from(byte != 0);
                mask |= u8::from(byte != 0) << i;
            }
        }
        masks.push(mask);
    }
    bytes.truncate(end);
}

/// Undoes [`squeeze`]; the bytes that are left, `None` if there are too few.
fn stretch<'a>(masks: &[u8], mut bytes: &'a [u8], words: &mut [u64]) -> Option<&'a [u8]> {
    for (word, mask) in words.iter_mut().zip(masks) {
        *word = 0;
        let mut mask = *mask;
        if let (1.., Some((eight, _))) = (mask, bytes.split_first_chunk::<8>()) {
            // As above: no branch on the single bits.
            let mut next = 0;
            for i in 0..8 {
                let has = mask >> i & 1;
                *word |= u64::from(eight[next & 7] & 0u8.wrapping_sub(has)) << (8 * i);
                next += usize::from(has);
            }
            bytes = &bytes[next..];
            continue;
        }
        while mask != 0 {
            *word |= u64::from(*bytes.split_off_first()?) << (8 * mask.trailing_zeros());
            mask &= mask - 1;
        }
    }
    Some(bytes)
}

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
                coder.write(&block, &mut code).unwrap();
                coder.write(&block, &mut code).unwrap();
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
