//! Moving the bits of one plane to another by a move of the blank.
//!
//! The move is seen from the target: the *pull* through move `mv` into the plane of cell t reads
//! the plane of the cell that the blank reaches from t by `mv`, and sets the bit of every board
//! whose successor by `mv` has its bit set.

use crate::puzzle::Move;
use crate::space::{State, digit_sum, factorial};

use super::layout::{Block, Layout};
use super::planes::{Planes, or_into};
use super::swaps::{Exchanges, Room};

/// The pulls into every plane of a layout.
#[derive(Clone, Debug)]
pub struct Pulls {
    pub(crate) layout: Layout,
    /// The pulls into each cell's plane that read the slab that they write, in move order.
    pub(crate) inside: Vec<Vec<Pull>>,
    /// The pulls into each cell's plane that read other slabs.
    pub(crate) crossing: Vec<Vec<Pull>>,
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
    /// Within each block, by exchanges of neighbouring tiles.
    Swaps(Exchanges),
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
        let shape = layout.ranking.shape();
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
        let (crossing, inside) = (0..layout.planes())
            .map(|cell| pulls(cell).partition(crosses))
            .unzip();
        Pulls {
            layout: layout.clone(),
            inside,
            crossing,
        }
    }

    /// Sets the bits of a block whose board after the pull's move has its bit set in the source, and returns whether any
    /// block of that was read.
    ///
    /// `out` is the block, `Layout::block` words; bits that it has stay.
    ///
    /// # Panics
    /// If `out` is too short.
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
        let mut read = false;
        match &pull.map {
            // The block is several runs, which all come from the same chunk.
            Map::Runs { run, table } if *run < len && run * table.len() <= chunk => {
                let group = run * table.len();
                let first = start / group * group;
                read = (first / len..(first + group).div_ceil(len)).any(is_active);
                if read {
                    let words = planes.piece(source, start / chunk * chunk, chunk);
                    runs(*run, table, start % chunk, words, out);
                }
            }
            // The block is a part of a run, or several runs, which may come from several chunks.
            Map::Runs { run, .. } => {
                for (i, out) in out.chunks_mut(*run).enumerate() {
                    let word = pull.source_word(start + i * run);
                    if is_active(word / len) {
                        or_into(out, planes.piece(source, word, out.len()));
                        read = true;
                    }
                }
            }
            Map::Swaps(exchanges) if is_active(to.number) => {
                let parity = self.layout.ranking.parity(to.cell) ^ self.word_parity(start);
                // The digit above a group counts them.
                let leading = |i: usize| 0u64.wrapping_sub((parity ^ i as u64) & 1);
                let words = planes.piece(source, start, len);
                exchanges.apply(leading, words, out, &mut Room::default());
                read = true;
            }
            Map::Swaps(_) => {}
        }
        read
    }

    /// The parity of the sum of the leading digits, which number the words.
    fn word_parity(&self, word: usize) -> u64 {
        let m = self.layout.ranking.shape().tiles();
        let rank = word as u64 * factorial(self.layout.in_word);
        digit_sum(m, rank) & 1
    }
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
        let shape = layout.ranking.shape();
        let (m, cols) = (shape.tiles(), shape.cols());
        // The rotation moves the tiles s..s+cols of the order.
        let s = match mv {
            Move::Up => cell - cols,
            Move::Down => cell,
            Move::Left | Move::Right => return Map::Swaps(Exchanges::of(mv, 0, 0)), // the order stays
        };
        if s + cols > m - layout.in_word {
            return Map::Swaps(Exchanges::of(mv, m - s, cols - 1));
        }
        // It moves leading digits: whole words.
        let (in_word, lo) = (factorial(layout.in_word), factorial(m - s - cols));
        let change = |lehmer: u64| {
            let blank = cell as u8;
            let after = layout.ranking.after(State { blank, lehmer }, mv);
            (after.lehmer as isize - lehmer as isize) / in_word as isize
        };
        let mids = 0..factorial(m - s) / lo;
        Map::Runs {
            run: (lo / in_word) as usize,
            table: mids.map(|mid| change(mid * lo)).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
