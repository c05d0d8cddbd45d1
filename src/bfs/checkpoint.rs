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

use super::checkpoint_blocks::{Contents, blocks, invalid, skip_block};
use super::coding::Coder;
use super::colour_planes::Kept;
use super::error::SearchError;
use super::exchange::{Alone, Exchange};
use super::layout::Colour;
use super::search::Search;
use super::shares::Shares;

/// The first bytes of a checkpoint of a whole search; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x02";

/// The first bytes of a part, in which the numbers of its first word and of the word behind its
/// last follow the levels.
const MAGIC_OF_PART: [u8; 8] = *b"PZDBCKP\x03";

impl Search {
    /// Writes a checkpoint of the search, or of this rank's share of it, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Checksummed::new(out);
        let layout = self.pulls().layout();
        let (words, is_whole) = (self.words(), self.exchange().ranks() == 1);
        out.write_all(if is_whole { &MAGIC } else { &MAGIC_OF_PART })?;
        out.write_all(&head(layout.ranking().class(), self.kept()))?;
        out.write_all(&[self.levels().len() as u8])?;
        for states in self.levels() {
            out.write_all(&states.to_le_bytes())?;
        }
        if !is_whole {
            for word in [words.start, words.end] {
                out.write_all(&(word as u64).to_le_bytes())?;
            }
        }
        let mut coder = Coder::default();
        let mut piece = Vec::new();
        for colour in Colour::BOTH {
            let planes = self.planes(colour);
            for (place, (cell, word)) in blocks(layout, colour, words.clone()).enumerate() {
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
        Search::resume_shared(class, kept, threads, Arc::new(Alone), &mut [source])
    }

    /// Resumes a search by all ranks of `exchange` together from a checkpoint, or from those of its
    /// parts that [`Search::parts_for`] names.
    ///
    /// # Errors
    /// Those of [`Search::resume`], and of [`Search::shared`]; on all ranks if any has one.
    pub fn resume_shared(
        class: GoalClass,
        kept: Kept,
        threads: usize,
        exchange: Arc<dyn Exchange>,
        parts: &mut [impl Read],
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::shared(class, kept, threads, exchange.clone())?;
        let mut contents = <[Contents; 2]>::default();
        let loaded = (parts.iter_mut()).try_for_each(|part| search.load(part, &mut contents));
        let loaded = loaded.and_then(|()| match search.levels().first() {
            Some(1) if !search.levels().contains(&0) => Ok(()),
            _ => invalid(),
        });
        let found = contents.map(|contents| exchange.sum(contents.0));
        let levels: Vec<u8> = search
            .levels()
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        let is_alike = exchange.all(&levels).iter().all(|others| *others == levels);
        let expected = |colour| {
            let has_bit_one = kept == Kept::BitOne;
            Contents::of_levels(search.levels(), colour as usize, has_bit_one).0
        };
        let fits = is_alike && found == Colour::BOTH.map(expected);
        let loaded = loaded.and_then(|()| if fits { Ok(()) } else { invalid() });
        let loaded = exchange.agree(loaded, || io::ErrorKind::InvalidData.into());
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
        let layout = self.pulls().layout().clone();
        let mut found = [0; MAGIC.len() + HEAD + 1];
        source.read_exact(&mut found)?;
        let (magic, rest) = found.split_at(MAGIC.len());
        let (head_found, count) = rest.split_at(HEAD);
        if head_found != head(layout.ranking().class(), self.kept()) {
            return invalid();
        }
        let mut number = || {
            let mut bytes = [0; 8];
            source.read_exact(&mut bytes)?;
            io::Result::Ok(u64::from_le_bytes(bytes))
        };
        let levels = (0..count[0]).map(|_| number());
        let levels = levels.collect::<io::Result<Vec<u64>>>()?;
        let there = match magic {
            magic if magic == MAGIC => 0..layout.words(),
            magic if magic == MAGIC_OF_PART => number()? as usize..number()? as usize,
            _ => return invalid(),
        };
        let is_cut = |word: usize| word <= layout.words() && word.is_multiple_of(layout.chunk());
        if !is_cut(there.start) || !is_cut(there.end) {
            return invalid();
        }
        if !self.levels().is_empty() && self.levels() != levels {
            return invalid(); // parts of two checkpoints
        }
        *self.levels_mut() = levels;
        let (own, mut coder) = (self.words(), Coder::default());
        let mut unwanted = vec![0; layout.block()];
        for colour in Colour::BOTH {
            let kept = self.kept();
            let planes = self.planes_mut(colour);
            let contents = &mut contents[colour as usize];
            let mut places = blocks(&layout, colour, own.clone()).enumerate().peekable();
            for (cell, word) in blocks(&layout, colour, there.clone()) {
                if !own.contains(&word) {
                    skip_block(kept, &mut coder, &mut unwanted, &mut source)?;
                    continue;
                }
                while places
                    .next_if(|(_, block)| *block != (cell, word))
                    .is_some()
                {}
                let Some((place, _)) = places.next() else {
                    return invalid();
                };
                contents.add(&planes.read_block(
                    place,
                    cell,
                    word,
                    &layout,
                    &mut coder,
                    &mut source,
                )?);
            }
        }
        let checksum = source.checksum();
        let mut stored = [0; 4];
        source.inner.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) == checksum {
            Ok(())
        } else {
            invalid()
        }
    }
}

