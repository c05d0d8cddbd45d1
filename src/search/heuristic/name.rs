//! The names of heuristics.

use std::fmt;
use std::str::FromStr;

/// A heuristic by name, `manhattan` or `pattern:1234`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HeuristicName {
    /// 0.
    Zero,
    /// Tiles that are not where they belong (Hamming distance).
    Misplaced,
    /// As misplaced, with the blank counted as a tile.
    MisplacedWithBlank,
    /// Rows and columns between each tile and its goal.
    Manhattan,
    /// Straight lines between each tile and its goal.
    Euclidean,
    /// Manhattan, and 2 for each tile that must leave its line.
    LinearConflict,
    /// Manhattan, and 2 for each pair of tiles that stand the wrong way round in their line.
    LinearConflictNaive,
    /// Jumps into the blank's cell (n-MaxSwap).
    Gaschnig,
    /// Tiles out of their row and tiles out of their column.
    RowsColumns,
    /// Moves that the inversions by rows and by columns need.
    Inversion,
    /// Manhattan and misplaced added up.
    ManhattanPlusMisplaced,
    /// A pattern database: the distance if only these tiles and the blank matter.
    Pattern(Vec<u8>),
    /// The distance.
    Perfect,
}

/// The heuristics without parameters.
const NAMES: [(&str, HeuristicName); 12] = [
    ("zero", HeuristicName::Zero),
    ("misplaced", HeuristicName::Misplaced),
    ("misplaced-with-blank", HeuristicName::MisplacedWithBlank),
    ("manhattan", HeuristicName::Manhattan),
    ("euclidean", HeuristicName::Euclidean),
    ("linear-conflict", HeuristicName::LinearConflict),
    ("linear-conflict-naive", HeuristicName::LinearConflictNaive),
    ("gaschnig", HeuristicName::Gaschnig),
    ("rows-columns", HeuristicName::RowsColumns),
    ("inversion", HeuristicName::Inversion),
    (
        "manhattan-plus-misplaced",
        HeuristicName::ManhattanPlusMisplaced,
    ),
    ("perfect", HeuristicName::Perfect),
];

impl HeuristicName {
    /// All heuristics without parameters.
    pub fn all() -> impl Iterator<Item = HeuristicName> {
        NAMES.into_iter().map(|(_, name)| name)
    }
}

/// Why a text names no heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeuristicNameError {
    /// It is no name.
    #[error(
        "{name:?} is no heuristic: they are {}, and pattern:TILES as in pattern:1234",
        names()
    )]
    Unknown {
        /// The text.
        name: String,
    },
    /// The tiles of a pattern are not tiles, or one is there twice.
    #[error(
        "{tiles:?} are no tiles: a pattern names different tiles without separators, a = 10, as in pattern:1234"
    )]
    InvalidTiles {
        /// The text.
        tiles: String,
    },
}

fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

impl FromStr for HeuristicName {
    type Err = HeuristicNameError;

    fn from_str(text: &str) -> Result<HeuristicName, HeuristicNameError> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(tiles) = text.strip_prefix("pattern:") {
            return pattern(tiles);
        }
        let found = NAMES.into_iter().find(|(name, _)| *name == text);
        let (_, name) = found.ok_or(HeuristicNameError::Unknown { name: text })?;
        Ok(name)
    }
}

fn pattern(text: &str) -> Result<HeuristicName, HeuristicNameError> {
    let error = || HeuristicNameError::InvalidTiles {
        tiles: text.to_owned(),
    };
    let mut tiles = Vec::new();
    for letter in text.chars() {
        let tile = letter
            .to_digit(36)
            .filter(|&tile| tile > 0)
            .ok_or_else(error)? as u8;
        if tiles.contains(&tile) {
            return Err(error());
        }
        tiles.push(tile);
    }
    tiles.sort_unstable();
    match tiles.is_empty() {
        true => Err(error()),
        false => Ok(HeuristicName::Pattern(tiles)),
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let HeuristicName::Pattern(tiles) = self {
            let digit = |&tile: &u8| char::from_digit(u32::from(tile), 36).unwrap_or('?');
            let tiles: String = tiles.iter().map(digit).collect();
            return f.pad(&format!("pattern:{tiles}"));
        }
        let (name, _) = NAMES
            .iter()
            .find(|(_, name)| name == self)
            .expect("all are listed");
        f.pad(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        let pattern = HeuristicName::Pattern(vec![1, 2, 10]);
        for name in HeuristicName::all().chain([pattern]) {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!(
            "pattern:A21".parse(),
            Ok(HeuristicName::Pattern(vec![1, 2, 10]))
        );
    }

    #[test]
    fn what_is_no_name_is_refused_with_the_names() {
        for text in [
            "",
            "manhatten",
            "pattern",
            "pattern:",
            "pattern:11",
            "pattern:102",
            "pattern:1,2",
        ] {
            let error = text.parse::<HeuristicName>().unwrap_err().to_string();
            assert!(error.contains("pattern:1234"), "{error}");
        }
    }
}
