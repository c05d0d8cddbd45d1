//! The names of heuristics.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::basics::UnknownName;
use crate::oracle::{Oracle, OracleError};
use crate::pattern::{Partition, PartitionError, PatternNames, Patterns};
use crate::puzzle::Board;

use super::board_heuristic::{BoardHeuristic, HeuristicError, How, Kind};
use super::linear_conflict::LinearConflict;
use super::of_tiles::{gaschnig, inversion, sequence};
use super::pattern::Pattern;
use super::tile_costs::TileCosts;
use super::walking_distance::WalkingDistance;

/// A row of the table of heuristics without parameters.
struct Spec {
    heuristic: HeuristicName,
    name: &'static str,
    /// Other names that are common in the field.
    others: &'static [&'static str],
    about: &'static str,
    is_admissible: bool,
    new: fn(&Board, Option<&Oracle>) -> Result<Kind, HeuristicError>,
}

/// Makes the type [`HeuristicName`] and its table from one list. A row is a line about a heuristic, its variant, name and
/// other names, whether it is admissible, and its computation for a goal.
macro_rules! heuristics {
    ($(
        #[doc = $about:literal]
        $variant:ident: $name:literal $others:tt, $is_admissible:literal, |$($argument:pat_param),+| $new:expr;
    )*) => {
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
            /// The sum or the largest of several, each taken a number of times.
            Combined(How, Vec<(u32, HeuristicName)>),
        }

        const SPECS: &[Spec] = &[$(Spec {
            heuristic: HeuristicName::$variant,
            name: $name,
            others: &$others,
            about: $about,
            is_admissible: $is_admissible,
            new: |$($argument),+| Ok($new),
        },)*];
    };
}

heuristics! {
    /// always 0
    Zero: "zero" [], true, |goal, _| Kind::TileCosts(TileCosts::new(goal, false, |_, _| 0));
    /// tiles that are not in their goal cell (Hamming distance)
    Misplaced: "misplaced" ["hamming", "misplaced-tiles", "tiles-out-of-place", "h1"], true,
        |goal, _| Kind::TileCosts(TileCosts::new(goal, false, is_out));
    /// misplaced, with the blank counted as a tile
    MisplacedWithBlank: "misplaced-with-blank" [], false, |goal, _| Kind::TileCosts(TileCosts::new(goal, true, is_out));
    /// rows and columns between the tiles and their goal cells
    Manhattan: "manhattan" ["md", "manhattan-distance", "taxicab", "city-block", "l1", "h2"], true,
        |goal, _| Kind::TileCosts(TileCosts::manhattan(goal));
    /// straight lines between the tiles and their goal cells
    Euclidean: "euclidean" ["euclid", "l2"], true, |goal, _| Kind::TileCosts(TileCosts::euclidean(goal));
    /// Manhattan + 2 for each tile that must leave its line
    LinearConflict: "linear-conflict" ["lc", "linear-conflicts", "manhattan-linear-conflict"], true,
        |goal, _| Kind::LinearConflict(Box::new(LinearConflict::new(goal)));
    /// Manhattan + 2 for each pair in reverse order
    LinearConflictNaive: "linear-conflict-naive" [], false,
        |goal, _| Kind::LinearConflict(Box::new(LinearConflict::naive(goal)));
    /// moves that bring the tiles into rows, and columns
    WalkingDistance: "walking-distance" ["wd"], true, |goal, _| {
        let too_large = || HeuristicError::Impossible {
            why: format!("the walking distance of {} boards needs a table of more than a million states", goal.shape()),
        };
        Kind::WalkingDistance(Box::new(WalkingDistance::new(goal).ok_or_else(too_large)?))
    };
    /// moves if any tile may jump into the blank (n-MaxSwap)
    Gaschnig: "gaschnig" ["max-swap", "n-max-swap"], true, |goal, _| Kind::Tiles(Box::new(gaschnig(goal)));
    /// tiles out of their row + tiles out of their column
    RowsColumns: "rows-columns" [], true,
        |goal, _| Kind::TileCosts(TileCosts::new(goal, false, |rows, cols| (rows.min(1) + cols.min(1)) as u32));
    /// moves that the inversions of the tiles need
    Inversion: "inversion" ["inversion-distance"], true, |goal, _| Kind::Tiles(Box::new(inversion(goal)));
    /// the sum of both; above the distance at times
    ManhattanPlusMisplaced: "manhattan-plus-misplaced" [], false,
        |goal, _| Kind::TileCosts(TileCosts::new(goal, false, |rows, cols| (rows + cols) as u32 + is_out(rows, cols)));
    /// Nilsson's score of the order of the tiles on the border
    Sequence: "sequence" [], false, |goal, _| Kind::Tiles(Box::new(sequence(goal)));
    /// the true distance
    Perfect: "perfect" [], true, |goal, oracle| {
        let oracle = oracle.map_or_else(|| Oracle::for_goal(goal), |oracle| Ok(oracle.clone()))?;
        oracle.space().map_err(OracleError::from)?;
        Kind::Perfect(oracle)
    };
}

/// Returns 1 for a tile that is so many rows and columns from its goal cell, and 0 for one that is there.
fn is_out(rows: usize, cols: usize) -> u32 {
    u32::from(rows + cols > 0)
}

