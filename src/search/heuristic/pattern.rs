//! Pattern databases.

use crate::basics::{available_memory, size_text};
use crate::puzzle::{Board, MAX_CELLS, Shape};

/// Reason why a pattern database cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The shape does not have such a tile.
    #[error("the pattern has tile {tile}, and a {shape} board has the tiles 1 to {}", shape.tiles())]
    NoSuchTile {
        /// The tile.
        tile: u8,
        /// The shape of the goal.
        shape: Shape,
    },
    /// It needs more memory than there is.
    #[error("a pattern database of {tiles} tiles of a {shape} board needs {} of memory, and this machine has {} to spare: name fewer tiles", size_text(*needed), size_text(*available))]
    TooLittleMemory {
        /// Tiles of the pattern.
        tiles: usize,
        /// The shape of the goal.
        shape: Shape,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that the machine can give.
        available: u64,
    },
}

/// The distance of arrangements that are not reached.
const UNREACHED: u8 = u8::MAX;

/// The largest memory for one database. Below it an arrangement's index fits 32 bits.
const MAX_MEMORY: u64 = 1 << 36;

/// A pattern database: the distances in an abstraction of the puzzle where only some tiles and the
/// blank are distinguished (Culberson and Schaeffer, 1996).
///
/// For each cell of the blank it has a table with a byte for every arrangement of the pattern's
/// tiles. The index of an arrangement is a number whose digits are the places of these tiles in the
/// order of all tiles, the blank left out. So a horizontal move keeps the index, and a vertical move
/// maps each digit.
///
/// ```
/// use puzzledb::search::Pattern;
///
/// let goal = "123456780".parse()?;
/// let pattern = Pattern::new(&goal, &[1, 2, 3])?;
/// assert_eq!(pattern.distance(goal.tiles()), 0);
/// assert_eq!(pattern.distance("123456708".parse::<puzzledb::puzzle::Board>()?.tiles()), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The weight of each tile's digit; 0 for tiles outside the pattern.
    weights: [u32; MAX_CELLS],
    /// The number of arrangements of the pattern's tiles.
    arrangements: usize,
    /// The distances by blank cell, then by arrangement.
    distances: Vec<u8>,
}

impl Pattern {
    /// Returns the bytes of memory that making the database of a pattern of `tiles` tiles takes, at most.
    pub fn memory(shape: Shape, tiles: usize) -> u64 {
        let places = shape.tiles() as u64;
        let arrangements = places.saturating_pow(tiles as u32);
        arrangements.saturating_mul(2 * shape.cells() as u64)
    }

    /// Makes the database of the pattern of `tiles` for a goal, by breadth-first search from it.
    ///
    /// # Errors
    /// [`PatternError`] if the shape does not have such a tile, or the memory does not suffice.
    pub fn new(goal: &Board, tiles: &[u8]) -> Result<Pattern, PatternError> {
        let shape = goal.shape();
        if let Some(&tile) = tiles
            .iter()
            .find(|&&t| t == 0 || usize::from(t) > shape.tiles())
        {
            return Err(PatternError::NoSuchTile { tile, shape });
        }
        let needed = Pattern::memory(shape, tiles.len());
        let available = available_memory().unwrap_or(MAX_MEMORY).min(MAX_MEMORY);
        if needed > available {
            let tiles = tiles.len();
            return Err(PatternError::TooLittleMemory {
                tiles,
                shape,
                needed,
                available,
            });
        }
        let mut weights = [0; MAX_CELLS];
        for (digit, &tile) in (0..).zip(tiles) {
            weights[usize::from(tile)] = (shape.tiles() as u32).pow(digit);
        }
        let arrangements = shape.tiles().pow(tiles.len() as u32);
        let mut pattern = Pattern {
            weights,
            arrangements,
            distances: vec![UNREACHED; arrangements * shape.cells()],
        };
        pattern.search(goal, tiles.len());
        Ok(pattern)
    }

    /// Returns the pattern's distance on a board of the goal's shape, given by its tiles row by row.
    pub fn distance(&self, tiles: &[u8]) -> u32 {
        let (blank, arrangement) = self.index(tiles);
        u32::from(self.distances[blank * self.arrangements + arrangement])
    }

    /// Returns the blank's cell and the index of the arrangement.
    fn index(&self, tiles: &[u8]) -> (usize, usize) {
        let (mut blank, mut place, mut arrangement) = (0, 0, 0);
        for (cell, &tile) in tiles.iter().enumerate() {
            if tile == 0 {
                blank = cell;
            } else {
                arrangement += self.weights[usize::from(tile)] * place;
                place += 1;
            }
        }
        (blank, arrangement as usize)
    }

