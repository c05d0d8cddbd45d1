//! Division of tiles into patterns.

use std::fmt;
use std::str::FromStr;

use crate::basics::text::joined;
use crate::puzzle::{Board, Shape};
use crate::space::{GoalClass, Symmetry};

use super::blocks::{MAX_PATTERN_CELLS, bits};

/// The most tiles of one pattern.
pub const MAX_PATTERN_TILES: usize = 10;

/// The most patterns that are added.
pub const MAX_PATTERNS: usize = 12;

/// Names of patterns: by their numbers of tiles, `7-8`, or by their tiles, `1-8,9-15` and `1-2+5-6,3-4+7-8`.
///
/// ```
/// use puzzledb::pattern::PatternNames;
///
/// let names: PatternNames = "6-6-3".parse()?;
/// assert_eq!(names, PatternNames::Sizes(vec![6, 6, 3]));
/// let names: PatternNames = "1-3,4+7".parse()?;
/// assert_eq!(names, PatternNames::Tiles(vec![vec![1, 2, 3], vec![4, 7]]));
/// # Ok::<(), puzzledb::pattern::PartitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternNames {
    /// Number of tiles of each pattern; [`Partition::new`] chooses them.
    Sizes(Vec<usize>),
    /// Tiles of each pattern.
    Tiles(Vec<Vec<u8>>),
}

/// Reason why there are no such patterns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// The text names no patterns.
    #[error(
        "{0:?} names no patterns: write their numbers of tiles, as in 7-8 or 6-6-3, or their tiles, \
         as in 1-8,9-15"
    )]
    Unreadable(String),
    /// A tile is in two patterns, whose distances could not be added, or twice in one.
    #[error("tile {0} is named twice: patterns whose distances are added have no tile in common")]
    Twice(u8),
    /// The shape does not have this tile.
    #[error("the patterns have tile {tile}, and a {shape} board has the tiles 1 to {}", shape.tiles())]
    NoSuchTile {
        /// The tile.
        tile: u8,
        /// The shape.
        shape: Shape,
    },
    /// The shape does not have so many tiles.
    #[error("the patterns have {tiles} tiles in all, and a {shape} board has {}", shape.tiles())]
    TooManyTiles {
        /// Number of requested tiles.
        tiles: usize,
        /// The shape.
        shape: Shape,
    },
    /// A pattern of too many tiles or of none, or too many patterns.
    #[error(
        "patterns have 1 to {MAX_PATTERN_TILES} tiles, and there are at most {MAX_PATTERNS} of them"
    )]
    Size,
    /// The patterns are of another shape or class of goals.
    #[error("the patterns are of {shape} boards and do not serve the goal {goal} ({})", goal.shape())]
    OtherClass {
        /// The shape of the patterns.
        shape: Shape,
        /// The requested goal.
        goal: Board,
    },
    /// There are no pattern databases of the shape.
    #[error("a {0} board has more than the {MAX_PATTERN_CELLS} cells of pattern databases")]
    TooManyCells(Shape),
}

impl FromStr for PatternNames {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<PatternNames, PartitionError> {
        let unreadable = || PartitionError::Unreadable(text.to_owned());
        let number = |text: &str| text.trim().parse::<u8>().map_err(|_| unreadable());
        if !text.contains([',', '+']) {
            let sizes = text.split('-').map(|size| number(size).map(usize::from));
            return Ok(PatternNames::Sizes(sizes.collect::<Result<_, _>>()?));
        }
        let pattern = |text: &str| {
            let mut tiles = Vec::new();
            for part in text.split('+') {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                tiles.extend(number(first)?..=number(last)?);
            }
            match tiles.is_empty() {
                true => Err(unreadable()),
                false => Ok(tiles),
            }
        };
        let patterns = text.split(',').map(pattern);
        Ok(PatternNames::Tiles(patterns.collect::<Result<_, _>>()?))
    }
}

impl fmt::Display for PatternNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            PatternNames::Sizes(sizes) => joined(sizes, "-"),
            PatternNames::Tiles(patterns) => match &patterns[..] {
                [one] if one.len() == 1 => format!("{}+", one[0]),
                _ => joined(patterns.iter().map(|tiles| joined(tiles, "+")), ","),
            },
        })
    }
}

/// Patterns without common tiles, for all goals of a class.
///
/// Patterns are sets of cells on the class's canonical board: a tile belongs to the pattern that
/// has its goal cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    pub(super) class: GoalClass,
    /// A mask of cells for each pattern.
    pub(super) goals: Vec<u32>,
}

