//! Anytime searches, which end with the best solution found.

use std::num::NonZero;
use std::time::Duration;

use puzzledb::search::AnytimeSettings;

use super::build::threads;
use super::interrupt::INTERRUPTED;
use crate::units::parse_time;

/// The settings of an anytime search that ends with Ctrl-C: on all cores, unless a number of threads is given.
pub(super) fn settings(within: Within, asked: Option<NonZero<usize>>) -> AnytimeSettings {
    let mut settings = AnytimeSettings::new(within);
    settings.threads = NonZero::new(threads(asked)).unwrap_or(settings.threads);
    settings.cancel = INTERRUPTED.clone();
    settings
}

/// The time of a search, if it has a limit. The parser of arguments takes it for one value.
pub(super) type Within = Option<Duration>;

/// Reads a time, or `forever`.
pub(super) fn parse_within(text: &str) -> Result<Within, String> {
    match text {
        "forever" => Ok(None),
        time => parse_time(time).map(Some),
    }
}
