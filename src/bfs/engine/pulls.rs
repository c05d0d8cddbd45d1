//! Moving the bits of one plane to another by a move of the blank.
//!
//! The move is seen from the target: the *pull* through move `mv` into the plane of cell t reads
//! the plane of the cell that the blank reaches from t by `mv`, and sets the bit of every board
//! whose successor by `mv` has its bit set.

use crate::puzzle::Move;
use crate::space::{State, digit_sum, factorial};

use super::layout::{Block, Layout};
use super::planes::{Planes, or_into};
use super::swaps::{Room, exchange};

/// The pulls into every plane of a layout.
#[derive(Clone, Debug)]
pub struct Pulls {
    layout: Layout,
    /// The pulls into each cell's plane, in move order.
    into: Vec<Vec<Pull>>,
    /// The pulls into each cell's plane that read other slabs than the one they write. They are not
    /// in `into`.
    crossing: Vec<Vec<Pull>>,
}

/// The pull through one move into one plane.
#[derive(Clone, Debug)]
pub(crate) struct Pull {
    pub(crate) mv: Move,
    /// The cell that the move leads to, whose plane is pulled from.
    pub(crate) source: usize,
    /// That cell's place among those of its colour.
    pub(crate) slot: usize,
    map: Map,
}

/// Planes that are pulled from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, F> {
    pub planes: &'a Planes,
    /// Returns whether a block of the pulled plane, by its number, has any bit set; others are not read.
    pub is_active: F,
}

/// Map of a pull from the bits of the source to those of the target.
#[derive(Clone, Debug)]
enum Map {
    /// Runs of `run` words stay whole: run i of the target comes from `table[i % table.len()]`
    /// words further on in the source.
    Runs { run: usize, table: Vec<isize> },
    /// Within each block, by exchanges of neighbouring tiles in this order, each named by its first tile's place from the
    /// end.
    Swaps(Vec<usize>),
}

impl Pull {
    /// The words that a pull of whole words moves together, all from one slab.
    pub fn run_words(&self) -> Option<usize> {
        match &self.map {
            Map::Runs { run, .. } => Some(*run),
            Map::Swaps(_) => None,
        }
    }

    /// The word of the source that the first word of a run comes from.
    pub fn source_word(&self, word: usize) -> usize {
        match &self.map {
            Map::Runs { run, table } => word.wrapping_add_signed(table[word / run % table.len()]),
            Map::Swaps(_) => word,
        }
    }
}

impl Pulls {
    /// Builds the pulls for a layout.
    pub fn new(layout: &Layout) -> Pulls {
        let shape = layout.ranking().shape();
        let pull = |cell, mv| {
            let source = shape.step(cell, mv)?;
            Some(Pull {
                mv,
                source,
                slot: layout.slot(source),
                map: Map::new(layout, cell, mv),
            })
        };
        let pulls = |cell| Move::ALL.iter().filter_map(move |&mv| pull(cell, mv));
        let crosses = |pull: &Pull| matches!(&pull.map, Map::Runs { run, table } if run * table.len() > layout.slab_words());
        let (crossing, into) = (0..layout.planes())
            .map(|cell| pulls(cell).partition(crosses))
            .unzip();
        Pulls {
            layout: layout.clone(),
            into,
            crossing,
        }
    }

    /// The layout that the pulls are for.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The pulls into the plane of `cell`, in move order.
    pub(crate) fn pulls_into(&self, cell: usize) -> &[Pull] {
        &self.into[cell]
    }

    /// The pulls into the plane of `cell` that read other slabs than the one they write.
    pub(crate) fn crossing(&self, cell: usize) -> &[Pull] {
        &self.crossing[cell]
    }

    /// The moves that a blank in `cell` can make, each with the cell it leads to.
    pub fn moves(&self, cell: usize) -> impl Iterator<Item = (Move, usize)> {
        self.into[cell].iter().map(|pull| (pull.mv, pull.source))
    }

    /// Sets the bits of a block whose board after `mv` has its bit set in `planes`, those of the other
    /// colour.
    ///
    /// `out` is the block, `Layout::block` words; bits that it has stay.
    ///
    /// # Panics
    /// If the blank cannot make `mv` from the block's cell, or `out` is too short.
    pub fn pull(&self, mv: Move, to: Block, planes: &Planes, out: &mut [u64]) {
        let pull = self.into[to.cell].iter().find(|pull| pull.mv == mv);
        let pull = pull.expect("the blank can make this move");
        let is_active = |_| true;
        self.pull_block(pull, to, Source { planes, is_active }, out);
    }