    fn search(&mut self, goal: &Board, digits: usize) {
        let shape = goal.shape();
        let (cells, cols) = (shape.cells(), shape.cols());
        let vertical: Vec<[DigitMap; 2]> = (0..cells - cols)
            .map(|upper| vertical(shape, upper, digits))
            .collect();
        let mut frontier: Vec<Vec<u32>> = vec![Vec::new(); cells];
        let (blank, arrangement) = self.index(goal.tiles());
        self.distances[blank * self.arrangements + arrangement] = 0;
        frontier[blank].push(arrangement as u32);
        for distance in 1..UNREACHED {
            let mut next: Vec<Vec<u32>> = vec![Vec::new(); cells];
            for (blank, plane) in frontier.iter().enumerate() {
                let mut reach = |to: usize, moved: &dyn Fn(u32) -> u32| {
                    let distances = &mut self.distances[to * self.arrangements..];
                    for &arrangement in plane {
                        let arrangement = moved(arrangement);
                        let known = &mut distances[arrangement as usize];
                        if *known == UNREACHED {
                            *known = distance;
                            next[to].push(arrangement);
                        }
                    }
                };
                if blank % cols > 0 {
                    reach(blank - 1, &|arrangement| arrangement);
                }
                if blank % cols < cols - 1 {
                    reach(blank + 1, &|arrangement| arrangement);
                }
                if let Some(upper) = blank.checked_sub(cols) {
                    reach(upper, &|arrangement| vertical[upper][1].apply(arrangement));
                }
                if let Some([down, _]) = vertical.get(blank) {
                    reach(blank + cols, &|arrangement| down.apply(arrangement));
                }
            }
            if next.iter().all(Vec::is_empty) {
                break;
            }
            frontier = next;
        }
    }
}

/// Returns the effect on an arrangement's index of the blank's move down from the cell `upper`, and of that back up: the
/// places of one row of tiles, from the place `upper` on, rotate by one.
fn vertical(shape: Shape, upper: usize, digits: usize) -> [DigitMap; 2] {
    let (tiles, cols) = (shape.tiles(), shape.cols());
    [1, cols - 1].map(|by| {
        let rotated = |place: usize| upper + (place - upper + by) % cols;
        let is_in_row = move |place: usize| (upper..upper + cols).contains(&place);
        DigitMap::new(tiles, digits, |place| match is_in_row(place) {
            true => rotated(place),
            false => place,
        })
    })
}

/// A map of each digit of a number, as one table for the low half of its digits and one for the
/// high half.
struct DigitMap {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl DigitMap {
    /// Maps every digit by `map`.
    fn new(base: usize, digits: usize, map: impl Fn(usize) -> usize) -> DigitMap {
        let table = |digits: usize| {
            let mut table = vec![0u32];
            let mut weight = 1;
            for _ in 0..digits {
                let higher = (0..base).flat_map(|digit| {
                    let mapped = (map(digit) * weight) as u32;
                    table.iter().map(move |&lower| lower + mapped)
                });
                table = higher.collect();
                weight *= base;
            }
            (table, weight as u32)
        };
        let (low, weight) = table(digits / 2);
        let (mut high, _) = table(digits - digits / 2);
        high.iter_mut().for_each(|mapped| *mapped *= weight);
        DigitMap { low, high }
    }

    #[inline]
    fn apply(&self, number: u32) -> u32 {
        let low = self.low.len() as u32;
        self.high[(number / low) as usize] + self.low[(number % low) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::space::StateIndex;

    /// In the abstraction, boards that differ only in the tiles outside the pattern are one state;
    /// its distance is the least of theirs.
    #[test]
    fn a_pattern_s_distance_is_the_least_of_all_boards_that_show_it() {
        for (goal, tiles) in [
            ("123456780", vec![1, 2, 3, 4]),
            ("123804765", vec![2, 7]),
            ("123456780", vec![8, 3, 5, 1, 6]),
        ] {
            let goal: Board = goal.parse().unwrap();
            let oracle = Oracle::for_goal(&goal).unwrap();
            let pattern = Pattern::new(&goal, &tiles).unwrap();
            let mut least = vec![UNREACHED; pattern.distances.len()];
            let boards: Vec<Board> = (0..181_440)
                .map(|i| oracle.space().unwrap().unrank(StateIndex(i)))
                .collect();
            for board in &boards {
                let (blank, arrangement) = pattern.index(board.tiles());
                let known = &mut least[blank * pattern.arrangements + arrangement];
                *known = (*known).min(oracle.distance(board).unwrap());
            }
            assert_eq!(pattern.distances, least);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let goal: Board = "123456780".parse().unwrap();
        let error = Pattern::new(&goal, &[9]).unwrap_err();
        assert!(error.to_string().contains("1 to 8"), "{error}");
        let large = crate::puzzle::UsualGoal::Last.board(Shape::new(5, 5).unwrap());
        let error = Pattern::new(&large, &(1..=20).collect::<Vec<_>>()).unwrap_err();
        assert!(error.to_string().contains("name fewer tiles"), "{error}");
    }
}
