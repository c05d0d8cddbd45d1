//! The states of one colour, and the work of a level on them, chunk by chunk.

use std::fmt;
use std::iter;
use std::ops::Range;

use crate::space::StateIndex;
use multiversion::multiversion;

use super::super::error::SearchError;
use super::layout::{Block, Layout, bit_one_of};
use super::planes::{Planes, or_into};
use super::pulls::Source;
use super::step::Step;

/// Claims of a table on bit 1 of the distances.
pub trait ClaimedBits: fmt::Debug + Sync {
    /// Writes the claimed words from the first of a block on, in the order of the layout.
    fn write(&self, layout: &Layout, from: Block, words: &mut [u64]);
}

/// A state whose claim is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongClaim {
    /// The state.
    pub index: StateIndex,
    /// The level from which a move leads to the state. The state's claim fits neither the level before
    /// nor the one after. `None` for the goal, if its claim is not 0.
    pub from: Option<u8>,
}

/// Result of a part of a level.
#[derive(Clone, Copy, Debug, Default)]
pub struct LevelResult {
    /// Number of its states.
    pub states: u64,
    /// The first of them whose claim is wrong.
    pub wrong: Option<StateIndex>,
}

impl LevelResult {
    /// Adds the result of another part.
    pub fn add(&mut self, other: LevelResult) {
        self.states += other.states;
        self.wrong = [self.wrong, other.wrong].into_iter().flatten().min();
    }
}

/// Planes of all cells of one colour: the reached states.
///
/// Blocks are in the order of the words in memory: chunk by chunk, and cell by cell within a chunk.
#[derive(Debug)]
pub struct ColourPlanes {
    /// States of the last finished level of this colour.
    pub frontier: Planes,
    /// Bit 1 of the distances of the states reached so far; no words if it is not kept in memory.
    pub bit_one: Planes,
    /// Number of unreached states of each block.
    pub unseen: Vec<u32>,
    /// True for each block with a state in `frontier`.
    pub active: Vec<bool>,
    /// For each cell of the other colour the states whose moves cross from other slabs into the frontier: a
    /// word for each word in memory; empty if no move crosses.
    pub crossing: Vec<Vec<u64>>,
    /// Blocks of a cell in a chunk.
    blocks: usize,
}

/// States of consecutive blocks, to be updated by one thread: one chunk of the planes of all cells of a colour, or a part
/// of it.
#[derive(Debug)]
pub struct Task<'a> {
    pub chunk: usize,
    /// The states of the last level of this colour, which become those of the next.
    pub frontier: &'a mut [u64],
    /// Bit 1 of the distances of the reached states; empty if it is not kept.
    pub bit_one: &'a mut [u64],
    /// Number of unreached states of each block.
    pub unseen: &'a mut [u32],
    /// Whether any state of each block is in the frontier.
    pub active: &'a mut [bool],
}

impl<'a> Task<'a> {
    /// Creates a task of its planes, the frontier and bit 1 of the distances, and of what is counted for each block: the
    /// unreached states, and whether any is in the frontier.
    #[inline]
    pub fn new(
        chunk: usize,
        (frontier, bit_one): (&'a mut [u64], &'a mut [u64]),
        (unseen, active): (&'a mut [u32], &'a mut [bool]),
    ) -> Task<'a> {
        Task {
            chunk,
            frontier,
            bit_one,
            unseen,
            active,
        }
    }

    /// The task itself, borrowed.
    #[inline]
    pub fn as_mut(&mut self) -> Task<'_> {
        let planes = (&mut *self.frontier, &mut *self.bit_one);
        Task::new(self.chunk, planes, (self.unseen, self.active))
    }

    /// Cuts the task into parts of so many words and blocks. Their chunks are numbered from that of the task on.
    #[inline]
    pub fn split(self, words: usize, blocks: usize) -> impl Iterator<Item = Task<'a>> {
        let none = iter::repeat_with(<&mut [u64]>::default);
        let planes =
            (self.frontier.chunks_mut(words)).zip(self.bit_one.chunks_mut(words).chain(none));
        let counts = (self.unseen.chunks_mut(blocks)).zip(self.active.chunks_mut(blocks));
        let parts = (self.chunk..).zip(planes.zip(counts));
        parts.map(|(chunk, (planes, counts))| Task::new(chunk, planes, counts))
    }

    /// Makes the states of one block at a distance, given those from which a move leads into the level before, if there
    /// are any. Returns their number.
    ///
    /// Each of these states is one closer than that level or one farther. Those that are closer are the frontier that
    /// the block still has; the others are new.
    #[inline(always)]
    pub fn update(self, pulled: Option<&[u64]>, distance: u8) -> u32 {
        let was_active = std::mem::take(&mut self.active[0]);
        let Some(pulled) = pulled else {
            if was_active {
                self.frontier.fill(0);
            }
            return 0;
        };
        let mut new = 0;
        for (frontier, pulled) in self.frontier.iter_mut().zip(pulled) {
            *frontier = pulled & !*frontier;
            new += frontier.count_ones();
        }
        if new > 0 && bit_one_of(distance) != 0 {
            or_into(self.bit_one, self.frontier);
        }
        self.active[0] = new > 0;
        self.unseen[0] = self.unseen[0].saturating_sub(new); // more are only found from a wrong checkpoint
        new
    }
}

/// [`Task::update`] for blocks of many words.
#[multiversion(targets = "simd")]
fn update(task: Task<'_>, pulled: Option<&[u64]>, distance: u8) -> u32 {
    task.update(pulled, distance)
}

