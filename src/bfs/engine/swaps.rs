//! Exchanging two neighbouring tiles of every order of a group of words at once.
//!
//! If neighbouring tiles have the Lehmer digits a and b, their exchange makes of them
//! (b + 1, a) where a <= b, and (b, a - 1) where a > b; no other digit changes. A rotation of
//! C tiles is C - 1 exchanges.
//!
//! Within a word, whose bits are numbered by the last five tiles, an exchange moves runs of bits
//! by one of a few distances, the same in all words, so it is a few masked shifts with constant
//! masks. Only the exchange of the second and third last tiles depends on more than the two
//! digits: the order rank omits the last free digit, which follows from the parity of the others.

use super::planes::or_into;
use crate::puzzle::Move;
use crate::space::exchange_digits;

/// Words that the last seven tiles span: 7 * 6 of 60 bits. Exchanges of the last seven tiles stay inside.
pub(crate) const GROUP: usize = 42;

/// The last tiles of an order that a group of words distinguishes.
const TILES_IN_GROUP: usize = 7;

/// Buffers for words that are exchanged across groups.
pub(crate) type Room = [Vec<u64>; 2];

/// A rotation of neighbouring tiles as exchanges, each of a tile with the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchanges {
    /// Place from the end of the first tile.
    first: u8,
    pub count: u8,
    is_down: bool,
}

impl Exchanges {
    /// Returns the exchanges that bring each order the bit of the order after the blank's move `mv`. From that order to
    /// this one the `first`-th last tile goes to the back, past so many neighbours; or, where the blank moves up, the last
    /// of these to the front.
    pub fn of(mv: Move, first: usize, passed: usize) -> Exchanges {
        Exchanges {
            first: first as u8,
            count: passed as u8,
            is_down: mv == Move::Down,
        }
    }

    /// The exchanges in the order in which they are applied to the bits: the place from the end of the tile, and all ones
    /// if the parity of the orders after it is not that of the target. Each exchange changes the parity.
    #[inline(always)]
    pub fn steps(self) -> impl Iterator<Item = (usize, u64)> + Clone {
        (0..self.count).map(move |i| {
            let left = self.count - 1 - i;
            let last = self.first - if self.is_down { i } else { left };
            (last.into(), 0u64.wrapping_sub(u64::from(left) & 1))
        })
    }

    /// Sets in `out` the bits of `source`, each at the place of its order after the exchanges.
    ///
    /// For each group of words `leading` is all ones if the parity of the digits above it is not that of the orders in
    /// `out`, or else 0. Both slices are whole groups, or on small boards all words there are. Groups without a bit are not
    /// moved.
    #[inline(always)]
    pub fn apply(
        self,
        leading: impl Fn(usize) -> u64,
        source: &[u64],
        out: &mut [u64],
        room: &mut Room,
    ) {
        let steps = self.steps();
        if self.count == 0 {
            return or_into(out, source);
        }
        if steps.clone().all(|(last, _)| last <= TILES_IN_GROUP) {
            let mut group = [0; GROUP];
            let groups = source.chunks(GROUP).zip(out.chunks_mut(GROUP));
            for (i, (source, out)) in groups.enumerate() {
                if source.iter().any(|&word| word != 0) {
                    let group = &mut group[..source.len()];
                    group.copy_from_slice(source);
                    for (last, odd) in steps.clone() {
                        exchange_in_group(last, group, leading(i) ^ odd);
                    }
                    or_into(out, group);
                }
            }
            return;
        }
        let [now, next] = room;
        source.clone_into(now);
        for (last, odd) in steps {
            if last > TILES_IN_GROUP {
                next.resize(source.len(), 0);
                exchange_words(last, now, next);
                std::mem::swap(now, next);
            } else {
                let groups = now.chunks_mut(GROUP).enumerate();
                groups.for_each(|(i, group)| exchange_in_group(last, group, leading(i) ^ odd));
            }
        }
        or_into(out, now);
    }
}

/// Exchanges one of the last seven tiles with the next, in a group of words.
#[inline(always)]
fn exchange_in_group(last: usize, words: &mut [u64], odd: u64) {
    match last {
        // Whole words change places.
        7 => {
            let before: [u64; GROUP] = words.try_into().expect("a whole group");
            exchange_runs::<7, 1>(&before, words);
        }
        // Runs of 12 bits change places among six words.
        6 => {
            let (sixes, _) = words.as_chunks_mut();
            sixes.iter_mut().for_each(|six| *six = among_six_words(six));
        }
        // Runs of 3 bits, or single bits, within a word.
        5 => within_words::<5, 3>(words),
        4 => within_words::<4, 1>(words),
        // Each three bits are rotated, one way or the other.
        3 => {
            for (i, word) in words.iter_mut().enumerate() {
                let sum = 0u64.wrapping_sub(ODD_WORDS >> i & 1);
                *word = within_threes(*word, sum ^ odd);
            }
        }
        // Only the digit changes that the order rank omits.
        _ => {}
    }
}

