//! Saving a search between two levels, and resuming it.
//!
//! A checkpoint holds the level counts and, block by block, how many states have not been reached,
//! which are in the frontier, and bit 1 of the distances, in the code of [`super::coding`]. All
//! numbers are little-endian, so any machine can go on from it.

use std::io::{self, Read, Write};

use crate::basics::Checksummed;
use crate::space::GoalClass;

use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Kept};
use super::error::SearchError;
use super::layout::{Colour, Layout};
use super::search::Search;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x02";

impl Search {
    /// Writes a checkpoint of the search, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Checksummed::new(out);
        let layout = self.pulls().layout();
        out.write_all(&MAGIC)?;
        out.write_all(&head(layout.ranking().class(), self.kept()))?;
        out.write_all(&[self.levels().len() as u8])?;
        for states in self.levels() {
            out.write_all(&states.to_le_bytes())?;
        }
        let mut coder = Coder::default();
        let mut piece = Vec::new();
        for colour in Colour::BOTH {
            let planes = self.planes(colour);
            for (place, (cell, word)) in blocks(layout, colour).enumerate() {
                planes.write_block(place, cell, word, layout, &mut coder, &mut piece)?;
                if piece.len() >= PIECE {
                    out.write_all(&piece)?;
                    piece.clear();
                }
            }
        }
        out.write_all(&piece)?;
        let checksum = out.checksum();
        out.inner.write_all(&checksum.to_le_bytes())
    }

    /// Resumes a search of `class` from a checkpoint of one that kept the same.
    ///
    /// # Errors
    /// The outer error is that of [`Search::new`]; the inner one is that of `source`, or has the
    /// kind [`io::ErrorKind::InvalidData`] if it is not an undamaged checkpoint of this class.
    pub fn resume(
        class: GoalClass,
        kept: Kept,
        threads: usize,
        source: &mut dyn Read,
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::keeping(class, kept, threads)?;
        let loaded = search.load(class, source);
        Ok(loaded.map(|()| search))
    }

    fn load(&mut self, class: GoalClass, source: &mut dyn Read) -> io::Result<()> {
        let mut source = Checksummed::new(source);
        let mut found = [0; MAGIC.len() + HEAD + 1];
        source.read_exact(&mut found)?;
        let (found, [levels]) = found.split_at(MAGIC.len() + HEAD) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        if found != [&MAGIC[..], &head(class, self.kept())].concat() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        for _ in 0..*levels {
            let mut states = [0; 8];
            source.read_exact(&mut states)?;
            self.levels_mut().push(u64::from_le_bytes(states));
        }
        let levels = self.levels().to_vec();
        if levels.first() != Some(&1) || levels.contains(&0) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let layout = self.pulls().layout().clone();
        let mut coder = Coder::default();
        for colour in Colour::BOTH {
            let expected = Contents::of_levels(&levels, colour, self.kept());
            let planes = self.planes_mut(colour);
            let mut contents = Contents::default();
            for (place, (cell, word)) in blocks(&layout, colour).enumerate() {
                let block =
                    planes.read_block(place, cell, word, &layout, &mut coder, &mut source)?;
                contents.add(&block);
            }
            if contents != expected {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        let checksum = source.checksum();
        let mut stored = [0; 4];
        source.inner.read_exact(&mut stored)?;
        match u32::from_le_bytes(stored) == checksum {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Bytes that are checksummed and written at a time, at least.
const PIECE: usize = 64 << 10;

/// Bytes of [`head`].
const HEAD: usize = 4;

/// The class and what is kept, as written in a checkpoint.
fn head(class: GoalClass, kept: Kept) -> [u8; HEAD] {
    let shape = class.shape();
    [
        shape.rows(),
        shape.cols(),
        class.blank(),
        kept.bits() as usize,
    ]
    .map(|n| n as u8)
}

/// What the planes of a colour hold, which follows from the levels.
#[derive(Debug, Default, PartialEq, Eq)]
struct Contents {
    /// States that have been reached.
    reached: u64,
    /// States of the frontier.
    frontier: u64,
    /// States for which bit 1 of the distance is kept, and is 1.
    ones: u64,
    /// States of the frontier among them.
    frontier_ones: u64,
}

impl Contents {
    /// What they hold after these levels.
    fn of_levels(levels: &[u64], colour: Colour, kept: Kept) -> Contents {
        let mut contents = Contents::default();
        for (distance, &states) in levels.iter().enumerate().skip(colour as usize).step_by(2) {
            let one = kept == Kept::BitOne && distance & 2 != 0;
            let ones = if one { states } else { 0 };
            contents.reached = contents.reached.saturating_add(states);
            contents.frontier = states;
            contents.ones = contents.ones.saturating_add(ones);
            contents.frontier_ones = ones;
        }
        contents
    }

    fn add(&mut self, block: &Contents) {
        self.reached += block.reached;
        self.frontier += block.frontier;
        self.ones += block.ones;
        self.frontier_ones += block.frontier_ones;
    }
}

impl ColourPlanes {
    /// Writes what is known of the block at this place.
    fn write_block(
        &self,
        place: usize,
        cell: usize,
        word: usize,
        layout: &Layout,
        coder: &mut Coder,
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(&self.unseen[place].to_le_bytes())?;
        coder.write(self.frontier.piece(cell, word, layout.block()), out)?;
        if self.bit_one.is_kept() {
            coder.write(self.bit_one.piece(cell, word, layout.block()), out)?;
        }
        Ok(())
    }

    /// Reads what [`ColourPlanes::write_block`] has written.
    fn read_block(
        &mut self,
        place: usize,
        cell: usize,
        word: usize,
        layout: &Layout,
        coder: &mut Coder,
        source: &mut impl Read,
    ) -> io::Result<Contents> {
        let invalid = || Err(io::ErrorKind::InvalidData.into());
        let mut unseen = [0; 4];
        source.read_exact(&mut unseen)?;
        self.unseen[place] = u32::from_le_bytes(unseen);
        let (chunk, at) = (word / layout.chunk(), word % layout.chunk());
        let words = at..at + layout.block();
        let frontier = &mut self.frontier.of_chunk_mut(cell, chunk)[words.clone()];
        coder.read(source, frontier)?;
        let Some(reached) = layout.block_states().checked_sub(self.unseen[place]) else {
            return invalid();
        };
        let mut contents = Contents {
            reached: reached.into(),
            frontier: ones(frontier),
            ..Contents::default()
        };
        self.active[place] = contents.frontier > 0;
        let mut all = frontier.iter().fold(0, |all, word| all | word);
        if self.bit_one.is_kept() {
            let bit_one = &mut self.bit_one.of_chunk_mut(cell, chunk)[words];
            coder.read(source, bit_one)?;
            contents.ones = ones(bit_one);
            let both = frontier.iter().zip(&*bit_one);
            contents.frontier_ones = both.map(|(a, b)| u64::from((a & b).count_ones())).sum();
            all = bit_one.iter().fold(all, |all, word| all | word);
        }
        let most = contents.frontier.max(contents.ones);
        match most > contents.reached || all & !layout.full_word() != 0 {
            true => invalid(),
            false => Ok(contents),
        }
    }
}

fn ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
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
                    let mut resumed = Search::resume(class, Kept::BitOne, 1, &mut &bytes[..])
                        .unwrap()
                        .unwrap();
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
                    assert!(
                        Search::resume(class, Kept::BitOne, 1, &mut &bad[..])
                            .unwrap()
                            .is_err()
                    );
                    assert!(
                        Search::resume(class, Kept::BitOne, 1, &mut &good[..at])
                            .unwrap()
                            .is_err()
                    );
                }
            }
        }
    }

    /// Whoever writes the content makes the checksum right too.
    #[test]
    fn a_checkpoint_that_contradicts_itself_is_refused_whatever_its_checksum() {
        let class = GoalClass::new(Shape::new(3, 3).unwrap(), 8).unwrap();
        let mut search = Search::new(class, 1).unwrap();
        for _ in 0..12 {
            search.advance().unwrap();
        }
        let mut good = Vec::new();
        search.save(&mut good).unwrap();
        let resume = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            let end = bytes.len() - 4;
            let checksum = crc32fast::hash(&bytes[..end]);
            bytes[end..].copy_from_slice(&checksum.to_le_bytes());
            Search::resume(class, Kept::BitOne, 1, &mut &bytes[..]).unwrap()
        };
        assert!(resume(&good).is_ok());
        let mut refused = 0;
        for at in 0..good.len() - 4 {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                refused += usize::from(resume(&bad).is_err());
            }
        }
        assert_eq!(refused, 8 * (good.len() - 4));
        let levels = MAGIC.len() + HEAD + 1;
        let mut exchanged = good.clone(); // the sums are right
        exchanged[levels + 8..levels + 24].rotate_left(8);
        assert!(resume(&exchanged).is_err());
    }
}
