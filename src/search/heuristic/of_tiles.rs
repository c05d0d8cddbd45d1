//! Heuristics that are computed from all tiles of every board: Gaschnig's, the inversion distance and Nilsson's sequence
//! score.

use crate::puzzle::{Board, MAX_CELLS, Shape};

/// Computes the distance in a relaxed puzzle where any tile may jump into the blank's cell
/// (Gaschnig, 1979, "MAXSORT"): while the blank is in the goal cell of a tile, that tile jumps
/// there; when it is in its own goal cell, any misplaced tile does.
pub(super) fn gaschnig(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let mut goal_cells = [0; MAX_CELLS];
    for (cell, &tile) in goal.tiles().iter().enumerate() {
        goal_cells[usize::from(tile)] = cell;
    }
    move |tiles: &[u8]| jumps(&goal_cells, tiles)
}

/// Counts the jumps. A cycle of the permutation takes as many as it has tiles, and one more if the
/// blank is not in it and must first be brought in.
fn jumps(goal_cells: &[usize; MAX_CELLS], tiles: &[u8]) -> u32 {
    let mut jumps = 0;
    let mut visited = 0u64;
    for first in 0..tiles.len() {
        let (mut cell, mut length, mut has_blank) = (first, 0, false);
        while visited >> cell & 1 == 0 {
            visited |= 1 << cell;
            has_blank |= tiles[cell] == 0;
            length += 1;
            cell = goal_cells[usize::from(tiles[cell])];
        }
        if length > 1 {
            jumps += if has_blank { length - 1 } else { length + 1 };
        }
    }
    jumps
}

/// Computes a lower bound on the vertical moves, from the inversions of the tiles read by rows, plus one on the
/// horizontal moves, from the inversions read by columns.
///
/// Read by rows, a vertical move takes a tile past the C-1 tiles between its old and its new cell
/// (C columns), so it changes the number of inversions by C-1, C-3, ... or -(C-1); a horizontal move
/// does not change it. So I inversions need at least I/(C-1) vertical moves and, where every
/// change is odd, their number has the parity of I. Read by columns it is the same with the number
/// of rows (M. Kim, "Solving the 15 puzzle", for 4x4).
pub(super) fn inversion(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
    let by_column = |i| i % rows * cols + i / rows;
    let by_rows = reading(goal, (0..rows * cols).collect(), cols - 1);
    let by_columns = reading(goal, (0..rows * cols).map(by_column).collect(), rows - 1);
    move |tiles: &[u8]| by_rows(tiles) + by_columns(tiles)
}

/// Computes the least number of moves, each changing the inversions by `most` or less, that bring the tiles into the
/// goal's order; `cells` gives the order of reading.
fn reading(
    goal: &Board,
    cells: Vec<usize>,
    most: usize,
) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let mut places = [0; MAX_CELLS];
    for (place, &cell) in (0u8..).zip(&cells) {
        places[usize::from(goal.tiles()[cell])] = place;
    }
    move |tiles: &[u8]| {
        let (mut inversions, mut seen) = (0, 0u64);
        let tiles = cells.iter().map(|&cell| tiles[cell]);
        for tile in tiles.filter(|&tile| tile > 0) {
            let place = places[usize::from(tile)];
            inversions += (seen >> place).count_ones();
            seen |= 1 << place;
        }
        moves(inversions, most as u32)
    }
}

/// Returns the least number of moves that remove so many inversions, each by `most`, `most - 2`, ... or
/// `-most`.
fn moves(inversions: u32, most: u32) -> u32 {
    let least = inversions.div_ceil(most);
    least + u32::from(most % 2 == 1 && (least + inversions) % 2 == 1)
}

/// The sequence score (Nilsson, Problem-Solving Methods in Artificial Intelligence, 1971): clockwise around the border, 2
/// for each tile that is not followed by the one that follows it in the goal, the blank left out; and 1 for each tile
/// inside that is not in its goal cell. He used Manhattan distance + 3 times this score, which is not admissible.
pub(super) fn sequence(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let (goal, border) = (*goal, border(goal.shape()));
    // The tiles around the border, each with the one that follows it.
    let pairs = |tiles: &[u8], border: &[usize]| -> Vec<(u8, u8)> {
        let around = border.iter().map(|&cell| tiles[cell]);
        let around = around.filter(|&tile| tile > 0);
        around.clone().zip(around.cycle().skip(1)).collect()
    };
    let mut wanted = [0; MAX_CELLS];
    for (tile, next) in pairs(goal.tiles(), &border) {
        wanted[usize::from(tile)] = next;
    }
    move |tiles: &[u8]| {
        let here = pairs(tiles, &border).into_iter();
        let broken = here.filter(|&(tile, next)| wanted[usize::from(tile)] != next);
        let is_out = |(cell, (tile, home)): &(usize, (&u8, &u8))| {
            **tile > 0 && tile != home && !border.contains(cell)
        };
        let cells = tiles.iter().zip(goal.tiles()).enumerate();
        (2 * broken.count() + cells.filter(is_out).count()) as u32
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

    /// Solves the relaxed puzzle, jump by jump.
    fn plain(goal: &Board, board: &Board) -> u32 {
        let mut tiles = board.tiles().to_vec();
        let mut jumps = 0;
        while tiles != goal.tiles() {
            let blank = tiles.iter().position(|&t| t == 0).unwrap();
            let wanted = match goal.tiles()[blank] {
                0 => (0..tiles.len()).find(|&c| tiles[c] != goal.tiles()[c]),
                tile => tiles.iter().position(|&t| t == tile),
            };
            tiles.swap(blank, wanted.unwrap());
            jumps += 1;
        }
        jumps
    }

    #[test]
    fn cycles_count_what_the_game_counts() {
        let goal: Board = "123804765".parse().unwrap();
        let fast = gaschnig(&goal);
        let space = crate::space::Space::new(&goal).unwrap();
        for index in (0..181_440).step_by(7) {
            let board = space.unrank(crate::space::StateIndex(index));
            assert_eq!(fast(board.tiles()), plain(&goal, &board), "{board}");
        }
    }

    #[test]
    fn three_inversions_a_move_on_the_fifteen_puzzle() {
        for inversions in 0..60 {
            assert_eq!(moves(inversions, 3), inversions / 3 + inversions % 3);
        }
        assert_eq!(moves(3, 2), 2);
        assert_eq!(moves(7, 1), 7);
    }

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
