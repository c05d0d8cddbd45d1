//! The states of one colour, and the work of a level on them, chunk by chunk.

use std::io;
use std::ops::Range;

use super::claims::{Claims, LevelResult, WrongClaim};
use super::layout::{Colour, Layout, bit_one_of};
use super::planes::Planes;
use super::pull::Pulls;

/// Data kept for all states beside the frontiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: the states of each level are counted.
    Nothing,
    /// Bit 1 of the distance.
    BitOne,
    /// Nothing: the states of each level are compared with the table that has this checksum.
    Proof(u32),
}

impl Kept {
    /// Bits a state, with the frontiers' one.
    pub(super) const fn bits(self) -> u64 {
        match self {
            Kept::Nothing | Kept::Proof(_) => 1,
            Kept::BitOne => 2,
        }
    }
}

/// Planes of all cells of one colour: the reached states.
#[derive(Debug)]
pub struct ColourPlanes {
    /// States of the last finished level of this colour.
    pub frontier: Planes,
    /// Bit 1 of the distances of the states reached so far.
    pub bit_one: Planes,
    /// Number of unreached states of each block. Blocks are in the order of the words in memory: chunk by
    /// chunk, and cell by cell within a chunk.
    pub unseen: Vec<u32>,
    /// True for each block, in the same order, with a state in `frontier`.
    pub active: Vec<bool>,
    /// First block of each plane in memory: 0 unless only some slabs are.
    pub first_block: usize,
    /// Chunks of each plane in memory.
    chunks: usize,
    /// For each cell of the other colour the states whose moves cross from other slabs into the frontier: a
    /// word for each word in memory; empty if no move crosses.
    pub crossing: Vec<Vec<u64>>,
}

/// One chunk of the planes of all cells of a colour, to be updated by one thread.
#[derive(Debug)]
pub struct Task<'a> {
    pub chunk: usize,
    pub frontier: &'a mut [u64],
    pub bit_one: &'a mut [u64],
    pub unseen: &'a mut [u32],
    pub active: &'a mut [bool],
    pub cells: Cells,
}

/// Some cells of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// All of them.
    All,
    /// Those into whose planes no move crosses from another slab.
    Inside,
    /// The others.
    Crossing,
}

impl ColourPlanes {
    /// Creates planes, with these words of each, in which no state has been reached.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(
        layout: &Layout,
        colour: Colour,
        kept: Kept,
        words: Range<usize>,
    ) -> io::Result<ColourPlanes> {
        let blocks = layout.cells(colour).count() * (words.len() / layout.block());
        let planes = |wanted| {
            if wanted {
                Planes::part(layout, colour, words.clone())
            } else {
                Planes::none(layout)
            }
        };
        Ok(ColourPlanes {
            frontier: planes(true)?,
            bit_one: planes(kept == Kept::BitOne)?,
            unseen: vec![layout.block_states(); blocks],
            active: vec![false; blocks],
            first_block: words.start / layout.block(),
            chunks: words.len() / layout.chunk(),
            crossing: vec![Vec::new(); layout.planes()],
        })
    }

    /// Sets the first word of the planes in memory.
    pub fn set_first(&mut self, layout: &Layout, first: usize) {
        self.frontier.set_first(first);
        self.first_block = first / layout.block();
    }

    /// Makes the goal the frontier, and returns its number of states, 1.
    pub fn reach_goal(&mut self, layout: &Layout) -> u64 {
        let cell = layout.ranking().class().blank();
        let block = layout.slot(cell) * (layout.chunk() / layout.block());
        self.frontier.of_chunk_mut(cell, 0)[0] = 1;
        self.unseen[block] -= 1;
        self.active[block] = true;
        1
    }

    /// One task for each chunk.
    pub fn tasks(&mut self, layout: &Layout) -> Vec<Task<'_>> {
        let chunks = self.chunks;
        let first = self.first_block * layout.block() / layout.chunk();
        let blocks = (self.unseen.len() / chunks.max(1)).max(1);
        let words = (self.frontier.chunks_mut(chunks)).zip(self.bit_one.chunks_mut(chunks));
        let flags =
            (self.unseen.chunks_exact_mut(blocks)).zip(self.active.chunks_exact_mut(blocks));
        let task = |(i, ((frontier, bit_one), (unseen, active)))| Task {
            chunk: first + i,
            frontier,
            bit_one,
            unseen,
            active,
            cells: Cells::All,
        };
        words.zip(flags).enumerate().map(task).collect()
    }
}

