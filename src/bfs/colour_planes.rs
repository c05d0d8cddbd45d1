//! The states of one colour, and the work of a level on them, chunk by chunk.

use std::io;

use super::layout::{Colour, Layout};
use super::planes::Planes;
use super::pull::Pulls;

/// The planes of all cells of one colour: what has been reached of their states.
#[derive(Debug)]
pub struct ColourPlanes {
    /// States reached so far.
    pub seen: Planes,
    /// States of the last finished level of this colour.
    pub frontier: Planes,
    /// Bit 1 of the distances of the states in `seen`.
    pub bit_one: Planes,
    /// For each block, how many of its states have not been reached. Blocks are in the order of
    /// the words in memory: chunk by chunk, and cell by cell within a chunk.
    pub unseen: Vec<u32>,
    /// For each block, in the same order: is any of its states in `frontier`?
    pub active: Vec<bool>,
}

/// One chunk of the planes of all cells of a colour, to be updated by one thread.
pub struct Task<'a> {
    chunk: usize,
    seen: &'a mut [u64],
    frontier: &'a mut [u64],
    bit_one: &'a mut [u64],
    unseen: &'a mut [u32],
    active: &'a mut [bool],
}

impl ColourPlanes {
    /// Planes in which no state has been reached.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(layout: &Layout, colour: Colour) -> io::Result<ColourPlanes> {
        let blocks = layout.cells(colour).count() * (layout.words() / layout.block());
        Ok(ColourPlanes {
            seen: Planes::zeroed(layout, colour)?,
            frontier: Planes::zeroed(layout, colour)?,
            bit_one: Planes::zeroed(layout, colour)?,
            unseen: vec![layout.block_states(); blocks],
            active: vec![false; blocks],
        })
    }

    /// One task for each chunk.
    pub fn tasks(&mut self, layout: &Layout) -> Vec<Task<'_>> {
        let blocks = self.unseen.len() / layout.chunks();
        let words = (self.seen.chunks_mut())
            .zip(self.frontier.chunks_mut())
            .zip(self.bit_one.chunks_mut());
        let flags =
            (self.unseen.chunks_exact_mut(blocks)).zip(self.active.chunks_exact_mut(blocks));
        let task = |(chunk, (((seen, frontier), bit_one), (unseen, active)))| Task {
            chunk,
            seen,
            frontier,
            bit_one,
            unseen,
            active,
        };
        words.zip(flags).enumerate().map(task).collect()
    }
}

/// A block of a task; the fields are those of [`ColourPlanes`].
pub struct Block<'a> {
    /// The plane's cell.
    pub cell: usize,
    /// The place of the block's first word in the plane.
    pub word: usize,
    pub seen: &'a mut [u64],
    pub frontier: &'a mut [u64],
    pub bit_one: &'a mut [u64],
    pub unseen: &'a mut u32,
    pub active: &'a mut bool,
}

impl Task<'_> {
    /// For each block of this chunk that `wanted` selects: computes the states from which some
    /// move leads into the frontier of `source`, and hands block and states to `update`.
    pub fn each_block(
        &mut self,
        pulls: &Pulls,
        colour: Colour,
        source: &ColourPlanes,
        wanted: impl Fn(&mut Block<'_>) -> bool,
        mut update: impl FnMut(&mut Block<'_>, &[u64]),
    ) {
        let layout = pulls.layout();
        let (chunk, len) = (layout.chunk(), layout.block());
        let blocks = chunk / len;
        let source_cells = source.active.len() / (layout.chunks() * blocks);
        let mut pulled = vec![0; len];
        let words = (self.seen.chunks_exact_mut(chunk))
            .zip(self.frontier.chunks_exact_mut(chunk))
            .zip(self.bit_one.chunks_exact_mut(chunk));
        let flags =
            (self.unseen.chunks_exact_mut(blocks)).zip(self.active.chunks_exact_mut(blocks));
        for (cell, (((seen, frontier), bit_one), (unseen, active))) in
            layout.cells(colour).zip(words.zip(flags))
        {
            let words = (seen.chunks_exact_mut(len))
                .zip(frontier.chunks_exact_mut(len))
                .zip(bit_one.chunks_exact_mut(len));
            let flags = unseen.iter_mut().zip(active);
            for (i, (((seen, frontier), bit_one), (unseen, active))) in words.zip(flags).enumerate()
            {
                let at = self.chunk * blocks + i;
                let mut block = Block {
                    cell,
                    word: at * len,
                    seen,
                    frontier,
                    bit_one,
                    unseen,
                    active,
                };
                if !wanted(&mut block) {
                    continue;
                }
                pulled.fill(0);
                for pull in pulls.into(cell) {
                    let is_active = |b: usize| {
                        source.active[(b / blocks * source_cells + pull.slot) * blocks + b % blocks]
                    };
                    pulls.run(pull, cell, &source.frontier, at, is_active, &mut pulled);
                }
                update(&mut block, &pulled);
            }
        }
    }

    /// Expands the frontier of `source` into this chunk; how many states are new. Bit 1 of their
    /// distances is set if `set_bit_one` says so.
    pub fn expand(
        &mut self,
        pulls: &Pulls,
        colour: Colour,
        source: &ColourPlanes,
        set_bit_one: bool,
    ) -> u64 {
        let mut states = 0;
        // A finished block is skipped, once its frontier has been cleared.
        let unfinished = |block: &mut Block<'_>| {
            if *block.unseen == 0 && std::mem::take(block.active) {
                block.frontier.fill(0);
            }
            *block.unseen > 0
        };
        self.each_block(pulls, colour, source, unfinished, |block, pulled| {
            let mut new = 0;
            for ((frontier, seen), pulled) in (block.frontier.iter_mut())
                .zip(&mut *block.seen)
                .zip(pulled)
            {
                *frontier = pulled & !*seen;
                *seen |= *frontier;
                new += frontier.count_ones();
            }
            if set_bit_one && new > 0 {
                for (bit_one, frontier) in block.bit_one.iter_mut().zip(&*block.frontier) {
                    *bit_one |= *frontier;
                }
            }
            *block.active = new > 0;
            *block.unseen -= new;
            states += u64::from(new);
        });
        states
    }
}
