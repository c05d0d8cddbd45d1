//! Numbering the states of a canonical space, and stepping from number to number.
//!
//! The Lehmer digit d_i of tile i of the tile order counts the later tiles that are smaller; its
//! weight is (m-1-i)!. A reachable order's parity is fixed by the blank's row, so the last free
//! digit carries no information and half the rank numbers the orders of one blank cell densely.
//!
//! A sideways move keeps the order. A move that takes the blank over cells s..s+C rotates C
//! tiles and changes only the digits s..s+C-1: with mid the number that they spell and
//! lo = (m-s-C)!, the rank changes by (T[mid] - mid) * lo, with T a small table (design of this
//! project). So a step costs two divisions by known numbers and one addition.

use crate::puzzle::{Move, Shape};

use super::reciprocal::Reciprocal;
use super::{GoalClass, StateIndex};

/// The most cells a database's shape may have.
pub const MAX_DATABASE_CELLS: usize = 16;

/// A board of a canonical space: the blank's cell and the Lehmer rank of the tile order.
///
/// The rank is the whole one, not yet halved; [`Ranking::index`] makes the dense number of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) blank: u8,
    pub(crate) lehmer: u64,
}

/// The numbering of one [`GoalClass`].
#[derive(Clone, Debug)]
pub struct Ranking {
    class: GoalClass,
    /// Orders of a blank cell: m!/2.
    orders: u64,
    cells: Vec<CellSteps>,
    /// The values (T[mid] - mid) * lo of all vertical moves, one after the other.
    changes: Vec<i64>,
}

/// The moves out of one blank cell.
#[derive(Clone, Copy, Debug)]
struct CellSteps {
    /// The blank's next cell for each move; its own where there is none.
    to: [u8; 4],
    up: Rotation,
    down: Rotation,
}

/// Where to find the change of rank that a vertical move makes.
#[derive(Clone, Copy, Debug)]
struct Rotation {
    lo: Reciprocal,
    radix: Reciprocal,
    radix_value: u64,
    /// Place of T[0] in [`Ranking::changes`].
    at: usize,
}

impl Rotation {
    #[inline]
    fn change(&self, lehmer: u64, changes: &[i64]) -> i64 {
        let high = self.lo.divide(lehmer);
        let mid = high - self.radix.divide(high) * self.radix_value;
        changes[self.at + mid as usize]
    }
}

/// n! for n <= 16.
pub(crate) const fn factorial(n: usize) -> u64 {
    let (mut product, mut i) = (1, 2);
    while i <= n {
        product *= i as u64;
        i += 1;
    }
    product
}

/// Lehmer rank of an order of labels 1..m: pack, digit by digit.
///
/// `smaller` holds, in a nibble a label, how many smaller labels have not been read yet; reading
/// one takes 1 from all nibbles above it. So a digit costs a shift and a subtraction.
#[derive(Clone, Copy)]
struct Lehmer {
    smaller: u64,
    left: u64,
    rank: u64,
    digits: u64,
}

impl Lehmer {
    #[inline]
    fn new(m: usize) -> Lehmer {
        Lehmer {
            smaller: 0xEDCB_A987_6543_2100, // nibble t: t - 1 smaller labels; 0 for the blank
            left: m as u64,
            rank: 0,
            digits: 0,
        }
    }

    /// Reads a label; the blank, 0, changes nothing.
    #[inline]
    fn read(&mut self, label: u8) {
        let place = u32::from(label) * 4;
        let digit = self.smaller >> place & 15;
        let is_tile = u64::from(label != 0);
        let radix = if label == 0 { 1 } else { self.left };
        self.rank = self.rank * radix + digit;
        self.digits ^= digit;
        self.left -= is_tile;
        let above = 0x1111_1111_1111_1110u64 << place; // the label's own nibble is read no more
        self.smaller = self
            .smaller
            .wrapping_sub(if label == 0 { 0 } else { above });
    }
}

