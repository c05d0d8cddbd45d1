//! Drawing boards.

use std::ops::RangeInclusive;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::puzzle::Board;
use crate::space::StateIndex;

use super::distances::sound_distances;
use super::{Oracle, QueryError, SolutionCounts};

/// Which boards to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Their distances.
    pub distances: RangeInclusive<u8>,
    /// Only boards with exactly one shortest solution?
    pub unique: bool,
    /// How many.
    pub count: usize,
    /// Equal seeds draw equal boards, on every machine.
    pub seed: u64,
}

/// Why nothing was drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// Fewer boards than asked for fit the request.
    #[error("only {available} boards fit, and {wanted} are wanted")]
    TooFew {
        /// Boards that fit.
        available: u64,
        /// Boards that are wanted.
        wanted: usize,
    },
    /// The table is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Draws different boards, every set of them equally likely, in random order.
///
/// ```
/// use puzzledb::oracle::{Oracle, generate::{Request, generate}};
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let request = Request { distances: 31..=31, unique: false, count: 2, seed: 1 };
/// let mut boards: Vec<String> =
///     generate(&oracle, &request)?.iter().map(|b| b.to_string()).collect();
/// boards.sort();
/// assert_eq!(boards, ["647850321", "867254301"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GenerateError`] if the request wants more boards than there are.
pub fn generate<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    request: &Request,
) -> Result<Vec<Board>, GenerateError> {
    let distances = sound_distances(oracle.table())?;
    let counts = request
        .unique
        .then(|| SolutionCounts::from_distances(oracle.table(), &distances));
    let fits = |index: StateIndex| counts.as_ref().is_none_or(|c| c.get(index) == 1);
    let mut fitting: Vec<StateIndex> = (0..)
        .map(StateIndex)
        .zip(&distances)
        .filter(|&(index, distance)| request.distances.contains(distance) && fits(index))
        .map(|(index, _)| index)
        .collect();
    if fitting.len() < request.count {
        return Err(GenerateError::TooFew {
            available: fitting.len() as u64,
            wanted: request.count,
        });
    }
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let (drawn, _) = fitting.partial_shuffle(&mut random, request.count);
    Ok(drawn.iter().map(|&index| oracle.unrank(index)).collect())
}

/// Draws boards that cannot be solved, each one equally likely each time.
///
/// Exchanging two tiles pairs the solvable boards with the others, so a solvable board is drawn
/// and two of its tiles exchanged.
pub fn generate_unsolvable<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
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
