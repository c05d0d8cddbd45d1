//! Result of an anytime search.

use crate::puzzle::Move;

/// A solution, and a lower bound of the shortest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnytimeSolution {
    /// The moves from the board to the goal.
    pub moves: Vec<Move>,
    /// Lower bound: no solution has fewer moves.
    pub lower_bound: usize,
}

impl AnytimeSolution {
    /// Returns whether it is proved that no solution is shorter.
    pub fn is_optimal(&self) -> bool {
        self.moves.len() == self.lower_bound
    }
}
