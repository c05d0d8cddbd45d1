//! What an anytime search finds.

use crate::puzzle::Move;

/// A solution, and what is proved of the shortest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnytimeSolution {
    /// The moves from the board to the goal.
    pub moves: Vec<Move>,
    /// No solution has fewer moves.
    pub lower_bound: usize,
}

impl AnytimeSolution {
    /// Is it proved that no solution is shorter?
    pub fn is_optimal(&self) -> bool {
        self.moves.len() == self.lower_bound
    }
}
