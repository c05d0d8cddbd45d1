//! The layout of a session as lines of text, for any size of terminal.

use anstyle::{AnsiColor, Style};

use puzzledb::puzzle::Shape;

use super::lines::{GAP, fill, line_width, side_by_side, strong, styled, wrap, wrap_sentences};
use super::session::{Mode, Session};
use super::tiles::{TileSize, board_lines};
use super::truths::Known;

/// The content of the screen.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// One line for each row of the terminal, none wider than the terminal.
    pub lines: Vec<String>,
    /// The width that it needs.
    width: usize,
    /// Columns and rows before the board; `None` if the terminal is too small for it.
    corner: Option<(usize, usize)>,
    size: TileSize,
    shape: Shape,
}

impl Frame {
    /// The cell at a column and a row of the terminal.
    pub(super) fn cell_at(&self, column: u16, row: u16) -> Option<usize> {
        let ((left, top), (width, height)) = (self.corner?, self.size.outer());
        let col = usize::from(column).checked_sub(left)? / width;
        let row = usize::from(row).checked_sub(top)? / height;
        let inside = col < self.shape.cols() && row < self.shape.rows();
        inside.then(|| row * self.shape.cols() + col)
    }
}

/// An arrangement of the board, the figures and the texts.
#[derive(Clone, Copy, Debug)]
struct Layout {
    size: TileSize,
    /// Whether the figures are beside the board instead of below it.
    beside: bool,
    /// Whether the title and the list of keys are shown.
    full: bool,
}

/// Layouts in order of preference: the first is used of those that fit the terminal.
fn layouts() -> impl Iterator<Item = Layout> {
    let sizes = [TileSize::Large, TileSize::Small, TileSize::Tiny];
    let all = [true, false].into_iter();
    let all = all.flat_map(move |full| sizes.map(|size| (size, full)));
    let all = all.filter(|&it| it != (TileSize::Large, false));
    all.flat_map(|(size, full)| [true, false].map(|beside| Layout { size, beside, full }))
}

/// Lines reserved for the message. A longer one takes the rows that are left, and loses sentences if they are too few.
const MESSAGE_LINES: usize = 2;

/// Lays a session out for a terminal of that many columns and rows.
pub(super) fn view(session: &Session, (width, height): (usize, usize)) -> Frame {
    let excess = |frame: &Frame| {
        frame.width.saturating_sub(width) + frame.lines.len().saturating_sub(height)
    };
    let frames = || layouts().map(|layout| layout.draw(session, (width, height)));
    let fitting = frames().find(|frame| excess(frame) == 0);
    let mut frame = fitting.unwrap_or_else(|| {
        let need = frames().min_by_key(excess).expect("there are layouts");
        let (columns, rows) = (need.width, need.lines.len());
        let text = format!(
            "This terminal is too small: it has {width} x {height}, and the game needs {columns} x {rows}. q quits."
        );
        let (lines, corner) = (wrap(&text, width), None);
        Frame { lines, corner, ..need }
    });
    frame.lines.resize(height, String::new());
    frame
}

/// A time as `0:07` or `1:02:03`.
fn clock(seconds: u64) -> String {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes {
        60.. => format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60),
        _ => format!("{minutes}:{seconds:02}"),
    }
}

impl Layout {
    /// The frame before it is fitted to the terminal.
    fn draw(self, session: &Session, (columns, rows): (usize, usize)) -> Frame {
        let indent = if self.full { 2 } else { 0 };
        let text_width = columns.saturating_sub(2 * indent);
        let mut lines = Vec::new();
        if self.full {
            lines.extend(wrap(&title(session, text_width), text_width));
            lines.push(String::new());
        }
        let corner = Some((indent, lines.len()));
        let (body, width) = self.board_and_figures(session);
        lines.extend(body);
        let mut keys = Vec::new();
        if self.full {
            lines.push(String::new());
            keys.push(String::new());
            keys.extend(key_list(session, text_width));
        }
        let room = rows.saturating_sub(lines.len() + keys.len());
        lines.extend(message(session, text_width, room));
        lines.extend(keys);
        for line in lines.iter_mut().filter(|line| !line.is_empty()) {
            line.insert_str(0, &" ".repeat(indent));
        }
        Frame {
            lines,
            width: width + indent,
            corner,
            size: self.size,
            shape: session.game.board.shape(),
        }
    }

