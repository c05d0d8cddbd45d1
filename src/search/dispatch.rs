//! Runs the algorithm that the settings name on a sliding-tile puzzle, and passes each expansion to an observer.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::basics::{Cancel, Progress};
use crate::oracle::OracleError;
use crate::puzzle::{Board, Move};

use super::algorithm::{Call, Settings};
use super::heuristic::{BoardHeuristic, HeuristicError};
use super::run::{Counters, Expansion, Failure, Run};
use super::sliding::{Packed, Sliding};

/// The result of a search, with its counters and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The moves to the goal, or why there are none.
    pub result: Result<Vec<Move>, Failure>,
    /// The counters of the search.
    pub figures: Counters,
    /// The time that it took.
    pub time: Duration,
}

/// Searches for moves from a board to a goal of its shape.
///
/// `heuristic` guides the search and is made for `goal`: that of `settings.heuristic` or one
/// [of your own](BoardHeuristic::from_fn). [`Algorithm::BidirectionalAStar`](super::Algorithm::BidirectionalAStar) makes its second heuristic, for the
/// distance to `board`, from `settings.heuristic`. Every expansion is passed to `observer`, which may end the search.
///
/// ```
/// use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
///
/// let (board, goal) = ("704851632".parse()?, "123456780".parse()?);
/// let settings = Settings::new(Algorithm::AStar);
/// let manhattan = BoardHeuristic::new(&settings.heuristic, &goal)?;
/// let report = search(&board, &goal, &settings, &manhattan, None)?;
/// assert_eq!(report.result.unwrap().len(), 19);
/// assert_eq!(report.figures.expansions, 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`HeuristicError`] if bidirectional A* cannot make its second heuristic, or damage was met in the file that the
/// heuristic looks up.
///
/// # Panics
/// If board and goal differ in shape.
pub fn search(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    observer: Option<&mut TraceObserver<'_>>,
) -> Result<Report, HeuristicError> {
    let watch = Watch {
        observer: observer.map(|observer| observer as &mut TraceObserver<'_>),
        ..Watch::default()
    };
    search_watched(board, goal, settings, heuristic, watch)
}

/// Observer, flag and progress of a search.
#[derive(Default)]
pub struct Watch<'a> {
    /// Gets every expansion, and may end the search.
    pub observer: Option<&'a mut TraceObserver<'a>>,
    /// Flag that ends the search with [`Failure::Cancelled`].
    pub cancel: Cancel,
    /// Counters that the search keeps up to date.
    pub progress: Option<&'a Progress>,
}

impl<'a> Watch<'a> {
    /// Returns a watch with a flag alone.
    pub fn with_cancel(cancel: &Cancel) -> Watch<'a> {
        Watch {
            cancel: cancel.clone(),
            ..Watch::default()
        }
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

/// As [`search`], for work that may take long: it can be cancelled.
///
/// ```
/// use puzzledb::Cancel;
/// use puzzledb::search::{Algorithm, BoardHeuristic, Failure, Settings, Watch, search_watched};
///
/// let (board, goal) = ("704851632".parse()?, "123456780".parse()?);
/// let settings = Settings::new(Algorithm::BreadthFirst);
/// let heuristic = BoardHeuristic::new(&settings.heuristic, &goal)?;
/// let cancel = Cancel::new();
/// cancel.cancel();
/// let watch = Watch::with_cancel(&cancel);
/// let report = search_watched(&board, &goal, &settings, &heuristic, watch)?;
/// assert_eq!(report.result, Err(Failure::Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`search`].
///
/// # Panics
/// As [`search`].
pub fn search_watched(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    watch: Watch<'_>,
) -> Result<Report, HeuristicError> {
    let search = match board.shape().cells() {
        cells if cells <= u64::CELLS => search_packed::<u64>,
        #[cfg(feature = "wide")]
        cells if cells <= u128::CELLS => search_packed::<u128>,
        #[cfg(feature = "wide")]
        _ => search_packed::<[u8; crate::puzzle::MAX_CELLS]>,
        #[cfg(not(feature = "wide"))]
        _ => {
            let shape = board.shape();
            let why = format!("boards of up to 16 cells are searched here, and not {shape} boards");
            return Err(HeuristicError::Impossible { why });
        }
    };
    search(board, goal, settings, heuristic, watch)
}

fn search_packed<W: Packed>(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    watch: Watch<'_>,
) -> Result<Report, HeuristicError> {
    let problem = Sliding::<W>::new(board, goal, settings.order);
    // Its time includes making a second heuristic.
    let damaged = || heuristic.undamaged().is_err();
    let mut run = Run::new(settings.limits).with_cancel(&watch.cancel);
    run.broken = Some(&damaged);
    let proves = settings.is_optimal().then(|| heuristic.unit());
    run.progress = watch.progress.map(|progress| (progress, proves));
    let unit = f64::from(heuristic.unit());
    let mut observe;
    if let Some(observer) = watch.observer {
        observe = |expansion: &Expansion<'_, W>| {
            let (g, h) = (expansion.g, f64::from(expansion.h) / unit);
            observer(&TraceStep {
                board: problem.board(*expansion.state),
                parent: expansion.parent.map(|&parent| problem.board(parent)),
                g,
                h,
                f: settings.f(g as f64, h),
                queue: expansion.queue,
            })
        };
        run = run.with_observer(&mut observe);
    }
    let mut call = Call {
        problem: &problem,
        settings,
        heuristic,
        run: &mut run,
    };
    let result = call.run()?;
    heuristic.undamaged().map_err(OracleError::from)?;
    Ok(Report {
        result: result.map(|solution| solution.actions),
        figures: *run.figures(),
        time: run.time(),
    })
}

/// A board that is being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TraceStep {
    /// The board that was expanded.
    pub board: Board,
    /// The board that it was reached from; `None` for the first.
    pub parent: Option<Board>,
    /// The moves to it.
    pub g: u64,
    /// The estimate from it, in moves.
    pub h: f64,
    /// `g` and `h` as the algorithm weighs them.
    pub f: f64,
    /// Boards that waited to be expanded.
    pub queue: u64,
}

/// A callback that gets every expansion of a search of boards and may end the search.
pub type TraceObserver<'a> = dyn FnMut(&TraceStep) -> ControlFlow<()> + 'a;

impl TraceStep {
    /// Returns the boards one move away, but for the one that it was reached from, in the order in
    /// which a search with these settings and this heuristic makes them; each with its move and its
    /// `f`.
    ///
    /// They are all successors that a best-first search makes, also those that it has already met.
    pub fn children<'a>(
        &self,
        settings: &'a Settings,
        heuristic: &'a BoardHeuristic,
    ) -> impl Iterator<Item = (Move, Board, f64)> + use<'a> {
        let (board, parent, g) = (self.board, self.parent, self.g);
        let moves = settings.order.into_iter();
        let successors = moves.filter_map(move |mv| Some((mv, board.slide(mv)?)));
        let children = successors.filter(move |(_, child)| parent != Some(*child));
        children.map(move |(mv, child)| {
            let h = match settings.algorithm.is_informed() {
                true => heuristic.value(&child),
                false => 0.0,
            };
            (mv, child, settings.f((g + 1) as f64, h))
        })
    }
}
