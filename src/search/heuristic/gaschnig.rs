//! Gaschnig's heuristic.

use crate::puzzle::{Board, MAX_CELLS};

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
}