    /// The lines of the board and of the figures, which must not be cut, and their width.
    fn board_and_figures(self, session: &Session) -> (Vec<String>, usize) {
        let (mut lines, figures) = (board_lines(session, self.size), self.figures(session));
        let mut least = [SHORT_FIGURES_WIDTH, FIGURES_WIDTH][usize::from(self.full)];
        if self.beside {
            let width = line_width(&lines[0]);
            lines = side_by_side(lines, figures, width);
            least += width + GAP;
        } else {
            lines.extend(figures);
        }
        let widest = lines.iter().map(|line| line_width(line)).max();
        (lines, widest.unwrap_or(0).max(least))
    }

    /// The lines with moves, distance, optimum and goal.
    fn figures(self, session: &Session) -> Vec<String> {
        let score = session.game.score;
        let distance = match (session.known(), session.shows_truth) {
            (None, _) | (Some(Known::GaveUp), true) => "unknown".to_owned(),
            (Some(_), false) => "hidden".to_owned(),
            (Some(Known::NotYet), true) => "searching".to_owned(),
            (Some(Known::Truth(truth)), true) => truth.distance.to_string(),
        };
        let optimal = match score.optimal {
            Some(_) if !session.shows_truth && !session.game.is_solved() => "hidden".to_owned(),
            Some(optimal) if self.full => format!("{optimal} from the start"),
            Some(optimal) => optimal.to_string(),
            None => "unknown".to_owned(),
        };
        let line = |name: &str, value: &str| format!("{name:<10}{}", strong(value));
        let mut moves = line("moves", &score.moves.to_string());
        let time = session.game.seconds();
        moves.extend(time.map(|time| format!("  {}", clock(time))));
        let mut lines = vec![
            moves,
            line("distance", &distance),
            line("optimal", &optimal),
        ];
        let goal = session.game.goal;
        if self.full && self.beside {
            lines.push(String::new());
            let names = ["goal"].into_iter().chain(std::iter::repeat(""));
            for (name, row) in names.zip(goal.grid().lines()) {
                lines.push(format!("{name:<10}{row}"));
            }
        } else if self.full {
            lines.push(format!("{:<10}{goal}", "goal"));
        }
        if self.full && self.size != TileSize::Large && session.truths.is_some() {
            let signs = match session.shows_truth {
                true => "- closer  + farther  * hint",
                false => "* hint",
            };
            lines.push(signs.to_owned());
        }
        lines
    }
}

/// The list of keys, wrapped.
fn key_list(session: &Session, width: usize) -> Vec<String> {
    let both = [("arrows", "slide"), ("u", "undo"), ("U", "redo")];
    let with_truth = [
        ("?", "hint"),
        ("n", "next move"),
        ("Space", "solve"),
        ("t", "truth"),
        ("d", "new at a distance"),
    ];
    let more = [("r", "new board"), ("s", "start over"), ("q", "quit")];
    let with_truth = with_truth.iter().filter(|_| session.truths.is_some());
    let all = both.iter().chain(with_truth).chain(&more);
    let all = all.map(|(key, what)| format!("{} {what}", strong(key)));
    fill(all, "   ", width)
}

/// The command that starts this game again, with spaces between the board's rows if it is wider than `width`.
fn title(session: &Session, width: usize) -> String {
    let title = format!("puzzledb play {}{}", session.game.start, session.options);
    if title.len() <= width {
        title
    } else {
        title.replace('/', "/ ")
    }
}

/// Least width of the figures, so that the layout does not change with them.
const FIGURES_WIDTH: usize = "optimal   999 from the start".len();

/// Least width of the figures in layouts that are not full.
const SHORT_FIGURES_WIDTH: usize = "distance  searching".len();

/// The message to the player, or the prompt for a distance, in [`MESSAGE_LINES`] lines, or at most `room`.
fn message(session: &Session, width: usize, room: usize) -> Vec<String> {
    let text = &session.message;
    let (style, text) = match &session.mode {
        Mode::AskingDistance(typed) => {
            let max = session.max_distance();
            let range = max.map_or(String::new(), |max| format!(", 0 to {max}"));
            let text = format!("Distance{range}: {typed}_  (Enter begins, Esc does not)");
            (Style::new().bold(), text)
        }
        _ if session.is_success => (AnsiColor::Green.on_default().bold(), text.clone()),
        _ => (Style::new(), text.clone()),
    };
    let mut lines = wrap_sentences(&text, width, room.max(MESSAGE_LINES));
    lines.resize(lines.len().max(MESSAGE_LINES), String::new());
    lines.iter().map(|text| styled(style, text)).collect()
}