/// The labels that an order has not used yet, in a nibble each.
struct Labels(u64);

impl Labels {
    /// 1 to 15.
    fn new() -> Labels {
        Labels(0x0FED_CBA9_8765_4321)
    }

    /// Takes the label that has `digit` smaller ones left.
    fn take(&mut self, digit: u64) -> u8 {
        let place = (digit * 4) as u32;
        let label = self.0 >> place & 15;
        let below = (1u64 << place) - 1;
        self.0 = self.0 & below | self.0 >> 4 & !below;
        label as u8
    }
}

impl Ranking {
    /// The numbering of a class.
    pub fn new(class: GoalClass) -> Ranking {
        let shape = class.shape();
        let m = shape.tiles();
        let mut changes = vec![0];
        let mut cells: Vec<CellSteps> = (0..shape.cells())
            .map(|cell| CellSteps {
                to: Move::ALL.map(|mv| shape.step(cell, mv).unwrap_or(cell) as u8),
                up: no_rotation(m),
                down: no_rotation(m),
            })
            .collect();
        let cols = shape.cols();
        for s in 0..shape.cells() - cols {
            cells[s].down = rotation(m, s, cols, Move::Down, &mut changes);
            cells[s + cols].up = rotation(m, s, cols, Move::Up, &mut changes);
        }
        Ranking {
            class,
            orders: class.orders(),
            cells,
            changes,
        }
    }

    /// The class that is numbered.
    pub fn class(&self) -> GoalClass {
        self.class
    }

    /// The canonical shape.
    pub fn shape(&self) -> Shape {
        self.class.shape()
    }

    /// Reachable states: n!/2.
    pub fn states(&self) -> u64 {
        self.class.states()
    }

    /// States of each blank cell: m!/2.
    pub fn orders(&self) -> u64 {
        self.orders
    }

    /// The goal's state.
    pub fn goal(&self) -> State {
        State {
            blank: self.class.blank() as u8,
            lehmer: 0,
        }
    }

    /// The parity that the digits of an order have when the blank is in this cell.
    ///
    /// A vertical move rotates C tiles, C - 1 exchanges: with C odd the parity never changes,
    /// with C even it changes with every row.
    #[inline]
    pub(crate) fn parity(&self, blank: usize) -> u64 {
        let cols = self.shape().cols();
        let rows = (blank / cols).abs_diff(self.class.blank() / cols);
        ((cols as u64 - 1) * rows as u64) & 1
    }

    /// Is the distance of all states with the blank in this cell odd?
    ///
    /// Each move takes the blank to a cell of the other colour of the checkerboard.
    #[inline]
    pub fn is_odd(&self, blank: usize) -> bool {
        let cols = self.shape().cols();
        let colour = |cell: usize| cell / cols + cell % cols;
        (colour(blank) + colour(self.class.blank())) % 2 == 1
    }

    /// The state with these labels in canonical cell order (0 the blank, 1..m); `None` if it is
    /// not reachable.
    #[inline]
    pub fn pack(&self, labels: impl Iterator<Item = u8>) -> Option<State> {
        let mut lehmer = Lehmer::new(self.shape().tiles());
        let mut blank = 0;
        for (cell, label) in (0u8..).zip(labels) {
            lehmer.read(label);
            blank = if label == 0 { cell } else { blank };
        }
        let state = State {
            blank,
            lehmer: lehmer.rank,
        };
        (lehmer.digits & 1 == self.parity(blank.into())).then_some(state)
    }

    /// The labels of a state, by canonical cell.
    pub fn unpack(&self, state: State) -> [u8; MAX_DATABASE_CELLS] {
        let m = self.shape().tiles();
        let mut left = Labels::new();
        let mut labels = [0; MAX_DATABASE_CELLS];
        for (i, digit) in digits(m, state.lehmer).into_iter().take(m).enumerate() {
            let cell = i + usize::from(i >= state.blank.into());
            labels[cell] = left.take(digit);
        }
        labels
    }