/// Sets the bits of the states of a block from which some move leads into the frontier of the source, and
/// returns whether there may be any. Memory without set bits is not read. At distance 0 only the goal is new.
#[multiversion(targets = "simd")]
fn pull(level: &Expansion<'_>, source: &ColourPlanes, to: Block, pulled: &mut [u64]) -> bool {
    let (pulls, len) = (&level.step.setup.pulls, pulled.len());
    if level.step.distance == 0 {
        let cell = level.step.setup.class().blank();
        let has_goal = to == Block { cell, number: 0 };
        pulled[0] |= u64::from(has_goal);
        return has_goal;
    }
    let mut reached = false;
    for pull in &pulls.inside[to.cell] {
        let from = Source {
            planes: &source.frontier,
            is_active: |block| source.active[source.place(pull.slot, block)],
        };
        reached |= pulls.pull_block(pull, to, from, pulled);
    }
    let crossing = to.number * len - source.frontier.first_chunk * source.frontier.chunk;
    if let Some(words) = source.crossing[to.cell].get(crossing..crossing + len) {
        or_into(pulled, words);
        reached |= words.iter().any(|word| *word != 0);
    }
    reached
}

/// The work of a level on some cells, the same for all tasks.
#[derive(Clone, Copy, Debug)]
pub struct Expansion<'a> {
    pub step: &'a Step,
    /// Whether moves cross from another slab into the planes that are made; `None` makes all.
    pub crossing: Option<bool>,
    /// Claims that the new states are compared with.
    pub claims: Option<&'a dyn ClaimedBits>,
}

impl ColourPlanes {
    /// Creates planes, with these words of each, in which no state has been reached.
    ///
    /// # Errors
    /// [`SearchError::System`] if the system does not give the memory.
    pub fn new(
        layout: &Layout,
        colour: usize,
        words: Range<usize>,
        has_bit_one: bool,
    ) -> Result<ColourPlanes, SearchError> {
        let cells = layout.cells(colour).count();
        let blocks = cells * (words.len() / layout.block);
        let kept = words.start..if has_bit_one { words.end } else { words.start };
        Ok(ColourPlanes {
            unseen: vec![layout.block_states(); blocks],
            active: vec![false; blocks],
            crossing: vec![Vec::new(); layout.planes()],
            blocks: layout.chunk() / layout.block,
            frontier: Planes::zeroed(layout, colour, words)?,
            bit_one: Planes::zeroed(layout, colour, kept)?,
        })
    }

    /// Place of a block of the plane in this slot among all blocks in memory.
    #[inline]
    pub fn place(&self, slot: usize, block: usize) -> usize {
        self.frontier.place(slot, block / self.blocks) * self.blocks + block % self.blocks
    }

    /// One task for each chunk.
    pub fn tasks(&mut self) -> Vec<Task<'_>> {
        let (chunk, cells) = (self.frontier.first_chunk, self.frontier.cells);
        let words = cells * self.frontier.chunk;
        let planes = (&mut *self.frontier.words, &mut *self.bit_one.words);
        let all = Task::new(chunk, planes, (&mut self.unseen, &mut self.active));
        all.split(words, cells * self.blocks).collect()
    }
}

impl Expansion<'_> {
    /// Returns whether a cell's plane is made.
    pub fn takes(&self, cell: usize) -> bool {
        let crosses = !self.step.setup.pulls.crossing[cell].is_empty();
        self.crossing.is_none_or(|crossing| crossing == crosses)
    }

    /// The first new state of a block whose claim is wrong.
    fn first_wrong(&self, block: Block, new: &[u64]) -> Option<StateIndex> {
        let (claims, own) = (self.claims?, bit_one_of(self.step.distance));
        let (layout, mut claimed) = (self.step.setup.layout(), vec![0; new.len()]);
        claims.write(layout, block, &mut claimed);
        let wrong = |(claim, new): (&u64, &u64)| new & (claim ^ own);
        let mut words = (layout.first_word(block)..).zip(claimed.iter().zip(new).map(wrong));
        let (word, bits) = words.find(|(_, bits)| *bits != 0)?;
        Some(layout.index(block.cell, word, bits.trailing_zeros()))
    }
}

impl Task<'_> {
    /// Makes the states of all cells at a level, given the level before.
    pub fn expand(self, level: Expansion<'_>, source: &ColourPlanes) -> LevelResult {
        let (layout, mut found) = (level.step.setup.layout(), LevelResult::default());
        let (mut pulled, count) = (vec![0; layout.block], layout.chunk() / layout.block);
        let numbers = self.chunk * count..(self.chunk + 1) * count;
        let cells = layout.cells(level.step.colour());
        let blocks =
            cells.flat_map(|cell| numbers.clone().map(move |number| Block { cell, number }));
        for (block, own) in blocks.zip(self.split(layout.block, 1)) {
            if level.takes(block.cell) {
                found.add(own.expand_block(level, source, block, &mut pulled));
            }
        }
        found
    }

    /// Makes the states of one block. All bits of `pulled`, a block, are 0 before and after it.
    #[inline]
    pub fn expand_block(
        mut self,
        level: Expansion<'_>,
        source: &ColourPlanes,
        block: Block,
        pulled: &mut [u64],
    ) -> LevelResult {
        let is_reached = self.unseen[0] > 0 && pull(&level, source, block, pulled);
        let found = is_reached.then_some(&*pulled);
        let states = update(self.as_mut(), found, level.step.distance);
        if is_reached {
            pulled.fill(0);
        }
        let wrong = || level.first_wrong(block, self.frontier);
        LevelResult {
            states: states.into(),
            wrong: (states > 0).then(wrong).flatten(),
        }
    }
}