/// A block of a task; the fields are those of [`ColourPlanes`], empty where nothing is kept.
#[derive(Debug)]
pub struct Block<'a> {
    /// The plane's cell.
    pub cell: usize,
    /// The place of the block's first word in the plane.
    pub word: usize,
    pub frontier: &'a mut [u64],
    pub bit_one: &'a mut [u64],
    pub unseen: &'a mut u32,
    pub active: &'a mut bool,
}

impl Task<'_> {
    /// Calls `update` for each block of this chunk and its cells that has unreached states and from which some
    /// move leads into the frontier of `source`, with the states that those moves start from. Clears the
    /// frontiers of all other blocks. Memory without set bits is neither read nor written.
    pub fn each_block(
        &mut self,
        pulls: &Pulls,
        colour: Colour,
        source: &ColourPlanes,
        mut update: impl FnMut(&mut Block<'_>, &[u64]),
    ) {
        let layout = pulls.layout();
        let (chunk, len) = (layout.chunk(), layout.block());
        let blocks = chunk / len;
        let source_cells = source.active.len() / (source.chunks * blocks);
        let mut pulled = vec![0; len];
        let cells = layout
            .cells(colour)
            .flat_map(|cell| (0..blocks).map(move |i| (cell, i)));
        for (place, (cell, i)) in cells.enumerate() {
            let crossing = pulls.crossing(cell);
            match self.cells {
                Cells::Inside if !crossing.is_empty() => continue,
                Cells::Crossing if crossing.is_empty() => continue,
                _ => {}
            }
            let at = self.chunk * blocks + i;
            let words = place * len..(place + 1) * len;
            let mut block = Block {
                cell,
                word: at * len,
                frontier: &mut self.frontier[words.clone()],
                bit_one: self.bit_one.get_mut(words).unwrap_or_default(),
                unseen: &mut self.unseen[place],
                active: &mut self.active[place],
            };
            let mut reached = false;
            if *block.unseen > 0 {
                for pull in pulls.into(cell) {
                    let is_active = |b: usize| {
                        let b = b - source.first_block;
                        source.active[(b / blocks * source_cells + pull.slot) * blocks + b % blocks]
                    };
                    reached |= pulls.run(pull, cell, &source.frontier, at, is_active, &mut pulled);
                }
            }
            let crossing = (at - source.first_block) * len;
            if let Some(words) = source.crossing[cell].get(crossing..crossing + len) {
                for (pulled, word) in pulled.iter_mut().zip(words) {
                    *pulled |= word;
                    reached |= *word != 0;
                }
            }
            if reached {
                update(&mut block, &pulled);
                pulled.fill(0);
            } else if std::mem::take(block.active) {
                block.frontier.fill(0);
            }
        }
    }

    /// Expands the frontier of `source` into this chunk, which has the states at `distance` then, and
    /// compares them with `claims`, if there are any.
    ///
    /// Every neighbour of the source's states is one closer or one farther than they are. Those
    /// that are closer are the frontier that this chunk still has; the others are new.
    pub fn expand(
        &mut self,
        pulls: &Pulls,
        source: &ColourPlanes,
        distance: u8,
        claims: Option<Claims<'_>>,
    ) -> LevelResult {
        let (mut found, own) = (LevelResult::default(), bit_one_of(distance));
        let mut claimed = vec![0; claims.map_or(0, |_| pulls.layout().block())];
        let colour = Colour::of_distance(distance);
        self.each_block(pulls, colour, source, |block, pulled| {
            let mut new = 0;
            for (frontier, pulled) in block.frontier.iter_mut().zip(pulled) {
                *frontier = pulled & !*frontier;
                new += frontier.count_ones();
            }
            if own != 0 && new > 0 {
                for (bit_one, frontier) in block.bit_one.iter_mut().zip(&*block.frontier) {
                    *bit_one |= *frontier;
                }
            }
            *block.active = new > 0;
            // States are found again only in planes from a wrong checkpoint.
            *block.unseen = block.unseen.saturating_sub(new);
            found.states += u64::from(new);
            if let Some(claims) = claims.filter(|_| new > 0) {
                claims(block.cell, block.word, &mut claimed);
                let claims = claimed.iter().zip(&*block.frontier);
                let mut wrong = claims.map(|(claim, new)| new & (claim ^ own));
                let wrong = (0..).zip(&mut wrong).find(|(_, bits)| *bits != 0);
                found.add(LevelResult {
                    states: 0,
                    wrong: wrong.map(|(word, bits)| WrongClaim {
                        index: (pulls.layout()).index(
                            block.cell,
                            block.word + word,
                            bits.trailing_zeros(),
                        ),
                        from: distance.checked_sub(1),
                    }),
                });
            }
        });
        found
    }
}
