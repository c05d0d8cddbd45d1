//! Where a state's bit lives in memory.
//!
//! A *plane* holds one bit for every order rank of one blank cell. The last K = 5 tiles of an
//! order can stand in 5!/2 = 60 ways, so a plane is cut into words of 60 bits, each kept in a
//! `u64`: the word is numbered by the leading Lehmer digits, the bit by the last K. With this
//! cut every vertical move is one of three simple things: it carries whole words to whole words,
//! or permutes the bits inside each word, or (one or two moves of each shape) shuffles bits
//! among 6 or 42 neighbouring words. The 4 unused bits of a word cost a fifteenth more memory.

use crate::space::{GoalClass, Ranking, factorial};

/// The cut of a class's planes into words and blocks.
///
/// Bit `b` of word `w` of plane `c` is the state with blank cell `c` and order rank
/// `w * word_bits + b`.
#[derive(Clone, Debug)]
pub struct Layout {
    ranking: Ranking,
    in_word: usize,
    words: usize,
    block: usize,
}

/// As many of the last tiles as decide the bit within a word.
const TILES_IN_WORD: usize = 5;

impl Layout {
    /// The layout for a class.
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
        }
    }

    /// The numbering of the states.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Number of planes, one for each cell.
    pub fn planes(&self) -> usize {
        self.ranking.shape().cells()
    }

    /// Words of a plane.
    pub fn words(&self) -> usize {
        self.words
    }

    /// States in a word: 60, or 3 for 2x2.
    pub fn word_bits(&self) -> u32 {
        (factorial(self.in_word) / 2) as u32
    }

    /// A word with the bits of all its states set.
    pub fn full_word(&self) -> u64 {
        (1 << self.word_bits()) - 1
    }

    /// Words of a block, the unit of work; divides [`Layout::words`].
    pub fn block(&self) -> usize {
        self.block
    }

    /// How many of the last tiles are told apart within a word.
    pub(super) fn in_word(&self) -> usize {
        self.in_word
    }
}
