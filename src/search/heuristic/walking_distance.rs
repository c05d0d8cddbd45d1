//! The walking distance.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::puzzle::{Board, MAX_CELLS};

/// The most states of one of the two tables: some 40 MB, made in about half a second.
const MOST_STATES: usize = 1 << 20;

/// The vertical moves that it takes to bring every tile into its goal row, whatever column it is
/// in, plus the horizontal moves that bring every tile into its goal column (K. Takahashi, 2003).
///
/// A state of the first puzzle is the number of tiles of each row that belong to each row, and the blank's row; a move
/// takes any tile of a neighbouring row into the blank's. The second puzzle is the same for columns. A move of the
/// board is a move of one of the two, so the sum is admissible and consistent.
pub(super) struct WalkingDistance([Lines; 2]);

impl WalkingDistance {
    /// Makes the two tables; `None` if one would have more than a million states.
    pub(super) fn new(goal: &Board) -> Option<WalkingDistance> {
        let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
        let by_row = Lines::new(goal, rows, |cell| cell / cols)?;
        let by_column = Lines::new(goal, cols, |cell| cell % cols)?;
        Some(WalkingDistance([by_row, by_column]))
    }

    /// Returns the estimate of a board by its tiles, row by row.
    pub(super) fn sum(&self, tiles: &[u8]) -> u32 {
        let of = |lines: &Lines| lines.distances[&lines.state(|cell| tiles[cell])];
        self.0.iter().map(of).sum()
    }

    /// Returns the estimate after a tile slid to the blank's cell, from the estimate of the board before,
    /// whose tiles `tiles` gives.
    pub(super) fn after(
        &self,
        estimate: u32,
        tiles: impl Fn(usize) -> u8,
        from: usize,
        to: usize,
    ) -> u32 {
        let lines = &self.0[usize::from(from.abs_diff(to) == 1)];
        let (tile, before) = (tiles(from), lines.state(tiles));
        let left = before - lines.value(tile, from) - lines.value(0, to);
        let after = left + lines.value(tile, to) + lines.value(0, from);
        estimate + lines.distances[&after] - lines.distances[&before]
    }
}

/// Most lines of a puzzle: with seven lines of two cells, and with any of more, there are far too many states.
const MOST_LINES: usize = 6;

/// Numbers of tiles of each line that belong to each line.
type Counts = [[u8; MOST_LINES]; MOST_LINES];

/// One of the two puzzles, of rows or of columns.
///
/// A state is a number with a digit for each pair of a line and a goal line but the last: the number of tiles of the line
/// that belong to the goal line. The other tiles of the line belong to the last. The lowest digit is the blank's line.
struct Lines {
    cells: usize,
    /// Value that each tile, and the blank, which is tile 0, adds to the state in each cell.
    values: Box<[[u64; MAX_CELLS]; MAX_CELLS]>,
    distances: FxHashMap<u64, u32>,
}

impl Lines {
    fn new(goal: &Board, count: usize, line: impl Fn(usize) -> usize) -> Option<Lines> {
        let cells = goal.shape().cells();
        let (base, mut weight) = ((cells / count + 1) as u64, count as u64);
        // Weights of the digits, by line and goal line.
        let mut weights = [[0; MOST_LINES]; MOST_LINES];
        for digit in (weights.get_mut(..count)?.iter_mut()).flat_map(|of| &mut of[..count - 1]) {
            *digit = weight;
            weight = weight.checked_mul(base)?;
        }
        let (mut counts, mut values) = (Counts::default(), Box::new([[0; MAX_CELLS]; MAX_CELLS]));
        for (home, &tile) in goal.tiles().iter().enumerate() {
            let goal_line = line(home);
            counts[goal_line][goal_line] += u8::from(tile > 0);
            for (cell, value) in values[usize::from(tile)][..cells].iter_mut().enumerate() {
                *value = match tile {
                    0 => line(cell) as u64,
                    _ => weights[line(cell)][goal_line],
                };
            }
        }
        let mut lines = Lines {
            cells,
            values,
            distances: FxHashMap::default(),
        };
        // Breadth-first search from the goal's state, its numbers of tiles, and the blank's line.
        let state = lines.state(|cell| goal.tiles()[cell]);
        lines.distances.insert(state, 0);
        let mut queue = VecDeque::from([(state, counts, line(goal.blank()))]);
        while let Some((state, counts, blank)) = queue.pop_front() {
            let distance = lines.distances[&state] + 1;
            for from in [blank.wrapping_sub(1), blank + 1] {
                let tiles = counts.get(from).into_iter().flatten().enumerate();
                for (goal_line, _) in tiles.filter(|(_, tiles)| **tiles > 0) {
                    let left = state - weights[from][goal_line] - blank as u64;
                    let next = left + weights[blank][goal_line] + from as u64;
                    if let Entry::Vacant(entry) = lines.distances.entry(next) {
                        entry.insert(distance);
                        let mut counts = counts;
                        counts[from][goal_line] -= 1;
                        counts[blank][goal_line] += 1;
                        queue.push_back((next, counts, from));
                    }
                }
            }
            if lines.distances.len() > MOST_STATES {
                return None;
            }
        }
        Some(lines)
    }

