//! Pattern databases.

use crate::basics::{available_memory, size_text};
use crate::puzzle::{Board, MAX_CELLS, Shape};

/// Why a pattern database cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The shape has no such tile.
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

/// Stands for an arrangement that no way leads to.
const NONE: u8 = u8::MAX;

/// The most memory for one database. Below it an arrangement's number fits 32 bits.
const MOST: u64 = 1 << 36;

/// Distances in an easier puzzle, in which only some tiles and the blank can be told apart
/// (Culberson and Schaeffer, 1996).
///
/// Its states lie on planes as those of [`build`](crate::bfs) do, one for each cell of the blank,
/// indexed by the places of the pattern's tiles in the order of all tiles: a number whose digits
/// are the places. So a horizontal move keeps the index, and a vertical one turns each digit by a
/// table. A byte a state and lists of the last level are enough here: a pattern is small.
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
    /// Of each tile, the weight of its digit; 0 if it is not in the pattern.
    weights: [u32; MAX_CELLS],
    /// Arrangements of a plane.
    arrangements: usize,
    /// By blank cell and arrangement.
    distances: Vec<u8>,
}

impl Pattern {
    /// Bytes of memory that it takes to make a pattern of so many tiles of a shape.
    pub fn memory(shape: Shape, tiles: usize) -> u64 {
        let places = shape.tiles() as u64;
        let arrangements = places.saturating_pow(tiles as u32);
        arrangements.saturating_mul(2 * shape.cells() as u64)
    }

    /// Searches the pattern of some tiles for a goal.
    ///
    /// # Errors
    /// [`PatternError`] if a tile is not one of the shape, or the memory does not suffice.
    pub fn new(goal: &Board, tiles: &[u8]) -> Result<Pattern, PatternError> {
        let shape = goal.shape();
        if let Some(&tile) = tiles
            .iter()
            .find(|&&t| t == 0 || usize::from(t) > shape.tiles())
        {
            return Err(PatternError::NoSuchTile { tile, shape });
        }
        let base = shape.tiles() as u64;
        let arrangements = base.saturating_pow(tiles.len() as u32);
        let needed = arrangements.saturating_mul(2 * shape.cells() as u64);
        let available = available_memory().unwrap_or(MOST).min(MOST);
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
            weights[usize::from(tile)] = base.pow(digit) as u32;
        }
        let arrangements = arrangements as usize;
        let mut pattern = Pattern {
            weights,
            arrangements,
            distances: vec![NONE; arrangements * shape.cells()],
        };
        pattern.search(goal, tiles.len());
        Ok(pattern)
    }

    /// The distance of a board of the goal's shape, by its tiles row by row.
    pub fn distance(&self, tiles: &[u8]) -> u32 {
        let (blank, arrangement) = self.place(tiles);
        u32::from(self.distances[blank * self.arrangements + arrangement])
    }

    /// The blank's cell, and the arrangement of the pattern's tiles.
    fn place(&self, tiles: &[u8]) -> (usize, usize) {
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
        let turns: Vec<Turn> = (0..cells - cols)
            .map(|upper| Turn::new(shape, upper, digits))
            .collect();
        let mut frontier: Vec<Vec<u32>> = vec![Vec::new(); cells];
        let (blank, arrangement) = self.place(goal.tiles());
        self.distances[blank * self.arrangements + arrangement] = 0;
        frontier[blank].push(arrangement as u32);
        for distance in 1..NONE {
            let mut next: Vec<Vec<u32>> = vec![Vec::new(); cells];
            for (blank, plane) in frontier.iter().enumerate() {
                let mut go = |to: usize, turn: &dyn Fn(u32) -> u32| {
                    let distances = &mut self.distances[to * self.arrangements..];
                    for &arrangement in plane {
                        let turned = turn(arrangement);
                        let known = &mut distances[turned as usize];
                        if *known == NONE {
                            *known = distance;
                            next[to].push(turned);
                        }
                    }
                };
                if blank % cols > 0 {
                    go(blank - 1, &|same| same);
                }
                if blank % cols < cols - 1 {
                    go(blank + 1, &|same| same);
                }
                if let Some(upper) = blank.checked_sub(cols) {
                    go(upper, &|arrangement| turns[upper].up.apply(arrangement));
                }
                if let Some(turn) = turns.get(blank) {
                    go(blank + cols, &|arrangement| turn.down.apply(arrangement));
                }
            }
            if next.iter().all(Vec::is_empty) {
                break;
            }
            frontier = next;
        }
    }
}

/// What the vertical moves between a cell and the one below it do to an arrangement.
struct Turn {
    down: Digits,
    up: Digits,
}

impl Turn {
    /// The tiles from the upper cell's place on, one row of them, turn by one place.
    fn new(shape: Shape, upper: usize, digits: usize) -> Turn {
        let last = upper + shape.cols() - 1;
        let down = |place: usize| match place {
            p if p == last => upper,
            p if (upper..last).contains(&p) => p + 1,
            p => p,
        };
        let up = |place: usize| match place {
            p if p == upper => last,
            p if (upper + 1..=last).contains(&p) => p - 1,
            p => p,
        };
        Turn {
            down: Digits::new(shape.tiles(), digits, down),
            up: Digits::new(shape.tiles(), digits, up),
        }
    }
}

/// A table for the low half of a number's digits and one for the high half.
struct Digits {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Digits {
    /// Every digit turned by `turn`.
    fn new(base: usize, digits: usize, turn: impl Fn(usize) -> usize) -> Digits {
        let table = |digits: usize| {
            let mut table = vec![0u32];
            let mut weight = 1;
            for _ in 0..digits {
                let higher = (0..base).flat_map(|digit| {
                    let turned = (turn(digit) * weight) as u32;
                    table.iter().map(move |&lower| lower + turned)
                });
                table = higher.collect();
                weight *= base;
            }
            (table, weight as u32)
        };
        let (low, weight) = table(digits / 2);
        let (mut high, _) = table(digits - digits / 2);
        high.iter_mut().for_each(|turned| *turned *= weight);
        Digits { low, high }
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

    /// The easier puzzle is the true one with boards taken together that differ only in the
    /// tiles left out: its distance is the least of theirs.
    #[test]
    fn a_pattern_s_distance_is_the_least_of_all_boards_that_show_it() {
        for (goal, tiles) in [
            ("123456780", vec![1, 2, 3, 4]),
            ("123804765", vec![2, 7]),
            ("123456780", vec![8, 3, 5, 1, 6]),
        ] {
            let goal: Board = goal.parse().unwrap();
            let oracle = Oracle::in_memory(&goal).unwrap();
            let pattern = Pattern::new(&goal, &tiles).unwrap();
            let mut least = vec![NONE; pattern.distances.len()];
            let boards: Vec<Board> = (0..181_440).map(|i| oracle.unrank(StateIndex(i))).collect();
            for board in &boards {
                let (blank, arrangement) = pattern.place(board.tiles());
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
