//! Manhattan distance and what tiles in their own line add that stand in each other's way.

use crate::puzzle::{Board, MAX_CELLS, Shape};

use super::tile_costs::TileCosts;

/// Where each tile belongs.
struct Goal {
    shape: Shape,
    cells: [u8; MAX_CELLS],
    manhattan: TileCosts,
}

impl Goal {
    fn new(goal: &Board) -> Goal {
        let mut cells = [0; MAX_CELLS];
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            cells[usize::from(tile)] = cell as u8;
        }
        Goal {
            shape: goal.shape(),
            cells,
            manhattan: TileCosts::manhattan(goal),
        }
    }

    /// For every row and every column: the goal places, along the line, of the tiles that stand in
    /// the line and belong to it, in the order in which they stand.
    fn each_line(&self, tiles: &[u8], mut visit: impl FnMut(&[u8])) {
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let mut line = [0; MAX_CELLS];
        for row in 0..rows {
            let mut count = 0;
            for &tile in &tiles[row * cols..(row + 1) * cols] {
                let home = usize::from(self.cells[usize::from(tile)]);
                if tile != 0 && home / cols == row {
                    line[count] = (home % cols) as u8;
                    count += 1;
                }
            }
            visit(&line[..count]);
        }
        for col in 0..cols {
            let mut count = 0;
            for &tile in tiles[col..].iter().step_by(cols) {
                let home = usize::from(self.cells[usize::from(tile)]);
                if tile != 0 && home % cols == col {
                    line[count] = (home / cols) as u8;
                    count += 1;
                }
            }
            visit(&line[..count]);
        }
    }
}

/// Manhattan distance, and 2 for every tile that must leave its line so that the others of the
/// line can pass (Hansson, Mayer and Yung, 1992). The fewest that must leave are all but a
/// longest increasing run.
pub(super) fn linear_conflict(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let goal = Goal::new(goal);
    move |tiles: &[u8]| {
        let mut leaving = 0;
        goal.each_line(tiles, |line| {
            leaving += line.len() - longest_increasing(line)
        });
        goal.manhattan.sum(tiles) + 2 * leaving as u32
    }
}

/// Manhattan distance, and 2 for every pair of tiles in their own line that stand the wrong way
/// round. Three tiles in reverse make three pairs but only two must leave, so this can be too much.
pub(super) fn linear_conflict_naive(goal: &Board) -> impl Fn(&[u8]) -> u32 + Send + Sync + use<> {
    let goal = Goal::new(goal);
    move |tiles: &[u8]| {
        let mut pairs = 0;
        goal.each_line(tiles, |line| {
            for (i, &place) in line.iter().enumerate() {
                pairs += line[i + 1..].iter().filter(|&&after| after < place).count();
            }
        });
        goal.manhattan.sum(tiles) + 2 * pairs as u32
    }
}

/// The length of a longest increasing subsequence of different numbers.
fn longest_increasing(line: &[u8]) -> usize {
    if line.is_sorted() {
        return line.len();
    }
    let mut ending_at = [0; MAX_CELLS];
    let mut longest = 0;
    for (i, &place) in line.iter().enumerate() {
        let before = (0..i).filter(|&j| line[j] < place).map(|j| ending_at[j]);
        ending_at[i] = before.max().unwrap_or(0) + 1;
        longest = longest.max(ending_at[i]);
    }
    longest
}
