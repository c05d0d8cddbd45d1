//! Heuristics of boards: the built-in ones by name, and the user's own.

use std::io;
use std::sync::Arc;

use crate::oracle::{Oracle, OracleError, QueryError};
use crate::pattern::{PartitionError, Patterns, Solver};
use crate::puzzle::{Board, MAX_CELLS, Move, Shape};
use crate::search::problem::{Heuristic, Successor};
use crate::search::sliding::{Packed, Sliding};

use super::linear_conflict::LinearConflict;
use super::tile_costs::TileCosts;
use super::walking_distance::WalkingDistance;

/// Reason why a heuristic cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeuristicError {
    /// The shape of the goal or the memory of this machine does not allow it.
    #[error("{why}")]
    Impossible {
        /// The reason, for display.
        why: String,
    },
    /// Its patterns need more memory than is allowed.
    #[error("{name} of a {shape} board is too large here: name fewer tiles")]
    TooLarge {
        /// Its name.
        name: String,
        /// The shape of the goal.
        shape: Shape,
    },
    /// There are no such additive patterns.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// The system did not give the memory for additive patterns.
    #[error("the pattern databases cannot be made: {cause}")]
    Memory {
        /// Error of the system.
        #[source]
        cause: io::Error,
    },
    /// The database that `perfect` looks up cannot be made or opened.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// An estimate of the distance of any board of a shape to one goal.
///
/// ```
/// use puzzledb::search::BoardHeuristic;
/// use puzzledb::puzzle::Board;
///
/// let goal: Board = "123456780".parse()?;
/// let estimate = |name: &str| -> Result<f64, Box<dyn std::error::Error>> {
///     let heuristic = BoardHeuristic::new(&name.parse()?, &goal)?;
///     Ok(heuristic.value(&"870654321".parse()?))
/// };
/// assert_eq!(estimate("manhattan")?, 20.0);
/// assert_eq!(estimate("perfect")?, 26.0);
/// assert_eq!(estimate("linear-conflict-naive")?, 28.0); // too much
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BoardHeuristic {
    pub(in crate::search) shape: Shape,
    unit: u32,
    kind: Kind,
}

/// The estimate of a board that cannot be solved, larger than any distance.
const NO_DISTANCE: u32 = u8::MAX as u32;

/// An estimate by the tiles of a board, row by row.
type TileEstimate = Box<dyn Fn(&[u8]) -> u32 + Send + Sync>;

/// Computation of the estimate.
pub(super) enum Kind {
    /// A sum over tiles; incremental.
    TileCosts(TileCosts),
    /// Incremental too.
    LinearConflict(Box<LinearConflict>),
    /// Incremental too.
    WalkingDistance(Box<WalkingDistance>),
    /// Incremental, mostly.
    Patterns(Solver),
    /// A look-up.
    Perfect(Oracle),
    /// Computed from scratch for every board.
    Tiles(TileEstimate),
    /// Several, each taken a number of times.
    Several(How, Vec<(u32, BoardHeuristic)>),
}

/// How several estimates make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// Their sum.
    Sum,
    /// The largest of them.
    Max,
}

fn board(shape: Shape, tiles: &[u8]) -> Board {
    let mut cells = [0; MAX_CELLS];
    cells[..tiles.len()].copy_from_slice(tiles);
    Board::from_permutation(shape, cells)
}

impl BoardHeuristic {
    pub(super) fn of_kind(shape: Shape, mut kind: Kind) -> BoardHeuristic {
        let unit = match &mut kind {
            Kind::TileCosts(costs) => costs.unit,
            Kind::Several(_, parts) => {
                let unit = parts.iter().map(|(_, part)| part.unit).max().unwrap_or(1);
                for (times, part) in parts {
                    *times = times.saturating_mul(unit / part.unit);
                }
                unit
            }
            _ => 1,
        };
        BoardHeuristic { shape, unit, kind }
    }

    /// Returns the sum of the distances of additive patterns, in the view of them that gives most.
    ///
    /// # Errors
    /// [`PartitionError::OtherClass`] if they do not serve the goal.
    pub fn from_patterns(
        patterns: impl Into<Arc<Patterns>>,
        goal: &Board,
    ) -> Result<BoardHeuristic, PartitionError> {
        let solver = Solver::new(patterns.into(), goal)?;
        Ok(BoardHeuristic::of_solver(solver))
    }

    /// Returns the heuristic of a solver's patterns.
    pub(in crate::search) fn of_solver(solver: Solver) -> BoardHeuristic {
        BoardHeuristic::of_kind(solver.search.goal.shape(), Kind::Patterns(solver))
    }

    /// Returns the solver of patterns, if it is a heuristic of patterns alone.
    pub(in crate::search) fn solver(&self) -> Option<&Solver> {
        match &self.kind {
            Kind::Patterns(solver) => Some(solver),
            _ => None,
        }
    }

