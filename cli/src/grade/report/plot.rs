//! Two plots over the distance as SVG for an HTML page: right answers, and time.
//!
//! The page's style sheet sets the colours of the classes `axis`, `right`, `wrong` and `mean`.

use std::fmt::{Formatter, Result};

use puzzledb::oracle::Optimum;

use super::content::Report;
use super::text::seconds_text;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 12.0;

/// The horizontal axis: one slot for each distance, from left to right.
struct Axis {
    slot: f64,
    slots: Vec<Optimum>,
}

impl Axis {
    fn new(report: &Report<'_>) -> Axis {
        let slots: Vec<_> = report.summary.by_distance.iter().map(|(d, _)| *d).collect();
        let slot = (WIDTH - LEFT - RIGHT) / slots.len().max(1) as f64;
        Axis { slot, slots }
    }

    /// The centre of a distance's slot.
    fn x(&self, optimum: Optimum) -> f64 {
        let place = self
            .slots
            .iter()
            .position(|slot| *slot == optimum)
            .unwrap_or(0);
        LEFT + self.slot * (place as f64 + 0.5)
    }

    /// Writes the distances below the plot, as many as can be read.
    fn draw(&self, f: &mut Formatter<'_>) -> Result {
        let every = (30.0 / self.slot).ceil().max(1.0) as usize;
        let last = self.slots.len().saturating_sub(1);
        let y = HEIGHT - BOTTOM + 18.0;
        for (i, optimum) in self.slots.iter().enumerate() {
            if i == last || i % every == 0 && last - i >= every {
                let name = match optimum {
                    Optimum::Known(distance) => distance.to_string(),
                    Optimum::Unsolvable => "none".to_owned(),
                    Optimum::Unknown => "?".to_owned(),
                };
                let x = self.x(*optimum);
                writeln!(
                    f,
                    r#"<text class="axis" x="{x:.1}" y="{y}" text-anchor="middle">{name}</text>"#
                )?;
            }
        }
        let (x, y) = (LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 4.0);
        let title = "distance (none: the board cannot be solved; ?: not known)";
        writeln!(
            f,
            r#"<text class="axis" x="{x}" y="{y}" text-anchor="middle">{title}</text>"#
        )
    }
}

fn begin(title: &str, f: &mut Formatter<'_>) -> Result {
    writeln!(
        f,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title>"#
    )
}

/// A horizontal grid line with its label at the left.
fn grid(y: f64, name: &str, f: &mut Formatter<'_>) -> Result {
    writeln!(
        f,
        r#"<path class="axis" d="M{LEFT} {y:.1}H{end}"/><text class="axis" x="{x}" y="{base:.1}" text-anchor="end">{name}</text>"#,
        end = WIDTH - RIGHT,
        x = LEFT - 8.0,
        base = y + 4.0,
    )
}

/// The percentage of right answers, one bar for each distance.
pub(super) fn shares(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let axis = Axis::new(report);
    let y = |percent: f64| TOP + (HEIGHT - BOTTOM - TOP) * (1.0 - percent / 100.0);
    begin("Right answers by distance", f)?;
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        grid(y(percent), &format!("{percent} %"), f)?;
    }
    for (optimum, figures) in &report.summary.by_distance {
        let percent = figures.percent();
        for (class, from, to) in [("right", 0.0, percent), ("wrong", percent, 100.0)] {
            if to > from {
                writeln!(
                    f,
                    r#"<rect class="{class}" x="{x:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"><title>distance {name}: {right} of {boards} right</title></rect>"#,
                    x = axis.x(*optimum) - axis.slot * 0.4,
                    top = y(to),
                    width = axis.slot * 0.8,
                    height = y(from) - y(to),
                    name = optimum,
                    right = figures.right,
                    boards = figures.boards,
                )?;
            }
        }
    }
    axis.draw(f)?;
    writeln!(f, "</svg>")
}

/// Time on a logarithmic scale: one dot for each board, one line for the mean of each distance.
pub(super) fn times(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let axis = Axis::new(report);
    let power = |seconds: f64| seconds.max(1e-6).log10();
    let powers = || report.grades.iter().map(|g| power(g.time.as_secs_f64()));
    let low = powers().fold(f64::INFINITY, f64::min).floor().min(0.0);
    let high = powers()
        .fold(f64::NEG_INFINITY, f64::max)
        .ceil()
        .max(low + 1.0);
    let y = |seconds: f64| {
        TOP + (HEIGHT - BOTTOM - TOP) * (1.0 - (power(seconds) - low) / (high - low))
    };
    begin("Time by distance", f)?;
    for exponent in low as i32..=high as i32 {
        let seconds = 10f64.powi(exponent);
        grid(y(seconds), &power_text(exponent), f)?;
    }
    for grade in report.grades {
        let class = if grade.outcome.is_right() {
            "right"
        } else {
            "wrong"
        };
        writeln!(
            f,
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="3"><title>{board}: {time}, {outcome}</title></circle>"#,
            x = axis.x(grade.optimum),
            y = y(grade.time.as_secs_f64()),
            board = grade.board,
            time = seconds_text(grade.time.as_secs_f64()),
            outcome = grade.outcome,
        )?;
    }
    for (optimum, figures) in &report.summary.by_distance {
        let (x, half) = (axis.x(*optimum), axis.slot * 0.4);
        let y = y(figures.mean_seconds);
        writeln!(
            f,
            r#"<path class="mean" d="M{:.1} {y:.1}H{:.1}"/>"#,
            x - half,
            x + half
        )?;
    }
    axis.draw(f)?;
    writeln!(f, "</svg>")
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