impl Partition {
    /// Makes the patterns of these names for a goal. If patterns are named by their sizes, their tiles are those whose
    /// goal cells are close together, since they obstruct each other most.
    ///
    /// # Errors
    /// [`PartitionError`]
    pub fn new(goal: &Board, names: &PatternNames) -> Result<Partition, PartitionError> {
        let given = goal.shape();
        if given.cells() > MAX_PATTERN_CELLS {
            return Err(PartitionError::TooManyCells(given));
        }
        let class = GoalClass::of_any_shape(given, goal.blank());
        let goals = match names {
            PatternNames::Sizes(sizes) => by_size(class, sizes)?,
            PatternNames::Tiles(patterns) => {
                let symmetry = Symmetry::all_to_canonical(given, goal.blank())[0];
                let mut seen = 0u32;
                let mut mask = |tiles: &Vec<u8>| {
                    let mut mask = 0;
                    for &tile in tiles {
                        let home = goal.tiles().iter().position(|&t| t == tile && t != 0);
                        let no_such_tile = PartitionError::NoSuchTile { tile, shape: given };
                        let bit = 1 << symmetry.cell(home.ok_or(no_such_tile)?);
                        if seen & bit != 0 {
                            return Err(PartitionError::Twice(tile));
                        }
                        seen |= bit;
                        mask |= bit;
                    }
                    Ok(mask)
                };
                patterns.iter().map(&mut mask).collect::<Result<_, _>>()?
            }
        };
        Partition::of_goals(class, goals)
    }

    /// Makes the patterns with these cells of a canonical board.
    pub(super) fn of_goals(class: GoalClass, goals: Vec<u32>) -> Result<Partition, PartitionError> {
        let sizes = 1..=MAX_PATTERN_TILES as u32;
        match goals.len() {
            1..=MAX_PATTERNS if goals.iter().all(|goal| sizes.contains(&goal.count_ones())) => {
                Ok(Partition { class, goals })
            }
            _ => Err(PartitionError::Size),
        }
    }

    /// Makes patterns that have all tiles of a goal among them, each at most `most`; as many as possible have exactly
    /// `most`.
    ///
    /// # Errors
    /// [`PartitionError::TooManyCells`], and [`PartitionError::Size`] unless `most` is a size.
    pub fn up_to(goal: &Board, most: usize) -> Result<Partition, PartitionError> {
        let tiles = goal.shape().tiles();
        let rest = tiles.checked_rem(most).ok_or(PartitionError::Size)?;
        let mut sizes = vec![most; tiles / most];
        sizes.extend((rest > 0).then_some(rest));
        Partition::new(goal, &PatternNames::Sizes(sizes))
    }

    /// Returns the class of its goals.
    pub fn class(&self) -> GoalClass {
        self.class
    }

    /// Returns the number of tiles of each pattern.
    pub fn sizes(&self) -> Vec<usize> {
        self.goals
            .iter()
            .map(|goal| goal.count_ones() as usize)
            .collect()
    }

    /// Fails unless this is the class of the goal.
    ///
    /// # Errors
    /// [`PartitionError::OtherClass`] if it is not.
    pub fn check_goal(&self, goal: &Board) -> Result<(), PartitionError> {
        match GoalClass::of_any_shape(goal.shape(), goal.blank()) == self.class {
            true => Ok(()),
            false => Err(PartitionError::OtherClass {
                shape: self.class.shape(),
                goal: *goal,
            }),
        }
    }
}

/// Cuts the goal's cells into sets of these sizes that are close together: begins with the cells in
/// their order, and exchanges two cells, or a cell and one that is left over, as long as the sum of
/// the distances within the sets becomes less.
fn by_size(class: GoalClass, sizes: &[usize]) -> Result<Vec<u32>, PartitionError> {
    let (shape, tiles) = (class.shape(), sizes.iter().sum());
    if tiles > shape.tiles() {
        return Err(PartitionError::TooManyTiles { tiles, shape });
    }
    let cells: Vec<usize> = (0..shape.cells())
        .filter(|&cell| cell != class.blank())
        .collect();
    // The pattern of each cell; those that are left over are in none.
    let order = (0..sizes.len())
        .rev()
        .flat_map(|i| std::iter::repeat_n(i, sizes[i]));
    let mut of: Vec<usize> = order.collect();
    of.resize(cells.len(), usize::MAX);
    let apart = |a: usize, b: usize| shape.steps(a, b).pow(2);
    let pairs = || (0..cells.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let cost = |of: &[usize]| -> usize {
        let within = pairs().filter(|&(a, b)| of[a] == of[b] && of[a] != usize::MAX);
        within.map(|(a, b)| apart(cells[a], cells[b])).sum()
    };
    loop {
        let exchanged = |&(a, b): &(usize, usize)| {
            let mut of = of.clone();
            of.swap(a, b);
            cost(&of)
        };
        match pairs().min_by_key(exchanged) {
            Some((a, b)) if exchanged(&(a, b)) < cost(&of) => of.swap(a, b),
            _ => break,
        }
    }
    let goal = |i: usize| {
        let own = cells.iter().zip(&of).filter(|(_, of)| **of == i);
        own.fold(0, |mask, (cell, _)| mask | 1 << cell)
    };
    Ok((0..sizes.len()).map(goal).collect())
}

impl fmt::Display for Partition {
    /// Writes the tiles of the default goal of the shape as it is kept, as in `9-15,1-8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = |&goal: &u32| {
            let tile = |cell| cell + usize::from(cell < self.class.blank());
            let tiles: Vec<usize> = bits(goal).map(tile).collect();
            let part = |tiles: &[usize]| match tiles {
                [tile] => tile.to_string(),
                _ => format!("{}-{}", tiles[0], tiles[tiles.len() - 1]),
            };
            joined(tiles.chunk_by(|a, b| a + 1 == *b).map(part), "+")
        };
        f.pad(&joined(self.goals.iter().map(pattern), ","))
    }
}
