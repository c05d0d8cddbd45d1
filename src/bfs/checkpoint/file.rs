//! Saving a search between two levels, and resuming it.
//!
//! A checkpoint holds the level counts and, block by block, the number of unreached states, the
//! frontier, and bit 1 of the distances, in the code of [`super::coding`]. All numbers are
//! little-endian, so any machine can resume from it. If several ranks share a search, each saves
//! its share as a part, with the numbers of its first word and of the word behind its last. Any
//! number of ranks can resume from all parts.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;

use crate::basics::Checksummed;
use crate::space::GoalClass;

use super::super::engine::layout::{Block, Colour, Layout};
use super::super::engine::search::Search;
use super::super::engine::step::Kept;
use super::super::error::SearchError;
use super::super::ranks::exchange::Exchange;
use super::super::ranks::shares::Shares;
use super::blocks::{
    BlockWords, Contents, append_block, invalid, read, read_checksum, read_levels, write_checksum,
    write_levels,
};
use super::coding::Coder;

/// The first bytes of a checkpoint of a whole search; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x02";

/// The first bytes of a part, in which the numbers of its first word and of the word behind its
/// last follow the levels.
const MAGIC_OF_PART: [u8; 8] = *b"PZDBCKP\x03";

/// Bytes that are checksummed and written at a time, at least.
const PIECE: usize = 64 << 10;

