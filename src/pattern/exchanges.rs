//! Moves the bits of one block to another by a move of a tile of the pattern.
//!
//! While it is searched, a block has two *planes*, of its even and its odd orders, with a bit for
//! every two ranks, 60 to a word: so the exchanges of [`crate::bfs`] move whole words. An exchange
//! of two neighbours takes each plane to the other.

use crate::bfs::{Exchanges, GROUP, Room};
use crate::space::{digit_sum, factorial};

/// The planes of the orders of some number of tiles.
#[derive(Debug)]
pub(super) struct OrderPlanes {
    tiles: usize,
    /// Words of a plane.
    words: usize,
    /// All ones for each word whose leading digits have an odd sum; that of the first word of a group is the group's.
    odd_words: Vec<u64>,
    /// The bits of a word whose digits above the last two have an odd sum.
    odd_bits: u64,
}

impl OrderPlanes {
    /// Makes the planes of the orders of `tiles` tiles.
    pub fn new(tiles: usize) -> OrderPlanes {
        let words = OrderPlanes::words_of_block(tiles) as usize / 2;
        let odd = |rank: u64| 0u64.wrapping_sub(digit_sum(tiles, rank) % 2);
        OrderPlanes {
            tiles,
            words,
            odd_words: (0..words).map(|i| odd(i as u64 * 120)).collect(),
            odd_bits: (0..60).fold(0, |bits, i| bits | (digit_sum(5, 2 * i) & 1) << i),
        }
    }

    /// Returns the words of a block of `tiles` tiles.
    pub fn words_of_block(tiles: usize) -> u64 {
        2 * (factorial(tiles) / 120).max(1)
    }

    /// Returns the words of a block: two planes, the even one first.
    pub fn block_words(&self) -> usize {
        2 * self.words
    }

    /// Sets the bits of `target`, a block, whose order after the move has its bit in `source`.
    #[inline(always)]
    pub fn pull(&self, source: &[u64], exchanges: Exchanges, target: &mut [u64], room: &mut Room) {
        let odd = usize::from(exchanges.count % 2);
        for (plane, target) in target.chunks_exact_mut(self.words).enumerate() {
            let source = &source[(plane ^ odd) * self.words..][..self.words];
            let leading = |i: usize| self.odd_words[i * GROUP] ^ 0u64.wrapping_sub(plane as u64);
            exchanges.apply(leading, source, target, room);
        }
    }

    /// Passes the bits of a block to `push`, in the order of the ranks, up to 60 with their number.
    pub fn in_order(&self, block: &[u64], mut push: impl FnMut(u64, u32)) {
        let states = factorial(self.tiles).min(120) as u32;
        let (even, odd) = block.split_at(self.words);
        for ((even, odd), odd_word) in even.iter().zip(odd).zip(&self.odd_words) {
            let mask = self.odd_bits ^ odd_word;
            // A rank is even if the last free digit is 0, which its parity decides.
            let (low, high) = (even & !mask | odd & mask, even & mask | odd & !mask);
            for (first, states) in [(0, states.min(60)), (30, states.saturating_sub(60))] {
                push(spread(low >> first) | spread(high >> first) << 1, states);
            }
        }
    }
}

/// Moves each of the lowest 30 bits, i, of a word to bit 2i.
fn spread(word: u64) -> u64 {
    let masks = [
        0x0000_FFFF_0000_FFFF,
        0x00FF_00FF_00FF_00FF,
        0x0F0F_0F0F_0F0F_0F0F,
        0x3333_3333_3333_3333,
        0x5555_5555_5555_5555,
    ];
    let steps = masks.iter().zip([16, 8, 4, 2, 1]);
    steps.fold(word & 0x3FFF_FFFF, |x, (mask, by)| (x | x << by) & mask)
}
