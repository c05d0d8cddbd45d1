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
pub(super) mod tests {
    use super::*;
    use crate::puzzle::{Move, Shape};
    use rand::rngs::ChaCha8Rng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};

    /// Calls `check(goal, board, next)` for random goals and boards of several shapes, with each board one move away.
    pub(in super::super) fn each_move(mut check: impl FnMut(&Board, &Board, &Board)) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, cols) in [
            (2, 2),
            (3, 3),
            (2, 5),
            (5, 2),
            (4, 4),
            (3, 7),
            (12, 2),
            (5, 5),
            (6, 6),
            (8, 8),
        ] {
            let shape = Shape::new(rows, cols).unwrap();
            let mut tiles: Vec<u8> = (0..shape.cells() as u8).collect();
            for _ in 0..100 {
                tiles.shuffle(&mut rng);
                let goal = Board::new(shape, &tiles).unwrap();
                // Half of the boards are random; half are near the goal, so that tiles are in their lines.
                let mut board = goal;
                if rng.random() {
                    tiles.shuffle(&mut rng);
                    board = Board::new(shape, &tiles).unwrap();
                }
                for _ in 0..30 {
                    for next in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
                        check(&goal, &board, &next);
                    }
                    let mv = Move::from_code(rng.random());
                    board = board.slide(mv).unwrap_or(board);
                }
            }
        }
    }

    /// Returns a sum over tiles of a cost by the rows and columns to their goal cells.
    fn plain(goal: &Board, board: &Board, blank: bool, cost: impl Fn(usize, usize) -> u32) -> u32 {
        let cols = goal.shape().cols();
        let place = |board: &Board, tile: u8| {
            let cell = board.tiles().iter().position(|&t| t == tile).unwrap();
            (cell / cols, cell % cols)
        };
        let tiles = u8::from(!blank)..goal.shape().cells() as u8;
        let costs = tiles.map(|tile| {
            let ((row, col), (goal_row, goal_col)) = (place(board, tile), place(goal, tile));
            cost(row.abs_diff(goal_row), col.abs_diff(goal_col))
        });
        costs.sum()
    }

    pub(in super::super) fn plain_manhattan(goal: &Board, board: &Board) -> u32 {
        plain(goal, board, false, |rows, cols| (rows + cols) as u32)
    }

    #[test]
    fn sums_are_those_of_the_definitions() {
        each_move(|goal, board, _| {
            let is = |costs: TileCosts, sum: u32| assert_eq!(costs.sum(board.tiles()), sum);
            let differs = |rows: usize, cols: usize| u32::from((rows, cols) != (0, 0));
            let misplaced = plain(goal, board, false, differs);
            let manhattan = plain_manhattan(goal, board);
            is(TileCosts::zero(), 0);
            is(TileCosts::misplaced(goal), misplaced);
            is(
                TileCosts::misplaced_with_blank(goal),
                plain(goal, board, true, differs),
            );
            is(TileCosts::manhattan(goal), manhattan);
            let out = |rows: usize, cols: usize| rows.min(1) as u32 + cols.min(1) as u32;
            is(
                TileCosts::rows_columns(goal),
                plain(goal, board, false, out),
            );
            let both = TileCosts::manhattan(goal).plus(&TileCosts::misplaced(goal));
            is(both, manhattan + misplaced);
            // The largest u with u * u <= (rows^2 + cols^2) * 65536^2.
            let straight = |rows: usize, cols: usize| {
                (((rows * rows + cols * cols) as u64) << 32).isqrt() as u32
            };
            is(
                TileCosts::euclidean(goal),
                plain(goal, board, false, straight),
            );
        });
    }

    #[test]
    fn after_a_move_the_sum_is_that_of_the_whole_board() {
        each_move(|goal, board, next| {
            let (from, to) = (next.blank(), board.blank());
            for costs in [
                TileCosts::zero(),
                TileCosts::misplaced(goal),
                TileCosts::misplaced_with_blank(goal),
                TileCosts::manhattan(goal),
                TileCosts::rows_columns(goal),
                TileCosts::euclidean(goal),
                TileCosts::manhattan(goal).plus(&TileCosts::misplaced(goal)),
            ] {
                let after = costs.after(costs.sum(board.tiles()), board.tiles()[from], from, to);
                assert_eq!(after, costs.sum(next.tiles()), "{goal} {board} {next}");
            }
        });
    }
}
