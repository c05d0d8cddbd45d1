//! How the moves of others are read.

use clap::ValueEnum;

use crate::judge::Reading;

/// [`Reading`] on the command line, or whatever fits.
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
    /// The one reading that is meant, if it was named.
    pub(super) fn only(self) -> Option<Reading> {
        match self {
            ReadMoves::Auto => None,
            ReadMoves::Blank => Some(Reading::Blank),
            ReadMoves::Tile => Some(Reading::Tile),
            ReadMoves::Numbers => Some(Reading::Numbers),
        }
    }
}
