//! Place of a state's bit in memory.
//!
//! A *plane* holds one bit for every order rank of one blank cell. The last K = 5 tiles of an
//! order can stand in 5!/2 = 60 ways, so a plane is cut into words of 60 bits, each kept in a
//! `u64`: the word is numbered by the leading Lehmer digits, the bit by the last K. With this
//! cut every vertical move is one of three simple things: it carries whole words to whole words,
//! or permutes the bits inside each word, or (one or two moves of each shape) shuffles bits
//! among 6 or 42 neighbouring words. The 4 unused bits of a word cost a fifteenth more memory.

use crate::space::{GoalClass, Ranking, StateIndex, factorial};

/// The cut of a class's planes into words and blocks.
///
/// Bit `b` of word `w` of plane `c` is the state with blank cell `c` and order rank
/// `w * word_bits + b`.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) ranking: Ranking,
    /// Number of the last tiles that determine the bit within a word.
    pub(crate) in_word: usize,
    /// Words of a plane.
    pub(crate) words: usize,
    /// Words of a block, the unit of work; divides [`Layout::words`].
    pub(crate) block: usize,
    /// Number of leading digits that number the slabs, and of planes with crossing words at each level.
    pub(crate) digits: usize,
    /// Number of slabs; 1 unless the layout was cut into more.
    pub(crate) slabs: usize,
    /// Number of ranks. Each owns a run of slabs; their lengths differ by one slab at most, and some are empty if there are
    /// more ranks than slabs.
    pub(crate) ranks: usize,
    /// Words of a plane that a rank takes in a step of a level.
    pub(crate) step: usize,
}

/// Words of a chunk of large planes: those that share all but nine tiles, 24 KB a cell.
const CHUNK: usize = 3024;

/// The last tiles of an order that are not the same in all of a large plane's chunk.
const TILES_IN_CHUNK: usize = 9;

/// A block of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The plane's cell.
    pub cell: usize,
    /// The block's number in the plane.
    pub number: usize,
}

/// Bit 1 of a distance, in every bit of a word.
pub(crate) const fn bit_one_of(distance: u8) -> u64 {
    if distance >> 1 & 1 == 1 { u64::MAX } else { 0 }
}

/// Number of the last tiles that determine the bit within a word.
const TILES_IN_WORD: usize = 5;

impl Layout {
    /// Builds the layout for a class.
    pub fn new(class: GoalClass) -> Layout {
        let ranking = Ranking::new(class);
        let m = class.shape().tiles();
        let in_word = m.min(TILES_IN_WORD);
        let words = (factorial(m) / factorial(in_word)) as usize;
        // Blocks are runs of words that share leading digits, so no group of words that a move
        // shuffles straddles two blocks: 6 * 7 words, or 6 * 7 * 8 where planes are large.
        let block = match words {
            0..42 => words,
            42..=3024 => 42,
            _ => 336,
        };
        Layout {
            ranking,
            in_word,
            words,
            block,
            digits: 0,
            slabs: 1,
            ranks: 1,
            step: words,
        }
    }

    /// Cuts the layout into slabs: the states of a slab share the first `digits` Lehmer digits.
    /// `None` if a slab would be smaller than a chunk.
    pub fn in_slabs(self, digits: usize) -> Option<Layout> {
        let m = self.ranking.shape().tiles();
        if digits > m.saturating_sub(TILES_IN_CHUNK) {
            return None;
        }
        let slabs = (m - digits + 1..=m).product();
        Some(Layout {
            digits,
            slabs,
            ..self
        })
    }

    /// Words of a plane in one slab; a number of whole chunks.
    pub fn slab_words(&self) -> usize {
        self.words / self.slabs
    }

    /// Chunks of a plane in one slab.
    pub fn slab_chunks(&self) -> usize {
        self.chunks() / self.slabs
    }

    /// Number of planes, one for each cell.
    pub fn planes(&self) -> usize {
        self.ranking.shape().cells()
    }

    /// States in a word: 60, or 3 for 2x2.
    pub fn word_bits(&self) -> u32 {
        (factorial(self.in_word) / 2) as u32
    }

    /// A word with the bits of all its states set.
    pub fn full_word(&self) -> u64 {
        (1 << self.word_bits()) - 1
    }

    /// The first word of a block in its plane.
    pub fn first_word(&self, block: Block) -> usize {
        block.number * self.block
    }

    /// States of a block.
    pub fn block_states(&self) -> u32 {
        self.block as u32 * self.word_bits()
    }

    /// The number of the state of a bit.
    pub fn index(&self, cell: usize, word: usize, bit: u32) -> StateIndex {
        let order = word as u64 * u64::from(self.word_bits()) + u64::from(bit);
        StateIndex(cell as u64 * self.ranking.orders() + order)
    }

    /// Words of a chunk, the share of one cell in a thread's task: as much of all cells' planes as
    /// a cache holds. A number of whole blocks; divides [`Layout::words`].
    pub fn chunk(&self) -> usize {
        self.words.min(CHUNK)
    }

    /// Number of chunks of a plane.
    pub fn chunks(&self) -> usize {
        self.words / self.chunk()
    }

    /// The colour of a cell on the checkerboard: 0 for that of the goal's blank, or 1.
    ///
    /// Each move takes the blank to a cell of the other colour, so the colour is that of all distances modulo 2.
    pub fn colour(&self, cell: usize) -> usize {
        self.ranking.is_odd(cell).into()
    }

    /// The cells of a colour, in order.
    pub fn cells(&self, colour: usize) -> impl Iterator<Item = usize> {
        (0..self.planes()).filter(move |&cell| self.colour(cell) == colour)
    }

    /// A cell's place among those of its colour.
    pub fn slot(&self, cell: usize) -> usize {
        (0..cell)
            .filter(|&before| self.colour(before) == self.colour(cell))
            .count()
    }
}
