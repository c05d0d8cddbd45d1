//! Time and threads of anytime searches, which end with the best solution found.

use std::num::NonZero;
use std::str::FromStr;
use std::time::Duration;

use puzzledb::Oracle;
use puzzledb::basics::all_cores;
use puzzledb::oracle::{Bounds, QueryError};
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::AnytimeSettings;

use super::interrupt;
use super::units::parse_time;

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

    /// Solves a board; shortens `first`, if it is given. `makes_patterns` lets a long search make patterns.
    pub(super) fn solve(
        &self,
        board: &Board,
        oracle: &Oracle,
        makes_patterns: bool,
        first: Option<&[Move]>,
    ) -> Result<Bounds, QueryError> {
        let mut settings = AnytimeSettings::new(self.within.0);
        settings.threads = self.threads;
        settings.cancel = interrupt::flag().clone();
        settings.first = first.map(<[Move]>::to_vec);
        settings.makes_patterns = makes_patterns && settings.is_long();
        oracle.solve_within(board, &settings)
    }
}

/// A time, or `forever`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Within(Option<Duration>);

impl FromStr for Within {
    type Err = String;

    fn from_str(text: &str) -> Result<Within, String> {
        match text {
            "forever" => Ok(Within(None)),
            time => parse_time(time).map(|time| Within(Some(time))),
        }
    }
}
