//! A table or patterns: whatever knows optimal distances.

use crate::basics::Cancel;
use crate::puzzle::{Board, Move, Shape};

use super::by_patterns::PatternOracle;
use super::error::{OracleError, QueryError};
use super::open::Oracle;
use super::optimum::Distances;
use super::oracles::ForAnyGoal;
use super::probe::Probe;

/// Optimal distances and solutions for one goal: by look-ups where there is a table, and else by a
/// search with pattern databases.
#[derive(Clone, Debug)]
pub enum AnyOracle {
    /// Look-ups.
    Table(Oracle),
    /// A search for every question.
    Patterns(PatternOracle),
}

impl Distances for AnyOracle {
    fn goal(&self) -> &Board {
        self.goal()
    }

    fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        self.distance(board)
    }

    fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        self.solve(board)
    }
}

impl ForAnyGoal for AnyOracle {
    fn for_goal(&self, goal: &Board) -> Result<AnyOracle, OracleError> {
        Ok(match self {
            AnyOracle::Table(oracle) => AnyOracle::Table(oracle.for_goal(goal)?),
            AnyOracle::Patterns(oracle) => AnyOracle::Patterns(oracle.for_goal(goal)?),
        })
    }
}

/// The methods have the errors of [`Oracle::distance`] and [`PatternOracle::distance`].
#[expect(clippy::missing_errors_doc)]
impl AnyOracle {
    /// The same, giving up a board whose search visits more boards: [`QueryError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(self, boards: u64) -> AnyOracle {
        match self {
            AnyOracle::Patterns(oracle) => AnyOracle::Patterns(oracle.visiting_at_most(boards)),
            table => table,
        }
    }

    /// The same, with a flag that ends its work: [`QueryError::Cancelled`].
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> AnyOracle {
        match self {
            AnyOracle::Table(oracle) => AnyOracle::Table(oracle.with_cancel(cancel)),
            AnyOracle::Patterns(oracle) => AnyOracle::Patterns(oracle.with_cancel(cancel)),
        }
    }

    /// The board at distance 0.
    pub fn goal(&self) -> &Board {
        match self {
            AnyOracle::Table(oracle) => oracle.goal(),
            AnyOracle::Patterns(oracle) => oracle.goal(),
        }
    }

    /// The shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal().shape()
    }

    /// The oracle with a table, if it is one.
    pub fn table(&self) -> Option<&Oracle> {
        match self {
            AnyOracle::Table(oracle) => Some(oracle),
            AnyOracle::Patterns(_) => None,
        }
    }

    /// The length of a shortest solution, in moves.
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.distance(board),
            AnyOracle::Patterns(oracle) => oracle.distance(board),
        }
    }

    /// A shortest solution.
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.solve(board),
            AnyOracle::Patterns(oracle) => oracle.solve(board),
        }
    }

    /// A shortest solution, and how many there are; `None` where a search takes
    /// [too long](PatternOracle::counting_at_most) to count them.
    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, Option<u64>), QueryError> {
        match self {
            AnyOracle::Table(oracle) => {
                let moves = oracle.solve(board)?;
                Ok((moves, Some(oracle.count_solutions(board)?)))
            }
            AnyOracle::Patterns(oracle) => oracle.solve_and_count(board),
        }
    }

    /// The first `kept` shortest solutions, and how many there are; only one, and `None`, where finding all is
    /// [given up](AnyOracle::visiting_at_most).
    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        match self {
            AnyOracle::Table(oracle) => {
                let first = oracle.solutions(board)?.take(kept).collect();
                Ok((first, Some(oracle.count_solutions(board)?)))
            }
            AnyOracle::Patterns(oracle) => oracle.first_solutions(board, kept),
        }
    }

    /// How many shortest solutions a board has; 1, the empty one, for the goal.
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.count_solutions(board),
            AnyOracle::Patterns(oracle) => oracle.count_solutions(board),
        }
    }

    /// Every shortest solution; with patterns, the first million.
    pub fn solutions(
        &self,
        board: &Board,
    ) -> Result<Box<dyn Iterator<Item = Vec<Move>> + '_>, QueryError> {
        Ok(match self {
            AnyOracle::Table(oracle) => Box::new(oracle.solutions(board)?),
            AnyOracle::Patterns(oracle) => Box::new(oracle.solutions(board)?.into_iter()),
        })
    }

    /// Every move that leads one step closer to the goal, in move order; none at the goal.
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.optimal_moves(board),
            AnyOracle::Patterns(oracle) => oracle.optimal_moves(board),
        }
    }

    /// The distance of a board and of every board one move away.
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.probe(board),
            AnyOracle::Patterns(oracle) => oracle.probe(board),
        }
    }
}
