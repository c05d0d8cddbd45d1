//! What is proved of a distance that may not be known.

use crate::puzzle::Move;

/// The best solution of a board that was found in a time, and what is proved of its distance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// Length of a shortest solution; `None` where it is not proved.
    pub distance: Option<usize>,
    /// No solution has fewer moves.
    pub at_least: usize,
    /// Length of the best solution that was found.
    pub at_most: usize,
    /// That solution.
    pub moves: Vec<Move>,
}

impl Bounds {
    /// Returns the bounds of a board with a solution, where none has fewer than `at_least` moves.
    pub fn new(moves: Vec<Move>, at_least: usize) -> Bounds {
        let at_most = moves.len();
        Bounds {
            distance: (at_least >= at_most).then_some(at_most),
            at_least: at_least.min(at_most),
            at_most,
            moves,
        }
    }
}
