//! The histogram of distances as a picture.

use indicatif::HumanCount;

use puzzledb::oracle::StatsRecord;

use crate::plot::{BOTTOM, LEFT, Plot, WIDTH};

/// Height of the picture, and of the texts above the bars.
const HEIGHT: f64 = 540.0;
const TOP: f64 = 84.0;

/// Draws the number of states at each distance as an SVG picture of 960 x 540: bars, both axes, mean.
///
/// Equal statistics give equal text; the picture needs no font but the viewer's own.
pub(super) fn histogram(stats: &StatsRecord) -> String {
    let (shape, goal, mean) = (stats.shape, stats.goal, stats.mean_distance);
    let (states, largest) = (HumanCount(stats.states), stats.max_distance);
    let style = r##" font-family="system-ui, sans-serif" font-size="15" fill="#333""##;
    let title = format!("States by distance, {shape} board, goal {goal}");
    let mut plot = Plot::new(HEIGHT, TOP, stats.histogram.len(), style, &title);
    plot.write(format_args!(
        r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##
    ));
    let question = format!("How far is a {shape} board from solved?");
    plot.text(LEFT, 36, r#" font-size="22" font-weight="600""#, &question);
    let about =
        format!("{states} boards by their distance from {goal}: mean {mean:.2}, largest {largest}");
    plot.text(LEFT, 60, r##" fill="#666""##, &about);
    let most = (stats.histogram.iter().map(|row| row.states).max()).unwrap_or(1);
    let step = tick_step(most);
    let ticks = most.div_ceil(step);
    let share = |states: u64| states as f64 / (ticks * step) as f64;
    for tick in (0..=ticks).map(|i| i * step) {
        plot.grid(share(tick), &HumanCount(tick).to_string());
    }
    for (distance, row) in stats.histogram.iter().enumerate() {
        let states = row.states;
        let about = format!("distance {distance}: {} boards", HumanCount(states));
        let blue = r##" rx="1.5" fill="#2f6db5""##;
        plot.bar(distance, 0.0..share(states), blue, &about);
        plot.label(distance, &distance.to_string());
    }
    let (x, bottom) = (plot.x(mean), HEIGHT - BOTTOM);
    plot.write(format_args!(
        r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#c2410c" stroke-width="2" stroke-dasharray="5 4"/>"##
    ));
    let (x, style) = (x - 8.0, r##" text-anchor="end" fill="#c2410c""##);
    let about = format!("mean {mean:.2}");
    plot.text(format_args!("{x:.1}"), TOP + 14.0, style, &about);
    plot.finish("distance (moves of a shortest solution)")
}

/// Returns a round distance of ticks that divides `most` into four to ten parts.
fn tick_step(most: u64) -> u64 {
    let power = 10u64.pow(most.max(1).ilog10());
    let mut steps = [power / 10, power / 5, power / 2, power, power * 2].into_iter();
    let step = steps.find(|&step| step > 0 && most / step < 10);
    step.unwrap_or(1)
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