impl Search {
    /// Writes a checkpoint of the search, or of this rank's share of it, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// Unless [`Kept::BitOne`] is kept.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Checksummed::new(out);
        let (layout, words) = (self.layout(), self.words());
        let is_whole = self.exchange().ranks() == 1;
        out.write_all(if is_whole { &MAGIC } else { &MAGIC_OF_PART })?;
        out.write_all(&head(self.class()))?;
        write_levels(self.levels(), &mut out)?;
        if !is_whole {
            for word in [words.start, words.end] {
                out.write_all(&(word as u64).to_le_bytes())?;
            }
        }
        let (mut coder, mut piece) = (Coder::default(), Vec::new());
        for colour in Colour::BOTH {
            let planes = &self.store.planes[colour as usize];
            let blocks = blocks(layout, colour, words.clone());
            for (block, unseen) in blocks.zip(&planes.unseen) {
                let (cell, word) = (block.cell, layout.first_word(block));
                let frontier = planes.frontier.piece(cell, word, layout.block());
                let bit_one = planes.bit_one.piece(cell, word, layout.block());
                append_block(*unseen, frontier, bit_one, &mut coder, &mut piece);
                if piece.len() >= PIECE {
                    out.write_all(&piece)?;
                    piece.clear();
                }
            }
        }
        out.write_all(&piece)?;
        write_checksum(out)
    }

    /// Resumes a search, which keeps bit 1 of the distances, by all ranks of `exchange` together from a checkpoint,
    /// or from those of its parts that [`Search::parts_for`] names.
    ///
    /// # Errors
    /// The outer error is that of [`Search::shared`]; the inner one is that of a source, or has the
    /// kind [`io::ErrorKind::InvalidData`] if it is not an undamaged checkpoint of this class; on all ranks if
    /// any has one.
    pub fn resume(
        class: GoalClass,
        threads: usize,
        exchange: Arc<dyn Exchange>,
        parts: &mut [impl Read],
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::shared(class, Kept::BitOne, threads, exchange.clone())?;
        let mut found = [Contents::default(); 2];
        let loaded = parts
            .iter_mut()
            .try_for_each(|part| search.load(part, &mut found));
        let sum = |own: Contents| {
            let all = [own.reached, own.frontier, own.ones, own.frontier_ones];
            let [reached, frontier, ones, frontier_ones] = exchange.sum(all);
            Contents {
                reached,
                frontier,
                ones,
                frontier_ones,
            }
        };
        let found = found.map(sum);
        let levels = search.levels().iter();
        let levels: Vec<u8> = levels.flat_map(|states| states.to_le_bytes()).collect();
        let is_alike = exchange.all(&levels).iter().all(|others| *others == levels);
        let expected = |colour| Contents::of_levels(search.levels(), colour as usize);
        let fits = is_alike && !levels.is_empty() && found == Colour::BOTH.map(expected);
        let loaded = loaded.and_then(|()| if fits { Ok(()) } else { Err(invalid()) });
        let loaded = exchange.agree(loaded, invalid);
        Ok(loaded.map(|()| search))
    }

    /// Parts, by rank, that this rank of `exchange` needs to resume from a checkpoint saved by
    /// `saved_by` ranks; at least one.
    pub fn parts_for(class: GoalClass, saved_by: usize, exchange: &dyn Exchange) -> Range<usize> {
        let own = Shares::new(class, exchange.ranks()).1.of(exchange.rank());
        let saved = Shares::new(class, saved_by).1;
        let mut needed = (0..saved_by).filter(|&rank| {
            let part = saved.of(rank);
            part.start < own.end && own.start < part.end
        });
        let first = needed.next().unwrap_or(0);
        first..needed.next_back().unwrap_or(first) + 1
    }

    /// Reads this rank's blocks of a checkpoint or a part, and adds up their contents.
    fn load(&mut self, source: &mut impl Read, contents: &mut [Contents; 2]) -> io::Result<()> {
        let mut source = Checksummed::new(source);
        let (setup, own) = (self.setup.clone(), self.words());
        let layout = setup.layout();
        let magic = read(&mut source)?;
        if read(&mut source)? != head(self.class()) {
            return Err(invalid());
        }
        let levels = read_levels(&mut source)?;
        let mut number = || read(&mut source).map(|bytes| u64::from_le_bytes(bytes) as usize);
        let there = match magic {
            MAGIC => 0..layout.words(),
            MAGIC_OF_PART => number()?..number()?,
            _ => return Err(invalid()),
        };
        let is_cut = |word: usize| word <= layout.words() && word.is_multiple_of(layout.chunk());
        let is_other = !self.levels.is_empty() && self.levels != levels; // parts of two checkpoints
        if is_other || !is_cut(there.start) || !is_cut(there.end) {
            return Err(invalid());
        }
        self.levels = levels;
        let (mut coder, len) = (Coder::default(), layout.block());
        let mut unwanted = [vec![0; len], vec![0; len]];
        for colour in Colour::BOTH {
            let planes = &mut self.store.planes[colour as usize];
            for Block { cell, number } in blocks(layout, colour, there.clone()) {
                let word = number * len;
                let is_own = own.contains(&word);
                let [frontier, bit_one] = &mut unwanted;
                let block = BlockWords {
                    frontier: if is_own {
                        planes.frontier.piece_mut(cell, word, len)
                    } else {
                        frontier
                    },
                    bit_one: if is_own {
                        planes.bit_one.piece_mut(cell, word, len)
                    } else {
                        bit_one
                    },
                    states: layout.block_states(),
                    full_word: layout.full_word(),
                };
                let (unseen, found) = block.read(&mut coder, &mut source)?;
                if is_own {
                    let place = planes.place(layout.slot(cell), number);
                    planes.unseen[place] = unseen;
                    planes.active[place] = found.frontier > 0;
                    contents[colour as usize].add(&found);
                }
            }
        }
        read_checksum(source)
    }
}

/// The class, and 2 bits a state, as written in a checkpoint.
fn head(class: GoalClass) -> [u8; 4] {
    let shape = class.shape();
    [shape.rows(), shape.cols(), class.blank(), 2].map(|n| n as u8)
}

/// All blocks of these words of a colour, in the order of
/// [`ColourPlanes::unseen`](super::super::engine::colour::ColourPlanes::unseen).
fn blocks(layout: &Layout, colour: Colour, words: Range<usize>) -> impl Iterator<Item = Block> {
    let count = layout.chunk() / layout.block();
    words.step_by(layout.chunk()).flat_map(move |word| {
        let first = word / layout.block();
        let block = move |cell| (first..first + count).map(move |number| Block { cell, number });
        layout.cells(colour).flat_map(block)
    })
}

#[cfg(test)]
mod tests;