    #[inline]
    fn value(&self, tile: u8, cell: usize) -> u64 {
        self.values[usize::from(tile)][cell]
    }

    /// Returns the state of a board.
    #[inline]
    fn state(&self, tiles: impl Fn(usize) -> u8) -> u64 {
        (0..self.cells)
            .map(|cell| self.value(tiles(cell), cell))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::puzzle::{Move, Shape, UsualGoal, random_board};
    use crate::space::{Space, StateIndex};

    /// Numbers of tiles of each line that belong to each line, and the blank's line.
    type Counts = (Vec<Vec<u8>>, usize);

    fn counts(board: &Board, goal: &Board, lines: usize, line: &dyn Fn(usize) -> usize) -> Counts {
        let mut counts = vec![vec![0; lines]; lines];
        for (cell, &tile) in board.tiles().iter().enumerate().filter(|(_, t)| **t != 0) {
            let home = goal.tiles().iter().position(|&t| t == tile).unwrap();
            counts[line(cell)][line(home)] += 1;
        }
        (counts, line(board.blank()))
    }

    /// Computes the distances of all states of one of the two puzzles, by its definition.
    fn plain(goal: &Board, lines: usize, line: &dyn Fn(usize) -> usize) -> HashMap<Counts, u32> {
        let start = counts(goal, goal, lines, line);
        let mut distances = HashMap::from([(start.clone(), 0)]);
        let mut frontier = vec![start];
        for distance in 1.. {
            let mut next = Vec::new();
            for (counts, blank) in &frontier {
                for from in (0..lines).filter(|from| from.abs_diff(*blank) == 1) {
                    for goal_line in (0..lines).filter(|&g| counts[from][g] > 0) {
                        let mut counts = counts.clone();
                        counts[from][goal_line] -= 1;
                        counts[*blank][goal_line] += 1;
                        if let Entry::Vacant(entry) = distances.entry((counts.clone(), from)) {
                            entry.insert(distance);
                            next.push((counts, from));
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        distances
    }

    /// Compares the walking distance of boards with its definition, and that after each move with that of
    /// the whole board.
    fn agrees(goal: &Board, boards: impl Iterator<Item = Board>) {
        let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
        let walking = WalkingDistance::new(goal).unwrap();
        let (row, column) = (|cell| cell / cols, |cell| cell % cols);
        let (by_rows, by_columns) = (plain(goal, rows, &row), plain(goal, cols, &column));
        for board in boards {
            let vertical = by_rows[&counts(&board, goal, rows, &row)];
            let horizontal = by_columns[&counts(&board, goal, cols, &column)];
            let sum = walking.sum(board.tiles());
            assert_eq!(sum, vertical + horizontal, "{board}");
            for next in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
                let tiles = |cell: usize| board.tiles()[cell];
                let after = walking.after(sum, tiles, next.blank(), board.blank());
                assert_eq!(after, walking.sum(next.tiles()), "{board} {next}");
            }
        }
    }

    #[test]
    fn the_walking_distance_is_that_of_its_definition_on_all_boards() {
        for goal in ["123456780", "123804765"] {
            let goal: Board = goal.parse().unwrap();
            let space = Space::new(&goal).unwrap();
            agrees(
                &goal,
                (0..181_440).map(|index| space.unrank(StateIndex(index))),
            );
        }
    }

    #[test]
    #[ignore = "full run"]
    fn it_is_that_of_its_definition_on_other_shapes() {
        for (rows, cols) in [(2, 2), (2, 5), (6, 2), (4, 3), (4, 4)] {
            let last = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
            let goal = random_board(&last, 1);
            agrees(&goal, (0..1000).map(|seed| random_board(&goal, seed)));
        }
    }

    /// The number is published (K. Takahashi, 2003).
    #[test]
    fn the_fifteen_puzzle_has_24964_states_of_each_kind() {
        let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
        let walking = WalkingDistance::new(&goal).unwrap();
        let states = walking.0.each_ref().map(|lines| lines.distances.len());
        assert_eq!(states, [24_964; 2]);
    }

    #[test]
    fn shapes_with_too_many_states_are_refused() {
        for (rows, cols) in [(5, 5), (3, 8), (8, 8), (2, 32), (32, 2)] {
            let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
            assert!(WalkingDistance::new(&goal).is_none(), "{rows}x{cols}");
        }
    }
}
