//! Anytime searches, which end with the best solution found; their patterns, time and threads.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use puzzledb::Cancel;
use puzzledb::basics::all_cores;
use puzzledb::pattern::{Partition, Patterns, Solver};
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{
    AnytimeSettings, AnytimeSolution, BoardHeuristic, HeuristicName, Prover, anytime,
};
use puzzledb::space::SpaceError;

use super::database::Databases;
use super::error::CliError;
use super::interrupt;
use super::units::{UnitError, parse_time};
use super::waiting::progress;

/// A search for a goal that ends with the best solution that it has found.
#[derive(Clone, Debug)]
pub(super) struct Anytime {
    pub goal: Board,
    /// Solver that proves more than linear conflicts do: made by the first search that may take long.
    patterns: Arc<OnceLock<Solver>>,
    /// The patterns to make in memory.
    to_make: Option<Partition>,
}

/// Shortest time limit of a search for which patterns are made in memory, while beams look for solutions: those of 5x5
/// take 4 CPU seconds.
const WORTH_PATTERNS: Duration = Duration::from_secs(20);

/// Tiles of the patterns that are made in memory.
const PATTERN_TILES: usize = 6;

impl Anytime {
    /// Returns a search with patterns: those of a file, or patterns made in memory if the search may take long.
    pub(super) fn new(
        goal: Board,
        makes_patterns: bool,
        databases: &Databases,
    ) -> Result<Anytime, CliError> {
        let file = databases.patterns(None, &goal)?;
        let solver = file.and_then(|(file, _)| solver(file.patterns().clone(), &goal));
        let to_make = if makes_patterns && solver.is_none() {
            Partition::up_to(&goal, PATTERN_TILES).ok()
        } else {
            None
        };
        Ok(Anytime {
            goal,
            patterns: Arc::new(solver.map_or_else(OnceLock::new, OnceLock::from)),
            to_make,
        })
    }

    /// Makes the patterns, unless that is cancelled or there is too little memory.
    fn make_patterns(&self, cancel: &Cancel) -> Option<Solver> {
        let patterns = Patterns::build_observed(self.to_make.as_ref()?, cancel, |_| ()).ok()?;
        let solver = solver(patterns.into(), &self.goal)?;
        Some(self.patterns.get_or_init(|| solver).clone())
    }
}

/// A solver that shows its progress.
fn solver(patterns: Arc<Patterns>, goal: &Board) -> Option<Solver> {
    let solver = Solver::new(patterns, goal).ok()?;
    Some(solver.with_progress(Some(progress().clone())))
}

/// Time and threads of an anytime search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub within: Within,
    pub threads: NonZero<usize>,
}

impl Budget {
    /// Uses all cores, unless a number of threads is given.
    pub(super) fn new(within: Within, threads: Option<NonZero<usize>>) -> Budget {
        // The system is asked only if need be: that opens files, and each piece of a stream has a budget.
        let all = || NonZero::new(all_cores()).unwrap_or(NonZero::<usize>::MIN);
        let threads = threads.unwrap_or_else(all);
        Budget { within, threads }
    }

    /// Returns whether a search may take so long that patterns for it are worth making.
    pub(super) fn is_long(&self) -> bool {
        self.within.0.is_none_or(|time| time >= WORTH_PATTERNS)
    }

    /// Solves a board to a goal; shortens `first`, if it is given.
    pub(super) fn solve(
        &self,
        board: &Board,
        search: &Anytime,
        first: Option<&[Move]>,
    ) -> Result<AnytimeSolution, SpaceError> {
        let goal = &search.goal;
        let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal)
            .expect("it needs no database");
        let make = |cancel: &Cancel| search.make_patterns(cancel);
        let prover = match (search.patterns.get(), &search.to_make) {
            (Some(solver), _) => Prover::Patterns(solver),
            (None, Some(_)) => Prover::PatternsLater(&heuristic, &make),
            (None, None) => Prover::Heuristic(&heuristic),
        };
        let mut settings = AnytimeSettings::new(self.within.0);
        settings.threads = self.threads;
        settings.cancel = interrupt::flag().clone();
        settings.first = first.map(<[Move]>::to_vec);
        anytime(board, goal, prover, &settings, &|length, bound| {
            progress().find(length as u64);
            progress().prove(bound as u64);
        })
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
