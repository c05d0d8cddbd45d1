//! Which solver answers a board.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::time::Duration;

use crate::basics::{all_cores, plural};
use crate::oracle::AnyOracle;
use crate::puzzle::{Board, Move, Shape};
use crate::search::{AnytimeSettings, AnytimeSolution, BoardHeuristic, HeuristicName, anytime};
use crate::space::SpaceError;

use super::super::error::CliError;
use super::super::interrupt;
use super::super::last_oracle::LastOracle;
use super::super::units::{UnitError, parse_time};

/// What answers the boards of a shape.
pub(in super::super) enum Solver<'a> {
    /// A table or patterns, which give shortest solutions.
    Exact(&'a AnyOracle),
    /// A search for this goal, which ends with the best solution that it has found.
    Anytime(Board),
}

impl<'a> Solver<'a> {
    /// The solver for boards of a shape: an oracle, up to the shapes that patterns solve.
    pub(in super::super) fn of(
        oracles: &'a mut LastOracle<'_>,
        shape: Shape,
    ) -> Result<Solver<'a>, CliError> {
        let goal = oracles.goal(shape, None)?;
        let table = oracles.get_if_available(&goal)?;
        Ok(table.map_or(Solver::Anytime(goal), Solver::Exact))
    }
}

/// How long an anytime search may take, and on how many threads.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Effort {
    pub within: Within,
    pub threads: NonZero<usize>,
}

impl Effort {
    /// All cores, unless a number of threads is named.
    pub(in super::super) fn new(within: Within, threads: Option<NonZero<usize>>) -> Effort {
        let all = NonZero::new(all_cores()).unwrap_or(NonZero::<usize>::MIN);
        let threads = threads.unwrap_or(all);
        Effort { within, threads }
    }

    /// Solves a board to a goal; shortens `first`, if it is given.
    pub(in super::super) fn solve(
        &self,
        board: &Board,
        goal: &Board,
        first: Option<&[Move]>,
    ) -> Result<AnytimeSolution, SpaceError> {
        let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal);
        let heuristic = heuristic.expect("it needs no database");
        let mut settings = AnytimeSettings::new(self.within.0);
        settings.threads = self.threads;
        anytime(board, goal, &heuristic, first, &settings, &interrupt::go_on)
    }
}

/// A time, or `forever`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Within(Option<Duration>);

impl FromStr for Within {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Within, UnitError> {
        match text {
            "forever" => Ok(Within(None)),
            time => parse_time(time).map(|time| Within(Some(time))),
        }
    }
}

/// The length of a solution and what is proved of it: `118 moves, at least 104`.
pub(in super::super) struct Length<'a>(pub &'a AnytimeSolution);

impl fmt::Display for Length<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = plural(self.0.moves.len() as u64, "move");
        match self.0.is_optimal() {
            true => write!(f, "{moves}, the fewest"),
            false => write!(f, "{moves}, at least {}", self.0.lower_bound),
        }
    }
}
