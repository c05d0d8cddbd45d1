//! Anytime searches, which end with the best solution found.

use std::num::NonZero;
use std::str::FromStr;
use std::time::Duration;

use puzzledb::internals::basics::all_cores;
use puzzledb::search::AnytimeSettings;

use super::interrupt;
use crate::units::parse_time;

/// The settings of an anytime search that ends with Ctrl-C: on all cores, unless a number of threads is given.
pub(super) fn settings(within: Within, threads: Option<NonZero<usize>>) -> AnytimeSettings {
    let all = || NonZero::new(all_cores()).unwrap_or(NonZero::<usize>::MIN);
    let mut settings = AnytimeSettings::new(within.0);
    settings.threads = threads.unwrap_or_else(all);
    settings.cancel = interrupt::flag().clone();
    settings
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
