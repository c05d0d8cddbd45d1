//! A search put away in the middle and taken up again.
//!
//! A checkpoint has the level counts, what has been seen, and bit 1 of the distances. The last
//! level is not in it: the states whose claims are those of the last distance modulo 4 stand for
//! it. Those of them that are four, eight, .. moves closer lead to nothing new. Blocks of which
//! nothing has been seen are left out, and of those that have been seen whole only bit 1 is kept.
//! Words are in the machine's own order: a checkpoint is for the machine that wrote it.

use std::io::{self, Read, Write};

use crate::space::GoalClass;

use super::error::SearchError;
use super::half::Half;
use super::layout::{Colour, Layout};
use super::search::Search;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x01";

impl Search {
    /// Writes a checkpoint of the search as it is between two levels.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Summing {
            inner: out,
            checksum: crc32fast::Hasher::new(),
        };
        let layout = self.pulls().layout();
        out.write_all(&MAGIC)?;
        let mut head = head(layout.ranking().class());
        head.push(self.levels().len() as u64);
        head.extend(self.levels());
        out.write_all(bytemuck::cast_slice(&head))?;
        for colour in Colour::BOTH {
            let half = self.half(colour);
            out.write_all(bytemuck::cast_slice(&half.unseen))?;
            half.each_block(layout, colour, |unseen, cell, word| {
                let block = layout.block();
                if unseen < layout.block_states() {
                    out.write_all(bytemuck::cast_slice(half.bit_one.piece(cell, word, block)))?;
                    if unseen > 0 {
                        out.write_all(bytemuck::cast_slice(half.seen.piece(cell, word, block)))?;
                    }
                }
                Ok(())
            })?;
        }
        let checksum = out.checksum.finalize();
        out.inner.write_all(&checksum.to_le_bytes())
    }

    /// Takes up a search of `class` from a checkpoint.
    ///
    /// # Errors
    /// The outer one as [`Search::new`]; the inner one is that of `source`, or of kind
    /// [`io::ErrorKind::InvalidData`] if it is no good checkpoint of this class.
    pub fn resume(
        class: GoalClass,
        threads: usize,
        source: &mut dyn Read,
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::new(class, threads)?;
        let loaded = search.load(class, source);
        Ok(loaded.map(|()| search))
    }

    fn load(&mut self, class: GoalClass, source: &mut dyn Read) -> io::Result<()> {
        let mut source = Summing {
            inner: source,
            checksum: crc32fast::Hasher::new(),
        };
        let mut magic = [0; 8];
        source.read_exact(&mut magic)?;
        let expected = head(class);
        let mut found = vec![0u64; expected.len() + 1];
        source.read_exact(bytemuck::cast_slice_mut(&mut found))?;
        let count = found.pop().unwrap_or(0);
        if magic != MAGIC || found != expected || !(1..=255).contains(&count) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut levels = vec![0u64; count as usize];
        source.read_exact(bytemuck::cast_slice_mut(&mut levels))?;
        let layout = self.pulls().layout().clone();
        for colour in Colour::BOTH {
            let half = self.half_mut(colour);
            source.read_exact(bytemuck::cast_slice_mut(&mut half.unseen))?;
            half.read_blocks(&layout, colour, &mut source)?;
        }
        let checksum = source.checksum.finalize();
        let mut stored = [0; 4];
        source.inner.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) != checksum {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.continue_after(levels);
        Ok(())
    }
}

/// What a checkpoint is of.
fn head(class: GoalClass) -> Vec<u64> {
    let shape = class.shape();
    [shape.rows(), shape.cols(), class.blank()]
        .map(|n| n as u64)
        .to_vec()
}

impl Half {
    /// Calls `each` for all blocks in the order of `unseen`, with the cell and the first word.
    fn each_block(
        &self,
        layout: &Layout,
        colour: Colour,
        mut each: impl FnMut(u32, usize, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let places = places(layout, colour);
        places
            .zip(&self.unseen)
            .try_for_each(|((cell, word), &unseen)| each(unseen, cell, word))
    }

    fn read_blocks(
        &mut self,
        layout: &Layout,
        colour: Colour,
        source: &mut impl Read,
    ) -> io::Result<()> {
        let (block, chunk) = (layout.block(), layout.chunk());
        for ((cell, word), &unseen) in places(layout, colour).zip(&self.unseen) {
            let piece = word % chunk..word % chunk + block;
            let whole = layout.block_states();
            if unseen > whole {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if unseen < whole {
                let bit_one = &mut self.bit_one.of_chunk_mut(cell, word / chunk)[piece.clone()];
                source.read_exact(bytemuck::cast_slice_mut(bit_one))?;
                let seen = &mut self.seen.of_chunk_mut(cell, word / chunk)[piece];
                if unseen > 0 {
                    source.read_exact(bytemuck::cast_slice_mut(seen))?;
                } else {
                    seen.fill(layout.full_word());
                }
            }
        }
        Ok(())
    }
}

/// Cell and first word of all blocks of a colour: chunk by chunk, cell by cell.
fn places(layout: &Layout, colour: Colour) -> impl Iterator<Item = (usize, usize)> {
    (0..layout.chunks()).flat_map(move |chunk| {
        layout.cells(colour).flat_map(move |cell| {
            let words = (0..layout.chunk()).step_by(layout.block());
            words.map(move |word| (cell, chunk * layout.chunk() + word))
        })
    })
}

/// Sums up the bytes that pass through.
struct Summing<T> {
    inner: T,
    checksum: crc32fast::Hasher,
}

impl Write for Summing<&mut dyn Write> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Read for Summing<&mut dyn Read> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.checksum.update(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;

    #[test]
    fn a_search_taken_up_at_any_level_ends_as_one_without_a_break() {
        for (rows, cols) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
            for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
                let mut whole = Search::new(class, 1).unwrap();
                let mut saved = Vec::new();
                while whole.advance().is_some() {
                    let mut bytes = Vec::new();
                    whole.save(&mut bytes).unwrap();
                    saved.push(bytes);
                }
                for bytes in &saved {
                    let mut resumed = Search::resume(class, 1, &mut &bytes[..]).unwrap().unwrap();
                    while resumed.advance().is_some() {}
                    assert_eq!(resumed.levels(), whole.levels());
                    for cell in 0..class.shape().cells() {
                        let colour = whole.pulls().layout().colour(cell);
                        let of =
                            |search: &Search| search.bit_one(colour).of_chunk(cell, 0).to_vec();
                        assert!(of(&resumed) == of(&whole));
                    }
                }
                let good = saved.swap_remove(saved.len() / 2);
                for at in (0..good.len()).step_by(1 + good.len() / 200) {
                    let mut bad = good.clone();
                    bad[at] ^= 16;
                    assert!(Search::resume(class, 1, &mut &bad[..]).unwrap().is_err());
                    assert!(Search::resume(class, 1, &mut &good[..at]).unwrap().is_err());
                }
            }
        }
    }
}
