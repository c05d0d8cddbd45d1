//! Sums over tiles, beside their definitions.

use super::*;
use crate::puzzle::{Move, Shape};
use crate::search::heuristic::BoardHeuristic;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Calls `check(goal, board, next)` for random goals and boards of several shapes, with each board one move away.
pub(in super::super) fn each_move(mut check: impl FnMut(&Board, &Board, &Board)) {
    let goals = if crate::full::is_full() { 100 } else { 20 };
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
        for _ in 0..goals {
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
        let is = |name: &str, sum: u32| {
            let heuristic = BoardHeuristic::new(&name.parse().unwrap(), goal).unwrap();
            assert_eq!(heuristic.of_tiles(board.tiles()), sum, "{name} {board}");
        };
        let differs = |rows: usize, cols: usize| u32::from((rows, cols) != (0, 0));
        let misplaced = plain(goal, board, false, differs);
        let manhattan = plain_manhattan(goal, board);
        is("zero", 0);
        is("misplaced", misplaced);
        is("misplaced-with-blank", plain(goal, board, true, differs));
        is("manhattan", manhattan);
        let out = |rows: usize, cols: usize| rows.min(1) as u32 + cols.min(1) as u32;
        is("rows-columns", plain(goal, board, false, out));
        is("manhattan-plus-misplaced", manhattan + misplaced);
        // The largest u with u * u <= (rows^2 + cols^2) * 65536^2.
        let straight =
            |rows: usize, cols: usize| (((rows * rows + cols * cols) as u64) << 32).isqrt() as u32;
        is("euclidean", plain(goal, board, false, straight));
    });
}

#[test]
fn after_a_move_the_sum_is_that_of_the_whole_board() {
    each_move(|goal, board, next| {
        let (from, to) = (next.blank(), board.blank());
        for costs in [
            TileCosts::new(goal, true, |rows, cols| u32::from(rows + cols > 0)),
            TileCosts::manhattan(goal),
            TileCosts::euclidean(goal),
        ] {
            let after = costs.after(costs.sum(board.tiles()), board.tiles()[from], from, to);
            assert_eq!(after, costs.sum(next.tiles()), "{goal} {board} {next}");
        }
    });
}
