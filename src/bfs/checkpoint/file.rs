//! Saving a search between two levels, and resuming it.
//!
//! A checkpoint begins with the class and the levels. Then it has a place for the record of each chunk of the planes, as
//! long as the longest record of a chunk: the blocks first of one colour and then of the other. So any number of ranks of
//! any machines write the same file, each its own chunks, and any number resumes from it.

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::space::GoalClass;

use super::super::engine::layout::Layout;
use super::super::engine::search::Search;
use super::super::engine::step::Kept;
use super::super::error::SearchError;
use super::super::options::SearchOptions;
use super::blocks::{head, invalid, most_bytes, read_levels, read_record, write_record};
use super::coding::Coder;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBCKP\x05";

impl Search {
    /// Writes this rank's part of a checkpoint to a file of all ranks, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// Unless [`Kept::BitOne`] is kept in memory.
    pub fn save(&mut self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        let (setup, head) = (self.setup.clone(), head(&what(self.class()), &self.levels));
        let (layout, mut coder, mut code) = (setup.layout(), Coder::default(), Vec::new());
        if setup.exchange.rank() == 0 {
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&head)?;
        }
        let [even, odd] = &mut self.colours;
        for (mut even, mut odd) in even.tasks().into_iter().zip(odd.tasks()) {
            code.clear();
            for task in [&mut even, &mut odd] {
                task.save(layout.block, &mut coder, &mut code);
            }
            out.seek(SeekFrom::Start(place(layout, &head, even.chunk)))?;
            write_record(&head, &code, out)?;
        }
        Ok(())
    }

    /// Resumes a search in memory, which keeps bit 1 of the distances, by all ranks together from a checkpoint.
    ///
    /// # Errors
    /// The outer error is that of [`Search::shared`]; the inner one is that of the source, or has the
    /// kind [`io::ErrorKind::InvalidData`] if it is not an undamaged checkpoint of this class; on all ranks if
    /// any has one.
    pub fn resume(
        class: GoalClass,
        options: &SearchOptions,
        source: &mut (impl Read + Seek),
    ) -> Result<io::Result<Search>, SearchError> {
        let mut search = Search::shared(class, Kept::BitOne, options)?;
        let loaded = options.exchange.agree_or(search.load(source), invalid());
        Ok(loaded.map(|()| search))
    }

    /// Reads this rank's chunks of a checkpoint.
    fn load(&mut self, source: &mut (impl Read + Seek)) -> io::Result<()> {
        let (setup, class) = (self.setup.clone(), self.class());
        let (layout, mut coder) = (setup.layout(), Coder::default());
        self.levels = read_levels(&what(class), class.states(), source)?;
        let head = head(&what(class), &self.levels);
        let [even, odd] = &mut self.colours;
        for (even, odd) in even.tasks().into_iter().zip(odd.tasks()) {
            source.seek(SeekFrom::Start(place(layout, &head, even.chunk)))?;
            let code = read_record(&head, most_bytes_of_chunk(layout), source)?;
            let mut code = &code[..];
            for mut task in [even, odd] {
                task.load(layout.block, &mut coder, &mut code)?;
            }
        }
        Ok(())
    }
}

/// The search that a checkpoint is of: the class, and 2 bits a state.
fn what(class: GoalClass) -> Vec<u8> {
    let shape = class.shape();
    let class = [shape.rows(), shape.cols(), class.blank(), 2].map(|n| n as u8);
    MAGIC.into_iter().chain(class).collect()
}

fn most_bytes_of_chunk(layout: &Layout) -> usize {
    layout.planes() * layout.chunk() / layout.block * most_bytes(layout.block)
}

/// Offset of a chunk's place.
fn place(layout: &Layout, head: &[u8], chunk: usize) -> u64 {
    let length = 8 + most_bytes_of_chunk(layout) + 4;
    head.len() as u64 + chunk as u64 * length as u64
}

#[cfg(test)]
mod tests;
