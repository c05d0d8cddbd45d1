//! Saving a search between two levels, and resuming it.
//!
//! A checkpoint holds the level counts, the states seen, and bit 1 of their distances. It does not
//! hold the frontier: on resuming, all states whose distance is that of the last level modulo 4
//! take its place. Those of them that are 4, 8, .. moves closer have no unseen neighbours, so the
//! next level is the same. Of a block without seen states nothing is kept, and of a block whose
//! states are all seen only bit 1. Words are in the machine's byte order: a checkpoint is for the
//! machine that wrote it.

use std::io::{self, Read, Write};

use crate::basics::Checksummed;
use crate::space::GoalClass;

use super::colour_planes::ColourPlanes;
use super::error::SearchError;
use super::layout::{Colour, Layout};
use super::search::Search;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x01";

impl Search {
    /// Writes a checkpoint of the search, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Checksummed::new(out);
        let layout = self.pulls().layout();
        out.write_all(&MAGIC)?;
        let mut head = head(layout.ranking().class());
        head.push(self.levels().len() as u64);
        head.extend(self.levels());
        out.write_all(bytemuck::cast_slice(&head))?;
        for colour in Colour::BOTH {
            let planes = self.planes(colour);
            out.write_all(bytemuck::cast_slice(&planes.unseen))?;
            let block = layout.block();
            for ((cell, word), &unseen) in blocks(layout, colour).zip(&planes.unseen) {
                if unseen < layout.block_states() {
                    let bit_one = planes.bit_one.piece(cell, word, block);
                    out.write_all(bytemuck::cast_slice(bit_one))?;
                    if unseen > 0 {
                        let seen = planes.seen.piece(cell, word, block);
                        out.write_all(bytemuck::cast_slice(seen))?;
                    }
                }
            }
        }
        let checksum = out.checksum();
        out.inner.write_all(&checksum.to_le_bytes())
    }

    /// Resumes a search of `class` from a checkpoint.
    ///
    /// # Errors
    /// The outer error is that of [`Search::new`]; the inner one is that of `source`, or has the
    /// kind [`io::ErrorKind::InvalidData`] if it is not an undamaged checkpoint of this class.
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
        let mut source = Checksummed::new(source);
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
            let planes = self.planes_mut(colour);
            source.read_exact(bytemuck::cast_slice_mut(&mut planes.unseen))?;
            planes.read_blocks(&layout, colour, &mut source)?;
        }
        let checksum = source.checksum();
        let mut stored = [0; 4];
        source.inner.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) != checksum {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.continue_after(levels);
        Ok(())
    }
}

/// The class of a checkpoint, as written in it.
fn head(class: GoalClass) -> Vec<u64> {
    let shape = class.shape();
    [shape.rows(), shape.cols(), class.blank()]
        .map(|n| n as u64)
        .to_vec()
}

impl ColourPlanes {
    /// Reads the blocks that have seen states; `unseen` has been read before.
    fn read_blocks(
        &mut self,
        layout: &Layout,
        colour: Colour,
        source: &mut impl Read,
    ) -> io::Result<()> {
        let (block, chunk) = (layout.block(), layout.chunk());
        for ((cell, word), &unseen) in blocks(layout, colour).zip(&self.unseen) {
            let piece = word % chunk..word % chunk + block;
            let all = layout.block_states();
            if unseen > all {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if unseen < all {
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

/// Cell and first word of all blocks of a colour, in the order of [`ColourPlanes::unseen`].
fn blocks(layout: &Layout, colour: Colour) -> impl Iterator<Item = (usize, usize)> {
    (0..layout.chunks()).flat_map(move |chunk| {
        layout.cells(colour).flat_map(move |cell| {
            let words = (0..layout.chunk()).step_by(layout.block());
            words.map(move |word| (cell, chunk * layout.chunk() + word))
        })
    })
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
