//! A slab at work: the level before is in memory as bits; the states two levels before are decoded, and the new ones
//! coded, block by block where they are used.

use std::io;

use super::super::checkpoint::coding::Coder;
use super::super::engine::colour::{BlockPlanes, Expansion, LevelResult, Task};
use super::super::engine::layout::{Block, Colour, Layout};
use super::slab_file::{EMPTY, Pieces, split_block};

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

/// Working memory of a thread.
struct Buffers {
    coder: Coder,
    /// States from which a move leads into the level before: all bits are 0 between two blocks.
    pulled: Vec<u64>,
    new: Vec<u64>,
}

impl SlabTask<'_> {
    /// Makes this chunk's states of a level.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the pieces are not those of such a slab.
    pub fn expand(&mut self, level: Expansion<'_>) -> io::Result<LevelResult> {
        let (layout, mut found) = (level.pulls.layout(), LevelResult::default());
        let zeros = vec![0; layout.block()];
        let mut buffers = Buffers {
            coder: Coder::default(),
            pulled: zeros.clone(),
            new: zeros,
        };
        let cells = layout.cells(Colour::of_distance(level.distance));
        for (slot, cell) in cells.enumerate().filter(|(_, cell)| level.takes(*cell)) {
            found.add(self.expand_cell(level, slot, cell, &mut buffers)?);
        }
        Ok(found)
    }

    /// Makes the states of one cell.
    fn expand_cell(
        &mut self,
        level: Expansion<'_>,
        slot: usize,
        cell: usize,
        buffers: &mut Buffers,
    ) -> io::Result<LevelResult> {
        let (layout, mut found) = (level.pulls.layout(), LevelResult::default());
        let blocks = layout.chunk() / layout.block();
        let piece = place(layout, slot, self.chunk);
        let mut old = self.old.map(|pieces| pieces.get(piece));
        let new = &mut self.new[slot];
        new.clear();
        for number in self.chunk * blocks..(self.chunk + 1) * blocks {
            let block = Block { cell, number };
            let (mut unseen, code) = match &mut old {
                Some(old) => split_block(old)?,
                None => (layout.block_states(), &EMPTY[..]),
            };
            let states = buffers.update(level, block, &mut unseen, code)?;
            new.extend(unseen.to_le_bytes());
            if states == 0 {
                new.extend(EMPTY);
            } else {
                buffers.coder.append(&buffers.new, new);
                let wrong = |claims| level.first_wrong(block, &buffers.new, claims);
                found.add(LevelResult {
                    states: states.into(),
                    wrong: level.claims.and_then(wrong),
                });
            }
        }
        Ok(found)
    }
}

impl Buffers {
    /// Makes the new states of a block, given the code of those two levels before. Returns their number.
    fn update(
        &mut self,
        level: Expansion<'_>,
        block: Block,
        unseen: &mut u32,
        mut old: &[u8],
    ) -> io::Result<u32> {
        if *unseen == 0 || !level.pull(block, &mut self.pulled) {
            return Ok(0);
        }
        self.coder.read(&mut old, &mut self.new)?;
        let planes = BlockPlanes {
            frontier: &mut self.new,
            bit_one: &mut [],
            unseen,
            active: &mut true,
        };
        let states = planes.update(Some(&self.pulled), level.distance);
        self.pulled.fill(0);
        Ok(states)
    }
}

/// The place of a chunk's piece of a cell among those of its slab.
fn place(layout: &Layout, slot: usize, chunk: usize) -> usize {
    slot * layout.slab_chunks() + chunk % layout.slab_chunks()
}

impl Task<'_> {
    /// Reads the frontier.
    ///
    /// # Errors
    /// As [`SlabTask::expand`].
    pub fn read(&mut self, layout: &Layout, pieces: &Pieces) -> io::Result<()> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let blocks = layout.chunk() / len;
        let words = self.frontier.chunks_exact_mut(len);
        let mut piece: &[u8] = &[];
        for (i, (frontier, active)) in words.zip(self.active.iter_mut()).enumerate() {
            if i.is_multiple_of(blocks) {
                piece = pieces.get(place(layout, i / blocks, self.chunk));
            }
            let (_, mut code) = split_block(&mut piece)?;
            let was_active = std::mem::replace(active, code != EMPTY);
            if *active || was_active {
                coder.read(&mut code, frontier)?;
            }
        }
        Ok(())
    }
}
