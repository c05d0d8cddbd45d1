//! The histogram of distances as a picture.

use indicatif::HumanCount;

use puzzledb::oracle::StatsRecord;

use crate::plot::{Layout, Plot};

const LAYOUT: Layout = Layout {
    width: 960.0,
    height: 540.0,
    left: 84.0,
    right: 24.0,
    top: 84.0,
    bottom: 64.0,
    font: 15.0,
    axis_text: r##" fill="#666""##,
    axis_line: r##" stroke="#ddd""##,
};

/// Draws the number of states at each distance as an SVG picture of 960 x 540: bars, both axes, mean.
///
/// Equal statistics give equal text; the picture needs no font but the viewer's own.
pub(super) fn histogram(stats: &StatsRecord) -> String {
    let (shape, goal, mean) = (stats.shape, stats.goal, stats.mean_distance);
    let (states, largest) = (HumanCount(stats.states), stats.max_distance);
    let (width, height, left, top) = (LAYOUT.width, LAYOUT.height, LAYOUT.left, LAYOUT.top);
    let style = r##" font-family="system-ui, sans-serif" font-size="15" fill="#333""##;
    let title = format!("States by distance, {shape} board, goal {goal}");
    let mut plot = Plot::new(LAYOUT, stats.histogram.len(), style, &title);
    plot.write(format_args!(
        r##"<rect width="{width}" height="{height}" fill="#fff"/>"##
    ));
    let question = format!("How far is a {shape} board from solved?");
    plot.text(left, 36, r#" font-size="22" font-weight="600""#, &question);
    let about =
        format!("{states} boards by their distance from {goal}: mean {mean:.2}, largest {largest}");
    plot.text(left, 60, r##" fill="#666""##, &about);
    let most = (stats.histogram.iter().map(|row| row.states).max()).unwrap_or(1);
    let step = tick_step(most);
    let ticks = most.div_ceil(step);
    let share = |states: u64| states as f64 / (ticks * step) as f64;
    for tick in (0..=ticks).map(|i| i * step) {
        plot.grid(share(tick), &HumanCount(tick).to_string());
    }
    let labels = label_step(stats.histogram.len());
    for (distance, row) in stats.histogram.iter().enumerate() {
        let states = row.states;
        let about = format!("distance {distance}: {} boards", HumanCount(states));
        let blue = r##" rx="1.5" fill="#2f6db5""##;
        plot.bar(distance, 0.0..share(states), blue, &about);
        if distance % labels == 0 || distance + 1 == stats.histogram.len() {
            plot.label(distance, &distance.to_string());
        }
    }
    let (x, bottom) = (plot.x(mean), height - LAYOUT.bottom);
    plot.write(format_args!(
        r##"<path d="M{x:.1} {top}V{bottom}" stroke="#c2410c" stroke-width="2" stroke-dasharray="5 4"/>"##
    ));
    let (x, style) = (x - 8.0, r##" text-anchor="end" fill="#c2410c""##);
    let about = format!("mean {mean:.2}");
    plot.text(format_args!("{x:.1}"), top + 14.0, style, &about);
    let (centre, axis) = (
        left + (width - left - LAYOUT.right) / 2.0,
        r#" text-anchor="middle""#,
    );
    let about = "distance (moves of a shortest solution)";
    plot.text(centre, height - 14.0, axis, about);
    plot.finish()
}

/// Returns a round distance of ticks that divides `most` into four to ten parts.
fn tick_step(most: u64) -> u64 {
    let power = 10u64.pow(most.max(1).ilog10());
    [power / 10, power / 5, power / 2, power, power * 2]
        .into_iter()
        .find(|&step| step > 0 && most / step < 10)
        .unwrap_or(1)
}

/// Returns the step of the labels for a number of distances: one is written under every bar whose distance is a
/// multiple of it.
fn label_step(distances: usize) -> usize {
    match distances {
        ..=16 => 1,
        17..=80 => 5,
        _ => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_ticks_are_round() {
        assert_eq!(
            ["1", "999", "1,000", "181,440"],
            [1, 999, 1000, 181_440].map(|number| HumanCount(number).to_string())[..]
        );
        assert_eq!(
            [2, 44, 24_047, 133_107].map(tick_step),
            [1, 5, 5_000, 20_000]
        );
    }
}
