//! Values of the library by their names, for the command line and the API.

use puzzledb::judge::Reading;
use puzzledb::puzzle::Notation;
use puzzledb::search::{ExpandedList, Ties};

/// A value with its name and a help.
pub(crate) type Named<T> = (&'static str, &'static str, T);

/// The value of a name.
pub(crate) fn find<T: Copy>(values: &[Named<T>], name: &str) -> Option<T> {
    let found = values.iter().find(|(known, ..)| *known == name);
    found.map(|&(.., value)| value)
}

/// Notations in which moves are written.
pub(crate) const NOTATIONS: &[Named<Notation>] = &[
    ("blank", "U D L R, where the blank goes", Notation::Blank),
    ("tile", "U D L R, where the tile goes", Notation::Tile),
    ("numbers", "The tiles that slide", Notation::Numbers),
];

/// The [`Reading`] of moves; `None` for the first that fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnlyReading(pub Option<Reading>);

/// Ways in which moves are read: any that fits, and each by itself.
pub(crate) const READINGS: &[Named<OnlyReading>] = &[
    (
        "auto",
        "As the blank's directions, and if that fails as the tile's",
        OnlyReading(None),
    ),
    (
        "blank",
        "The blank's directions",
        OnlyReading(Some(Reading::Blank)),
    ),
    (
        "tile",
        "The tile's directions",
        OnlyReading(Some(Reading::Tile)),
    ),
    (
        "numbers",
        "The numbers of the tiles",
        OnlyReading(Some(Reading::Numbers)),
    ),
];

/// What a search does with boards that were expanded before.
pub(crate) const EXPANDED: &[Named<ExpandedList>] = &[
    ("strict", "Never expand a board again", ExpandedList::Strict),
    (
        "reopen",
        "Expand it again when a shorter way is found",
        ExpandedList::Reopen,
    ),
    (
        "none",
        "Keep no list of expanded boards",
        ExpandedList::None,
    ),
];

/// Ways in which a best-first search breaks ties.
pub(crate) const TIES: &[Named<Ties>] = &[
    ("deep", "The one farthest from the start", Ties::Deep),
    ("shallow", "The one nearest to the start", Ties::Shallow),
    ("lifo", "The one that came last", Ties::Lifo),
    ("fifo", "The one that came first", Ties::Fifo),
    ("random", "Any, by the seed", Ties::Random),
];
