//! Oracle with a table or with patterns.

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
    /// A search for every board.
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
    /// Limits the boards that a search visits: beyond that it fails with [`QueryError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(self, boards: u64) -> AnyOracle {
        match self {
            AnyOracle::Patterns(oracle) => AnyOracle::Patterns(oracle.visiting_at_most(boards)),
            table => table,
        }
    }

    /// Sets a flag that ends the work with [`QueryError::Cancelled`].
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> AnyOracle {
        match self {
            AnyOracle::Table(oracle) => AnyOracle::Table(oracle.with_cancel(cancel)),
            AnyOracle::Patterns(oracle) => AnyOracle::Patterns(oracle.with_cancel(cancel)),
        }
    }

    /// Returns the board at distance 0.
    pub fn goal(&self) -> &Board {
        match self {
            AnyOracle::Table(oracle) => oracle.goal(),
            AnyOracle::Patterns(oracle) => oracle.goal(),
        }
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal().shape()
    }

    /// Returns the oracle with a table; `None` for patterns.
    pub fn table(&self) -> Option<&Oracle> {
        match self {
            AnyOracle::Table(oracle) => Some(oracle),
            AnyOracle::Patterns(_) => None,
        }
    }

    /// Returns the length of a shortest solution, in moves.
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.distance(board),
            AnyOracle::Patterns(oracle) => oracle.distance(board),
        }
    }

    /// Returns a shortest solution.
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.solve(board),
            AnyOracle::Patterns(oracle) => oracle.solve(board),
        }
    }

    /// Returns a shortest solution and the number of them; `None` if a search takes
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

    /// Returns the first `kept` shortest solutions and the number of all. If finding all is
    /// [given up](AnyOracle::visiting_at_most), it returns one solution and `None`.
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

    /// Returns the number of shortest solutions of a board; 1, the empty one, for the goal.
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.count_solutions(board),
            AnyOracle::Patterns(oracle) => oracle.count_solutions(board),
        }
    }

    /// Returns every shortest solution; with patterns, the first million.
    pub fn solutions(
        &self,
        board: &Board,
    ) -> Result<Box<dyn Iterator<Item = Vec<Move>> + '_>, QueryError> {
        Ok(match self {
            AnyOracle::Table(oracle) => Box::new(oracle.solutions(board)?),
            AnyOracle::Patterns(oracle) => Box::new(oracle.solutions(board)?.into_iter()),
        })
    }

    /// Returns every move that leads one step closer to the goal, in move order; none at the goal.
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.optimal_moves(board),
            AnyOracle::Patterns(oracle) => oracle.optimal_moves(board),
        }
    }

    /// Returns the distance of a board and of every board one move away.
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        match self {
            AnyOracle::Table(oracle) => oracle.probe(board),
            AnyOracle::Patterns(oracle) => oracle.probe(board),
        }
    }
}
