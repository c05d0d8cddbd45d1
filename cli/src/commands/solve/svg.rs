//! A solution as an animated picture.

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

const STYLE: &str = include_str!("svg.css");

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
    let (wide, high) = (shape.cols() * CELL, shape.rows() * CELL);
    let (x, w, h) = (MARGIN - 6, wide + 12, high + 12);
    let frame =
        format!(r#"<rect class="frame" x="{x}" y="{x}" width="{w}" height="{h}" rx="10"/>"#);
    let mut picture = Picture {
        moves: moves.len(),
        style: STYLE.to_owned(),
        body: frame + "\n",
    };
    picture.draw_tiles(board, moves);
    let mut width = wide + 2 * MARGIN;
    if levels.len() > moves.len() {
        picture.draw_bars(levels, width + BETWEEN - MARGIN, high);
        width += BETWEEN + BARS;
    }
    let title = format!("{board} solved in {} moves", moves.len());
    let begin = begin(width as f64, (high + 2 * MARGIN) as f64, "", &title);
    let (style, body) = (picture.style, picture.body);
    format!("{begin}<style>\n{style}</style>\n{body}</svg>\n")
}

impl Picture {
    fn seconds(&self) -> f64 {
        BEFORE + MOVE * self.moves as f64 + AFTER
    }

    /// The share of the whole time at which a move begins, from 0 to 100; a fraction of a move may be added.
    fn percent(&self, moves: f64) -> f64 {
        (BEFORE + MOVE * moves) / self.seconds() * 100.0
    }

    /// Animates the elements of a class: the value of a property at the beginning, and each later value with its place.
    fn animate(&mut self, name: &str, property: &str, first: &str, later: &[(f64, &str)]) {
        let seconds = self.seconds();
        // Something is visible, or it is not.
        let pace = match property {
            "visibility" => "step-end",
            _ => "ease",
        };
        let later = (later.iter()).map(|(at, value)| format!("{at:.2}%{{{property}:{value}}}"));
        self.style += &format!(
            "@keyframes {name}{{0%{{{property}:{first}}}{}}}\n\
             .{name}{{animation:{name} {seconds:.2}s {pace} infinite}}\n",
            later.collect::<String>()
        );
    }

    /// Draws the tiles and where each of them slides.
    fn draw_tiles(&mut self, board: &Board, moves: &[Move]) {
        let cols = board.shape().cols();
        let place = |cell: usize| {
            let (x, y) = (MARGIN + cell % cols * CELL, MARGIN + cell / cols * CELL);
            format!("translate({x}px,{y}px)")
        };
        let blanks: Vec<String> = board.along(moves).map(|now| place(now.blank())).collect();
        let slid: Vec<u8> = board.tiles_slid(moves).collect();
        let (side, middle, base) = (CELL - 6, CELL / 2, CELL / 2 + 10);
        let tiles = board.tiles().iter().enumerate();
        for (cell, tile) in tiles.filter(|(_, tile)| **tile > 0) {
            let (name, at) = (format!("t{tile}"), place(cell));
            let mut later = Vec::new();
            for i in (0..slid.len()).filter(|&i| slid[i] == *tile) {
                later.push((self.percent(i as f64), &*blanks[i + 1]));
                later.push((self.percent(i as f64 + SLIDE), &*blanks[i]));
            }
            later.push((100.0, later.last().map_or(&at, |(_, last)| last)));
            self.animate(&name, "transform", &at, &later);
            self.body += &format!(
                "<g class=\"tile {name}\" style=\"transform:{at}\"><rect x=\"3\" y=\"3\" width=\"{side}\" \
                 height=\"{side}\" rx=\"8\"/><text x=\"{middle}\" y=\"{base}\" font-size=\"30\">{tile}</text></g>\n"
            );
        }
    }

    /// Draws the number of boards at each distance, and lights up those on the way.
    fn draw_bars(&mut self, levels: &[u64], left: usize, high: usize) {
        let most = levels.iter().copied().max().unwrap_or(1) as f64;
        let (slot, top) = (BARS as f64 / levels.len() as f64, (high - 34) as f64);
        for (distance, &states) in levels.iter().enumerate() {
            let height = (states as f64 / most * top).max(2.0);
            let x = left as f64 + slot * distance as f64;
            let y = MARGIN as f64 + high as f64 - height;
            let mut class = "bar".to_owned();
            if distance <= self.moves {
                class += &format!(" b{distance}");
                self.light_up(distance, left);
            }
            self.body += &format!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"1.5\">\
                 <title>distance {distance}: {states} boards</title></rect>\n",
                slot * 0.8
            );
        }
    }

    /// Lights up the bar of a distance from the place of its move on, and writes the distance that is left, shown to the
    /// next move.
    fn light_up(&mut self, distance: usize, left: usize) {
        let made = (self.moves - distance) as f64;
        let (at, next) = (self.percent(made), self.percent(made + 1.0));
        let (grey, orange) = ("#cbd5e1", "#e07b39");
        let later = [(at, grey), (at + 1.0, orange), (100.0, orange)];
        self.animate(&format!("b{distance}"), "fill", grey, &later);
        let (class, before, begin) = match distance == self.moves {
            true => ("now first", "visible", 0.0),
            false => ("now", "hidden", at),
        };
        let (shown, text) = match distance {
            0 => (1, "solved".to_owned()),
            _ => (2, format!("{} left", plural(distance as u64, "move"))),
        };
        let (name, y) = (format!("d{distance}"), MARGIN + 14);
        let later = [(begin, "visible"), (next, "hidden")];
        self.animate(&name, "visibility", before, &later[..shown]);
        self.body += &format!(
            "<text class=\"{class} {name}\" x=\"{left}\" y=\"{y}\" font-size=\"20\">{text}</text>\n"
        );
    }
}
