//! Saving a search between two levels, and resuming it.
//!
//! A checkpoint begins with the class and the levels. Then it has a place for each chunk of the planes, as long as the
//! longest code of a chunk: block by block, first of one colour and then of the other, the number of unreached states,
//! the frontier, and bit 1 of the distances, in the code of [`super::coding`]; then the CRC-32 of the beginning and of
//! the chunk. All numbers are little-endian. So any number of ranks of any machines write the same file, each its own
//! chunks, and any number resumes from it.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::basics::Checksummed;
use crate::space::GoalClass;

use super::super::engine::layout::{Colour, Layout};
use super::super::engine::search::Search;
use super::super::engine::step::Kept;
use super::super::error::SearchError;
use super::super::ranks::exchange::Exchange;
use super::blocks::{BlockForm, Contents, invalid, most_bytes, read, read_levels, write_levels};
use super::coding::Coder;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x04";

impl Search {
    /// Writes this rank's part of a checkpoint to a file of all ranks, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// Unless [`Kept::BitOne`] is kept.
    pub fn save(&mut self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        let (setup, head) = (self.setup.clone(), head(self.class(), &self.levels));
        let (layout, mut coder, mut code) = (setup.layout(), Coder::default(), Vec::new());
        if setup.exchange.rank() == 0 {
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&head)?;
        }
        let [even, odd] = &mut self.store.planes;
        for (even, odd) in even.tasks().into_iter().zip(odd.tasks()) {
            code.clear();
            code.extend(&head);
            for task in [&even, &odd] {
                task.save(form(layout), &mut coder, &mut code);
            }
            code.extend(crc32fast::hash(&code).to_le_bytes());
            out.seek(SeekFrom::Start(place(layout, &head, even.chunk)))?;
            out.write_all(&code[head.len()..])?;
        }
        Ok(())
    }

    /// Resumes a search, which keeps bit 1 of the distances, by all ranks of `exchange` together from a checkpoint.
    ///
    /// # Errors
    /// The outer error is that of [`Search::shared`]; the inner one is that of the source, or has the
    /// kind [`io::ErrorKind::InvalidData`] if it is not an undamaged checkpoint of this class; on all ranks if
    /// any has one.
    pub fn resume(
        class: GoalClass,
        threads: usize,
        exchange: Arc<dyn Exchange>,
        source: &mut (impl Read + Seek),
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::shared(class, Kept::BitOne, threads, exchange.clone())?;
        let mut found = [Contents::default(); 2];
        let loaded = search.load(source, &mut found);
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
        let expected = |colour| Contents::of_levels(&search.levels, colour as usize);
        let fits = !search.levels.is_empty() && found == Colour::BOTH.map(expected);
        let loaded = loaded.and_then(|()| if fits { Ok(()) } else { Err(invalid()) });
        let loaded = exchange.agree(loaded, invalid);
        Ok(loaded.map(|()| search))
    }

    /// Reads this rank's chunks of a checkpoint, and adds up their contents.
    fn load(
        &mut self,
        source: &mut (impl Read + Seek),
        contents: &mut [Contents; 2],
    ) -> io::Result<()> {
        let (setup, class) = (self.setup.clone(), self.class());
        let (layout, mut coder) = (setup.layout(), Coder::default());
        let begin: [u8; 12] = read(source)?;
        self.levels = read_levels(source)?;
        let head = head(class, &self.levels);
        if !head.starts_with(&begin) {
            return Err(invalid());
        }
        let [even, odd] = &mut self.store.planes;
        for (even, odd) in even.tasks().into_iter().zip(odd.tasks()) {
            source.seek(SeekFrom::Start(place(layout, &head, even.chunk)))?;
            let mut chunk = Checksummed::new((&head[..]).chain(&mut *source));
            chunk.read_exact(&mut vec![0; head.len()])?;
            for (mut task, contents) in [even, odd].into_iter().zip(&mut *contents) {
                contents.add(&task.load(form(layout), &mut coder, &mut chunk)?);
            }
            let checksum = chunk.checksum().to_le_bytes();
            if read(source)? != checksum {
                return Err(invalid());
            }
        }
        Ok(())
    }
}

/// Begin of a checkpoint: the class, 2 bits a state, and the levels.
fn head(class: GoalClass, levels: &[u64]) -> Vec<u8> {
    let shape = class.shape();
    let mut head = MAGIC.to_vec();
    head.extend([shape.rows(), shape.cols(), class.blank(), 2].map(|n| n as u8));
    write_levels(levels, &mut head).expect("memory takes everything");
    head
}

fn form(layout: &Layout) -> BlockForm {
    BlockForm {
        words: layout.block(),
        states: layout.block_states(),
        full_word: layout.full_word(),
    }
}

/// Offset of a chunk's place.
fn place(layout: &Layout, head: &[u8], chunk: usize) -> u64 {
    let blocks = layout.planes() * layout.chunk() / layout.block();
    let length = blocks * most_bytes(layout.block()) + 4;
    head.len() as u64 + chunk as u64 * length as u64
}

#[cfg(test)]
mod tests;
