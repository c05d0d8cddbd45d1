//! The best solution and the best lower bound that time allows.

use std::num::NonZero;
use std::time::Duration;

use crate::basics::parallel::Threads;
use crate::basics::{Cancel, Instant};
use crate::oracle::{Oracle, QueryError};
use crate::pattern::Solver;
use crate::puzzle::{Board, MAX_CELLS, Move};
use crate::search::heuristic::{BoardHeuristic, HeuristicName};
use crate::search::sliding::Packed;
use crate::space::{MAX_DATABASE_CELLS, SpaceError, check_solvable};

use super::construct::construct;
use super::lower_bound::{MakePatterns, Prover};
use super::shared::Shared;

/// The best solution of a board that was found in a time, and what is proved of its distance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// Length of a shortest solution; `None` where it is not proved.
    pub distance: Option<usize>,
    /// No solution has fewer moves.
    pub at_least: usize,
    /// Length of the best solution that was found.
    pub at_most: usize,
    /// That solution.
    pub moves: Vec<Move>,
}

impl Bounds {
    /// Returns the bounds of a board with a solution, where none has fewer than `at_least` moves.
    pub fn new(moves: Vec<Move>, at_least: usize) -> Bounds {
        let at_most = moves.len();
        Bounds {
            distance: (at_least >= at_most).then_some(at_most),
            at_least: at_least.min(at_most),
            at_most,
            moves,
        }
    }
}

/// Shortest time limit of a search for which patterns are made in memory, while beams look for solutions: those of 5x5
/// take 4 CPU seconds.
const WORTH_PATTERNS: Duration = Duration::from_secs(20);

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

    /// Returns whether a search may take so long that patterns for it are worth making.
    pub fn is_long(&self) -> bool {
        self.within.is_none_or(|time| time >= WORTH_PATTERNS)
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
/// use puzzledb::puzzle::{Shape, UsualGoal, random_board};
/// use puzzledb::internals::anytime;
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

impl Oracle {
    /// Solves a board of any shape as well as time allows, by [`anytime`], and returns what is proved of its distance. A
    /// table answers at once. Patterns that the oracle has prove the lower bound; if there are none, they are made up to
    /// 16 cells, or where `settings` say so. A deadline and a cancelled search keep the bounds that they have.
    ///
    /// ```
    /// use std::time::Duration;
    /// use puzzledb::puzzle::random_board;
    /// use puzzledb::search::AnytimeSettings;
    /// use puzzledb::{Oracle, Shape};
    ///
    /// let oracle = Oracle::for_shape(Shape::new(5, 5)?)?;
    /// let board = random_board(oracle.goal(), 1);
    /// let settings = AnytimeSettings::new(Some(Duration::from_millis(50)));
    /// let found = oracle.solve_within(&board, &settings)?;
    /// assert_eq!(board.replay(&found.moves), Ok(*oracle.goal()));
    /// assert!(found.at_least <= found.at_most);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::Space`], and those of a table.
    pub fn solve_within(
        &self,
        board: &Board,
        settings: &AnytimeSettings,
    ) -> Result<Bounds, QueryError> {
        if self.table().is_some() {
            let moves = self.solve(board)?;
            let distance = moves.len();
            return Ok(Bounds::new(moves, distance));
        }
        let goal = self.goal();
        let of_patterns = |patterns| {
            let mut solver = Solver::new(patterns, goal).ok()?;
            solver.search.progress = self.progress.clone();
            Some(BoardHeuristic::of_solver(solver))
        };
        let make: MakePatterns<'_> = &|cancel| of_patterns(self.make_patterns(cancel)?);
        let has = self.patterns().next().cloned().and_then(of_patterns);
        // Those of up to 16 cells take some ten milliseconds.
        let makes_small = goal.shape().cells() <= MAX_DATABASE_CELLS;
        let makes = has.is_none() && (settings.makes_patterns || makes_small);
        let heuristic = has.unwrap_or_else(|| {
            let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal);
            heuristic.expect("it needs no database")
        });
        let prover = (&heuristic, makes.then_some(make));
        let found = anytime(board, goal, prover, settings, &|length, bound| {
            if let Some(progress) = &self.progress {
                progress.find(length as u64);
                progress.prove(bound as u64);
            }
        });
        Ok(found?)
    }
}