    /// Pulls as [`Pulls::pull`] does, and returns whether any block was read.
    #[inline(always)]
    pub(crate) fn pull_block(
        &self,
        pull: &Pull,
        to: Block,
        from: Source<'_, impl Fn(usize) -> bool>,
        out: &mut [u64],
    ) -> bool {
        let (len, chunk) = (self.layout.block, self.layout.chunk());
        let Source { planes, is_active } = &from;
        let (source, start, out) = (pull.source, to.number * len, &mut out[..len]);
        let mut read = true;
        match &pull.map {
            // The block lies within one run.
            Map::Runs { run, .. } if *run >= len => read = copy(pull, start, len, &from, out),
            // The block is several runs, which all come from the same chunk.
            Map::Runs { run, table } if run * table.len() <= chunk => {
                let group = run * table.len();
                let first = start / group * group;
                read = (first / len..(first + group).div_ceil(len)).any(is_active);
                if read {
                    let words = planes.piece(source, start / chunk * chunk, chunk);
                    runs(*run, table, start % chunk, words, out);
                }
            }
            // The block is several runs, which may come from several chunks.
            Map::Runs { run, .. } => {
                let runs = out.chunks_exact_mut(*run).enumerate();
                read = runs.fold(false, |read, (i, out)| {
                    copy(pull, start + i * run, len, &from, out) || read
                });
            }
            _ if !is_active(to.number) => read = false,
            Map::Swaps(swaps) => {
                // After the last exchange the orders have the target's parity, and each exchange changes it. The
                // groups of a block are counted by the digit above them.
                let parity = self.layout.ranking().parity(to.cell) ^ self.word_parity(start);
                let odd = |i: usize| 0u64.wrapping_sub(i as u64 & 1);
                let steps = (swaps.iter().rev().enumerate().rev())
                    .map(|(left, &last)| (last, odd(parity as usize ^ left)));
                let words = planes.piece(source, start, len);
                exchange(steps, odd, words, out, &mut Room::default());
            }
        }
        read
    }

    /// The parity of the sum of the leading digits, which number the words.
    fn word_parity(&self, word: usize) -> u64 {
        let m = self.layout.ranking().shape().tiles();
        let rank = word as u64 * factorial(self.layout.in_word);
        digit_sum(m, rank) & 1
    }
}

/// Copies a run, or a part of one, to `out`, from the block of `len` words that it is in. Returns whether that block was read.
#[inline(always)]
fn copy(
    pull: &Pull,
    word: usize,
    len: usize,
    source: &Source<'_, impl Fn(usize) -> bool>,
    out: &mut [u64],
) -> bool {
    let from = pull.source_word(word);
    let read = (source.is_active)(from / len);
    if read {
        or_into(out, source.planes.piece(pull.source, from, out.len()));
    }
    read
}

/// Copies the runs of a block, `out`, from the chunk `source`. The block begins `start` words into
/// its own chunk, which has the same number.
#[inline(always)]
fn runs(run: usize, table: &[isize], start: usize, source: &[u64], out: &mut [u64]) {
    let mut mid = start / run % table.len();
    for (i, out) in out.chunks_exact_mut(run).enumerate() {
        let from = (start + i * run).wrapping_add_signed(table[mid]);
        or_into(out, &source[from..from + run]);
        mid = if mid + 1 == table.len() { 0 } else { mid + 1 };
    }
}

impl Map {
    /// The map of a pull into `cell`'s plane through `mv`.
    fn new(layout: &Layout, cell: usize, mv: Move) -> Map {
        let shape = layout.ranking().shape();
        let (m, cols) = (shape.tiles(), shape.cols());
        // The rotation moves the tiles s..s+cols of the order.
        let s = match mv {
            Move::Up => cell - cols,
            Move::Down => cell,
            Move::Left | Move::Right => return Map::Swaps(Vec::new()), // the order stays
        };
        if s + cols <= m - layout.in_word {
            return Map::runs(layout, cell, mv, s);
        }
        // From source to target the first tile goes to the back, past one neighbour after the
        // other; or, where the blank moves up, the last tile to the front.
        let mut swaps: Vec<usize> = (s..s + cols - 1).map(|i| m - i).collect();
        if mv == Move::Up {
            swaps.reverse();
        }
        Map::Swaps(swaps)
    }

    /// A rotation of leading digits: whole words move.
    fn runs(layout: &Layout, cell: usize, mv: Move, s: usize) -> Map {
        let shape = layout.ranking().shape();
        let in_word = factorial(layout.in_word);
        let lo = factorial(shape.tiles() - s - shape.cols());
        let change = |lehmer: u64| {
            let blank = cell as u8;
            let after = layout.ranking().after(State { blank, lehmer }, mv);
            after.lehmer as isize - lehmer as isize
        };
        let mids = 0..factorial(shape.tiles() - s) / lo;
        Map::Runs {
            run: (lo / in_word) as usize,
            table: mids
                .map(|mid| change(mid * lo) / in_word as isize)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
