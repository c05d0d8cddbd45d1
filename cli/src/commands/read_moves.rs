//! `--moves` of commands that read moves.

use clap::ValueEnum;

use puzzledb::judge::Reading;

/// How moves are read: one [`Reading`], or the first that fits.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ReadMoves {
    /// As the blank's directions, and if that fails as the tile's
    Auto,
    /// The blank's directions
    Blank,
    /// The tile's directions
    Tile,
    /// The numbers of the tiles
    Numbers,
}

impl ReadMoves {
    /// The reading that was named; `None` for any that fits.
    pub(super) fn only(self) -> Option<Reading> {
        match self {
            ReadMoves::Auto => None,
            ReadMoves::Blank => Some(Reading::Blank),
            ReadMoves::Tile => Some(Reading::Tile),
            ReadMoves::Numbers => Some(Reading::Numbers),
        }
    }
}
