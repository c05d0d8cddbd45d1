//! Manhattan distance plus linear conflicts: tiles in their goal row or column that block each
//! other.

use std::sync::OnceLock;

use crate::puzzle::{Board, MAX_CELLS};

use super::tile_costs::TileCosts;

/// The place of a tile that does not belong to a line.
const NONE: u8 = u8::MAX;

/// The most cells of a row or column.
const LONGEST: usize = MAX_CELLS / 2;

/// The most cells of a line whose conflicts are looked up: the table of 6 cells has 7^6 bytes.
const LOOKED_UP: usize = 6;

/// Cost that a line adds. The argument is the goal places along the line of the tiles that stand in
/// it and belong to it, in the order in which they stand.
type Conflicts = fn(&[u8]) -> u32;

/// Costs that lines add, by the number of their cells and then by a number with a digit for each
/// cell, the first cell's the lowest: the goal place of its tile + 1, or 0.
type Tables = [OnceLock<Vec<u8>>; LOOKED_UP + 1];

/// The Manhattan distance plus the cost of the linear conflicts of each row and column.
pub(super) struct LinearConflict {
    manhattan: TileCosts,
    /// The rows, then the columns.
    lines: Vec<Line>,
    /// The row and the column of each cell, as indices of `lines`.
    lines_of: [[u8; 2]; MAX_CELLS],
    /// Weight of the digit of each cell in the [tables](Tables) of its row and of its column.
    weights: [[usize; 2]; MAX_CELLS],
    conflicts: Conflicts,
}

/// A row or a column.
struct Line {
    cells: Vec<u8>,
    /// Goal place along the line of each tile that belongs to the line; [`NONE`] for others.
    places: [u8; MAX_CELLS],
    table: Option<&'static [u8]>,
}

impl LinearConflict {
    /// Adds 2 for every tile that must leave its line so that the others of the line can pass
    /// (Hansson, Mayer and Yung, 1992). The fewest that must leave are all but a longest increasing
    /// subsequence.
    pub(super) fn new(goal: &Board) -> LinearConflict {
        static TABLES: Tables = [const { OnceLock::new() }; LOOKED_UP + 1];
        LinearConflict::with(goal, &TABLES, |line| {
            2 * (line.len() - longest_increasing(line)) as u32
        })
    }

    /// Adds 2 for every pair of tiles in their line whose order is reversed. Three tiles in reverse
    /// order are three pairs though only two must leave, so it is not admissible.
    pub(super) fn naive(goal: &Board) -> LinearConflict {
        static TABLES: Tables = [const { OnceLock::new() }; LOOKED_UP + 1];
        LinearConflict::with(goal, &TABLES, |line| {
            let pairs = line.iter().enumerate().map(|(i, &place)| {
                let later = &line[i + 1..];
                later.iter().filter(|&&after| after < place).count() as u32
            });
            2 * pairs.sum::<u32>()
        })
    }

    fn with(goal: &Board, tables: &'static Tables, conflicts: Conflicts) -> LinearConflict {
        let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
        let line = |first: usize, step: usize, count: usize| {
            let cells: Vec<u8> = (0..count).map(|i| (first + i * step) as u8).collect();
            let mut places = [NONE; MAX_CELLS];
            for (place, &cell) in (0..).zip(&cells) {
                places[usize::from(goal.tiles()[usize::from(cell)])] = place;
            }
            places[0] = NONE;
            let table = tables.get(count);
            let table = table.map(|t| &t.get_or_init(|| look_up_table(count, conflicts))[..]);
            Line {
                cells,
                places,
                table,
            }
        };
        let row = |row| line(row * cols, 1, cols);
        let column = |col| line(col, cols, rows);
        LinearConflict {
            manhattan: TileCosts::manhattan(goal),
            lines: (0..rows).map(row).chain((0..cols).map(column)).collect(),
            lines_of: std::array::from_fn(|cell| [(cell / cols) as u8, (rows + cell % cols) as u8]),
            weights: std::array::from_fn(|cell| {
                let weight = |line: usize, place: usize| (line + 1).wrapping_pow(place as u32);
                [weight(cols, cell % cols), weight(rows, cell / cols)]
            }),
            conflicts,
        }
    }

