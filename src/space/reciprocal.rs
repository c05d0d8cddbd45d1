//! Division by a number that is known long before it is needed.

/// Divides by `d` with a multiplication and a shift, exactly, for dividends below 2^62.
///
/// With l = floor(log2 d) and magic = ceil(2^(63+l) / d), n / d = (2n * magic) >> (64 + l):
/// the rounding of magic adds less than 2n * d / 2^(64+l) <= 2^63 * 2^(l+1) / 2^(64+l) / d = 1/d
/// (Granlund and Montgomery, 1994).
#[derive(Clone, Copy, Debug)]
pub struct Reciprocal {
    magic: u64,
    shift: u32,
}

impl Reciprocal {
    /// # Panics
    /// If `d` is 0 or above 2^62.
    pub fn of(d: u64) -> Reciprocal {
        assert!(d > 0 && d <= 1 << 62, "no reciprocal of {d}");
        let shift = d.ilog2();
        let magic = (1u128 << (63 + shift)).div_ceil(u128::from(d)) as u64;
        Reciprocal { magic, shift }
    }

    #[inline]
    pub fn divide(self, n: u64) -> u64 {
        ((u128::from(2 * n) * u128::from(self.magic)) >> 64) as u64 >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn it_divides_exactly(n in 0u64..1 << 62, d in 1u64..1 << 40, k in 0u64..1 << 20) {
            proptest::prop_assert_eq!(Reciprocal::of(d).divide(n), n / d);
            let edge = (d * k).wrapping_sub(1) & ((1 << 62) - 1);
            proptest::prop_assert_eq!(Reciprocal::of(d).divide(edge), edge / d);
            proptest::prop_assert_eq!(Reciprocal::of(d).divide(d * k), k);
        }
    }

    #[test]
    fn powers_of_two_and_one_divide_exactly() {
        for shift in 0..62 {
            for n in [0, 1, 2, 12345, (1 << 62) - 1] {
                assert_eq!(Reciprocal::of(1 << shift).divide(n), n >> shift);
            }
        }
    }
}