/// Exchanges the eighth, ninth or tenth last tile with the next: runs of words change places.
fn exchange_words(last: usize, from: &[u64], to: &mut [u64]) {
    match last {
        8 => exchange_runs::<8, 6>(from, to),
        9 => exchange_runs::<9, 42>(from, to),
        10 => exchange_runs::<10, 336>(from, to),
        _ => panic!("no exchange begins {last} tiles from the end"),
    }
}

/// Exchanges the `LAST`-th last tile with the next: runs of `RUN` words change places. The constant takes a call from each run.
#[inline]
fn exchange_runs<const LAST: usize, const RUN: usize>(from: &[u64], to: &mut [u64]) {
    let groups = (from.as_chunks::<RUN>().0).chunks_exact(LAST * (LAST - 1));
    let targets = (to.as_chunks_mut::<RUN>().0).chunks_exact_mut(LAST * (LAST - 1));
    for (from, to) in groups.zip(targets) {
        for (a, to) in to.chunks_exact_mut(LAST - 1).enumerate() {
            for (b, to) in to.iter_mut().enumerate() {
                let (a, b) = exchange_digits(a, b);
                *to = from[a * (LAST - 1) + b];
            }
        }
    }
}

/// The words of a group, as bits, whose two digits have an odd sum.
const ODD_WORDS: u64 = 0x02A5_6A56_A56A;

/// The digits are the word's place among the six and the run's place among the five in it.
#[inline(always)]
fn among_six_words(words: &[u64; 6]) -> [u64; 6] {
    const RUN: usize = 12;
    let mut out = [0; 6];
    for (a, out) in out.iter_mut().enumerate() {
        for b in 0..5 {
            let (word, run) = exchange_digits(a, b);
            *out |= (words[word] >> (run * RUN) & 0xFFF) << (b * RUN);
        }
    }
    out
}

/// Runs of `RUN` bits change places; the digits have the radices `RADIX` and one less.
#[inline(always)]
fn within_words<const RADIX: usize, const RUN: usize>(words: &mut [u64]) {
    let masks = const { masks(RADIX, RUN) };
    for word in words {
        for (k, mask) in masks[..RADIX - 1].iter().enumerate() {
            *word = delta_swap(*word, *mask, (RADIX - 1 + (RADIX - 2) * k) * RUN);
        }
    }
}

/// Mask k has the lower run of each two runs that change places over the k-th shortest distance.
///
/// The digits a, of radix `radix`, and b, of one less, number runs of `run` bits. The run at
/// (a, b) with a <= b changes places with the one at (b + 1, a), which is
/// (radix - 1) * run + (radix - 2) * run * (b - a) bits higher; here k is b - a.
const fn masks(radix: usize, run: usize) -> [u64; 4] {
    let mut masks = [0; 4];
    let runs = 60 / run;
    let mut i = 0;
    while i < runs {
        let (a, b) = (i / (radix - 1) % radix, i % (radix - 1));
        if a <= b {
            masks[b - a] |= ((1 << run) - 1) << (i * run);
        }
        i += 1;
    }
    masks
}

/// Exchanges the bits under `mask` with those `shift` places higher.
#[inline(always)]
fn delta_swap(word: u64, mask: u64, shift: usize) -> u64 {
    let change = (word ^ word >> shift) & mask;
    word ^ change ^ change << shift
}

/// In each three bits the digit of radix 3 is the place; the last free digit, of radix 2, is
/// omitted. Written out, the exchange takes bits 0, 1, 2 to places 2, 0, 1 where the sum of the two
/// digits after it is even, and to places 1, 2, 0 where it is odd.
#[inline(always)]
fn within_threes(word: u64, odd: u64) -> u64 {
    /// The lowest bit of all threes.
    const FIRST: u64 = 0x0249_2492_4924_9249;
    /// The threes whose digits above, of radix 5 and 4, have an odd sum.
    const ODD_THREES: u64 = 0x0E38_1C7E_381C_7E38;
    let odd = odd ^ ODD_THREES;
    let even_sum = word >> 1 & (FIRST | FIRST << 1) | (word & FIRST) << 2;
    let odd_sum = word << 1 & (FIRST << 1 | FIRST << 2) | word >> 2 & FIRST;
    even_sum & !odd | odd_sum & odd
}
