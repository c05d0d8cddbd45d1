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

use crate::space::exchange_digits;

/// Words that the last seven tiles span: 7 * 6 of 60 bits. All exchanges below stay inside.
pub(crate) const GROUP: usize = 42;

/// An exchange of two neighbouring tiles among the last seven of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swap {
    /// The seventh and sixth last: whole words change places.
    WholeWords,
    /// The sixth and fifth last: runs of 12 bits change places among six words.
    AmongSixWords,
    /// The fifth and fourth last: runs of 3 bits within a word.
    RunsOfThree,
    /// The fourth and third last: single bits within a word.
    SingleBits,
    /// The third and second last: each three bits are rotated, one way or the other.
    WithinThrees,
    /// The last two: only the digit changes that the order rank omits, so the bits stay.
    Nothing,
}

impl Swap {
    /// The exchange of a tile with the next, where the tile is the `last`-th from the end.
    ///
    /// # Panics
    /// Unless `last` is 2 to 7.
    pub fn of_last(last: usize) -> Swap {
        match last {
            7 => Swap::WholeWords,
            6 => Swap::AmongSixWords,
            5 => Swap::RunsOfThree,
            4 => Swap::SingleBits,
            3 => Swap::WithinThrees,
            2 => Swap::Nothing,
            _ => panic!("no exchange within the last seven tiles begins {last} from the end"),
        }
    }

    /// Brings each bit to the place of its order after the exchange, in a group of words or, on
    /// boards so small that there are no leading digits, in the only word.
    ///
    /// `odd` is all ones if the parity of the digits above the group and the parity of the orders
    /// after the exchange differ, else 0.
    #[inline]
    pub fn apply(self, words: &mut [u64], odd: u64) {
        match self {
            Swap::WholeWords => {
                let before: [u64; GROUP] = words.try_into().expect("a whole group");
                for (word, from) in words.iter_mut().zip(WORDS) {
                    *word = before[from];
                }
            }
            Swap::AmongSixWords => {
                let (sixes, _) = words.as_chunks_mut();
                sixes.iter_mut().for_each(|six| *six = among_six_words(six));
            }
            Swap::RunsOfThree => words
                .iter_mut()
                .for_each(|word| *word = runs_of_three(*word)),
            Swap::SingleBits => words.iter_mut().for_each(|word| *word = single_bits(*word)),
            Swap::WithinThrees => {
                for (word, sum) in words.iter_mut().zip(ODD_WORDS) {
                    *word = within_threes(*word, sum ^ odd);
                }
            }
            Swap::Nothing => {}
        }
    }
}

/// For each word of a group, the word that its bits come from: digits of radix 7 and 6.
const WORDS: [usize; GROUP] = {
    let mut from = [0; GROUP];
    let mut word = 0;
    while word < GROUP {
        let (a, b) = exchange_digits(word / 6, word % 6);
        from[word] = a * 6 + b;
        word += 1;
    }
    from
};

/// All ones for the words of a group whose two digits have an odd sum.
const ODD_WORDS: [u64; GROUP] = {
    let mut odd = [0; GROUP];
    let mut word = 0;
    while word < GROUP {
        odd[word] = 0u64.wrapping_sub(((word / 6 + word % 6) % 2) as u64);
        word += 1;
    }
    odd
};

/// The digits are the word's place among the six and the run's place among the five in it.
#[inline]
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

/// Runs of 3 bits; the digits have radix 5 and 4.
#[inline]
fn runs_of_three(word: u64) -> u64 {
    const MASKS: [u64; 4] = masks(5, 3);
    (0..4).fold(word, |word, k| delta_swap(word, MASKS[k], 12 + 9 * k))
}

/// Single bits; the digits have radix 4 and 3.
#[inline]
fn single_bits(word: u64) -> u64 {
    const MASKS: [u64; 4] = masks(4, 1);
    (0..3).fold(word, |word, k| delta_swap(word, MASKS[k], 3 + 2 * k))
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
#[inline]
fn delta_swap(word: u64, mask: u64, shift: usize) -> u64 {
    let change = (word ^ word >> shift) & mask;
    word ^ change ^ change << shift
}

/// In each three bits the digit of radix 3 is the place; the last free digit, of radix 2, is
/// omitted. Written out, the exchange takes bits 0, 1, 2 to places 2, 0, 1 where the sum of the two
/// digits after it is even, and to places 1, 2, 0 where it is odd.
#[inline]
fn within_threes(word: u64, odd: u64) -> u64 {
    /// The lowest bit of all threes.
    const FIRST: u64 = 0x0249_2492_4924_9249;
    /// The threes whose digits above, of radix 5 and 4, have an odd sum.
    const ODD_THREES: u64 = {
        let mut mask = 0;
        let mut three = 0;
        while three < 20 {
            if (three / 4 + three % 4) % 2 == 1 {
                mask |= 7 << (3 * three);
            }
            three += 1;
        }
        mask
    };
    let odd = odd ^ ODD_THREES;
    let even_sum = word >> 1 & (FIRST | FIRST << 1) | (word & FIRST) << 2;
    let odd_sum = word << 1 & (FIRST << 1 | FIRST << 2) | word >> 2 & FIRST;
    even_sum & !odd | odd_sum & odd
}
