//! The histogram of distances as a picture.

use std::fmt::Write;

use super::stats::Stats;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 64.0;

/// Draws the number of states at each distance as an SVG picture of 960 x 540: bars, both axes,
/// mean.
///
/// Equal statistics give equal text; the picture needs no font but the viewer's own.
pub fn histogram_svg(stats: &Stats) -> String {
    let mut svg = String::new();
    draw(stats, &mut svg).expect("writing to a String cannot fail");
    svg
}

fn draw(stats: &Stats, svg: &mut String) -> std::fmt::Result {
    let most = stats.levels.iter().copied().max().unwrap_or(1);
    let step = tick_step(most);
    let top = most.div_ceil(step) * step;
    let (plot_width, plot_height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let slot = plot_width / stats.levels.len() as f64;
    let x = |distance: f64| LEFT + (distance + 0.5) * slot;
    let y = |states: u64| TOP + plot_height * (1.0 - states as f64 / top as f64);
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="15" fill="#333">
<title>States by distance, {shape} board, goal {goal}</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<text x="{LEFT}" y="36" font-size="22" font-weight="600">How far is a {shape} board from solved?</text>
<text x="{LEFT}" y="60" fill="#666">{states} boards by their distance from {goal}: mean {mean:.2}, largest {largest}</text>"##,
        shape = stats.shape,
        goal = stats.goal,
        states = grouped(stats.states),
        mean = stats.mean_distance,
        largest = stats.max_distance,
    )?;
    for tick in (0..=top / step).map(|i| i * step) {
        writeln!(
            svg,
            r##"<path d="M{LEFT} {y:.1}H{end}" stroke="#ddd"/><text x="{label}" y="{base:.1}" text-anchor="end" fill="#666">{tick}</text>"##,
            y = y(tick),
            end = WIDTH - RIGHT,
            label = LEFT - 8.0,
            base = y(tick) + 5.0,
            tick = grouped(tick),
        )?;
    }
    for (distance, &states) in (0u8..).zip(&stats.levels) {
        let middle = x(f64::from(distance));
        writeln!(
            svg,
            r##"<rect x="{left:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="1.5" fill="#2f6db5"><title>distance {distance}: {states} boards</title></rect>"##,
            left = middle - slot * 0.4,
            y = y(states),
            width = slot * 0.8,
            height = y(0) - y(states),
            distance = distance,
            states = grouped(states),
        )?;
        if distance % label_step(stats.max_distance) == 0 || distance == stats.max_distance {
            writeln!(
                svg,
                r##"<text x="{middle:.1}" y="{base}" text-anchor="middle" fill="#666">{distance}</text>"##,
                base = HEIGHT - BOTTOM + 22.0,
                distance = distance,
            )?;
        }
    }
    let mean = x(stats.mean_distance);
    writeln!(
        svg,
        r##"<path d="M{mean:.1} {TOP}V{bottom}" stroke="#c2410c" stroke-width="2" stroke-dasharray="5 4"/>
<text x="{label:.1}" y="{base}" text-anchor="end" fill="#c2410c">mean {value:.2}</text>
<text x="{centre}" y="{axis}" text-anchor="middle">distance (moves of a shortest solution)</text>
</svg>"##,
        bottom = HEIGHT - BOTTOM,
        label = mean - 8.0,
        base = TOP + 14.0,
        value = stats.mean_distance,
        centre = LEFT + plot_width / 2.0,
        axis = HEIGHT - 14.0,
    )
}

/// Returns a round distance of ticks that divides `most` into four to ten parts.
fn tick_step(most: u64) -> u64 {
    let power = 10u64.pow(most.max(1).ilog10());
    [power / 10, power / 5, power / 2, power, power * 2]
        .into_iter()
        .find(|&step| step > 0 && most / step < 10)
        .unwrap_or(1)
}

/// Returns the step of the labels: a distance is written under every bar whose distance is a
/// multiple of it.
fn label_step(max_distance: u8) -> u8 {
    match max_distance {
        0..16 => 1,
        16..80 => 5,
        _ => 10,
    }
}

/// Writes digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_ticks_are_round() {
        assert_eq!(
            ["1", "999", "1,000", "181,440"],
            [1, 999, 1000, 181_440].map(grouped)[..]
        );
        assert_eq!(
            [2, 44, 24_047, 133_107].map(tick_step),
            [1, 5, 5_000, 20_000]
        );
    }
}
