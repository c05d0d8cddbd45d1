//! Draws boards at chosen distances.

use std::ops::RangeInclusive;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashSet;

use crate::puzzle::{Board, Shape};
use crate::space::{Space, StateIndex};

use super::distances::CHECK_INTERVAL;
use super::error::{OracleError, QueryError};
use super::front::Oracle;
use super::generate_by_patterns::{MOST_STEPS, generate_by_patterns};
use super::sources::ByTable;

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
        /// A bound of the distances: the largest one of a goal with the blank in a corner.
        largest: u8,
    },
    /// Walks without a table did not reach as many boards as requested.
    #[error(
        "{found} of {wanted} boards were found by walks, which came up to {farthest} moves away from the goal{}",
        bound.map_or_else(String::new, |bound| format!("; none is more than {bound} moves away"))
    )]
    NotFound {
        /// Boards that were found.
        found: usize,
        /// Boards that are wanted.
        wanted: usize,
        /// The largest distance that was proved.
        farthest: u8,
        /// A bound of the distances of all boards, if it is known.
        bound: Option<u8>,
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

impl Oracle {
    /// Draws boards without repetition: equal seeds draw equal boards on every machine.
    ///
    /// From a table every set of boards is equally likely, in random order. An oracle that searches draws so near the
    /// goal. Farther away a long random walk is made from the goal; its last board is taken along a shortest solution to
    /// the requested distances or, if it is nearer, by random moves that lead away. Where walks do not come so far,
    /// boards of the 15-puzzle are those on the ways from its 17 farthest boards. All distances are proved.
    ///
    /// ```
    /// use puzzledb::Oracle;
    /// use puzzledb::oracle::generate::Request;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let boards = oracle.generate(&Request::new(31..=31, 2, 1))?;
    /// let mut boards: Vec<String> = boards.iter().map(|board| board.to_string()).collect();
    /// boards.sort();
    /// assert_eq!(boards, ["647850321", "867254301"]);
    ///
    /// let fifteen = Oracle::for_goal(&"123456789abcdef0".parse()?)?;
    /// for board in fifteen.generate(&Request::new(20..=20, 3, 1))? {
    ///     assert_eq!(fifteen.distance(&board)?, 20);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`GenerateError`] if there are not as many boards, or walks do not find them.
    pub fn generate(&self, request: &Request) -> Result<Vec<Board>, GenerateError> {
        let Ok(table) = self.by_table() else {
            return generate_by_patterns(self, request, MOST_STEPS, &self.cancel);
        };
        let (available, wanted) = (table.fitting(request), request.count);
        check_enough(available, wanted)?;
        let (ranking, cancel) = (table.table.ranking(), &self.cancel);
        let is_small = ranking.class().is_small();
        let has_solutions = |index| -> Result<bool, QueryError> {
            Ok(!request.unique || table.count(ranking.state(index), cancel)? == 1)
        };
        let drawn = if is_small || self.generate_needs_search(request) {
            if request.unique && is_small {
                self.count_all_solutions()?;
            }
            let mut fitting = Vec::new();
            for index in table.states_at(&request.distances, cancel)? {
                if has_solutions(index)? {
                    fitting.push(index);
                }
            }
            draw(fitting, request)?
        } else {
            // A bound on the attempts. In all spaces examined more than one state in a thousand has a
            // single shortest solution.
            let most = (ranking.states() / available + 1) * (wanted as u64 + 1) * 1000;
            let mut random = ChaCha8Rng::seed_from_u64(request.seed);
            let (mut drawn, mut seen) = (Vec::new(), FxHashSet::default());
            for i in 0..most {
                if drawn.len() == wanted {
                    break;
                }
                if i.is_multiple_of(CHECK_INTERVAL) {
                    cancel.check().map_err(QueryError::from)?;
                }
                let index = StateIndex(random.random_range(0..ranking.states()));
                let distance = table.distance(ranking.state(index))?;
                let fits = request.distances.contains(&distance) && has_solutions(index)?;
                if fits && seen.insert(index) {
                    drawn.push(index);
                }
            }
            check_enough(drawn.len() as u64, wanted)?;
            drawn
        };
        let board = |index| table.space.unrank(index);
        Ok(drawn.into_iter().map(board).collect())
    }

    /// Returns whether [`Oracle::generate`] searches the whole space anew for this request. It does so for boards that
    /// are rare in a large table, with as much time and memory as building the database takes.
    #[doc(hidden)]
    pub fn generate_needs_search(&self, request: &Request) -> bool {
        self.by_table().is_ok_and(|table| {
            let (class, available) = (table.table.header().class(), table.fitting(request));
            let enough = available / RARE >= request.count as u64;
            let is_rare = !(enough && available > 0 && class.states() / available <= RARE);
            is_rare && !class.is_small()
        })
    }
}

/// Limit of rare boards in a large space. Random states are tried one after the other if at least one in `RARE` states
/// fits the request and at most one in `RARE` of those is requested; otherwise the levels are searched.
const RARE: u64 = 10_000;

impl ByTable {
    /// Returns the number of states at the requested distances.
    fn fitting(&self, request: &Request) -> u64 {
        let levels = (0..).zip(self.table.header().levels());
        let inside = levels.filter(|(distance, _)| request.distances.contains(distance));
        inside.map(|(_, states)| states).sum()
    }
}

/// Draws from a list.
pub(super) fn draw<T: Copy>(
    mut fitting: Vec<T>,
    request: &Request,
) -> Result<Vec<T>, GenerateError> {
    check_enough(fitting.len() as u64, request.count)?;
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let (drawn, _) = fitting.partial_shuffle(&mut random, request.count);
    Ok(drawn.to_vec())
}

/// Refuses a request for more boards than there are.
///
/// # Errors
/// [`GenerateError::TooFew`]
pub(super) fn check_enough(available: u64, wanted: usize) -> Result<(), GenerateError> {
    match available < wanted as u64 {
        true => Err(GenerateError::TooFew { available, wanted }),
        false => Ok(()),
    }
}

/// Draws boards that cannot be solved, each one equally likely at every draw.
///
/// Exchanging two tiles maps the solvable boards one to one to the others, so a solvable board is
/// drawn and two of its tiles are exchanged.
#[doc(hidden)]
pub fn generate_unsolvable(space: Space, count: usize, seed: u64) -> impl Iterator<Item = Board> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let states = space.ranking().states();
    (0..count).map(move |_| {
        let board = space.unrank(StateIndex(random.random_range(0..states)));
        board.with_two_tiles_exchanged()
    })
}
