//! Heuristics that add up a cost of each tile in its cell.

use crate::puzzle::{Board, MAX_CELLS};

/// Cells, and tiles, of a table: at least [`MAX_CELLS`], and a power of 2, so that the index is a shift.
const SIDE: usize = 64;

/// The unit of Euclidean distances: the estimate that stands for one move.
pub(super) const EUCLIDEAN_UNIT: u32 = 1 << 16;

/// The cost of each tile (and of the blank, tile 0) in each cell.
#[derive(Clone)]
pub(super) struct TileCosts {
    costs: [u32; SIDE * SIDE],
}

impl TileCosts {
    /// Returns the table where no tile costs anything.
    pub(super) fn zero() -> TileCosts {
        TileCosts {
            costs: [0; SIDE * SIDE],
        }
    }

    /// Makes the table of costs that depend on the rows and columns between a tile's cell and its goal.
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

    /// Makes the costs whose sum is the number of tiles that are not in their goal cell.
    pub(super) fn misplaced(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| u32::from(rows + cols > 0))
    }

    /// As [`TileCosts::misplaced`], with the blank counted as a tile.
    pub(super) fn misplaced_with_blank(goal: &Board) -> TileCosts {
        TileCosts::new(goal, true, |rows, cols| u32::from(rows + cols > 0))
    }

    /// Makes the costs whose sum is that of the rows and columns between each tile and its goal cell.
    pub(super) fn manhattan(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| (rows + cols) as u32)
    }

    /// Makes the costs whose sum is the number of tiles out of their row plus that of tiles out of their column.
    pub(super) fn rows_columns(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| {
            u32::from(rows > 0) + u32::from(cols > 0)
        })
    }

    /// Makes the costs whose sum is that of the straight-line distances between each tile and its goal cell, each
    /// rounded down to a unit. That keeps the sum admissible and consistent, as a move is a whole number of units.
    pub(super) fn euclidean(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| {
            let unit = f64::from(EUCLIDEAN_UNIT);
            (((rows * rows + cols * cols) as f64).sqrt() * unit).floor() as u32
        })
    }

    /// Returns the costs of both tables, added up.
    pub(super) fn plus(mut self, other: &TileCosts) -> TileCosts {
        for (cost, more) in self.costs.iter_mut().zip(&other.costs) {
            *cost += more;
        }
        self
    }

    /// Returns the estimate of a board by its tiles, row by row.
    pub(super) fn sum(&self, tiles: &[u8]) -> u32 {
        debug_assert!(tiles.len() <= MAX_CELLS);
        let of = |(cell, &tile): (usize, &u8)| self.cost(tile, cell);
        tiles.iter().enumerate().map(of).sum()
    }

    /// Returns the sum after `tile` slid from the cell `from` to the cell `to`, which was the blank's, by the
    /// sum before.
    #[inline]
    pub(super) fn after(&self, sum: u32, tile: u8, from: usize, to: usize) -> u32 {
        sum + self.cost(tile, to) + self.cost(0, from) - self.cost(tile, from) - self.cost(0, to)
    }

    #[inline]
    fn cost(&self, tile: u8, cell: usize) -> u32 {
        self.costs[(usize::from(tile) * SIDE + cell) % (SIDE * SIDE)]
    }
}

#[cfg(test)]
pub(super) mod tests;
