//! Pattern databases.

use std::collections::VecDeque;

use crate::basics::{available_memory, size_text};
use crate::puzzle::{Board, MAX_CELLS, Move, Shape};

use super::board_heuristic::HeuristicError;

/// The distance of arrangements that are not reached.
const UNREACHED: u8 = u8::MAX;

/// The largest memory for one database.
const MAX_MEMORY: u64 = 1 << 36;

/// A pattern database: the distances in an abstraction of the puzzle where only some tiles and the
/// blank are distinguished (Culberson and Schaeffer, 1996).
///
/// It has a byte for every arrangement of the pattern's tiles and the blank. The index of an arrangement is a number whose
/// digits are their cells, the blank's the lowest.
///
/// ```
/// use puzzledb::internals::Pattern;
///
/// let goal = "123456780".parse()?;
/// let pattern = Pattern::new(&goal, &[1, 2, 3])?;
/// assert_eq!(pattern.distance(goal.tiles()), 0);
/// assert_eq!(pattern.distance("123456708".parse::<puzzledb::puzzle::Board>()?.tiles()), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The weight of each tile's digit, the blank being tile 0; 0 for tiles outside the pattern.
    weights: [usize; MAX_CELLS],
    /// The distances by arrangement.
    distances: Vec<u8>,
}

impl Pattern {
    /// Returns the bytes of memory that making the database of a pattern of `tiles` tiles takes, at most.
    pub fn memory(shape: Shape, tiles: usize) -> u64 {
        let arrangements = (shape.cells() as u64).saturating_pow(tiles as u32 + 1);
        arrangements.saturating_mul(2) // with the arrangements of two levels
    }

    /// Makes the database of the pattern of `tiles` for a goal, by breadth-first search from it.
    ///
    /// # Errors
    /// [`HeuristicError`] if the shape does not have such a tile, or the memory does not suffice.
    pub fn new(goal: &Board, tiles: &[u8]) -> Result<Pattern, HeuristicError> {
        let shape = goal.shape();
        let is_none = |tile: &u8| *tile == 0 || usize::from(*tile) > shape.tiles();
        if let Some(tile) = tiles.iter().copied().find(is_none) {
            let why = format!(
                "the pattern has tile {tile}, and a {shape} board has the tiles 1 to {}",
                shape.tiles()
            );
            return Err(HeuristicError::Impossible { why });
        }
        let needed = Pattern::memory(shape, tiles.len());
        let available = available_memory().unwrap_or(MAX_MEMORY).min(MAX_MEMORY);
        if needed > available {
            let (tiles, needed, available) = (tiles.len(), size_text(needed), size_text(available));
            let why = format!(
                "a pattern database of {tiles} tiles of a {shape} board needs {needed} of memory, and this machine has \
                 {available} to spare: name fewer tiles"
            );
            return Err(HeuristicError::Impossible { why });
        }
        let mut weights = [0; MAX_CELLS];
        let mut weight = 1;
        for &tile in [0].iter().chain(tiles) {
            weights[usize::from(tile)] = weight;
            weight *= shape.cells();
        }
        let mut pattern = Pattern {
            weights,
            distances: vec![UNREACHED; weight],
        };
        pattern.search(goal);
        Ok(pattern)
    }

    /// Returns the pattern's distance on a board of the goal's shape, given by its tiles row by row.
    pub fn distance(&self, tiles: &[u8]) -> u32 {
        self.distances[self.index(tiles)].into()
    }

    /// Returns the index of the arrangement.
    fn index(&self, tiles: &[u8]) -> usize {
        let digits = tiles.iter().enumerate();
        digits
            .map(|(cell, &tile)| cell * self.weights[usize::from(tile)])
            .sum()
    }

    fn search(&mut self, goal: &Board) {
        let shape = goal.shape();
        let cells = shape.cells();
        let mut queue = VecDeque::from([self.index(goal.tiles())]);
        self.distances[queue[0]] = 0;
        while let Some(index) = queue.pop_front() {
            let (blank, distance) = (index % cells, self.distances[index].saturating_add(1));
            for to in Move::ALL.into_iter().filter_map(|mv| shape.step(blank, mv)) {
                // The tile in the cell `to`, if it is of the pattern, slides to the blank's.
                let weights = std::iter::successors(Some(cells), |weight| Some(weight * cells));
                let mut weights = weights.take_while(|weight| *weight < self.distances.len());
                let weight = weights.find(|weight| index / weight % cells == to);
                let weight = weight.unwrap_or(0);
                let after = index - blank + to + blank * weight - to * weight;
                if distance < self.distances[after] {
                    self.distances[after] = distance;
                    queue.push_back(after);
                }
            }
        }
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
                let known = &mut least[pattern.index(board.tiles())];
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
