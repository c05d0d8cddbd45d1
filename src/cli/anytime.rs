//! The searches that end with the best solution that they have found, and what they may use.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::basics::all_cores;
use crate::pattern::{Partition, Patterns, Solver};
use crate::puzzle::{Board, Move};
use crate::search::{
    AnytimeSettings, AnytimeSolution, BoardHeuristic, HeuristicName, Prover, anytime,
};
use crate::space::SpaceError;

use super::database::Databases;
use super::error::CliError;
use super::interrupt;
use super::units::{UnitError, parse_time};
use super::waiting::progress;

/// A search for a goal that ends with the best solution that it has found.
#[derive(Clone, Debug)]
pub(super) struct Anytime {
    pub goal: Board,
    /// What proves more than linear conflicts do.
    patterns: Option<Solver>,
}

impl From<Board> for Anytime {
    fn from(goal: Board) -> Anytime {
        let patterns = None;
        Anytime { goal, patterns }
    }
}

/// Patterns are made in memory where a search may take this long or longer: those of 5x5 take 4 CPU seconds.
const WORTH_PATTERNS: Duration = Duration::from_secs(30);

/// Tiles of the patterns that are made in memory.
const PATTERN_TILES: usize = 6;

impl Anytime {
    /// A search with patterns: those of a file, or such as are made in memory if the search may take long.
    pub(super) fn new(
        goal: Board,
        makes_patterns: bool,
        databases: &Databases,
    ) -> Result<Anytime, CliError> {
        let patterns = match databases.patterns(None, &goal)? {
            Some((file, _)) => Some(file.patterns().clone()),
            None if makes_patterns => Partition::up_to(&goal, PATTERN_TILES)
                .ok()
                .and_then(|partition| Patterns::build(&partition).ok())
                .map(Arc::new),
            None => None,
        };
        let solver = patterns.and_then(|patterns| Solver::new(patterns, &goal).ok());
        let patterns = solver.map(|solver| solver.telling(Some(progress().clone())));
        Ok(Anytime { goal, patterns })
    }
}

/// How long an anytime search may take, and on how many threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub within: Within,
    pub threads: NonZero<usize>,
}

impl Effort {
    /// All cores, unless a number of threads is named.
    pub(super) fn new(within: Within, threads: Option<NonZero<usize>>) -> Effort {
        let all = NonZero::new(all_cores()).unwrap_or(NonZero::<usize>::MIN);
        let threads = threads.unwrap_or(all);
        Effort { within, threads }
    }

    /// May a search take so long that patterns for it are worth making?
    pub(super) fn is_long(&self) -> bool {
        self.within.0.is_none_or(|time| time >= WORTH_PATTERNS)
    }

    /// Solves a board to a goal; shortens `first`, if it is given.
    pub(super) fn solve(
        &self,
        board: &Board,
        Anytime { goal, patterns }: &Anytime,
        first: Option<&[Move]>,
    ) -> Result<AnytimeSolution, SpaceError> {
        let heuristic;
        let prover = match patterns {
            Some(solver) => Prover::Patterns(solver),
            None => {
                heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal)
                    .expect("it needs no database");
                Prover::Heuristic(&heuristic)
            }
        };
        let mut settings = AnytimeSettings::new(self.within.0);
        settings.threads = self.threads;
        let go_on = |length, bound| {
            progress().find(length as u64);
            progress().prove(bound as u64);
            interrupt::go_on()
        };
        anytime(board, goal, prover, first, &settings, &go_on)
    }
}

/// A time, or `forever`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Within(Option<Duration>);

impl FromStr for Within {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Within, UnitError> {
        match text {
            "forever" => Ok(Within(None)),
            time => parse_time(time).map(|time| Within(Some(time))),
        }
    }
}
