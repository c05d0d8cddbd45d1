//! The inversion distance.

use crate::puzzle::{Board, MAX_CELLS};

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
    let by_rows: Vec<usize> = (0..rows * cols).collect();
    let by_columns: Vec<usize> = (0..rows * cols)
        .map(|i| i % rows * cols + i / rows)
        .collect();
    let places = [&by_rows, &by_columns].map(|reading| {
        let mut places = [0; MAX_CELLS];
        for (place, &cell) in reading.iter().enumerate() {
            places[usize::from(goal.tiles()[cell])] = place as u8;
        }
        places
    });
    move |tiles: &[u8]| {
        let inversions = |reading: &[usize], places: &[u8; MAX_CELLS]| {
            let (mut inversions, mut seen) = (0, 0u64);
            for &cell in reading {
                let tile = tiles[cell];
                if tile != 0 {
                    let place = places[usize::from(tile)];
                    inversions += (seen >> place).count_ones();
                    seen |= 1 << place;
                }
            }
            inversions
        };
        moves(inversions(&by_rows, &places[0]), cols as u32 - 1)
            + moves(inversions(&by_columns, &places[1]), rows as u32 - 1)
    }
}

/// Returns the least number of moves that remove so many inversions, each by `most`, `most - 2`, ... or
/// `-most`.
fn moves(inversions: u32, most: u32) -> u32 {
    let least = inversions.div_ceil(most);
    least + u32::from(most % 2 == 1 && (least + inversions) % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_inversions_a_move_on_the_fifteen_puzzle() {
        for inversions in 0..60 {
            assert_eq!(moves(inversions, 3), inversions / 3 + inversions % 3);
        }
        assert_eq!(moves(3, 2), 2);
        assert_eq!(moves(7, 1), 7);
    }
}
