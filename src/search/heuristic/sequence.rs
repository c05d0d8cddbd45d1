//! Nilsson's sequence score.

use crate::puzzle::{Board, Shape};

/// The sequence score (Nilsson, Problem-Solving Methods in Artificial Intelligence, 1971): clockwise around the border, 2
/// for each tile that is not followed by the one that follows it in the goal, the blank left out; and 1 for each tile
/// inside that is not in its goal cell. He used Manhattan distance + 3 times this score, which is not admissible.
pub(super) fn sequence(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let (goal, border) = (*goal, border(goal.shape()));
    let around = |tiles: &[u8], border: &[usize]| -> Vec<u8> {
        let around = border.iter().map(|&cell| tiles[cell]);
        around.filter(|&tile| tile > 0).collect()
    };
    let follows = |tiles: &[u8], i: usize| tiles[(i + 1) % tiles.len()];
    let wanted = around(goal.tiles(), &border);
    move |tiles: &[u8]| {
        let here = around(tiles, &border);
        let is_followed = |i: &usize| {
            let place = wanted.iter().position(|&tile| tile == here[*i]);
            place.is_some_and(|place| follows(&wanted, place) == follows(&here, *i))
        };
        let broken = (0..here.len()).filter(|i| !is_followed(i)).count();
        let is_out = |(cell, (tile, home)): &(usize, (&u8, &u8))| {
            **tile > 0 && tile != home && !border.contains(cell)
        };
        let pairs = tiles.iter().zip(goal.tiles()).enumerate();
        (2 * broken + pairs.filter(is_out).count()) as u32
    }
}

/// The cells of the border, clockwise from the top left.
fn border(shape: Shape) -> Vec<usize> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let top = (0..cols).map(|col| (0, col));
    let right = (1..rows).map(|row| (row, cols - 1));
    let bottom = (0..cols - 1).rev().map(|col| (rows - 1, col));
    let left = (1..rows - 1).rev().map(|row| (row, 0));
    let around = top.chain(right).chain(bottom).chain(left);
    around.map(|(row, col)| row * cols + col).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_scores_that_are_counted_by_hand() {
        let goal: Board = "123804765".parse().unwrap();
        let score = |board: &str| sequence(&goal)(board.parse::<Board>().unwrap().tiles());
        assert_eq!(score("123804765"), 0);
        // 2 1 6 / 4 0 8 / 7 5 3: clockwise 2 1 6 8 3 5 7 4, none of which the right one follows.
        assert_eq!(score("216408753"), 16);
        // 2 8 3 / 1 6 4 / 7 0 5: clockwise 2 8 3 4 5 7 1; 3, 4 and 1 are followed by the right ones, and 6 is inside.
        assert_eq!(score("283164705"), 9);
    }

    #[test]
    fn the_border_goes_around_once() {
        for (shape, cells) in [("3x3", 8), ("2x4", 8), ("4x2", 8), ("4x4", 12), ("2x2", 4)] {
            let mut border = border(shape.parse().unwrap());
            border.sort_unstable();
            border.dedup();
            assert_eq!(border.len(), cells, "{shape}");
        }
    }
}
