//! Lehmer digits: ranking and unranking by them, and how an exchange of tiles changes them.
//!
//! The digit of a tile counts the later tiles that are smaller; the digit of the i-th of m tiles
//! has the weight (m-1-i)!.

/// Largest number of cells of a database's shape.
pub const MAX_DATABASE_CELLS: usize = 16;

/// n! for n <= 16.
pub(crate) const fn factorial(n: usize) -> u64 {
    let (mut product, mut i) = (1, 2);
    while i <= n {
        product *= i as u64;
        i += 1;
    }
    product
}

/// The Lehmer rank of an order of the labels 1..m, and the parity of the sum of its digits.
///
/// `smaller` has a nibble for each label: the number of smaller labels that have not been read yet.
/// Reading a label takes 1 from all nibbles above its own, so a digit costs two shifts and a
/// subtraction.
#[inline]
pub(crate) fn rank_order(m: usize, order: impl Iterator<Item = u8>) -> (u64, u64) {
    let mut smaller = 0xEDCB_A987_6543_2100u64; // nibble t: t - 1
    let (mut rank, mut digits) = (0, 0);
    for (radix, label) in (1..=m as u64).rev().zip(order) {
        let place = u32::from(label) * 4;
        let digit = smaller >> place & 15;
        rank = rank * radix + digit;
        digits ^= digit;
        // The label's own nibble is not read again.
        smaller = smaller.wrapping_sub(0x1111_1111_1111_1110 << place);
    }
    (rank, digits & 1)
}

/// Takes out the nibble at an index, so that those above it move down.
#[inline]
pub(super) fn without_nibble(nibbles: u64, index: usize) -> u64 {
    let below = (1u64 << (4 * index)) - 1;
    nibbles & below | nibbles >> 4 & !below
}

/// The Lehmer digits of a rank of m tiles.
///
/// With m constant the compiler divides by constants: measured, that takes a third of the time.
#[inline]
pub(super) fn digits(m: usize, rank: u64) -> [u64; MAX_DATABASE_CELLS] {
    match m {
        8 => digits_of(8, rank),
        11 => digits_of(11, rank),
        15 => digits_of(15, rank),
        m => digits_of(m, rank),
    }
}

#[inline(always)]
fn digits_of(m: usize, mut rank: u64) -> [u64; MAX_DATABASE_CELLS] {
    let mut digits = [0; MAX_DATABASE_CELLS];
    for (radix, digit) in (1..).zip(digits[..m].iter_mut().rev()) {
        *digit = rank % radix;
        rank /= radix;
    }
    digits
}

/// The sum of the Lehmer digits of a rank of m tiles; its lowest bit is the order's parity.
pub(crate) fn digit_sum(m: usize, rank: u64) -> u64 {
    digits(m, rank).iter().sum()
}

/// The Lehmer digits of two neighbouring tiles after they have changed places; no other digit
/// changes. The first tile is the smaller one if and only if a <= b.
pub(crate) const fn exchange_digits(a: usize, b: usize) -> (usize, usize) {
    if a <= b { (b + 1, a) } else { (b, a - 1) }
}
