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
    /// Runs of so many words stay whole.
    pub(crate) run: usize,
    /// Words further on in the source that run i of the target comes from, at i % `table.len()`.
    table: Vec<isize>,
    /// Exchanges of neighbouring tiles within each block, whose words stay in their places.
    exchanges: Option<Exchanges>,
}

/// Planes that are pulled from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, F> {
    pub planes: &'a Planes,
    /// Returns whether a block of the pulled plane, by its number, has any bit set; others are not read.
    pub is_active: F,
}

impl Pull {
    /// The pull into `cell`'s plane through `mv`, if there is one.
    fn new(layout: &Layout, cell: usize, mv: Move) -> Option<Pull> {
        let shape = layout.ranking.shape();
        let (m, cols, source) = (shape.tiles(), shape.cols(), shape.step(cell, mv)?);
        let mut pull = Pull {
            mv,
            source,
            slot: layout.slot(source),
            run: 1,
            table: vec![0],
            exchanges: None,
        };
        // The rotation moves the tiles s..s+cols of the order.
        let (s, passed) = match mv {
            Move::Up => (cell - cols, cols - 1),
            Move::Down => (cell, cols - 1),
            Move::Left | Move::Right => (m, 0), // the order stays
        };
        if s + cols > m - layout.in_word {
            pull.exchanges = Some(Exchanges::of(mv, m - s, passed));
            return Some(pull);
        }
        // It moves leading digits: whole words.
        let (in_word, lo) = (factorial(layout.in_word), factorial(m - s - cols));
        let change = |lehmer: u64| {
            let blank = cell as u8;
            let after = layout.ranking.after(State { blank, lehmer }, mv);
            (after.lehmer as isize - lehmer as isize) / in_word as isize
        };
        pull.run = (lo / in_word) as usize;
        let mids = 0..factorial(m - s) / lo;
        pull.table = mids.map(|mid| change(mid * lo)).collect();
        Some(pull)
    }

    /// The word of the source that the first word of a run comes from.
    #[inline]
    pub fn source_word(&self, word: usize) -> usize {
        word.wrapping_add_signed(self.table[word / self.run % self.table.len()])
    }
}

impl Pulls {
    /// Builds the pulls for a layout.
    pub fn new(layout: &Layout) -> Pulls {
        let pulls = |cell| {
            let moves = Move::ALL.iter();
            moves.filter_map(move |&mv| Pull::new(layout, cell, mv))
        };
        let crosses = |pull: &Pull| pull.run * pull.table.len() > layout.slab_words();
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
        let group = pull.run * pull.table.len();
        if let Some(exchanges) = pull.exchanges {
            let is_active = is_active(to.number);
            if is_active {
                let parity = self.layout.ranking.parity(to.cell) ^ self.word_parity(start);
                // The digit above a group counts them.
                let leading = |i: usize| 0u64.wrapping_sub((parity ^ i as u64) & 1);
                let words = planes.piece(source, start, len);
                exchanges.apply(leading, words, out, &mut Room::default());
            }
            return is_active;
        }
        if pull.run < len && group <= chunk {
            // The block is several runs, which all come from the same chunk.
            let first = start / group * group;
            let is_active = (first / len..(first + group).div_ceil(len)).any(is_active);
            if is_active {
                let words = planes.piece(source, start / chunk * chunk, chunk);
                runs(pull, start % chunk, words, out);
            }
            return is_active;
        }
        // The block is a part of a run, or several runs, which may come from several chunks.
        let mut read = false;
        for (i, out) in out.chunks_mut(pull.run).enumerate() {
            let word = pull.source_word(start + i * pull.run);
            if is_active(word / len) {
                or_into(out, planes.piece(source, word, out.len()));
                read = true;
            }
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
fn runs(pull: &Pull, start: usize, source: &[u64], out: &mut [u64]) {
    let (run, table) = (pull.run, &pull.table[..]);
    let mut mid = start / run % table.len();
    for (i, out) in out.chunks_exact_mut(run).enumerate() {
        let from = (start + i * run).wrapping_add_signed(table[mid]);
        or_into(out, &source[from..from + run]);
        mid = if mid + 1 == table.len() { 0 } else { mid + 1 };
    }
}

#[cfg(test)]
mod tests;