    /// The number of a state.
    #[inline]
    pub fn index(&self, state: State) -> StateIndex {
        StateIndex(u64::from(state.blank) * self.orders + (state.lehmer >> 1))
    }

    /// The state with a number.
    ///
    /// # Panics
    /// If the number is not below [`Ranking::states`].
    pub fn state(&self, index: StateIndex) -> State {
        assert!(index.0 < self.states(), "{index:?} is no state");
        let blank = index.0 / self.orders;
        let even = index.0 % self.orders * 2;
        let digits = digit_sum(self.shape().tiles(), even);
        State {
            blank: blank as u8,
            lehmer: even + (digits & 1 ^ self.parity(blank as usize)),
        }
    }

    /// The state after a canonical move; `None` where the blank is at that border.
    #[inline]
    pub fn step(&self, state: State, mv: Move) -> Option<State> {
        let next = self.after(state, mv);
        (next.blank != state.blank).then_some(next)
    }

    /// The state after a move that is known to be legal; the same state if it is not.
    ///
    /// Both rotations are worked out before the move is looked at: in a walk down the table the
    /// move comes from memory, and this way the arithmetic does not wait for it.
    #[inline]
    pub(crate) fn after(&self, state: State, mv: Move) -> State {
        let steps = &self.cells[usize::from(state.blank)];
        let up = steps.up.change(state.lehmer, &self.changes);
        let down = steps.down.change(state.lehmer, &self.changes);
        let change = match mv {
            Move::Up => up,
            Move::Down => down,
            Move::Left | Move::Right => 0,
        };
        State {
            blank: steps.to[mv.code() as usize],
            lehmer: state.lehmer.wrapping_add_signed(change),
        }
    }
}

/// The Lehmer digits of a rank of m tiles.
fn digits(m: usize, mut rank: u64) -> [u64; MAX_DATABASE_CELLS] {
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

/// A rotation that changes nothing, for a move that leaves the board: lo above every rank, so
/// mid is always 0, and the first change is 0.
fn no_rotation(m: usize) -> Rotation {
    Rotation {
        lo: Reciprocal::of(factorial(m)),
        radix: Reciprocal::of(1),
        radix_value: 1,
        at: 0,
    }
}

/// The rotation of the tiles s..s+cols-1 and its table, which goes to the end of `changes`.
fn rotation(m: usize, s: usize, cols: usize, mv: Move, changes: &mut Vec<i64>) -> Rotation {
    let lo = factorial(m - s - cols);
    let radix = factorial(m - s) / lo;
    let at = changes.len();
    for mid in 0..radix {
        let target = rotate_digits(m - s, cols, mid, mv);
        changes.push((target as i64 - mid as i64) * lo as i64);
    }
    Rotation {
        lo: Reciprocal::of(lo),
        radix: Reciprocal::of(radix),
        radix_value: radix,
        at,
    }
}

/// T\[mid\]: what a rotation makes of the first `cols` Lehmer digits of an order of `tiles` tiles.
///
/// `Down` (the blank goes down) brings the last of the `cols` tiles to the front; `Up` takes the
/// first to the back. Only the comparisons among these tiles matter, so stand-ins 1, 2, .. serve.
fn rotate_digits(tiles: usize, cols: usize, mid: u64, mv: Move) -> u64 {
    let mut digits = [0; MAX_DATABASE_CELLS];
    let mut rest = mid;
    for i in (0..cols).rev() {
        let radix = (tiles - i) as u64;
        digits[i] = rest % radix;
        rest /= radix;
    }
    let mut left = Labels::new();
    let mut order = digits.map(|digit| left.take(digit));
    match mv {
        Move::Down => order[..cols].rotate_right(1),
        _ => order[..cols].rotate_left(1),
    }
    let mut lehmer = Lehmer::new(tiles);
    order[..cols].iter().for_each(|&label| lehmer.read(label));
    lehmer.rank
}