/// Bytes that are checksummed and written at a time, at least.
const PIECE: usize = 64 << 10;

/// Bytes of [`head`].
const HEAD: usize = 4;

/// The class and the kept bits, as written in a checkpoint.
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

#[cfg(test)]
mod tests {
    use super::super::threads::Threads;
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

    #[test]
    fn any_number_of_ranks_goes_on_from_what_another_number_has_saved() {
        let class = GoalClass::new(Shape::new(6, 2).unwrap(), 11).unwrap();
        let run = |search: &mut Search, levels: usize| {
            while search.levels().len() < levels {
                search.advance();
            }
            let mut bytes = Vec::new();
            search.save(&mut bytes).unwrap();
            bytes
        };
        let saved = |ranks, levels| {
            Threads::run(ranks, |exchange| {
                let mut search = Search::shared(class, Kept::BitOne, 1, exchange).unwrap();
                run(&mut search, levels)
            })
        };
        let resumed = |parts: &[Vec<u8>], ranks: usize, levels: usize| {
            Threads::run(ranks, |exchange| {
                let needed = Search::parts_for(class, parts.len(), &*exchange);
                let mut parts: Vec<&[u8]> = parts[needed].iter().map(Vec::as_slice).collect();
                let search = Search::resume_shared(class, Kept::BitOne, 1, exchange, &mut parts);
                search.unwrap().map(|mut search| run(&mut search, levels))
            })
        };
        for (before, after) in [(4, 3), (1, 7), (3, 1), (2, 2)] {
            let parts = saved(before, 20);
            let there = resumed(&parts, after, 24);
            let there: Vec<Vec<u8>> = there.into_iter().map(Result::unwrap).collect();
            assert!(there == saved(after, 24), "{before} to {after}");
        }
        let mut parts = saved(4, 20);
        for damaged in [parts[2].len() / 2, parts[2].len() - 1] {
            parts[2][damaged] ^= 1;
            assert!(resumed(&parts, 3, 21).iter().all(Result::is_err));
            parts[2][damaged] ^= 1;
        }
        parts[1] = saved(4, 21).swap_remove(1);
        assert!(resumed(&parts, 2, 21).iter().all(Result::is_err));
    }

    /// Wrong contents with a matching checksum.
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
        let bits = |at: usize| {
            if crate::full::is_full() {
                vec![0, 1, 2, 3, 4, 5, 6, 7]
            } else {
                vec![at % 4, at % 4 + 4]
            }
        };
        let (mut refused, mut changed) = (0, 0);
        for at in 0..good.len() - 4 {
            for bit in bits(at) {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                changed += 1;
                refused += usize::from(resume(&bad).is_err());
            }
        }
        assert_eq!(refused, changed);
        let levels = MAGIC.len() + HEAD + 1;
        let mut exchanged = good.clone(); // the sums are right
        exchanged[levels + 8..levels + 24].rotate_left(8);
        assert!(resume(&exchanged).is_err());
    }
}
