//! The best solution and the best lower bound that time allows.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::puzzle::{Board, MAX_CELLS, Move};
use crate::search::sliding::{Packed, Sliding};
use crate::space::{SpaceError, check_solvable};

use super::construct::construct;
use super::lower_bound::{Proof, Prover};
use super::shared::Shared;
use super::solution::AnytimeSolution;
use super::tasks::Tasks;

/// What an anytime search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnytimeSettings {
    /// The time until it ends; `None` for as long as it takes to prove the optimum.
    pub within: Option<Duration>,
    /// Threads.
    pub threads: NonZero<usize>,
}

impl AnytimeSettings {
    /// One thread, for this time.
    pub fn new(within: Option<Duration>) -> AnytimeSettings {
        AnytimeSettings {
            within,
            threads: NonZero::<usize>::MIN,
        }
    }
}

/// Solves a board of any shape as well as time allows.
///
/// A first solution is there at once; beams of rising width from both ends and through windows of the
/// best path replace it by better ones, and iterations of iterative-deepening A* raise the lower
/// bound by a heuristic or by patterns for `goal`, the `prover`. `first` is a solution to begin with, if one is known.
/// `go_on` is asked often, with the length of the best solution so far and what every solution has at least, and may
/// end the search.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::oracle::generate::random_board;
/// use puzzledb::puzzle::{Shape, UsualGoal};
/// use puzzledb::search::{AnytimeSettings, BoardHeuristic, HeuristicName, anytime};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// let board = random_board(&goal, 1);
/// let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, &goal)?;
/// let settings = AnytimeSettings::new(Some(std::time::Duration::from_millis(50)));
/// let found = anytime(&board, &goal, &heuristic, None, &settings, &|_length, _bound| {
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(board.replay(&found.moves), Ok(goal));
/// assert!(found.lower_bound <= found.moves.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SpaceError`] if the board cannot be solved to the goal, or has another shape.
///
/// # Panics
/// If `first` is no solution.
pub fn anytime<'a>(
    board: &Board,
    goal: &Board,
    prover: impl Into<Prover<'a>>,
    first: Option<&[Move]>,
    settings: &AnytimeSettings,
    go_on: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Result<AnytimeSolution, SpaceError> {
    check_solvable(board, goal)?;
    let started = Instant::now();
    let cells = board.shape().cells();
    let search = if cells <= u64::CELLS {
        search_packed::<u64>
    } else if cells <= u128::CELLS {
        search_packed::<u128>
    } else {
        search_packed::<[u8; MAX_CELLS]>
    };
    let constructed = construct(board, goal);
    let first = match first {
        Some(moves) => {
            let end = board.replay(moves);
            assert_eq!(end, Ok(*goal), "the first moves are a solution");
            std::cmp::min_by_key(moves.to_vec(), constructed, Vec::len)
        }
        None => constructed,
    };
    let ends = settings.within.and_then(|time| started.checked_add(time));
    let shared = Shared::new(first, ends, go_on);
    search(board, goal, prover.into(), settings, &shared);
    Ok(shared.into_solution())
}

/// Expansions that are made for the lower bound before anything else: some ten milliseconds, in which
/// boards near the goal are solved.
const FIRST_EXPANSIONS: u64 = 100_000;

/// The share of the time after which the first thread turns from solutions to the lower bound, and
/// that time where there is no end.
const SOLUTIONS: (f64, Duration) = (0.85, Duration::from_secs(2));

fn search_packed<W: Packed>(
    board: &Board,
    goal: &Board,
    prover: Prover<'_>,
    settings: &AnytimeSettings,
    shared: &Shared<'_>,
) {
    let problem = Sliding::<W>::new(board, goal, Move::ALL);
    // Without an end the proof takes longest: it gets all threads.
    let alone = settings.within.is_some() || settings.threads.get() == 1;
    let mut proof = Proof::new(prover, board, &problem, shared, alone);
    proof.raise(shared, FIRST_EXPANSIONS);
    let tasks = Tasks::new(board, goal, shared);
    let time = settings
        .within
        .map_or(SOLUTIONS.1, |within| within.mul_f64(SOLUTIONS.0));
    let first_ends = Instant::now().checked_add(time);
    std::thread::scope(|scope| {
        for _ in 1..settings.threads.get() {
            scope.spawn(|| tasks.work::<W>(None));
        }
        tasks.work::<W>(first_ends);
        proof.raise(shared, u64::MAX);
    });
}
