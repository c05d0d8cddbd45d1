//! The summary of all judgements as text.

use std::fmt::Write;

use crate::text::plural;
use puzzledb::judge::{Reading, SummaryRecord, Tally, TallyRecord};

use super::super::output::push_json;

pub(super) fn json(tally: &Tally, unreadable: u64) -> String {
    let summary = SummaryRecord::from(TallyRecord::new(tally, unreadable));
    let mut line = String::new();
    push_json(&summary, &mut line);
    line
}

pub(super) fn text(tally: &Tally, unreadable: u64) -> String {
    let mut out = String::new();
    let (claims, right, undecided) = (tally.claims(), tally.right(), tally.undecided());
    let _ = write!(
        out,
        "{}: {right} right, {} wrong",
        plural(claims, "claim"),
        claims - right - undecided
    );
    if undecided > 0 {
        let _ = write!(out, ", {undecided} undecided");
    }
    if unreadable > 0 {
        let _ = write!(out, "; {unreadable} more could not be read");
    }
    out.push('\n');
    for (verdict, count) in tally.verdicts() {
        let _ = writeln!(out, "  {count:>9}  {verdict}");
    }
    if tally.distances().next().is_some() {
        let _ = writeln!(out, "distance     claims      right  right %  mean excess");
    }
    for (distance, at) in tally.distances() {
        #[allow(clippy::cast_precision_loss)]
        let percent = 100.0 * at.right as f64 / at.claims as f64;
        let excess = match at.right + at.suboptimal {
            0 => "-".to_owned(),
            _ => format!("{:.2}", at.mean_excess()),
        };
        let _ = writeln!(
            out,
            "{distance:>8}  {:>9}  {:>9}  {percent:>7.1}  {excess:>11}",
            at.claims, at.right
        );
    }
    out
}

/// The warning about paths that were read in different notations, if there are such.
pub(super) fn mixed(tally: &Tally) -> Option<String> {
    let count = |wanted| {
        let mut readings = tally.readings();
        readings
            .find(|&(reading, _)| reading == wanted)
            .map_or(0, |(_, count)| count)
    };
    let (blank, tile) = (count(Reading::Blank), count(Reading::Tile));
    let often = if tile > blank { "tile" } else { "blank" };
    let plural = |count| plural(count, "path");
    tally.mixes_directions().then(|| {
        format!(
            "two notations are mixed: {} read as moves of the blank, and {} reaching the goal only \
             as moves of the tiles; --moves {often} holds all to one",
            plural(blank),
            plural(tile)
        )
    })
}
