//! The tiles of a board as lines of text, in three sizes.

use anstyle::{AnsiColor, Style};

use super::lines::styled;
use super::session::Session;
use super::truths::{Known, closer};

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

/// Mark of a tile in a word, a sign and a style: the effect of sliding it on the distance, or a hint.
type Mark = (&'static str, char, Style);

/// The mark of the tile in a cell; none if the truth is unknown or hidden, or the tile cannot slide.
fn mark(session: &Session, cell: usize) -> Mark {
    let slid = session.game.move_of(cell);
    match (slid, session.known()) {
        (Some(_), _) if slid == session.game.hint => {
            ("hint", '*', AnsiColor::Cyan.on_default().bold())
        }
        (Some(mv), Some(Known::Truth(truth))) if session.shows_truth => {
            match closer(truth).any(|closer| closer.mv == mv) {
                true => ("closer", '-', AnsiColor::Green.on_default()),
                false => ("farther", '+', AnsiColor::Red.on_default()),
            }
        }
        _ => ("", ' ', Style::new()),
    }
}

/// The current board, with a mark on each tile that can slide.
pub(super) fn board_lines(session: &Session, size: TileSize) -> Vec<String> {
    let board = session.game.board;
    let (_, height) = size.outer();
    let mut lines = vec![String::new(); board.shape().rows() * height];
    for (cell, &tile) in board.tiles().iter().enumerate() {
        let first = cell / board.shape().cols() * height;
        let rows = lines[first..].iter_mut();
        let (word, sign, style) = mark(session, cell);
        for (row, text) in rows.zip(tile_text(tile, word, sign, size).lines()) {
            *row += &styled(style, text);
        }
    }
    lines
}

/// A tile, or the blank, in one line or several.
fn tile_text(tile: u8, word: &str, sign: char, size: TileSize) -> String {
    let (width, height) = size.outer();
    let dot = |row| if row == (height - 1) / 2 { "·" } else { "" };
    let blank = (0..height).map(|row| format!("{:^width$}\n", dot(row)));
    match size {
        _ if tile == 0 => blank.collect(),
        TileSize::Large => format!("╭───────╮\n│{tile:^7}│\n│{word:^7}│\n╰───────╯"),
        TileSize::Small => format!("╭────╮\n│{tile:>2}{sign} │\n╰────╯"),
        TileSize::Tiny => format!("{tile:>2}{sign} "),
    }
}
