//! Draws boards at chosen distances.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::puzzle::{Board, Move, Shape};
use crate::space::StateIndex;

use super::by_table::TableOracle;
use super::distances::{CHECK_INTERVAL, SMALL_SPACE};
use super::error::{OracleError, QueryError};
use super::solution_counts::SolutionCounts;

/// Request for boards to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The distances that they may have.
    pub distances: RangeInclusive<u8>,
    /// Whether only boards with exactly one shortest solution are drawn.
    pub unique: bool,
    /// Number of boards.
    pub count: usize,
    /// Seed of the draw: equal seeds draw equal boards, on every machine.
    pub seed: u64,
}

impl Request {
    /// Requests a number of boards at some distances.
    pub fn new(distances: RangeInclusive<u8>, count: usize, seed: u64) -> Request {
        Request {
            distances,
            unique: false,
            count,
            seed,
        }
    }

    /// Restricts the request to boards with exactly one shortest solution.
    pub fn unique(self) -> Request {
        Request {
            unique: true,
            ..self
        }
    }
}

/// Reason why nothing was drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// Fewer boards than requested fit the request.
    #[error("only {available} boards fit, and {wanted} are wanted")]
    TooFew {
        /// Boards that fit.
        available: u64,
        /// Boards that are wanted.
        wanted: usize,
    },
    /// No board is so far from the goal.
    #[error("no {shape} board is more than {largest} moves away from this goal")]
    TooFar {
        /// The shape of the goal.
        shape: Shape,
        /// The largest distance.
        largest: u8,
    },
    /// Walks without a table did not reach as many boards as requested.
    #[error(
        "{found} of {wanted} boards were found by walks, which came up to {farthest} moves away from the goal"
    )]
    NotFound {
        /// Boards that were found.
        found: usize,
        /// Boards that are wanted.
        wanted: usize,
        /// The largest distance that was proved.
        farthest: u8,
    },
    /// The table is wrong, or rare boards of a large space need a search that this machine has too
    /// little memory for.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl From<QueryError> for GenerateError {
    fn from(error: QueryError) -> GenerateError {
        OracleError::from(error).into()
    }
}

/// Draws boards without repetition, every set of them equally likely, in random order.
///
/// ```
/// use puzzledb::oracle::{TableOracle, generate::{Request, generate}};
///
/// let oracle = TableOracle::in_memory(&"123456780".parse()?)?;
/// let request = Request::new(31..=31, 2, 1);
/// let mut boards: Vec<String> =
///     generate(&oracle, &request)?.iter().map(|b| b.to_string()).collect();
/// boards.sort();
/// assert_eq!(boards, ["647850321", "867254301"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GenerateError`] if more boards are requested than there are.
pub fn generate(oracle: &TableOracle, request: &Request) -> Result<Vec<Board>, GenerateError> {
    let header = oracle.table().header();
    let available = fitting(oracle, request);
    let wanted = request.count;
    if available < wanted as u64 {
        return Err(GenerateError::TooFew { available, wanted });
    }
    let drawn = if header.states() <= SMALL_SPACE || needs_search(oracle, request) {
        from_list(oracle, request)?
    } else {
        by_trying(oracle, request, available)?
    };
    Ok(drawn
        .into_iter()
        .map(|index| oracle.unrank(index))
        .collect())
}

/// Limit of rare boards in a large space. Random states are tried one after the other if at least one in `RARE` states
/// fits the request and at most one in `RARE` of those is requested; otherwise the levels are searched.
const RARE: u64 = 10_000;

/// Returns the number of states at the requested distances.
fn fitting(oracle: &TableOracle, request: &Request) -> u64 {
    let levels = (0..).zip(oracle.table().header().levels());
    let inside = levels.filter(|(distance, _)| request.distances.contains(distance));
    inside.map(|(_, states)| states).sum()
}

/// Returns whether [`generate`] searches the space anew for this request. It does so for boards that are rare in a
/// large space, with as much time and memory as building the database takes.
#[doc(hidden)]
pub fn needs_search(oracle: &TableOracle, request: &Request) -> bool {
    let states = oracle.table().header().states();
    let available = fitting(oracle, request);
    let enough = available / RARE >= request.count as u64;
    states > SMALL_SPACE && !(enough && available > 0 && states / available <= RARE)
}

/// Draws from the list of all states that fit.
fn from_list(oracle: &TableOracle, request: &Request) -> Result<Vec<StateIndex>, GenerateError> {
    let mut fitting = oracle.states_at(&request.distances)?;
    if request.unique {
        fitting = unique(oracle, fitting)?;
    }
    draw(fitting, request)
}

/// Keeps the states that have exactly one shortest solution.
fn unique(oracle: &TableOracle, states: Vec<StateIndex>) -> Result<Vec<StateIndex>, QueryError> {
    let mut unique = Vec::new();
    let counts = if oracle.table().header().states() <= SMALL_SPACE {
        Some(SolutionCounts::unless(oracle.cancel(), oracle.table())?)
    } else {
        None
    };
    for index in states {
        let solutions = match &counts {
            Some(counts) => counts.get(index),
            None => oracle.count_solutions(&oracle.unrank(index))?,
        };
        if solutions == 1 {
            unique.push(index);
        }
    }
    Ok(unique)
}

