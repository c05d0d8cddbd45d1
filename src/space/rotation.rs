//! The change of the Lehmer rank by a vertical move: two multiplications and a table look-up.
//!
//! The formula and its symbols s, C, mid, lo and T are those of [`super::ranking`].

use crate::puzzle::Move;

use super::lehmer::{MAX_DATABASE_CELLS, exchange_digits, factorial};

/// The entry of the table of changes for moves that keep the tile order: its change is 0.
pub(super) const SIDEWAYS: usize = 0;

/// Finds the entry of the table of changes for one vertical move out of one cell: that of mid = n / lo % radix, the number
/// spelled by some neighbouring Lehmer digits of a rank n, with two multiplications.
///
/// With D = lo * radix, n / D has the fraction (n % D) / D, and mid is the whole part of that
/// fraction times radix (Lemire, Kaser and Kurz, Faster remainder by direct computation, 2019).
/// With magic = ceil(2^64 / D) and e = magic * D - 2^64, the fraction in 64 bits comes out too
/// large by n * e / D / 2^64, which never reaches the next mid while n * e < 2^64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    /// 0 where the bound does not hold for all ranks, and where lo * radix is 1: then mid is found by division.
    magic: u64,
    lo: u64,
    radix: u64,
    /// The entry of mid = 0.
    first: usize,
}

impl Rotation {
    /// Builds a rotation for ranks below `ranks`.
    fn new(lo: u64, radix: u64, ranks: u64, first: usize) -> Rotation {
        let whole = lo * radix;
        let magic = u128::from(u64::MAX / whole) + 1;
        let excess = magic * u128::from(whole) - (1 << 64);
        let exact = u128::from(ranks - 1) * excess < 1 << 64;
        Rotation {
            magic: if exact { magic as u64 } else { 0 },
            lo,
            radix,
            first,
        }
    }

    /// The entry of the table of changes for a Lehmer rank.
    #[inline]
    pub fn entry(&self, lehmer: u64) -> usize {
        self.first + self.mid(lehmer) as usize
    }

    #[inline]
    fn mid(&self, n: u64) -> u64 {
        if self.magic == 0 {
            return n / self.lo % self.radix;
        }
        let fraction = n.wrapping_mul(self.magic);
        ((u128::from(fraction) * u128::from(self.radix)) >> 64) as u64
    }
}

/// The rotation of the tiles s..s+cols of an order of m; appends its changes, one for each mid, to
/// the table.
pub(crate) fn rotation(
    m: usize,
    s: usize,
    cols: usize,
    mv: Move,
    changes: &mut Vec<i64>,
) -> Rotation {
    let lo = factorial(m - s - cols);
    let radix = factorial(m - s) / lo;
    let first = changes.len();
    for mid in 0..radix {
        let target = rotate_digits(m - s, cols, mid, mv);
        changes.push((target as i64 - mid as i64) * lo as i64);
    }
    Rotation::new(lo, radix, factorial(m), first)
}

/// T\[mid\]: the number spelled by the first `cols` Lehmer digits of an order of `tiles` tiles
/// after the rotation, where mid is the number before it.
///
/// `Down` (the blank goes down) takes the last of these `cols` tiles to their front, by exchanges
/// with one neighbour after the other; `Up` takes the first to their back.
fn rotate_digits(tiles: usize, cols: usize, mid: u64, mv: Move) -> u64 {
    let mut digits = [0; MAX_DATABASE_CELLS];
    let digits = &mut digits[..cols];
    let mut rest = mid;
    for (radix, digit) in (tiles - cols + 1..).zip(digits.iter_mut().rev()) {
        *digit = (rest % radix as u64) as usize;
        rest /= radix as u64;
    }
    for step in 0..cols - 1 {
        let i = if mv == Move::Down {
            cols - 2 - step
        } else {
            step
        };
        (digits[i], digits[i + 1]) = exchange_digits(digits[i], digits[i + 1]);
    }
    let radices = (tiles - cols + 1..=tiles).rev();
    radices.zip(digits).fold(0, |rank, (radix, digit)| {
        rank * radix as u64 + *digit as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn an_extracted_number_is_what_division_says(
            m in 1usize..16, s in 0usize..13, cols in 1usize..5, n: u64, k: u64,
        ) {
            let cols = cols.min(m);
            let s = s.min(m - cols);
            let (lo, ranks) = (factorial(m - s - cols), factorial(m));
            let radix = factorial(m - s) / lo;
            let rotation = Rotation::new(lo, radix, ranks, 0);
            let edge = k % (ranks / lo) * lo;
            for n in [n % ranks, edge, edge + lo - 1, ranks - 1] {
                proptest::prop_assert_eq!(rotation.mid(n), n / lo % radix);
            }
        }
    }

    /// Of the shapes that can be built only 7x2 needs a division, and only in its first row.
    #[test]
    fn the_shapes_that_are_built_multiply() {
        let shapes = [
            (2, 2),
            (3, 2),
            (4, 2),
            (3, 3),
            (5, 2),
            (4, 3),
            (6, 2),
            (7, 2),
        ];
        for (rows, cols) in shapes {
            let m = rows * cols - 1;
            for s in 0..rows * cols - cols {
                let lo = factorial(m - s - cols);
                let rotation = Rotation::new(lo, factorial(m - s) / lo, factorial(m), 0);
                let divides = (rows, s) == (7, 0);
                assert_eq!(rotation.magic == 0, divides, "{rows}x{cols} s = {s}");
            }
        }
    }
}
