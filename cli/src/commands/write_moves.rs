//! Notations in which commands write moves.

use clap::ValueEnum;

use puzzledb::puzzle::Notation;

/// [`Notation`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum WriteMoves {
    /// U D L R, where the blank goes
    Blank,
    /// U D L R, where the tile goes
    Tile,
    /// The tiles that slide
    Numbers,
}

impl WriteMoves {
    pub(super) fn notation(self) -> Notation {
        match self {
            WriteMoves::Blank => Notation::Blank,
            WriteMoves::Tile => Notation::Tile,
            WriteMoves::Numbers => Notation::Numbers,
        }
    }
}
