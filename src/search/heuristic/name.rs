//! The names of heuristics.

use std::fmt;
use std::str::FromStr;

use crate::basics::UnknownName;
use crate::pattern::{PartitionError, PatternNames};

/// Name of a heuristic, as in `manhattan` or `pattern:1234`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeuristicName {
    /// 0.
    Zero,
    /// The tiles that are not in their goal cell (Hamming distance).
    Misplaced,
    /// As misplaced, with the blank counted as a tile.
    MisplacedWithBlank,
    /// The rows and columns between each tile and its goal cell.
    Manhattan,
    /// The straight-line distances between each tile and its goal cell.
    Euclidean,
    /// Manhattan, plus 2 for each tile that must leave its goal row or column to let others pass.
    LinearConflict,
    /// Manhattan, plus 2 for each pair of tiles in reverse order in their goal row or column.
    LinearConflictNaive,
    /// The vertical moves that bring the tiles into their rows, and the horizontal ones into their columns.
    WalkingDistance,
    /// The moves of a puzzle where any tile may jump into the blank's cell (n-MaxSwap).
    Gaschnig,
    /// The tiles out of their row plus the tiles out of their column.
    RowsColumns,
    /// The moves that the inversions of the tiles need, read by rows and by columns.
    Inversion,
    /// The sum of Manhattan and misplaced.
    ManhattanPlusMisplaced,
    /// Nilsson's sequence score: 2 for each tile of the border that is not followed by the right one, 1 for each inside
    /// that is not in its goal cell.
    Sequence,
    /// A pattern database: the distance of these tiles and the blank, the others being alike.
    Pattern(Vec<u8>),
    /// Additive pattern databases: the sum of the patterns' distances, each counting only its own
    /// tiles' moves.
    Patterns(PatternNames),
    /// The true distance.
    Perfect,
    /// A number of times another.
    Times(u32, Box<HeuristicName>),
    /// The sum of several.
    Sum(Vec<HeuristicName>),
    /// The largest of several.
    Max(Vec<HeuristicName>),
}

/// The heuristics without parameters.
const NAMES: [(&str, HeuristicName); 14] = [
    ("zero", HeuristicName::Zero),
    ("misplaced", HeuristicName::Misplaced),
    ("misplaced-with-blank", HeuristicName::MisplacedWithBlank),
    ("manhattan", HeuristicName::Manhattan),
    ("euclidean", HeuristicName::Euclidean),
    ("linear-conflict", HeuristicName::LinearConflict),
    ("linear-conflict-naive", HeuristicName::LinearConflictNaive),
    ("walking-distance", HeuristicName::WalkingDistance),
    ("gaschnig", HeuristicName::Gaschnig),
    ("rows-columns", HeuristicName::RowsColumns),
    ("inversion", HeuristicName::Inversion),
    (
        "manhattan-plus-misplaced",
        HeuristicName::ManhattanPlusMisplaced,
    ),
    ("sequence", HeuristicName::Sequence),
    ("perfect", HeuristicName::Perfect),
];

/// Other names of the heuristics that are common in the field.
const ALIASES: [(&str, HeuristicName); 19] = [
    ("hamming", HeuristicName::Misplaced),
    ("misplaced-tiles", HeuristicName::Misplaced),
    ("tiles-out-of-place", HeuristicName::Misplaced),
    ("h1", HeuristicName::Misplaced),
    ("md", HeuristicName::Manhattan),
    ("manhattan-distance", HeuristicName::Manhattan),
    ("taxicab", HeuristicName::Manhattan),
    ("city-block", HeuristicName::Manhattan),
    ("l1", HeuristicName::Manhattan),
    ("h2", HeuristicName::Manhattan),
    ("euclid", HeuristicName::Euclidean),
    ("l2", HeuristicName::Euclidean),
    ("lc", HeuristicName::LinearConflict),
    ("linear-conflicts", HeuristicName::LinearConflict),
    ("manhattan-linear-conflict", HeuristicName::LinearConflict),
    ("wd", HeuristicName::WalkingDistance),
    ("max-swap", HeuristicName::Gaschnig),
    ("n-max-swap", HeuristicName::Gaschnig),
    ("inversion-distance", HeuristicName::Inversion),
];

