//! Choice of the solver for a board.

use std::fmt;

use crate::text::plural;
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Shape;
use puzzledb::search::AnytimeSolution;
use puzzledb::space::MAX_DATABASE_CELLS;

use super::super::anytime::Anytime;
use super::super::error::CliError;
use super::super::last_oracle::LastOracle;

/// Solver for the boards of a shape.
pub(in super::super) enum Solver<'a> {
    /// A table or patterns, which give shortest solutions.
    Exact(&'a Oracle),
    /// A search that ends with the best solution that it has found.
    Anytime(Anytime),
}

impl<'a> Solver<'a> {
    /// The solver for boards of a shape: an oracle, up to the shapes that patterns solve, or else a search, with
    /// patterns from a file or, if that is worth while, made in memory.
    pub(in super::super) fn of(
        oracles: &'a mut LastOracle<'_>,
        shape: Shape,
        makes_patterns: bool,
    ) -> Result<Solver<'a>, CliError> {
        let goal = oracles.goal(shape, None)?;
        Ok(match goal.shape().cells() {
            ..=MAX_DATABASE_CELLS => Solver::Exact(oracles.get(shape, Some(goal))?),
            _ => Solver::Anytime(oracles.anytime(goal, makes_patterns)?),
        })
    }
}

/// The length of a solution and the proved bound: `118 moves, at least 104`.
pub(in super::super) struct Length<'a>(pub &'a AnytimeSolution);

impl fmt::Display for Length<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = plural(self.0.moves.len() as u64, "move");
        if self.0.is_optimal() {
            write!(f, "{moves}, the fewest")
        } else {
            write!(f, "{moves}, at least {}", self.0.lower_bound)
        }
    }
}
