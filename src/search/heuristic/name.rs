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
            /// A number of times another.
            Times(u32, Box<HeuristicName>),
            /// The sum of several.
            Sum(Vec<HeuristicName>),
            /// The largest of several.
            Max(Vec<HeuristicName>),
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
    /// Nilsson's score of the order of the tiles on the border
    Sequence: "sequence" [];
    /// the true distance
    Perfect: "perfect" [];
}

impl HeuristicName {
    /// Returns a line about it.
    pub fn about(&self) -> &'static str {
        match self {
            HeuristicName::Pattern(_) => "distance of these tiles and the blank, the rest alike",
            HeuristicName::Patterns(_) => "sum of additive pattern databases",
            HeuristicName::Times(..) => "a number of times another",
            HeuristicName::Sum(_) => "the sum of several",
            HeuristicName::Max(_) => "the largest of several",
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
        let is_it = |spec: &&Spec| spec.name == text || spec.others.contains(&&*text);
        let known = SPECS.iter().map(|spec| spec.name).chain(OTHER_FORMS);
        let found = SPECS.iter().find(is_it);
        let found = found.ok_or_else(|| UnknownName::new(&text, "a heuristic", known))?;
        Ok(found.heuristic.clone())
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
    let tile = |letter: char| Some(letter.to_digit(36).filter(|&tile| tile > 0)? as u8);
    let tiles: Option<BTreeSet<u8>> = text.chars().map(tile).collect();
    let tiles = tiles.filter(|tiles| !tiles.is_empty() && tiles.len() == text.len());
    Ok(HeuristicName::Pattern(
        tiles.ok_or_else(error)?.into_iter().collect(),
    ))
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[HeuristicName], sign| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            parts.join(sign)
        };
        match self {
            HeuristicName::Times(times, part) if matches!(**part, HeuristicName::Sum(_)) => {
                f.pad(&format!("{times}*({part})"))
            }
            HeuristicName::Times(times, part) => f.pad(&format!("{times}*{part}")),
            HeuristicName::Sum(parts) => f.pad(&joined(parts, "+")),
            HeuristicName::Max(parts) => f.pad(&format!("max({})", joined(parts, ","))),
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
        assert_eq!((all.len(), names), (33, 33));
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
