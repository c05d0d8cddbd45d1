//! Heuristics that add up a cost of each tile in its cell.

use crate::puzzle::{Board, MAX_CELLS};

/// Cells, and tiles, of a table: at least [`MAX_CELLS`], and a power of 2, so that the index is a shift.
const SIDE: usize = 64;

/// The cost of each tile (and of the blank, tile 0) in each cell.
pub(in crate::search) struct TileCosts {
    /// The estimate that stands for one move.
    pub(super) unit: u32,
    costs: Box<[u32; SIDE * SIDE]>,
}

impl TileCosts {
    /// Makes the table of costs that depend on the rows and columns between a tile's cell and its goal; those of the blank
    /// are 0 unless it counts, too.
    pub(super) fn new(
        goal: &Board,
        with_blank: bool,
        cost: impl Fn(usize, usize) -> u32,
    ) -> TileCosts {
        let mut costs = Box::new([0; SIDE * SIDE]);
        let cols = goal.shape().cols();
        for (home, &tile) in goal.tiles().iter().enumerate() {
            if tile == 0 && !with_blank {
                continue;
            }
            for cell in 0..goal.shape().cells() {
                let rows = (home / cols).abs_diff(cell / cols);
                let columns = (home % cols).abs_diff(cell % cols);
                costs[usize::from(tile) * SIDE + cell] = cost(rows, columns);
            }
        }
        TileCosts { unit: 1, costs }
    }

    /// Makes the costs whose sum is that of the rows and columns between each tile and its goal cell.
    pub(in crate::search) fn manhattan(goal: &Board) -> TileCosts {
        TileCosts::new(goal, false, |rows, cols| (rows + cols) as u32)
    }

    /// Makes the costs whose sum is that of the straight-line distances between each tile and its goal cell, each
    /// rounded down to a unit. That keeps the sum admissible and consistent, as a move is a whole number of units.
    pub(super) fn euclidean(goal: &Board) -> TileCosts {
        let unit = 1 << 16;
        let cost = |rows: usize, cols: usize| {
            ((rows * rows + cols * cols) as f64).sqrt() * f64::from(unit)
        };
        TileCosts {
            unit,
            ..TileCosts::new(goal, false, |rows, cols| cost(rows, cols).floor() as u32)
        }
    }

    /// Returns the estimate of a board by its tiles, row by row.
    pub(in crate::search) fn sum(&self, tiles: &[u8]) -> u32 {
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
