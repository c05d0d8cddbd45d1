//! Reasons why there are no bounds on the expansions of a search.

use crate::oracle::{OracleError, QueryError};
use crate::puzzle::Board;
use crate::search::algorithm::Algorithm;

/// Reason why there are no bounds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EffortError {
    /// The bounds are not known for this algorithm.
    #[error("there are bounds for ucs, astar, idastar and bfs, not for {0}")]
    Algorithm(Algorithm),
    /// The space has too many states.
    #[error("the bounds are found by going through all states: {states} of them are too many")]
    TooLarge {
        /// Its reachable states.
        states: u64,
    },
    /// The heuristic is not consistent.
    #[error(
        "the heuristic is not consistent (from {from} to {to} it falls by more than 1), so a correct search may expand states again, and there are no bounds"
    )]
    Inconsistent {
        /// A board.
        from: Board,
        /// The board after a move.
        to: Board,
    },
    /// The heuristic is not 0 at the goal.
    #[error("the heuristic is not 0 at the goal, so it is not an estimate of the distance")]
    GoalValue,
    /// The board's distance cannot be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The distances from the board cannot be computed.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}