impl HeuristicName {
    /// Returns a line about it.
    pub const fn about(&self) -> &'static str {
        match self {
            HeuristicName::Zero => "always 0",
            HeuristicName::Misplaced => "tiles that are not in their goal cell (Hamming distance)",
            HeuristicName::MisplacedWithBlank => "misplaced, with the blank counted as a tile",
            HeuristicName::Manhattan => "rows and columns between the tiles and their goal cells",
            HeuristicName::Euclidean => "straight lines between the tiles and their goal cells",
            HeuristicName::LinearConflict => "Manhattan + 2 for each tile that must leave its line",
            HeuristicName::LinearConflictNaive => "Manhattan + 2 for each pair in reverse order",
            HeuristicName::WalkingDistance => "moves that bring the tiles into rows, and columns",
            HeuristicName::Gaschnig => "moves if any tile may jump into the blank (n-MaxSwap)",
            HeuristicName::RowsColumns => "tiles out of their row + tiles out of their column",
            HeuristicName::Inversion => "moves that the inversions of the tiles need",
            HeuristicName::ManhattanPlusMisplaced => "the sum of both; above the distance at times",
            HeuristicName::Pattern(_) => "distance of these tiles and the blank, the rest alike",
            HeuristicName::Patterns(_) => "sum of additive pattern databases",
            HeuristicName::Sequence => "Nilsson's score of the order of the tiles on the border",
            HeuristicName::Perfect => "the true distance",
            HeuristicName::Times(..) => "a number of times another",
            HeuristicName::Sum(_) => "the sum of several",
            HeuristicName::Max(_) => "the largest of several",
        }
    }

    /// Returns all heuristics without parameters.
    pub fn all() -> impl Iterator<Item = HeuristicName> {
        NAMES.into_iter().map(|(_, name)| name)
    }

    /// Returns whether it is known that it is never above the distance. The other named ones are above it for some
    /// boards; of sums and products it is not known. The admissible ones are consistent, too: a move changes them by 1 at
    /// most.
    pub fn is_admissible(&self) -> bool {
        match self {
            HeuristicName::MisplacedWithBlank
            | HeuristicName::LinearConflictNaive
            | HeuristicName::ManhattanPlusMisplaced
            | HeuristicName::Sequence
            | HeuristicName::Sum(_) => false,
            HeuristicName::Times(times, part) => *times < 2 && part.is_admissible(),
            HeuristicName::Max(parts) => parts.iter().all(HeuristicName::is_admissible),
            _ => true,
        }
    }

    /// Returns those that an expression is made of.
    pub(crate) fn parts(&self) -> &[HeuristicName] {
        match self {
            HeuristicName::Times(_, part) => std::slice::from_ref(part),
            HeuristicName::Sum(parts) | HeuristicName::Max(parts) => parts,
            _ => &[],
        }
    }
}

/// The names of heuristics that have parameters, with an example.
const OTHER_FORMS: [&str; 3] = [
    "pattern:TILES as in pattern:1234",
    "patterns:TILES as in patterns:4-4",
    "expressions as in max(2*misplaced,manhattan) or manhattan+3*sequence",
];

/// The longest expression that is read, in bytes.
const LONGEST: usize = 200;