impl HeuristicName {
    /// Returns a line about it.
    pub fn about(&self) -> &'static str {
        match self {
            HeuristicName::Pattern(_) => "distance of these tiles and the blank, the rest alike",
            HeuristicName::Patterns(_) => "sum of additive pattern databases",
            HeuristicName::Combined(How::Sum, _) => "the sum of several",
            HeuristicName::Combined(How::Max, _) => "the largest of several",
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

    /// Returns whether it is such a heuristic, or an expression with one.
    pub(crate) fn has(&self, is_such: fn(&HeuristicName) -> bool) -> bool {
        match self {
            HeuristicName::Combined(_, parts) => parts.iter().any(|(_, part)| part.has(is_such)),
            name => is_such(name),
        }
    }

    /// Returns whether it is known that it is never above the distance. The other named ones are above it for some
    /// boards; of sums and products it is not known. The admissible ones are consistent, too: a move changes them by 1 at
    /// most.
    pub fn is_admissible(&self) -> bool {
        let is_part = |(times, part): &(u32, HeuristicName)| *times < 2 && part.is_admissible();
        match self {
            HeuristicName::Pattern(_) | HeuristicName::Patterns(_) => true,
            HeuristicName::Combined(How::Sum, parts) if parts.len() > 1 => false,
            HeuristicName::Combined(_, parts) => parts.iter().all(is_part),
            name => name.spec().is_admissible,
        }
    }
}

impl BoardHeuristic {
    /// Returns the heuristic of this name for a goal. `perfect` makes its database in memory.
    ///
    /// # Errors
    /// [`HeuristicError`]
    pub fn new(name: &HeuristicName, goal: &Board) -> Result<BoardHeuristic, HeuristicError> {
        BoardHeuristic::of_name(name, goal, None, None)
    }

    /// Returns the heuristic of a name, with patterns of so many bytes at most, of which the parts of an expression have
    /// equal shares. `perfect` is the distance of the oracle, and patterns are those of the oracle, where it has them.
    pub(crate) fn of_name(
        name: &HeuristicName,
        goal: &Board,
        oracle: Option<&Oracle>,
        memory: Option<u64>,
    ) -> Result<BoardHeuristic, HeuristicError> {
        let shape = goal.shape();
        let check = |bytes: u64| match memory {
            Some(memory) if bytes > memory => {
                let name = name.to_string();
                Err(HeuristicError::TooLarge { name, shape })
            }
            _ => Ok(()),
        };
        let kind = match name {
            HeuristicName::Combined(how, parts) => {
                let share = memory.map(|memory| memory / parts.len().max(1) as u64);
                let part = |(times, part): &(u32, HeuristicName)| {
                    Ok((*times, BoardHeuristic::of_name(part, goal, oracle, share)?))
                };
                let parts: Result<_, HeuristicError> = parts.iter().map(part).collect();
                Kind::Several(*how, parts?)
            }
            HeuristicName::Pattern(tiles) => {
                check(Pattern::memory(shape, tiles.len()))?;
                let pattern = Pattern::new(goal, tiles)?;
                Kind::Tiles(Box::new(move |tiles| pattern.distance(tiles)))
            }
            HeuristicName::Patterns(names) => {
                let partition = Partition::new(goal, names)?;
                let mut known = oracle.into_iter().flat_map(Oracle::patterns);
                if let Some(patterns) = known.find(|known| *known.partition() == partition) {
                    return Ok(BoardHeuristic::from_patterns(patterns.clone(), goal)?);
                }
                check(partition.memory())?;
                let patterns = Patterns::build(&partition);
                let patterns = patterns.map_err(|cause| HeuristicError::Memory { cause })?;
                return Ok(BoardHeuristic::from_patterns(patterns, goal)?);
            }
            name => (name.spec().new)(goal, oracle)?,
        };
        Ok(BoardHeuristic::of_kind(shape, kind))
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
    let product = |text| -> Option<(u32, &str)> {
        let (times, rest) = str::split_once(text, '*')?;
        Some((times.trim().parse().ok()?, rest))
    };
    let part = |text| {
        let (times, rest) = product(text).unwrap_or((1, text));
        Ok((times, rest.parse()?))
    };
    let combined = |how, text, sign| {
        let parts = split_outside_brackets(text, sign).map(part);
        let parts = parts.collect::<Result<_, HeuristicNameError>>()?;
        Ok(Some(HeuristicName::Combined(how, parts)))
    };
    let inner = |name| text.strip_prefix(name)?.strip_suffix(')');
    if split_outside_brackets(text, '+').count() > 1 || product(text).is_some() {
        combined(How::Sum, text, '+')
    } else if let Some(inner) = inner("max(") {
        combined(How::Max, inner, ',')
    } else {
        inner("(").map(str::parse).transpose()
    }
}

/// Reads the tiles of a pattern.
fn pattern(text: &str) -> Result<HeuristicName, HeuristicNameError> {
    let tile = |letter: char| Some(letter.to_digit(36).filter(|&tile| tile > 0)? as u8);
    let tiles: BTreeSet<u8> = text.chars().map_while(tile).collect();
    // Each letter must be another tile.
    if tiles.is_empty() || tiles.len() < text.chars().count() {
        let tiles = text.to_owned();
        return Err(HeuristicNameError::InvalidTiles { tiles });
    }
    Ok(HeuristicName::Pattern(tiles.into_iter().collect()))
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicName::Combined(how, parts) => {
                let of = |(times, part): &(u32, HeuristicName)| match part {
                    _ if *times == 1 && parts.len() > 1 => part.to_string(),
                    HeuristicName::Combined(How::Sum, terms) if terms.len() > 1 => {
                        format!("{times}*({part})")
                    }
                    _ => format!("{times}*{part}"),
                };
                let parts = parts.iter().map(of).collect::<Vec<_>>();
                match how {
                    How::Sum => f.pad(&parts.join("+")),
                    How::Max => f.pad(&format!("max({})", parts.join(","))),
                }
            }
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
