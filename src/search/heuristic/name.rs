//! The names of heuristics.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::basics::UnknownName;
use crate::pattern::{PartitionError, PatternNames};

/// A row of the table of heuristics without parameters.
struct Spec {
    heuristic: HeuristicName,
    name: &'static str,
    /// Other names that are common in the field.
    others: &'static [&'static str],
    about: &'static str,
}

/// Makes the type [`HeuristicName`] and its table from one list. A row is a line about a heuristic, its variant, name and
/// other names.
macro_rules! heuristics {
    ($(#[doc = $about:literal] $variant:ident: $name:literal $others:tt;)*) => {
        /// Name of a heuristic, as in `manhattan` or `pattern:1234`.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum HeuristicName {
            $(#[doc = $about] $variant,)*
            /// A pattern database: the distance of these tiles and the blank, the others being alike.
            Pattern(Vec<u8>),
            /// Additive pattern databases: the sum of the patterns' distances, each counting only its own
            /// tiles' moves.
            Patterns(PatternNames),
        }

        const SPECS: &[Spec] = &[$(Spec {
            heuristic: HeuristicName::$variant,
            name: $name,
            others: &$others,
            about: $about,
        },)*];
    };
}

heuristics! {
    /// always 0
    Zero: "zero" [];
    /// tiles that are not in their goal cell (Hamming distance)
    Misplaced: "misplaced" ["hamming", "misplaced-tiles", "tiles-out-of-place", "h1"];
    /// misplaced, with the blank counted as a tile
    MisplacedWithBlank: "misplaced-with-blank" [];
    /// rows and columns between the tiles and their goal cells
    Manhattan: "manhattan" ["md", "manhattan-distance", "taxicab", "city-block", "l1", "h2"];
    /// straight lines between the tiles and their goal cells
    Euclidean: "euclidean" ["euclid", "l2"];
    /// Manhattan + 2 for each tile that must leave its line
    LinearConflict: "linear-conflict" ["lc", "linear-conflicts", "manhattan-linear-conflict"];
    /// Manhattan + 2 for each pair in reverse order
    LinearConflictNaive: "linear-conflict-naive" [];
    /// moves that bring the tiles into rows, and columns
    WalkingDistance: "walking-distance" ["wd"];
    /// moves if any tile may jump into the blank (n-MaxSwap)
    Gaschnig: "gaschnig" ["max-swap", "n-max-swap"];
    /// tiles out of their row + tiles out of their column
    RowsColumns: "rows-columns" [];
    /// moves that the inversions of the tiles need
    Inversion: "inversion" ["inversion-distance"];
    /// the sum of both; above the distance at times
    ManhattanPlusMisplaced: "manhattan-plus-misplaced" [];
    /// the true distance
    Perfect: "perfect" [];
}

impl HeuristicName {
    /// Returns a line about it.
    pub fn about(&self) -> &'static str {
        match self {
            HeuristicName::Pattern(_) => "distance of these tiles and the blank, the rest alike",
            HeuristicName::Patterns(_) => "sum of additive pattern databases",
            name => name.spec().about.trim_start(),
        }
    }

    /// Returns the row of a heuristic without parameters.
    fn spec(&self) -> &'static Spec {
        let spec = SPECS.iter().find(|spec| spec.heuristic == *self);
        spec.expect("all without parameters are listed")
    }

    /// Returns all heuristics without parameters.
    pub fn all() -> impl Iterator<Item = HeuristicName> {
        SPECS.iter().map(|spec| spec.heuristic.clone())
    }

    /// Returns whether it is never above the distance. The others are above it for some boards. The admissible ones are
    /// consistent, too: a move changes them by 1 at most.
    pub const fn is_admissible(&self) -> bool {
        !matches!(
            self,
            HeuristicName::MisplacedWithBlank
                | HeuristicName::LinearConflictNaive
                | HeuristicName::ManhattanPlusMisplaced
        )
    }
}

/// The names of heuristics that have parameters, with an example.
const PATTERN_FORMS: [&str; 2] = [
    "pattern:TILES as in pattern:1234",
    "patterns:TILES as in patterns:4-4",
];

/// Reason why a text is not the name of a heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeuristicNameError {
    /// It is not a known name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The part after `patterns:` does not name patterns.
    #[error(transparent)]
    InvalidPatterns(#[from] PartitionError),
    /// The part after `pattern:` does not name different tiles.
    #[error(
        "{tiles:?} are not tiles: a pattern names different tiles without separators, a = 10, as in pattern:1234"
    )]
    InvalidTiles {
        /// The text.
        tiles: String,
    },
}

impl FromStr for HeuristicName {
    type Err = HeuristicNameError;

    fn from_str(text: &str) -> Result<HeuristicName, HeuristicNameError> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(tiles) = text.strip_prefix("pattern:") {
            return pattern(tiles);
        }
        if let Some(names) = text.strip_prefix("patterns:") {
            return Ok(HeuristicName::Patterns(names.parse()?));
        }
        let text = text.replace('_', "-");
        let is_it = |spec: &&Spec| spec.name == text || spec.others.contains(&&*text);
        let known = SPECS.iter().map(|spec| spec.name).chain(PATTERN_FORMS);
        let found = SPECS.iter().find(is_it);
        let found = found.ok_or_else(|| UnknownName::new(&text, "a heuristic", known))?;
        Ok(found.heuristic.clone())
    }
}

/// Reads the tiles of a pattern.
fn pattern(text: &str) -> Result<HeuristicName, HeuristicNameError> {
    let error = || HeuristicNameError::InvalidTiles {
        tiles: text.to_owned(),
    };
    let tile = |letter: char| Some(letter.to_digit(36).filter(|&tile| tile > 0)? as u8);
    let tiles: Option<BTreeSet<u8>> = text.chars().map(tile).collect();
    let tiles = tiles.filter(|tiles| !tiles.is_empty() && tiles.len() == text.len());
    Ok(HeuristicName::Pattern(
        tiles.ok_or_else(error)?.into_iter().collect(),
    ))
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicName::Pattern(tiles) => {
                let digit = |&tile: &u8| char::from_digit(u32::from(tile), 36).unwrap_or('?');
                let tiles: String = tiles.iter().map(digit).collect();
                f.pad(&format!("pattern:{tiles}"))
            }
            HeuristicName::Patterns(names) => f.pad(&format!("patterns:{names}")),
            name => f.pad(name.spec().name),
        }
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
        let mut all = Vec::new();
        for spec in SPECS {
            for other in spec.others {
                let name = other.replace('-', "_").to_uppercase().parse();
                assert_eq!(name.as_ref(), Ok(&spec.heuristic));
            }
            all.push(spec.name);
            all.extend(spec.others);
        }
        let names = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), names), (32, 32));
        for text in ["patterns:4-4", "patterns:1+2+3,4+5"] {
            let name: HeuristicName = text.parse().unwrap();
            assert_eq!(name.to_string(), text);
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