/// Draws from a list.
pub(super) fn draw<T: Copy>(
    mut fitting: Vec<T>,
    request: &Request,
) -> Result<Vec<T>, GenerateError> {
    let (available, wanted) = (fitting.len() as u64, request.count);
    if fitting.len() < wanted {
        return Err(GenerateError::TooFew { available, wanted });
    }
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let (drawn, _) = fitting.partial_shuffle(&mut random, wanted);
    Ok(drawn.to_vec())
}

/// Draws from all states until enough of those drawn fit.
fn by_trying(
    oracle: &TableOracle,
    request: &Request,
    available: u64,
) -> Result<Vec<StateIndex>, GenerateError> {
    let states = oracle.table().header().states();
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let (mut drawn, mut seen) = (Vec::new(), HashSet::new());
    // A bound on the attempts. In all spaces examined more than one state in a thousand has a
    // single shortest solution.
    let most = (states / available + 1) * (request.count as u64 + 1) * 1000;
    for i in 0..most {
        if i.is_multiple_of(CHECK_INTERVAL) {
            oracle.cancel().check().map_err(QueryError::from)?;
        }
        if drawn.len() == request.count {
            return Ok(drawn);
        }
        let index = StateIndex(random.random_range(0..states));
        let board = oracle.unrank(index);
        let fits = request.distances.contains(&oracle.distance(&board)?)
            && (!request.unique || oracle.count_solutions(&board)? == 1);
        if fits && seen.insert(index) {
            drawn.push(index);
        }
    }
    let (available, wanted) = (drawn.len() as u64, request.count);
    Err(GenerateError::TooFew { available, wanted })
}

/// Draws a board that can be solved to `goal`, each one equally likely. It needs no table, so it
/// serves every shape.
///
/// ```
/// use puzzledb::oracle::generate::random_board;
/// use puzzledb::puzzle::{Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// assert!(random_board(&goal, 1).is_solvable_to(&goal));
/// # Ok::<(), puzzledb::puzzle::ShapeError>(())
/// ```
pub fn random_board(goal: &Board, seed: u64) -> Board {
    let mut boards = generate_by_shuffling(goal, 1, seed);
    boards.next().expect("one was asked for")
}

/// Draws boards as [`random_board`] does. They can come twice.
#[doc(hidden)]
pub fn generate_by_shuffling(
    goal: &Board,
    count: usize,
    seed: u64,
) -> impl Iterator<Item = Board> + use<> {
    let (goal, mut random) = (*goal, ChaCha8Rng::seed_from_u64(seed));
    (0..count).map(move |_| {
        let mut tiles = goal.tiles().to_vec();
        tiles.shuffle(&mut random);
        let board = Board::new(goal.shape(), &tiles).expect("the goal's tiles in another order");
        if board.is_solvable_to(&goal) {
            board
        } else {
            board.with_two_tiles_exchanged()
        }
    })
}

/// Shuffles boards: each is made from `goal` by `moves` random moves, none of which takes back the move before it. It
/// needs no table, so it serves every shape.
///
/// Every move is equally likely among those that are possible. The boards can come twice, and the
/// distance of one is at most `moves`, and is odd or even as `moves` is.
///
/// ```
/// use puzzledb::oracle::generate::generate_by_walk;
/// use puzzledb::puzzle::{Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// assert!(generate_by_walk(&goal, 80, 10, 1).all(|board| board.is_solvable_to(&goal)));
/// # Ok::<(), puzzledb::puzzle::ShapeError>(())
/// ```
pub fn generate_by_walk(
    goal: &Board,
    moves: u64,
    count: usize,
    seed: u64,
) -> impl Iterator<Item = Board> {
    let (goal, mut random) = (*goal, ChaCha8Rng::seed_from_u64(seed));
    (0..count).map(move |_| {
        let (mut board, mut last) = (goal, None::<Move>);
        for _ in 0..moves {
            let successors = || {
                let onwards = |mv: &Move| last.is_none_or(|last| *mv != last.opposite());
                let moves = Move::ALL.into_iter().filter(onwards);
                moves.filter_map(|mv| Some((mv, board.slide(mv)?)))
            };
            let drawn = random.random_range(0..successors().count() as u32);
            let successor = successors().nth(drawn as usize);
            let (mv, next) = successor.expect("the blank has two moves at least");
            board = next;
            last = Some(mv);
        }
        board
    })
}

/// Draws boards that cannot be solved, each one equally likely at every draw.
///
/// Exchanging two tiles maps the solvable boards one to one to the others, so a solvable board is
/// drawn and two of its tiles are exchanged.
#[doc(hidden)]
pub fn generate_unsolvable(
    oracle: &TableOracle,
    count: usize,
    seed: u64,
) -> impl Iterator<Item = Board> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let states = oracle.table().ranking().states();
    (0..count).map(move |_| {
        let board = oracle.unrank(StateIndex(random.random_range(0..states)));
        board.with_two_tiles_exchanged()
    })
}