    /// Makes a heuristic from a function for boards of a shape: `estimate` gives moves.
    ///
    /// It may take any value, but a search finds shortest solutions only if the heuristic is
    /// admissible, which [`audit`](crate::search::audit()) proves or disproves.
    ///
    /// ```
    /// use puzzledb::puzzle::Board;
    /// use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
    ///
    /// let goal: Board = "123456780".parse()?;
    /// let misplaced = BoardHeuristic::from_fn(goal.shape(), move |board| {
    ///     let pairs = board.tiles().iter().zip(goal.tiles());
    ///     pairs.filter(|&(tile, home)| *tile != 0 && tile != home).count() as u32
    /// });
    /// let settings = Settings::new(Algorithm::AStar);
    /// let report = search(&"704851632".parse()?, &goal, &settings, &misplaced, None)?;
    /// assert_eq!(report.result.unwrap().len(), 19);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fn(
        shape: Shape,
        estimate: impl Fn(&Board) -> u32 + Send + Sync + 'static,
    ) -> BoardHeuristic {
        let of_tiles = move |tiles: &[u8]| estimate(&board(shape, tiles));
        BoardHeuristic::of_kind(shape, Kind::Tiles(Box::new(of_tiles)))
    }

    /// Returns the estimate of a board of the heuristic's shape, in moves.
    pub fn value(&self, board: &Board) -> f64 {
        f64::from(self.of_tiles(board.tiles())) / f64::from(self.unit)
    }

    /// Returns the value of [`BoardHeuristic::of_tiles`] that stands for one move.
    pub(in crate::search) fn unit(&self) -> u32 {
        self.unit
    }

    /// Returns the estimate of a board by its tiles, in units.
    pub(in crate::search) fn of_tiles(&self, tiles: &[u8]) -> u32 {
        match &self.kind {
            Kind::TileCosts(costs) => costs.sum(tiles),
            Kind::LinearConflict(heuristic) => heuristic.sum(tiles),
            Kind::WalkingDistance(heuristic) => heuristic.sum(tiles),
            Kind::Patterns(solver) => {
                let bound = solver.bound(&board(self.shape, tiles));
                bound.unwrap_or(NO_DISTANCE)
            }
            Kind::Perfect(oracle) => {
                let distance = oracle.distance(&board(self.shape, tiles));
                distance.map_or(NO_DISTANCE, u32::from)
            }
            Kind::Tiles(estimate) => estimate(tiles),
            Kind::Several(how, parts) => {
                let values = parts
                    .iter()
                    .map(|(times, part)| times.saturating_mul(part.of_tiles(tiles)));
                match how {
                    How::Sum => values.fold(0, u32::saturating_add),
                    How::Max => values.max().unwrap_or(0),
                }
            }
        }
    }

    /// Fails if damage was met in the file that the estimates come from. Must be called before results that rest on
    /// them are returned; a [search](crate::search::search()) does so itself.
    ///
    /// # Errors
    /// [`QueryError::Damaged`]
    pub fn undamaged(&self) -> Result<(), QueryError> {
        match &self.kind {
            Kind::Patterns(solver) => QueryError::undamaged(solver.patterns.file()),
            Kind::Perfect(oracle) => QueryError::undamaged(oracle.file()),
            Kind::Several(_, parts) => parts.iter().try_for_each(|(_, part)| part.undamaged()),
            _ => Ok(()),
        }
    }
}

impl<W: Packed> Heuristic<Sliding<W>> for BoardHeuristic {
    fn unit(&self) -> u32 {
        self.unit
    }

    #[inline]
    fn estimate(&self, state: &W) -> u32 {
        let cells = self.shape.cells();
        self.of_tiles(&state.tiles(cells)[..cells])
    }

    #[inline]
    fn estimate_successor(&self, state: &W, estimate: u32, successor: &Successor<W, Move>) -> u32 {
        let Kind::TileCosts(costs) = &self.kind else {
            return self.after(state, estimate, &successor.state);
        };
        let (from, to) = (successor.state.blank(), state.blank());
        costs.after(estimate, state.tile(from), from, to)
    }
}

impl BoardHeuristic {
    /// Returns the estimate of a successor for kinds that are not a sum over tiles. It is apart from those, whose few
    /// instructions are inlined into the searches.
    #[inline(never)]
    fn after<W: Packed>(&self, state: &W, estimate: u32, successor: &W) -> u32 {
        let (from, to) = (successor.blank(), state.blank());
        let tiles = |cell: usize| state.tile(cell);
        match &self.kind {
            Kind::LinearConflict(heuristic) => heuristic.after(estimate, tiles, from, to),
            Kind::WalkingDistance(heuristic) => heuristic.after(estimate, tiles, from, to),
            Kind::Patterns(solver) if estimate < NO_DISTANCE => {
                let cells = self.shape.cells();
                let board = |state: &W| board(self.shape, &state.tiles(cells)[..cells]);
                let after = solver.bound_after(estimate, &board(state), &board(successor));
                after.unwrap_or_else(|| self.estimate(successor))
            }
            _ => self.estimate(successor),
        }
    }
}

impl std::fmt::Debug for BoardHeuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardHeuristic")
            .field("shape", &self.shape)
            .field("unit", &self.unit)
            .finish_non_exhaustive()
    }
}
