//! The tiles of a board as lines of text, in three sizes.

use anstyle::{AnsiColor, Style};

use crate::puzzle::Move;

use super::lines::{Line, Span, plain};
use super::session::Session;

/// How large a tile is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileSize {
    /// A box with the number and a word.
    Large,
    /// A box with the number and a sign.
    Small,
    /// The number and a sign.
    Tiny,
}

impl TileSize {
    /// Columns and rows that a tile takes up.
    pub(super) const fn outer(self) -> (usize, usize) {
        match self {
            TileSize::Large => (9, 4),
            TileSize::Small => (6, 3),
            TileSize::Tiny => (4, 1),
        }
    }
}

/// What sliding a tile is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    Closer,
    Farther,
    Hint,
    Unsaid,
}

impl Worth {
    fn of(session: &Session, mv: Move) -> Worth {
        if session.game.hint() == Some(mv) {
            return Worth::Hint;
        }
        match &session.truth {
            Some(truth) if session.shows_truth && truth.closer.contains(&mv) => Worth::Closer,
            Some(_) if session.shows_truth => Worth::Farther,
            _ => Worth::Unsaid,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Worth::Closer => "closer",
            Worth::Farther => "farther",
            Worth::Hint => "hint",
            Worth::Unsaid => "",
        }
    }

    const fn sign(self) -> char {
        match self {
            Worth::Closer => '-',
            Worth::Farther => '+',
            Worth::Hint => '*',
            Worth::Unsaid => ' ',
        }
    }

    fn style(self) -> Style {
        match self {
            Worth::Closer => AnsiColor::Green.on_default(),
            Worth::Farther => AnsiColor::Red.on_default(),
            Worth::Hint => AnsiColor::Cyan.on_default().bold(),
            Worth::Unsaid => Style::new(),
        }
    }
}

/// The board now, each tile that can slide marked with what that is worth.
pub(super) fn board_lines(session: &Session, size: TileSize) -> Vec<Line> {
    let board = session.game.board();
    let (width, height) = size.outer();
    let mut lines = vec![Line::new(); board.shape().rows() * height];
    for (cell, &tile) in board.tiles().iter().enumerate() {
        let first = cell / board.shape().cols() * height;
        let rows = &mut lines[first..first + height];
        if tile == 0 {
            let middle = (height - 1) / 2;
            for (i, row) in rows.iter_mut().enumerate() {
                let dot = if i == middle { "·" } else { "" };
                row.push(plain(format!("{dot:^width$}")));
            }
            continue;
        }
        let worth = match session.game.move_of(cell) {
            Some(mv) => Worth::of(session, mv),
            None => Worth::Unsaid,
        };
        let style = worth.style();
        for (row, text) in rows.iter_mut().zip(tile_lines(tile, worth, size)) {
            row.push(Span { style, text });
        }
    }
    lines
}

fn tile_lines(tile: u8, worth: Worth, size: TileSize) -> Vec<String> {
    let sign = worth.sign();
    match size {
        TileSize::Large => vec![
            "╭───────╮".to_owned(),
            format!("│{tile:^7}│"),
            format!("│{:^7}│", worth.word()),
            "╰───────╯".to_owned(),
        ],
        TileSize::Small => vec![
            "╭────╮".to_owned(),
            format!("│{tile:>2}{sign} │"),
            "╰────╯".to_owned(),
        ],
        TileSize::Tiny => vec![format!("{tile:>2}{sign} ")],
    }
}
