//! The states of one colour, and a level's work on them, chunk by chunk.

use std::io;

use super::layout::{Colour, Layout};
use super::planes::Planes;
use super::pull::Pulls;

/// The states with their blank on one colour.
#[derive(Debug)]
pub struct Half {
    /// Reached at this level or before.
    pub seen: Planes,
    /// Reached at the last level of this colour.
    pub front: Planes,
    /// Bit 1 of the distances of those that were reached.
    pub bit_one: Planes,
    /// States of each block that have not been reached; chunk by chunk, cell by cell.
    pub unseen: Vec<u32>,
    /// Which blocks of `front` have a state, in the same order.
    pub live: Vec<bool>,
}

/// A chunk of the target planes of all cells, for one thread.
pub struct Task<'a> {
    chunk: usize,
    seen: &'a mut [u64],
    front: &'a mut [u64],
    bit_one: &'a mut [u64],
    unseen: &'a mut [u32],
    live: &'a mut [bool],
}

impl Half {
    /// Nothing reached.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(layout: &Layout, colour: Colour) -> io::Result<Half> {
        let blocks = layout.cells(colour).count() * (layout.words() / layout.block());
        Ok(Half {
            seen: Planes::zeroed(layout, colour)?,
            front: Planes::zeroed(layout, colour)?,
            bit_one: Planes::zeroed(layout, colour)?,
            unseen: vec![layout.block_states(); blocks],
            live: vec![false; blocks],
        })
    }

    pub fn tasks(&mut self, layout: &Layout) -> Vec<Task<'_>> {
        let blocks = self.unseen.len() / layout.chunks();
        let words = (self.seen.chunks_mut())
            .zip(self.front.chunks_mut())
            .zip(self.bit_one.chunks_mut());
        let blocks = (self.unseen.chunks_exact_mut(blocks)).zip(self.live.chunks_exact_mut(blocks));
        let task = |(chunk, (((seen, front), bit_one), (unseen, live)))| Task {
            chunk,
            seen,
            front,
            bit_one,
            unseen,
            live,
        };
        words.zip(blocks).enumerate().map(task).collect()
    }
}

/// A block of a target plane.
pub struct Block<'a> {
    /// The plane's cell.
    pub cell: usize,
    /// The block's first word.
    pub word: usize,
    pub seen: &'a mut [u64],
    pub front: &'a mut [u64],
    pub bit_one: &'a mut [u64],
    pub unseen: &'a mut u32,
    pub live: &'a mut bool,
}

impl Task<'_> {
    /// Hands each block of this chunk for which `wanted` holds to `settle`, with the states that a
    /// move leads to from the frontier of `source`.
    pub fn each_block(
        &mut self,
        pulls: &Pulls,
        colour: Colour,
        source: &Half,
        wanted: impl Fn(&mut Block<'_>) -> bool,
        mut settle: impl FnMut(&mut Block<'_>, &[u64]),
    ) {
        let layout = pulls.layout();
        let (chunk, len) = (layout.chunk(), layout.block());
        let blocks = chunk / len;
        let source_cells = source.live.len() / (layout.chunks() * blocks);
        let mut pulled = vec![0; len];
        let words = (self.seen.chunks_exact_mut(chunk))
            .zip(self.front.chunks_exact_mut(chunk))
            .zip(self.bit_one.chunks_exact_mut(chunk));
        let flags = (self.unseen.chunks_exact_mut(blocks)).zip(self.live.chunks_exact_mut(blocks));
        for (cell, (((seen, front), bit_one), (unseen, live))) in
            layout.cells(colour).zip(words.zip(flags))
        {
            let words = (seen.chunks_exact_mut(len))
                .zip(front.chunks_exact_mut(len))
                .zip(bit_one.chunks_exact_mut(len));
            let flags = unseen.iter_mut().zip(live);
            for (i, (((seen, front), bit_one), (unseen, live))) in words.zip(flags).enumerate() {
                let at = self.chunk * blocks + i;
                let mut block = Block {
                    cell,
                    word: at * len,
                    seen,
                    front,
                    bit_one,
                    unseen,
                    live,
                };
                if !wanted(&mut block) {
                    continue;
                }
                pulled.fill(0);
                for pull in pulls.into(cell) {
                    let is_live = |b: usize| {
                        source.live[(b / blocks * source_cells + pull.slot) * blocks + b % blocks]
                    };
                    pulls.run(pull, cell, &source.front, at, is_live, &mut pulled);
                }
                settle(&mut block, &pulled);
            }
        }
    }

    /// Finds the new states of this chunk; how many there are.
    pub fn run(&mut self, pulls: &Pulls, colour: Colour, source: &Half, mark: bool) -> u64 {
        let mut states = 0;
        // Where nothing is left to be reached there is only the last level to be put away.
        let unreached = |block: &mut Block<'_>| {
            if *block.unseen == 0 && std::mem::take(block.live) {
                block.front.fill(0);
            }
            *block.unseen > 0
        };
        self.each_block(pulls, colour, source, unreached, |block, pulled| {
            let mut new = 0;
            for ((front, seen), pulled) in
                (block.front.iter_mut()).zip(&mut *block.seen).zip(pulled)
            {
                *front = pulled & !*seen;
                *seen |= *front;
                new += front.count_ones();
            }
            if mark && new > 0 {
                for (bit_one, front) in block.bit_one.iter_mut().zip(&*block.front) {
                    *bit_one |= *front;
                }
            }
            *block.live = new > 0;
            *block.unseen -= new;
            states += u64::from(new);
        });
        states
    }
}