    /// Returns the estimate of a board by its tiles, row by row.
    pub(super) fn sum(&self, tiles: &[u8]) -> u32 {
        let of = |line| self.line(line, |cell| tiles[cell]);
        self.manhattan.sum(tiles) + self.lines.iter().map(of).sum::<u32>()
    }

    /// Returns the estimate after `tile` slid to the blank's cell, from the estimate of the board
    /// before, whose tiles `tiles` gives.
    ///
    /// A tile slides along a line without passing another tile, so that line adds what it did
    /// before. Across it, the tile leaves a line and enters another; only one of them can be a
    /// line that it belongs to.
    #[inline]
    pub(super) fn after(
        &self,
        estimate: u32,
        tiles: impl Fn(usize) -> u8,
        from: usize,
        to: usize,
    ) -> u32 {
        let tile = tiles(from);
        let estimate = self.manhattan.after(estimate, tile, from, to);
        let across = usize::from(from.abs_diff(to) == 1);
        let line = |cell: usize| &self.lines[usize::from(self.lines_of[cell][across])];
        let belongs = |line: &Line| line.places[usize::from(tile)] != NONE;
        let (left, entered) = (line(from), line(to));
        let (line, cell) = match belongs(left) {
            true => (left, from),
            false if belongs(entered) => (entered, to),
            false => return estimate,
        };
        if let Some(table) = line.table {
            // The line with the tile and without it differ by a digit.
            let place = line.places[usize::from(tile)];
            let digit = (usize::from(place) + 1) * self.weights[cell][across];
            let index = line.index(tiles);
            let other = if cell == from {
                index - digit
            } else {
                index + digit
            };
            return estimate + u32::from(table[other]) - u32::from(table[index]);
        }
        let moved = if cell == from { 0 } else { tile };
        let after = self.line(line, |c| if c == cell { moved } else { tiles(c) });
        estimate + after - self.line(line, &tiles)
    }

    /// Returns the cost that a line adds, its tiles by their cells.
    #[inline]
    fn line(&self, line: &Line, tiles: impl Fn(usize) -> u8) -> u32 {
        if let Some(table) = line.table {
            return table[line.index(tiles)].into();
        }
        let mut places = [0; LONGEST];
        let mut count = 0;
        for &cell in &line.cells {
            let place = line.places[usize::from(tiles(usize::from(cell)))];
            if place != NONE {
                places[count] = place;
                count += 1;
            }
        }
        (self.conflicts)(&places[..count])
    }
}

impl Line {
    /// Returns the index of the line in its table.
    #[inline]
    fn index(&self, tiles: impl Fn(usize) -> u8) -> usize {
        let base = self.cells.len() + 1;
        self.cells.iter().rev().fold(0, |index, &cell| {
            let place = self.places[usize::from(tiles(usize::from(cell)))];
            index * base + usize::from(place.wrapping_add(1))
        })
    }
}

/// Computes the cost that each line of `cells` cells adds.
fn look_up_table(cells: usize, conflicts: Conflicts) -> Vec<u8> {
    let base = cells + 1;
    let conflicts_of = |index: usize| {
        let digits = (0..cells as u32).map(|cell| index / base.pow(cell) % base);
        let places: Vec<u8> = digits.filter(|&d| d > 0).map(|d| d as u8 - 1).collect();
        conflicts(&places) as u8
    };
    (0..base.pow(cells as u32)).map(conflicts_of).collect()
}

