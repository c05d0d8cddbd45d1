//! An estimate of the distance of any board, by the name of the heuristic.

use crate::oracle::{Oracle, OracleError};
use crate::puzzle::{Board, MAX_CELLS, Move, Shape};
use crate::search::problem::{Heuristic, Successor};
use crate::search::sliding::{Packed, Sliding};

use super::name::HeuristicName;
use super::pattern::{Pattern, PatternError};
use super::tile_costs::{self, TileCosts};
use super::{gaschnig, inversion, linear_conflict};

/// Why there is no such heuristic for a goal.
#[derive(Debug, thiserror::Error)]
pub enum HeuristicError {
    /// The pattern names tiles that the shape has not got, or its database is too large.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// `perfect` needs a database.
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
#[derive(Debug)]
pub struct BoardHeuristic {
    shape: Shape,
    unit: u32,
    kind: Kind,
}

/// An estimate from a board's tiles.
type Estimate = Box<dyn Fn(&[u8]) -> u32 + Send + Sync>;

enum Kind {
    /// A sum over tiles of what each costs in its place.
    TileCosts(Box<TileCosts>),
    /// Worked out from the whole board.
    Whole(Estimate),
}

impl Kind {
    fn whole(estimate: impl Fn(&[u8]) -> u32 + Send + Sync + 'static) -> Kind {
        Kind::Whole(Box::new(estimate))
    }
}

impl BoardHeuristic {
    /// The heuristic of this name for a goal. `perfect` makes its database in memory.
    ///
    /// # Errors
    /// [`HeuristicError`]
    pub fn new(name: &HeuristicName, goal: &Board) -> Result<BoardHeuristic, HeuristicError> {
        BoardHeuristic::with_oracle(name, goal, |goal| Ok(Oracle::in_memory(goal)?))
    }

    /// As [`BoardHeuristic::new`], with a way to get the oracle that `perfect` asks.
    ///
    /// # Errors
    /// [`HeuristicError`], or the error of `oracle`.
    pub fn with_oracle<E: From<HeuristicError>>(
        name: &HeuristicName,
        goal: &Board,
        oracle: impl FnOnce(&Board) -> Result<Oracle, E>,
    ) -> Result<BoardHeuristic, E> {
        let shape = goal.shape();
        let places = |places: TileCosts| Kind::TileCosts(Box::new(places));
        let mut unit = 1;
        let kind = match name {
            HeuristicName::Zero => places(TileCosts::zero()),
            HeuristicName::Misplaced => places(TileCosts::misplaced(goal)),
            HeuristicName::MisplacedWithBlank => places(TileCosts::misplaced_with_blank(goal)),
            HeuristicName::Manhattan => places(TileCosts::manhattan(goal)),
            HeuristicName::RowsColumns => places(TileCosts::rows_columns(goal)),
            HeuristicName::Euclidean => {
                unit = tile_costs::EUCLIDEAN_UNIT;
                places(TileCosts::euclidean(goal))
            }
            HeuristicName::LinearConflict => Kind::whole(linear_conflict::linear_conflict(goal)),
            HeuristicName::LinearConflictNaive => {
                Kind::whole(linear_conflict::linear_conflict_naive(goal))
            }
            HeuristicName::Gaschnig => Kind::whole(gaschnig::gaschnig(goal)),
            HeuristicName::Inversion => Kind::whole(inversion::inversion(goal)),
            HeuristicName::ManhattanPlusMisplaced => {
                places(TileCosts::manhattan(goal).plus(&TileCosts::misplaced(goal)))
            }
            HeuristicName::Pattern(tiles) => {
                let pattern = Pattern::new(goal, tiles).map_err(HeuristicError::from)?;
                Kind::whole(move |tiles| pattern.distance(tiles))
            }
            HeuristicName::Perfect => {
                let oracle = oracle(goal)?;
                Kind::whole(move |tiles| perfect(&oracle, tiles))
            }
        };
        Ok(BoardHeuristic { shape, unit, kind })
    }

    /// The estimate of a board, in moves. Of a board of another shape it means nothing.
    pub fn value(&self, board: &Board) -> f64 {
        f64::from(self.of_tiles(board.tiles())) / f64::from(self.unit)
    }

    /// What a move counts in [`BoardHeuristic::of_tiles`].
    pub(in crate::search) fn unit(&self) -> u32 {
        self.unit
    }

    /// The estimate in units.
    pub(in crate::search) fn of_tiles(&self, tiles: &[u8]) -> u32 {
        match &self.kind {
            Kind::TileCosts(places) => places.sum(tiles),
            Kind::Whole(value) => value(tiles),
        }
    }
}

/// The truth. A board that cannot be solved has none, and gets a very large estimate.
fn perfect(oracle: &Oracle, tiles: &[u8]) -> u32 {
    let mut cells = [0; MAX_CELLS];
    cells[..tiles.len()].copy_from_slice(tiles);
    let board = Board::from_permutation(oracle.shape(), cells);
    oracle
        .distance(&board)
        .map_or(u32::from(u8::MAX), u32::from)
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
        match &self.kind {
            Kind::TileCosts(places) => {
                let (from, to) = (successor.state.blank(), state.blank());
                places.after(estimate, state.tile(from), from, to)
            }
            Kind::Whole(_) => self.estimate(&successor.state),
        }
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::TileCosts(_) => "TileCosts",
            Kind::Whole(_) => "Whole",
        })
    }
}
