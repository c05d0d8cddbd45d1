//! A slab at work: the level before is in memory as bits; the states two levels before are decoded, and the new ones
//! coded, a chunk of a cell at a time.

use std::io;

use super::super::checkpoint::coding::Coder;
use super::super::engine::colour::{Expansion, LevelResult, Task};
use super::super::engine::layout::{Colour, Layout};
use super::slab_file::Pieces;

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

impl SlabTask<'_> {
    /// Makes this chunk's states of a level.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the pieces are not those of such a slab.
    pub fn expand(&mut self, level: Expansion<'_>) -> io::Result<LevelResult> {
        let (layout, mut found) = (level.pulls.layout(), LevelResult::default());
        let (words, blocks) = (layout.block, layout.chunk() / layout.block);
        let (mut frontier, mut pulled) = (vec![0; layout.chunk()], vec![0; words]);
        let (mut unseen, mut active) = (vec![0; blocks], vec![false; blocks]);
        let mut coder = Coder::default();
        let cells = layout.cells(Colour::of_distance(level.distance));
        for (slot, cell) in cells.enumerate().filter(|(_, cell)| level.takes(*cell)) {
            let planes = (&mut frontier[..], &mut [][..]);
            let mut task = Task::new(self.chunk, planes, (&mut unseen, &mut active));
            match self.old {
                Some(old) => {
                    let mut piece = old.get(place(layout, slot, self.chunk));
                    task.load(words, &mut coder, &mut piece)?;
                }
                None => {
                    task.frontier.fill(0);
                    task.active.fill(false);
                    task.unseen.fill(layout.block_states());
                }
            }
            found.add(task.as_mut().expand_cell(level, cell, &mut pulled));
            self.new[slot].clear();
            task.save(words, &mut coder, &mut self.new[slot]);
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
    /// As [`SlabTask::expand`].
    pub fn read(&mut self, layout: &Layout, pieces: &Pieces) -> io::Result<()> {
        let (words, chunk, mut coder) = (layout.block, self.chunk, Coder::default());
        let cells = self.as_mut().split(layout.chunk(), layout.chunk() / words);
        (cells.enumerate()).try_for_each(|(slot, mut cell)| {
            let mut piece = pieces.get(place(layout, slot, chunk));
            cell.load(words, &mut coder, &mut piece)
        })
    }
}
