//! Heuristics that are a sum over the tiles of what each costs in its cell.

use crate::puzzle::{Board, MAX_CELLS};

/// Cells and tiles, rounded up so that an index is a shift.
const SIDE: usize = 32;

/// Euclidean distances are counted in these parts of a move.
pub(super) const EUCLIDEAN_UNIT: u32 = 1 << 16;

/// What each tile (and the blank, 0) costs in each cell.
#[derive(Clone)]
pub(super) struct TileCosts {
    costs: [u32; SIDE * SIDE],
}

impl TileCosts {
    pub(super) fn zero() -> TileCosts {
        TileCosts {
            costs: [0; SIDE * SIDE],
        }
    }

    /// A table from what a tile costs by the rows and columns between its cell and its goal.
    fn new(goal: &Board, with_blank: bool, cost: impl Fn(usize, usize) -> u32) -> TileCosts {
        let mut places = TileCosts::zero();
        let cols = goal.shape().cols();
        for (home, &tile) in goal.tiles().iter().enumerate() {
            if tile == 0 && !with_blank {
                continue;
            }
            for cell in 0..goal.shape().cells() {
                let rows = (home / cols).abs_diff(cell / cols);
                let columns = (home % cols).abs_diff(cell % cols);
                places.costs[usize::from(tile) * SIDE + cell] = cost(rows, columns);
            }
        }
        places
    }

    /// Tiles that are not where they belong.
    pub(super) fn misplaced(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| u32::from(rows + cols > 0))
    }

    /// As misplaced, the blank counted as if it were a tile.
    pub(super) fn misplaced_with_blank(goal: &Board) -> TileCosts {
        TileCosts::new(goal, true, |rows, cols| u32::from(rows + cols > 0))
    }

    /// Rows and columns between each tile and its goal.
    pub(super) fn manhattan(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| (rows + cols) as u32)
    }

    /// Tiles out of their row and tiles out of their column.
    pub(super) fn rows_columns(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| {
            u32::from(rows > 0) + u32::from(cols > 0)
        })
    }

    /// Straight lines between each tile and its goal, each rounded down to a unit. Rounding down
    /// keeps it admissible and consistent: a move is a whole number of units.
    pub(super) fn euclidean(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| {
            let unit = f64::from(EUCLIDEAN_UNIT);
            (((rows * rows + cols * cols) as f64).sqrt() * unit).floor() as u32
        })
    }

    /// The sum of two.
    pub(super) fn plus(mut self, other: &TileCosts) -> TileCosts {
        for (cost, more) in self.costs.iter_mut().zip(&other.costs) {
            *cost += more;
        }
        self
    }

    pub(super) fn sum(&self, tiles: &[u8]) -> u32 {
        debug_assert!(tiles.len() <= MAX_CELLS);
        let of = |(cell, &tile): (usize, &u8)| self.cost(tile, cell);
        tiles.iter().enumerate().map(of).sum()
    }

    /// The sum after a tile went from one cell to another and the blank the other way.
    #[inline]
    pub(super) fn after(&self, sum: u32, tile: u8, from: usize, to: usize) -> u32 {
        sum + self.cost(tile, to) + self.cost(0, from) - self.cost(tile, from) - self.cost(0, to)
    }

    #[inline]
    fn cost(&self, tile: u8, cell: usize) -> u32 {
        self.costs[(usize::from(tile) * SIDE + cell) % (SIDE * SIDE)]
    }
}
