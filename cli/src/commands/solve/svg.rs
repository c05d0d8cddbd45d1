//! A solution as an animated picture.

use std::fmt::Write;

use puzzledb::puzzle::{Board, Move};

use crate::xml::escaped;

/// Side of a cell, and the space around the board.
const CELL: usize = 72;
const MARGIN: usize = 24;

/// Seconds before the first move, of each move, and after the last.
const BEFORE: f64 = 1.5;
const MOVE: f64 = 0.55;
const AFTER: f64 = 3.0;

/// Share of a move's time in which the tile slides.
const SLIDE: f64 = 0.5;

/// Width of the bars of all distances together, and of the space between board and bars.
const BARS: usize = 420;
const BETWEEN: usize = 48;

const STYLE: &str = "\
text{font-family:system-ui,sans-serif;fill:#334155}
.tile rect{fill:#2f6db5}.tile text{fill:#fff;font-weight:600;text-anchor:middle}
.frame{fill:#e2e8f0}.bar{fill:#cbd5e1}.now{visibility:hidden}
@media(prefers-color-scheme:dark){text{fill:#cbd5e1}.frame{fill:#1e293b}.bar{fill:#334155}.tile text{fill:#fff}}
@media(prefers-reduced-motion:reduce){*{animation:none!important}.first{visibility:visible}}
";

/// The times at which something changes, and the keyframes of a picture that plays again and again.
struct Clock {
    moves: usize,
    style: String,
}

impl Clock {
    fn seconds(&self) -> f64 {
        BEFORE + MOVE * self.moves as f64 + AFTER
    }

    /// The share of the whole time at which a move begins, from 0 to 100; a fraction of a move may be added.
    fn percent(&self, moves: f64) -> f64 {
        (BEFORE + MOVE * moves) / self.seconds() * 100.0
    }

    /// Writes an animation: the value of a property at the beginning, and each later value with its place.
    fn animate(&mut self, name: &str, property: &str, first: &str, later: &[(f64, String)]) {
        let seconds = self.seconds();
        // Something is visible, or it is not.
        let pace = if property == "visibility" {
            "step-end"
        } else {
            "ease"
        };
        let style = &mut self.style;
        let _ = write!(style, "@keyframes {name}{{0%{{{property}:{first}}}");
        for (place, value) in later {
            let _ = write!(style, "{place:.2}%{{{property}:{value}}}");
        }
        let _ = writeln!(
            style,
            "}}\n.{name}{{animation:{name} {seconds:.2}s {pace} infinite}}"
        );
    }
}

/// Draws the board whose tiles slide along `moves`; beside it, if the number of boards at each distance is known, a bar
/// for each distance that lights up on the way to the goal. It plays again and again, and stands still where a person
/// asks for less motion.
pub(super) fn picture(board: &Board, moves: &[Move], levels: &[u64]) -> String {
    let mut clock = Clock {
        moves: moves.len(),
        style: STYLE.to_owned(),
    };
    let (rows, cols) = (board.shape().rows(), board.shape().cols());
    let (wide, high) = (cols * CELL, rows * CELL);
    let mut body = format!(
        "<rect class=\"frame\" x=\"{x}\" y=\"{x}\" width=\"{w}\" height=\"{h}\" rx=\"10\"/>\n",
        x = MARGIN - 6,
        w = wide + 12,
        h = high + 12
    );
    tiles(board, moves, &mut clock, &mut body);
    let mut width = wide + 2 * MARGIN;
    if levels.len() > moves.len() {
        bars(
            moves.len(),
            levels,
            (width + BETWEEN - MARGIN, high),
            &mut clock,
            &mut body,
        );
        width += BETWEEN + BARS;
    }
    let about = escaped(&format!("{board} solved in {} moves", moves.len()));
    let (height, style) = (high + 2 * MARGIN, clock.style);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{about}</title>\n<style>\n{style}</style>\n{body}</svg>\n"
    )
}

/// Draws the tiles and where each of them slides.
fn tiles(board: &Board, moves: &[Move], clock: &mut Clock, body: &mut String) {
    let cols = board.shape().cols();
    let place = |cell: usize| {
        format!(
            "translate({}px,{}px)",
            MARGIN + cell % cols * CELL,
            MARGIN + cell / cols * CELL
        )
    };
    let mut slides: Vec<Vec<(f64, String)>> = vec![Vec::new(); board.shape().cells()];
    let mut now = *board;
    for (i, &mv) in moves.iter().enumerate() {
        let Some(next) = now.slide(mv) else { break };
        let (from, to) = (next.blank(), now.blank());
        let slide = &mut slides[usize::from(next.tiles()[to])];
        slide.push((clock.percent(i as f64), place(from)));
        slide.push((clock.percent(i as f64 + SLIDE), place(to)));
        now = next;
    }
    for (cell, &tile) in board
        .tiles()
        .iter()
        .enumerate()
        .filter(|(_, tile)| **tile > 0)
    {
        let name = format!("t{tile}");
        let last = slides[usize::from(tile)]
            .last()
            .map_or(place(cell), |last| last.1.clone());
        slides[usize::from(tile)].push((100.0, last));
        clock.animate(&name, "transform", &place(cell), &slides[usize::from(tile)]);
        let (side, middle, base) = (CELL - 6, CELL / 2, CELL / 2 + 10);
        let _ = writeln!(
            body,
            "<g class=\"tile {name}\" style=\"transform:{at}\"><rect x=\"3\" y=\"3\" width=\"{side}\" height=\"{side}\" \
             rx=\"8\"/><text x=\"{middle}\" y=\"{base}\" font-size=\"30\">{tile}</text></g>",
            at = place(cell)
        );
    }
}

/// Draws the number of boards at each distance, lights up those on the way, and writes the distance that is left.
fn bars(
    moves: usize,
    levels: &[u64],
    (left, high): (usize, usize),
    clock: &mut Clock,
    body: &mut String,
) {
    let most = levels.iter().copied().max().unwrap_or(1) as f64;
    let (slot, top) = (BARS as f64 / levels.len() as f64, (high - 34) as f64);
    let end = clock.percent(moves as f64 + AFTER / MOVE);
    for (distance, &states) in levels.iter().enumerate() {
        let height = (states as f64 / most * top).max(2.0);
        let (x, y) = (
            left as f64 + slot * distance as f64,
            MARGIN as f64 + high as f64 - height,
        );
        let mut class = "bar".to_owned();
        if distance <= moves {
            class = format!("bar b{distance}");
            let at = clock.percent((moves - distance) as f64);
            let lit = |place: f64, colour: &str| (place, colour.to_owned());
            let later = [
                lit(at, "#cbd5e1"),
                lit(at + 1.0, "#e07b39"),
                lit(end, "#e07b39"),
            ];
            clock.animate(&format!("b{distance}"), "fill", "#cbd5e1", &later);
            left_over(distance, moves, left, clock, body);
        }
        let _ = writeln!(
            body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"1.5\">\
             <title>distance {distance}: {states} boards</title></rect>",
            slot * 0.8
        );
    }
}

/// Writes the distance that is left, shown from its move to the next.
fn left_over(distance: usize, moves: usize, left: usize, clock: &mut Clock, body: &mut String) {
    let (name, first) = (format!("d{distance}"), distance == moves);
    let begin = if first {
        0.0
    } else {
        clock.percent((moves - distance) as f64)
    };
    let end = match distance {
        0 => 100.0,
        _ => clock.percent((moves - distance) as f64 + 1.0),
    };
    let shown = |place: f64, value: &str| (place, value.to_owned());
    let mut later = vec![shown(begin, "visible")];
    if distance > 0 {
        later.push(shown(end, "hidden"));
    }
    clock.animate(
        &name,
        "visibility",
        if first { "visible" } else { "hidden" },
        &later,
    );
    let text = match distance {
        0 => "solved".to_owned(),
        1 => "1 move left".to_owned(),
        _ => format!("{distance} moves left"),
    };
    let (class, y) = (if first { "now first" } else { "now" }, MARGIN + 14);
    let _ = writeln!(
        body,
        "<text class=\"{class} {name}\" x=\"{left}\" y=\"{y}\" font-size=\"20\">{text}</text>"
    );
}
