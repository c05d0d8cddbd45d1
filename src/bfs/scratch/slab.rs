//! A slab at work: the level before is in memory as bits; the states two levels before are decoded, and the new ones
//! coded, block by block where they are used.

use std::io;

use super::super::checkpoint::coding::{Coder, EMPTY};
use super::super::engine::colour::{Expansion, LevelResult, Task};
use super::super::engine::layout::{Block, Colour, Layout};
use super::super::engine::store::Chunk;
use super::slab_file::{Pieces, split_block};

/// Codes of a chunk's blocks, by cell.
pub type Codes = Vec<Vec<u8>>;

/// Work on one chunk of a slab, by one thread.
#[derive(Debug)]
pub struct SlabTask<'a> {
    pub chunk: usize,
    /// States two levels before; none has been reached without them.
    pub old: Option<&'a Pieces>,
    /// The new states.
    pub new: &'a mut Codes,
}

impl Chunk for SlabTask<'_> {
    fn expand(&mut self, level: Expansion<'_>) -> io::Result<LevelResult> {
        let (layout, mut found) = (level.pulls.layout(), LevelResult::default());
        let (words, blocks) = (layout.block, layout.chunk() / layout.block);
        let (mut frontier, mut pulled) = (vec![0; words], vec![0; words]);
        let mut coder = Coder::default();
        let cells = layout.cells(Colour::of_distance(level.distance));
        for (slot, cell) in cells.enumerate().filter(|(_, cell)| level.takes(*cell)) {
            let mut old = (self.old).map(|old| old.get(place(layout, slot, self.chunk)));
            self.new[slot].clear();
            for number in self.chunk * blocks..(self.chunk + 1) * blocks {
                let (unseen, mut code) = match &mut old {
                    Some(old) => split_block(old)?,
                    None => (layout.block_states(), &EMPTY[..]),
                };
                let (planes, mut unseen, mut active) =
                    ((&mut frontier[..], &mut [][..]), [unseen], [false]);
                let mut own = Task::new(self.chunk, planes, (&mut unseen, &mut active));
                let old = |states: &mut [u64]| coder.read(&mut code, states);
                let block = Block { cell, number };
                found.add((own.as_mut()).expand_block(level, block, &mut pulled, old)?);
                own.save(words, &mut coder, &mut self.new[slot]);
            }
        }
        Ok(found)
    }
}

/// The place of a chunk's piece of a cell among those of its slab.
fn place(layout: &Layout, slot: usize, chunk: usize) -> usize {
    slot * layout.slab_chunks() + chunk % layout.slab_chunks()
}

impl Task<'_> {
    /// Reads the states of all cells.
    ///
    /// # Errors
    /// As [`Chunk::expand`].
    pub fn read(&mut self, layout: &Layout, pieces: &Pieces) -> io::Result<()> {
        let (words, chunk, mut coder) = (layout.block, self.chunk, Coder::default());
        let cells = self.as_mut().split(layout.chunk(), layout.chunk() / words);
        (cells.enumerate()).try_for_each(|(slot, mut cell)| {
            let mut piece = pieces.get(place(layout, slot, chunk));
            cell.load(words, &mut coder, &mut piece)
        })
    }
}