/// Cuts a text at each of these signs that is in no brackets.
pub fn split_outside_brackets(text: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == sign && depth == 0
    })
}

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
        if let Some(expression) = expression(&text)? {
            return Ok(expression);
        }
        if let Some(tiles) = text.strip_prefix("pattern:") {
            return pattern(tiles);
        }
        if let Some(names) = text.strip_prefix("patterns:") {
            return Ok(HeuristicName::Patterns(names.parse()?));
        }
        let text = text.replace('_', "-");
        let found = NAMES
            .into_iter()
            .chain(ALIASES)
            .find(|(name, _)| *name == text);
        let known = NAMES.map(|(name, _)| name).into_iter().chain(OTHER_FORMS);
        let (_, name) = found.ok_or_else(|| UnknownName::new(&text, "a heuristic", known))?;
        Ok(name)
    }
}

/// Reads a sum, a product with a number, the largest of several, or one in brackets; `None` if the text is none of these.
fn expression(text: &str) -> Result<Option<HeuristicName>, HeuristicNameError> {
    if text.len() > LONGEST || text.starts_with("patterns:") && !text.contains(['*', '(']) {
        return Ok(None);
    }
    let several = |text: &str, sign| {
        split_outside_brackets(text, sign)
            .map(str::parse)
            .collect::<Result<Vec<_>, _>>()
    };
    let inner = |text: &str, name: &str| -> Option<String> {
        let inner = text.strip_prefix(name)?.strip_suffix(')')?;
        let mut depth = 1i32;
        let closed = inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth > 0
        });
        closed.then(|| inner.to_owned())
    };
    let product = || {
        let (number, rest) = text.split_once('*')?;
        Some((number.trim().parse::<u32>().ok()?, rest))
    };
    Ok(Some(if split_outside_brackets(text, '+').count() > 1 {
        HeuristicName::Sum(several(text, '+')?)
    } else if let Some((times, rest)) = product() {
        HeuristicName::Times(times, Box::new(rest.parse()?))
    } else if let Some(inner) = inner(text, "max(") {
        HeuristicName::Max(several(&inner, ',')?)
    } else if let Some(inner) = inner(text, "(") {
        inner.parse()?
    } else {
        return Ok(None);
    }))
}

/// Reads the tiles of a pattern.
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
    if tiles.is_empty() {
        Err(error())
    } else {
        Ok(HeuristicName::Pattern(tiles))
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let HeuristicName::Pattern(tiles) = self {
            let digit = |&tile: &u8| char::from_digit(u32::from(tile), 36).unwrap_or('?');
            let tiles: String = tiles.iter().map(digit).collect();
            return f.pad(&format!("pattern:{tiles}"));
        }
        if let HeuristicName::Patterns(names) = self {
            return f.pad(&format!("patterns:{names}"));
        }
        let joined = |parts: &[HeuristicName], sign| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            parts.join(sign)
        };
        match self {
            HeuristicName::Times(times, part) if matches!(**part, HeuristicName::Sum(_)) => {
                return f.pad(&format!("{times}*({part})"));
            }
            HeuristicName::Times(times, part) => return f.pad(&format!("{times}*{part}")),
            HeuristicName::Sum(parts) => return f.pad(&joined(parts, "+")),
            HeuristicName::Max(parts) => return f.pad(&format!("max({})", joined(parts, ","))),
            _ => {}
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
        for (alias, name) in ALIASES {
            assert_eq!(alias.replace('-', "_").to_uppercase().parse(), Ok(name));
            assert!(NAMES.iter().all(|(known, _)| *known != alias));
        }
        for text in [
            "patterns:4-4",
            "patterns:1+2+3,4+5",
            "max(2*misplaced,manhattan)",
            "manhattan+3*sequence",
            "2*(manhattan+max(zero,pattern:12))+zero",
            "max(max(zero,misplaced),patterns:4-4)",
        ] {
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
            "max(manhattan",
            "max()",
            "manhattan+",
            "2*",
            "2*3",
            "-1*manhattan",
            "max(manhattan)+)(",
        ] {
            let error = text.parse::<HeuristicName>().unwrap_err().to_string();
            assert!(error.contains("pattern:1234"), "{error}");
        }
    }
}
