//! The tiles of a board as lines of text, in three sizes.

use anstyle::{AnsiColor, Style};

use puzzledb::puzzle::Move;

use super::lines::{Line, Span, plain};
use super::session::Session;
use super::truths::Known;

/// Size in which a tile is drawn.
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

/// Mark of a tile beside the blank: the effect of sliding it on the distance, or a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveMark {
    Closer,
    Farther,
    Hint,
    /// The truth is unknown or hidden, or the tile cannot slide.
    Unmarked,
}

impl MoveMark {
    fn of(session: &Session, mv: Move) -> MoveMark {
        if session.game.hint() == Some(mv) {
            return MoveMark::Hint;
        }
        match session.known() {
            Some(Known::Truth(truth)) if session.shows_truth => {
                if truth.closer.contains(&mv) {
                    MoveMark::Closer
                } else {
                    MoveMark::Farther
                }
            }
            _ => MoveMark::Unmarked,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            MoveMark::Closer => "closer",
            MoveMark::Farther => "farther",
            MoveMark::Hint => "hint",
            MoveMark::Unmarked => "",
        }
    }

    const fn sign(self) -> char {
        match self {
            MoveMark::Closer => '-',
            MoveMark::Farther => '+',
            MoveMark::Hint => '*',
            MoveMark::Unmarked => ' ',
        }
    }

    fn style(self) -> Style {
        match self {
            MoveMark::Closer => AnsiColor::Green.on_default(),
            MoveMark::Farther => AnsiColor::Red.on_default(),
            MoveMark::Hint => AnsiColor::Cyan.on_default().bold(),
            MoveMark::Unmarked => Style::new(),
        }
    }
}

/// The current board, with a mark on each tile that can slide.
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
        let mark = match session.game.move_of(cell) {
            Some(mv) => MoveMark::of(session, mv),
            None => MoveMark::Unmarked,
        };
        let style = mark.style();
        for (row, text) in rows.iter_mut().zip(tile_lines(tile, mark, size)) {
            row.push(Span { style, text });
        }
    }
    lines
}

fn tile_lines(tile: u8, mark: MoveMark, size: TileSize) -> Vec<String> {
    let sign = mark.sign();
    match size {
        TileSize::Large => vec![
            "╭───────╮".to_owned(),
            format!("│{tile:^7}│"),
            format!("│{:^7}│", mark.word()),
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
