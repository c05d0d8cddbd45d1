//! Two plots over the distance as SVG for an HTML page: right answers, and time.
//!
//! The page's style sheet sets the colours of the axes and of the classes `right`, `wrong` and `mean`.

use puzzledb::oracle::Optimum;

use crate::plot::Plot;
use crate::text::time_text;

use super::Report;

/// A plot with a slot for each distance, and the distances below it.
fn draw(report: &Report<'_>, title: &str, marks: impl FnOnce(&mut Plot)) -> String {
    let by_distance = &report.summary.by_distance;
    let mut plot = Plot::new(284.0, 12.0, by_distance.len(), "", title);
    marks(&mut plot);
    for (i, (optimum, _)) in by_distance.iter().enumerate() {
        let name = match optimum {
            Optimum::Known(distance) => &distance.to_string(),
            Optimum::Unsolvable => "none",
            Optimum::Unknown => "?",
        };
        plot.label(i, name);
    }
    plot.finish("distance (none: the board cannot be solved; ?: not known)")
}

/// The attribute of what stands for answers.
fn class(is_right: bool) -> &'static str {
    [r#" class="wrong""#, r#" class="right""#][usize::from(is_right)]
}

/// The percentage of right answers, one bar for each distance.
pub(super) fn shares(report: &Report<'_>) -> String {
    draw(report, "Right answers by distance", |plot| {
        for percent in [0, 25, 50, 75, 100] {
            plot.grid(f64::from(percent) / 100.0, &format!("{percent} %"));
        }
        for (i, (optimum, figures)) in report.summary.by_distance.iter().enumerate() {
            let Some(percent) = figures.percent() else {
                continue;
            };
            let (share, right, boards) = (percent / 100.0, figures.right, figures.boards);
            let about = format!("distance {optimum}: {right} of {boards} right");
            for (is_right, shares) in [(true, 0.0..share), (false, share..1.0)] {
                if !shares.is_empty() {
                    plot.bar(i, shares, class(is_right), &about);
                }
            }
        }
    })
}

/// Time on a logarithmic scale: one dot for each board, one line for the mean of each distance.
pub(super) fn times(report: &Report<'_>) -> String {
    let power = |seconds: f64| seconds.max(1e-6).log10();
    let powers = || report.grades.iter().map(|g| power(g.time.as_secs_f64()));
    let low = powers().fold(f64::INFINITY, f64::min).floor().min(0.0);
    let high = powers().fold(f64::NEG_INFINITY, f64::max);
    let high = high.ceil().max(low + 1.0);
    let share = |power: f64| (power - low) / (high - low);
    let by_distance = &report.summary.by_distance;
    draw(report, "Time by distance", |plot| {
        for exponent in low as i32..=high as i32 {
            plot.grid(share(exponent.into()), &power_text(exponent));
        }
        for grade in &report.grades {
            let (board, outcome, time) = (grade.board, &grade.outcome, grade.time);
            let about = format!("{board}: {}, {outcome}", time_text(time));
            let is_its = |(optimum, _): &_| *optimum == grade.optimum;
            let slot = by_distance.iter().position(is_its).unwrap_or(0);
            let share = share(power(time.as_secs_f64()));
            plot.point(slot, share, class(outcome.is_right()), &about);
        }
        for (i, (_, figures)) in by_distance.iter().enumerate() {
            plot.mark(i, share(power(figures.mean_seconds)), r#" class="mean""#);
        }
    })
}

/// The label of a power of ten of seconds.
fn power_text(exponent: i32) -> String {
    match exponent {
        ..=-4 => format!("{} µs", 10u32.pow((exponent + 6).max(0) as u32)),
        -3..0 => format!("{} ms", 10u32.pow((exponent + 3) as u32)),
        0..10 => format!("{} s", 10u64.pow(exponent as u32)),
        _ => format!("10^{exponent} s"),
    }
}
