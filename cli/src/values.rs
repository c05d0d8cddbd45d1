//! Ways in which moves are read, for the command line and the API.

use clap::ValueEnum;

use puzzledb::judge::Reading;

/// A way in which moves are read.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Moves {
    /// As the blank's directions, and if that fails as the tile's
    Auto,
    /// The blank's directions
    Blank,
    /// The tile's directions
    Tile,
    /// The numbers of the tiles
    Numbers,
}

impl Moves {
    /// The only reading; `None` for the first that fits.
    pub(crate) fn only(self) -> Option<Reading> {
        match self {
            Moves::Auto => None,
            Moves::Blank => Some(Reading::Blank),
            Moves::Tile => Some(Reading::Tile),
            Moves::Numbers => Some(Reading::Numbers),
        }
    }

    /// The names.
    #[cfg(feature = "serve")]
    pub(crate) fn names() -> impl Iterator<Item = String> {
        let values = Moves::value_variants().iter();
        let values = values.filter_map(Moves::to_possible_value);
        values.map(|value| value.get_name().to_owned())
    }
}
