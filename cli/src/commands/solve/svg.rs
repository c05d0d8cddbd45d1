//! A solution as an animated picture.

use std::fmt::{Display, Write};

use puzzledb::puzzle::{Board, Move};

use crate::plot::begin;
use crate::text::plural;

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

/// A picture that plays again and again.
struct Picture {
    moves: usize,
    /// The keyframes, below the style.
    style: String,
    body: String,
}

/// Draws the board whose tiles slide along `moves`; beside it, if the number of boards at each distance is known, a bar
/// for each distance that lights up on the way to the goal. It plays again and again, and stands still where a person
/// asks for less motion.
pub(super) fn picture(board: &Board, moves: &[Move], levels: &[u64]) -> String {
    let shape = board.shape();
    let mut picture = Picture {
        moves: moves.len(),
        style: STYLE.to_owned(),
        body: String::new(),
    };
    let (wide, high) = (shape.cols() * CELL, shape.rows() * CELL);
    let (x, w, h) = (MARGIN - 6, wide + 12, high + 12);
    picture.write(format_args!(
        r#"<rect class="frame" x="{x}" y="{x}" width="{w}" height="{h}" rx="10"/>"#
    ));
    picture.draw_tiles(board, moves);
    let mut width = wide + 2 * MARGIN;
    if levels.len() > moves.len() {
        picture.draw_bars(levels, width + BETWEEN - MARGIN, high);
        width += BETWEEN + BARS;
    }
    let title = format!("{board} solved in {} moves", moves.len());
    let begin = begin(width as f64, (high + 2 * MARGIN) as f64, "", &title);
    let Picture { style, body, .. } = picture;
    format!("{begin}<style>\n{style}</style>\n{body}</svg>\n")
}

impl Picture {
    /// Appends an element.
    fn write(&mut self, element: impl Display) {
        let _ = writeln!(self.body, "{element}");
    }

    fn seconds(&self) -> f64 {
        BEFORE + MOVE * self.moves as f64 + AFTER
    }

    /// The share of the whole time at which a move begins, from 0 to 100; a fraction of a move may be added.
    fn percent(&self, moves: f64) -> f64 {
        (BEFORE + MOVE * moves) / self.seconds() * 100.0
    }

    /// Animates the elements of a class: the value of a property at the beginning, and each later value with its place.
    fn animate<T: Display>(
        &mut self,
        name: &str,
        property: &str,
        first: &str,
        later: impl IntoIterator<Item = (f64, T)>,
    ) {
        let seconds = self.seconds();
        // Something is visible, or it is not.
        let pace = match property {
            "visibility" => "step-end",
            _ => "ease",
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

    /// Draws the tiles and where each of them slides.
    fn draw_tiles(&mut self, board: &Board, moves: &[Move]) {
        let cols = board.shape().cols();
        let place = |cell: usize| {
            let (x, y) = (MARGIN + cell % cols * CELL, MARGIN + cell / cols * CELL);
            format!("translate({x}px,{y}px)")
        };
        let mut slides: Vec<Vec<(f64, String)>> = vec![Vec::new(); board.shape().cells()];
        let mut now = *board;
        for (i, &mv) in moves.iter().enumerate() {
            let Some(next) = now.slide(mv) else { break };
            let (from, to) = (next.blank(), now.blank());
            let slide = &mut slides[usize::from(next.tiles()[to])];
            slide.push((self.percent(i as f64), place(from)));
            slide.push((self.percent(i as f64 + SLIDE), place(to)));
            now = next;
        }
        let (side, middle, base) = (CELL - 6, CELL / 2, CELL / 2 + 10);
        for (cell, &tile) in board.tiles().iter().enumerate() {
            if tile == 0 {
                continue;
            }
            let (name, at) = (format!("t{tile}"), place(cell));
            let slides = &slides[usize::from(tile)];
            let last = slides.last().map_or(&at, |(_, last)| last);
            let all = slides.iter().map(|(place, value)| (*place, value));
            self.animate(&name, "transform", &at, all.chain([(100.0, last)]));
            self.write(format_args!(
                "<g class=\"tile {name}\" style=\"transform:{at}\"><rect x=\"3\" y=\"3\" width=\"{side}\" \
                 height=\"{side}\" rx=\"8\"/><text x=\"{middle}\" y=\"{base}\" font-size=\"30\">{tile}</text></g>"
            ));
        }
    }

    /// Draws the number of boards at each distance, lights up those on the way, and writes the distance that is left.
    fn draw_bars(&mut self, levels: &[u64], left: usize, high: usize) {
        let (grey, orange) = ("#cbd5e1", "#e07b39");
        let most = levels.iter().copied().max().unwrap_or(1) as f64;
        let (slot, top) = (BARS as f64 / levels.len() as f64, (high - 34) as f64);
        let end = self.percent(self.moves as f64 + AFTER / MOVE);
        for (distance, &states) in levels.iter().enumerate() {
            let height = (states as f64 / most * top).max(2.0);
            let x = left as f64 + slot * distance as f64;
            let y = MARGIN as f64 + high as f64 - height;
            let mut class = "bar".to_owned();
            if distance <= self.moves {
                class += &format!(" b{distance}");
                let at = self.percent((self.moves - distance) as f64);
                let later = [(at, grey), (at + 1.0, orange), (end, orange)];
                self.animate(&class[4..], "fill", grey, later);
                self.write_left(distance, at, left);
            }
            self.write(format_args!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"1.5\">\
                 <title>distance {distance}: {states} boards</title></rect>",
                slot * 0.8
            ));
        }
    }

    /// Writes the distance that is left, shown from the place of its move to the next.
    fn write_left(&mut self, distance: usize, at: f64, left: usize) {
        let is_first = distance == self.moves;
        let (class, before, begin) = match is_first {
            true => ("now first", "visible", 0.0),
            false => ("now", "hidden", at),
        };
        let end = self.percent((self.moves - distance) as f64 + 1.0);
        let later = [(begin, "visible"), (end, "hidden")].into_iter();
        let (name, shown) = (format!("d{distance}"), if distance > 0 { 2 } else { 1 });
        self.animate(&name, "visibility", before, later.take(shown));
        let text = match distance {
            0 => "solved".to_owned(),
            _ => format!("{} left", plural(distance as u64, "move")),
        };
        let y = MARGIN + 14;
        self.write(format_args!(
            r#"<text class="{class} {name}" x="{left}" y="{y}" font-size="20">{text}</text>"#
        ));
    }
}
