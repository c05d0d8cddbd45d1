//! The best solution and the best lower bound that time allows.

use std::num::NonZero;
use std::time::Duration;

use crate::basics::parallel::Threads;
use crate::basics::{Cancel, Instant};
use crate::oracle::Bounds;
use crate::puzzle::{Board, MAX_CELLS, Move};
use crate::search::sliding::Packed;
use crate::space::{SpaceError, check_solvable};

use super::construct::construct;
use super::lower_bound::Prover;
use super::shared::Shared;

/// Settings of an anytime search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnytimeSettings {
    /// The time until it ends; `None` for as long as it takes to prove the optimum.
    pub within: Option<Duration>,
    /// Number of threads.
    pub threads: NonZero<usize>,
    /// A solution to begin with, if one is known.
    pub first: Option<Vec<Move>>,
    /// Flag that ends it sooner.
    pub cancel: Cancel,
    /// Whether an oracle makes patterns for it: see [`Oracle::solve_within`](crate::Oracle::solve_within).
    pub makes_patterns: bool,
}

impl AnytimeSettings {
    /// Returns the settings of one thread, for this time.
    pub fn new(within: Option<Duration>) -> AnytimeSettings {
        AnytimeSettings {
            within,
            threads: NonZero::<usize>::MIN,
            first: None,
            cancel: Cancel::new(),
            makes_patterns: false,
        }
    }
}

/// Solves a board of any shape as well as time allows.
///
/// A first solution is made at once. Beams of rising width from both ends and through windows of the best path replace
/// it by better ones. Iterations of iterative-deepening A* raise the lower bound by the `prover`. Of several threads one
/// proves from the beginning, and all do once beams find nothing better and little is left to prove. A single thread
/// proves in the last part of the time. `observe` is called with the length of the best solution and the lower bound,
/// when one of them has changed. A search that is cancelled returns its results so far.
///
/// ```
/// use puzzledb::oracle::generate::random_board;
/// use puzzledb::puzzle::{Shape, UsualGoal};
/// use puzzledb::internals::search::anytime;
/// use puzzledb::search::{AnytimeSettings, BoardHeuristic, HeuristicName};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// let board = random_board(&goal, 1);
/// let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, &goal)?;
/// let settings = AnytimeSettings::new(Some(std::time::Duration::from_millis(50)));
/// let found = anytime(&board, &goal, (&heuristic, None), &settings, &|_length, _bound| ())?;
/// assert_eq!(board.replay(&found.moves), Ok(goal));
/// assert!(found.at_least <= found.moves.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SpaceError`] if the board cannot be solved to the goal, or has another shape.
///
/// # Panics
/// If `settings.first` is not a solution.
pub fn anytime(
    board: &Board,
    goal: &Board,
    prover: Prover<'_>,
    settings: &AnytimeSettings,
    observe: &(dyn Fn(usize, usize) + Sync),
) -> Result<Bounds, SpaceError> {
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
    let mut first = construct(board, goal);
    if let Some(moves) = &settings.first {
        let end = board.replay(moves);
        assert_eq!(end, Ok(*goal), "the first moves are a solution");
        first = std::cmp::min_by_key(moves.clone(), first, Vec::len);
    }
    let ends = settings.within.and_then(|time| started.checked_add(time));
    let cancel = match ends {
        Some(ends) => settings.cancel.until(ends),
        None => settings.cancel.child(),
    };
    let shared = Shared::new([board, goal], first, cancel, observe);
    search(&shared, prover, settings);
    Ok(shared.into_solution())
}

/// Expansions that are made for the lower bound before anything else: some ten milliseconds, in which
/// boards near the goal are solved.
const FIRST_EXPANSIONS: u64 = 100_000;

/// The share of the time after which a single thread turns from solutions to the lower bound, and that time if there is
/// no limit.
const SOLUTIONS: (f64, Duration) = (0.85, Duration::from_secs(2));

/// The share of the time without a better solution after which beams end, and that time if there is no limit.
const PATIENCE: (f64, Duration) = (0.25, Duration::from_secs(2));

fn search_packed<W: Packed>(
    shared: &Shared<'_>,
    (heuristic, make): Prover<'_>,
    settings: &AnytimeSettings,
) {
    let threads = settings.threads.get();
    let part = |(share, without_end): (f64, Duration)| {
        let time = settings.within.map(|within| within.mul_f64(share));
        time.unwrap_or(without_end)
    };
    shared.raise::<W>(heuristic, false, FIRST_EXPANSIONS);
    if shared.is_over() {
        return;
    }
    let beams = |ends| shared.work::<W>(part(PATIENCE), ends);
    let prove = || {
        let made = make.and_then(|make| make(&shared.cancel));
        let heuristic = made.as_ref().unwrap_or(heuristic);
        shared.raise::<W>(heuristic, threads > 1, u64::MAX);
    };
    let needs_pool = threads > 1 || make.is_some();
    let pool = needs_pool.then(|| Threads::new(threads).ok()).flatten();
    if threads == 1 || pool.is_none() {
        beams(Instant::now().checked_add(part(SOLUTIONS)));
    }
    let Some(pool) = pool else { return prove() };
    // The threads of beams that have ended take parts of the proof.
    let work = || pool.work(threads - 1, || beams(None), prove);
    // On a thread of its own: one of another pool would do work of that pool meanwhile.
    std::thread::scope(|scope| {
        scope.spawn(work);
    });
}
