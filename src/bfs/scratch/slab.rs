//! A slab at work: the level before is in memory as bits; the states two levels before are decoded, and the new ones
//! coded, block by block where they are used.

use std::io;

use super::super::checkpoint::coding::{Coder, split_code};
use super::super::engine::colour::{BlockPlanes, Expansion, LevelResult, Task};
use super::super::engine::layout::{Block, Colour, Layout};
use super::super::engine::planes::or_into;
use super::slab_file::{EMPTY, Pieces, split_unseen};

/// Codes of a chunk's blocks, by cell.
pub type Codes = Vec<Vec<u8>>;

/// Work on one chunk of a slab, by one thread.
#[derive(Debug)]
pub struct SlabTask<'a> {
    pub chunk: usize,
    /// States two levels before; none has been reached without them.
    pub old: Option<&'a Pieces>,
    /// Bit 1 of the distances before.
    pub bit_one: Option<&'a Pieces>,
    /// The new states, and bit 1 of the distances if the level changes it.
    pub new: &'a mut [Codes; 2],
}

/// Working memory of a thread.
struct Buffers {
    coder: Coder,
    /// States from which a move leads into the level before: all bits are 0 between two blocks.
    pulled: Vec<u64>,
    new: Vec<u64>,
    bits: Vec<u64>,
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
            new: zeros.clone(),
            bits: zeros,
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
        let mut before = self.bit_one.map(|pieces| pieces.get(piece));
        let [new, mut bits] = self.new.each_mut().map(|codes| codes.get_mut(slot));
        let new = new.expect("there are codes for each cell");
        new.clear();
        if let Some(bits) = &mut bits {
            bits.clear();
        }
        for number in self.chunk * blocks..(self.chunk + 1) * blocks {
            let block = Block { cell, number };
            let (mut unseen, code) = match &mut old {
                Some(old) => (split_unseen(old)?, split_code(old, 1)?),
                None => (layout.block_states(), &EMPTY[..]),
            };
            let states = buffers.update(level, block, &mut unseen, code)?;
            new.extend(unseen.to_le_bytes());
            buffers.append(states > 0, new);
            if let Some(bits) = &mut bits {
                let before = before.as_mut().map(|before| split_code(before, 1));
                buffers.merge(states > 0, before.transpose()?.unwrap_or(&EMPTY), bits)?;
            }
            if states > 0 {
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

    /// Appends the code of the new states.
    fn append(&mut self, is_any: bool, out: &mut Vec<u8>) {
        if is_any {
            self.coder.append(&self.new, out);
        } else {
            out.extend(EMPTY);
        }
    }

    /// Appends the code of the bits of the new states and of those with the code `before`.
    fn merge(&mut self, is_any: bool, mut before: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        if is_any {
            self.coder.read(&mut before, &mut self.bits)?;
            or_into(&mut self.bits, &self.new);
            self.coder.append(&self.bits, out);
        } else {
            out.extend(before);
        }
        Ok(())
    }
}

/// The place of a chunk's piece of a cell among those of its slab.
fn place(layout: &Layout, slot: usize, chunk: usize) -> usize {
    slot * layout.slab_chunks() + chunk % layout.slab_chunks()
}

impl Task<'_> {
    /// Reads the frontier; without a file no state has been reached.
    ///
    /// # Errors
    /// As [`SlabTask::expand`].
    pub fn read(&mut self, layout: &Layout, pieces: Option<&Pieces>) -> io::Result<()> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let blocks = layout.chunk() / len;
        let words = self.frontier.chunks_exact_mut(len);
        let mut piece: &[u8] = &[];
        for (i, (frontier, active)) in words.zip(self.active.iter_mut()).enumerate() {
            let mut code = &EMPTY[..];
            if let Some(pieces) = pieces {
                if i.is_multiple_of(blocks) {
                    piece = pieces.get(place(layout, i / blocks, self.chunk));
                }
                split_unseen(&mut piece)?;
                code = split_code(&mut piece, 1)?;
            }
            let was_active = std::mem::replace(active, code != EMPTY);
            if *active || was_active {
                coder.read(&mut code, frontier)?;
            }
        }
        Ok(())
    }
}
