//! What the rotation of tiles by a vertical move does to a rank, as two multiplications and a
//! table.

use crate::puzzle::Move;

use super::lehmer::{MAX_DATABASE_CELLS, exchange_digits, factorial};

/// Where a table of changes has the 0 of the moves that keep the order.
pub(super) const SIDEWAYS: usize = 0;

/// Where to find the change of rank that a vertical move makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotation {
    mid: Middle,
    /// Place of T[0] in the table of changes.
    at: usize,
}

impl Rotation {
    /// The place of the change of `lehmer` in the table of changes.
    #[inline]
    pub fn place(&self, lehmer: u64) -> usize {
        self.at + self.mid.of(lehmer) as usize
    }
}

/// Takes the number mid = n / lo % radix out of a rank n with two multiplications.
///
/// With D = lo * radix, n / D has the fraction (n % D) / D, and mid is the whole part of that
/// fraction times radix (Lemire, Kaser and Kurz, Faster remainder by direct computation, 2019).
/// With magic = ceil(2^64 / D) and e = magic * D - 2^64, the fraction in 64 bits comes out too
/// large by n * e / D / 2^64, which never reaches the next mid while n * e < 2^64.
#[derive(Clone, Copy, Debug)]
struct Middle {
    /// 0 where that does not hold for all ranks: then it is plain division.
    magic: u64,
    lo: u64,
    radix: u64,
}

impl Middle {
    /// For ranks below `ranks`; lo * radix must be 2 or more.
    fn new(lo: u64, radix: u64, ranks: u64) -> Middle {
        let whole = u128::from(lo * radix);
        let magic = (1u128 << 64).div_ceil(whole);
        let excess = magic * whole - (1 << 64);
        let exact = u128::from(ranks - 1) * excess < 1 << 64;
        Middle {
            magic: if exact { magic as u64 } else { 0 },
            lo,
            radix,
        }
    }

    #[inline]
    fn of(&self, n: u64) -> u64 {
        if self.magic == 0 {
            return n / self.lo % self.radix;
        }
        let fraction = n.wrapping_mul(self.magic);
        ((u128::from(fraction) * u128::from(self.radix)) >> 64) as u64
    }
}

/// A rotation that changes nothing, for a move that leaves the board: mid has one value, 0, and
/// the first change is 0.
pub(super) fn no_rotation(m: usize) -> Rotation {
    let ranks = factorial(m);
    Rotation {
        mid: Middle::new(ranks, 1, ranks),
        at: SIDEWAYS,
    }
}

/// The rotation of the tiles s..s+cols-1 and its table, which goes to the end of `changes`.
pub(super) fn rotation(
    m: usize,
    s: usize,
    cols: usize,
    mv: Move,
    changes: &mut Vec<i64>,
) -> Rotation {
    let lo = factorial(m - s - cols);
    let radix = factorial(m - s) / lo;
    let at = changes.len();
    for mid in 0..radix {
        let target = rotate_digits(m - s, cols, mid, mv);
        changes.push((target as i64 - mid as i64) * lo as i64);
    }
    Rotation {
        mid: Middle::new(lo, radix, factorial(m)),
        at,
    }
}

/// T\[mid\]: what a rotation makes of the first `cols` Lehmer digits of an order of `tiles` tiles.
///
/// `Down` (the blank goes down) brings the last of the `cols` tiles to the front, past one tile
/// after the other; `Up` takes the first to the back.
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
        fn the_middle_is_what_division_says(
            m in 3usize..16, s in 0usize..13, cols in 2usize..5, n: u64, k: u64,
        ) {
            let cols = cols.min(m);
            let s = s.min(m - cols);
            let (lo, ranks) = (factorial(m - s - cols), factorial(m));
            let radix = factorial(m - s) / lo;
            let middle = Middle::new(lo, radix, ranks);
            let edge = k % (ranks / lo) * lo;
            for n in [n % ranks, edge, edge + lo - 1, ranks - 1] {
                proptest::prop_assert_eq!(middle.of(n), n / lo % radix);
            }
        }
    }

    /// Only the first row of the largest shape would lose exactness, and divides.
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
                let middle = Middle::new(lo, factorial(m - s) / lo, factorial(m));
                let divides = (rows, s) == (7, 0);
                assert_eq!(middle.magic == 0, divides, "{rows}x{cols} s = {s}");
            }
        }
    }
}