/// Returns the length of a longest increasing subsequence of different numbers.
fn longest_increasing(line: &[u8]) -> usize {
    if line.is_sorted() {
        return line.len();
    }
    let mut ending_at = [0; LONGEST];
    let mut longest = 0;
    for (i, &place) in line.iter().enumerate() {
        let before = (0..i).filter(|&j| line[j] < place).map(|j| ending_at[j]);
        ending_at[i] = before.max().unwrap_or(0) + 1;
        longest = longest.max(ending_at[i]);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristic::tile_costs::tests::{each_move, plain_manhattan};

    /// Counts the fewest numbers without which the rest is in order, by trying all subsets.
    fn fewest_removed(line: &[usize]) -> u32 {
        let kept = |removed: u32| {
            let places = (0..line.len()).filter(move |i| removed >> i & 1 == 0);
            places.map(|i| line[i]).collect::<Vec<_>>()
        };
        let subsets = (0..1u32 << line.len()).filter(|&removed| kept(removed).is_sorted());
        subsets.map(u32::count_ones).min().unwrap()
    }

    /// Computes linear conflict by its definition. `conflicts` gives the cost that one line adds,
    /// from the goal columns (or rows) of its tiles that belong to it.
    fn plain(goal: &Board, board: &Board, conflicts: impl Fn(&[usize]) -> u32) -> u32 {
        let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
        let home = |tile: u8| {
            let cell = goal.tiles().iter().position(|&t| t == tile).unwrap();
            (cell / cols, cell % cols)
        };
        let mut sum = plain_manhattan(goal, board);
        let at = |row: usize, col: usize| board.tiles()[row * cols + col];
        for row in 0..rows {
            let tiles = (0..cols).map(|col| at(row, col)).filter(|&tile| tile != 0);
            let homes = tiles.map(home).filter(|&(home, _)| home == row);
            sum += conflicts(&homes.map(|(_, col)| col).collect::<Vec<_>>());
        }
        for col in 0..cols {
            let tiles = (0..rows).map(|row| at(row, col)).filter(|&tile| tile != 0);
            let homes = tiles.map(home).filter(|&(_, home)| home == col);
            sum += conflicts(&homes.map(|(row, _)| row).collect::<Vec<_>>());
        }
        sum
    }

    fn pairs(line: &[usize]) -> u32 {
        let reversed = |i: usize| line[i..].iter().filter(|&&place| place < line[i]).count();
        (0..line.len()).map(|i| reversed(i) as u32).sum()
    }

    /// Every sequence of up to five different places of five.
    #[test]
    fn all_but_a_longest_increasing_subsequence_must_leave() {
        let mut sequences = vec![Vec::new()];
        for place in 0..5 {
            let longer: Vec<Vec<usize>> = (sequences.iter())
                .flat_map(|s| (0..=s.len()).map(move |i| [&s[..i], &[place], &s[i..]].concat()))
                .collect();
            sequences.extend(longer);
        }
        assert_eq!(sequences.len(), 326); // the sum of 5! / k! for k = 0..=5
        for sequence in sequences {
            let line: Vec<u8> = sequence.iter().map(|&place| place as u8).collect();
            let removed = (line.len() - longest_increasing(&line)) as u32;
            assert_eq!(removed, fewest_removed(&sequence), "{line:?}");
        }
    }

    #[test]
    fn linear_conflict_is_that_of_its_definition_on_all_boards() {
        for goal in ["123456780", "123804765"] {
            let goal: Board = goal.parse().unwrap();
            let (exact, naive) = (LinearConflict::new(&goal), LinearConflict::naive(&goal));
            let space = crate::space::Space::new(&goal).unwrap();
            for index in 0..181_440 {
                let board = space.unrank(crate::space::StateIndex(index));
                let removed = plain(&goal, &board, |line| 2 * fewest_removed(line));
                assert_eq!(exact.sum(board.tiles()), removed, "{board}");
                let reversed = plain(&goal, &board, |line| 2 * pairs(line));
                assert_eq!(naive.sum(board.tiles()), reversed, "{board}");
            }
        }
    }

    #[test]
    fn after_a_move_the_sum_is_that_of_the_whole_board() {
        each_move(|goal, board, next| {
            let tiles = |cell: usize| board.tiles()[cell];
            let (from, to) = (next.blank(), board.blank());
            for heuristic in [LinearConflict::new(goal), LinearConflict::naive(goal)] {
                let after = heuristic.after(heuristic.sum(board.tiles()), tiles, from, to);
                assert_eq!(after, heuristic.sum(next.tiles()), "{goal} {board} {next}");
            }
        });
    }
}
