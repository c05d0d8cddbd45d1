//! Searching a sliding-tile puzzle by names: what to search with, and what came of it.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::puzzle::{Board, Move};

use super::algorithm::Algorithm;
use super::beam::beam;
use super::best_first::{BestFirst, Expanded, Ties, best_first};
use super::bidirectional::{bidirectional_a_star, bidirectional_breadth_first};
use super::breadth_first::breadth_first;
use super::depth_first::{depth_first, iterative_deepening};
use super::genetic::genetic;
use super::heuristic::HeuristicName;
use super::heuristic::{BoardHeuristic, HeuristicError};
use super::ida_star::ida_star;
use super::local::{Climb, annealing, hill_climbing};
use super::problem::Zero;
use super::random::{random_frontier, random_walk};
use super::rbfs::rbfs;
use super::run::{Expansion, Failure, Figures, Limits, Run, Solution};
use super::sliding::{Packed, Sliding};

use Algorithm as A;

/// What to search with, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic, for those that ask one.
    pub heuristic: HeuristicName,
    /// The weight of the heuristic in weighted A*, to three decimals.
    pub weight: f64,
    /// For those that draw, and for [`Ties::Random`].
    pub seed: u64,
    /// What it may use.
    pub limits: Limits,
    /// The order in which successors are tried.
    pub order: [Move; 4],
    /// What is done with states that were expanded before, if not what the algorithm does usually.
    pub expanded: Option<Expanded>,
    /// Which of equals a best-first search expands first.
    pub ties: Ties,
    /// How deep depth-first searches go: usually 50 and, with iterative deepening, without end.
    pub depth_limit: Option<u32>,
    /// States that beam search keeps of each level.
    pub width: usize,
}

impl Settings {
    /// An algorithm as it usually is, without limits.
    pub fn new(algorithm: Algorithm) -> Settings {
        Settings {
            algorithm,
            heuristic: algorithm.usual_heuristic(),
            weight: 2.0,
            seed: 1,
            limits: Limits::NONE,
            order: Move::ALL,
            expanded: None,
            ties: Ties::default(),
            depth_limit: None,
            width: 100,
        }
    }

    /// The value by which states are ordered, in moves; `g` for those that do not order them.
    fn f(&self, g: f64, h: f64) -> f64 {
        match self.algorithm {
            A::Greedy | A::Beam | A::HillClimbing | A::FirstChoice | A::RandomRestart => h,
            A::Annealing | A::Genetic => h,
            A::WeightedAStar => g + self.weight * h,
            _ => g + h,
        }
    }
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The moves to the goal, or why there are none.
    pub result: Result<Vec<Move>, Failure>,
    /// What it did.
    pub figures: Figures,
    /// How long it took.
    pub time: Duration,
}

/// A board that is being expanded, to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The board.
    pub board: Board,
    /// The board that it was reached from.
    pub parent: Option<Board>,
    /// The moves to it.
    pub g: u64,
    /// The estimate from it, in moves.
    pub h: f64,
    /// `g` and `h` as the algorithm weighs them.
    pub f: f64,
    /// Boards that wait to be expanded.
    pub queue: u64,
}

/// Somebody who sees every expansion and may end the search.
pub type Spectator<'a> = dyn FnMut(&Shown) -> ControlFlow<()> + 'a;

/// Searches a way from a board to a goal of its shape.
///
/// `heuristic` is that of the settings, made for the goal. Every expansion is shown to `watch`, which may end the search.
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
/// [`HeuristicError`]: a search from both ends needs the heuristic for the start too.
///
/// # Panics
/// If board and goal differ in shape.
pub fn search(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    watch: Option<&mut Spectator<'_>>,
) -> Result<Report, HeuristicError> {
    if board.shape().cells() <= u64::CELLS {
        search_packed::<u64>(board, goal, settings, heuristic, watch)
    } else {
        search_packed::<u128>(board, goal, settings, heuristic, watch)
    }
}

fn search_packed<W: Packed>(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    watch: Option<&mut Spectator<'_>>,
) -> Result<Report, HeuristicError> {
    let problem = Sliding::<W>::new(board, goal, settings.order);
    let mut run = Run::new(settings.limits); // whose time has the next heuristic in it
    let to_start = match settings.algorithm {
        A::BidirectionalAStar => Some(BoardHeuristic::new(&settings.heuristic, board)?),
        _ => None,
    };
    let unit = f64::from(heuristic.unit());
    let mut show;
    if let Some(watch) = watch {
        show = |expansion: &Expansion<'_, W>| {
            let (g, h) = (expansion.g, f64::from(expansion.h) / unit);
            watch(&Shown {
                board: problem.board(*expansion.state),
                parent: expansion.parent.map(|&parent| problem.board(parent)),
                g,
                h,
                f: settings.f(g as f64, h),
                queue: expansion.queue,
            })
        };
        run = run.watched(&mut show);
    }
    let result = dispatch(&problem, settings, heuristic, to_start.as_ref(), &mut run);
    Ok(Report {
        result: result.map(|solution| solution.actions),
        figures: *run.figures(),
        time: run.time(),
    })
}

fn dispatch<W: Packed>(
    problem: &Sliding<W>,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    to_start: Option<&BoardHeuristic>,
    run: &mut Run<'_, W>,
) -> Result<Solution<Move>, Failure> {
    let seed = settings.seed;
    let unit = u64::from(heuristic.unit());
    let how = |usual: Expanded| BestFirst {
        expanded: settings.expanded.unwrap_or(usual),
        ties: settings.ties,
        seed,
    };
    let wide = |g: u32, h: u32| (u64::from(g), u64::from(h));
    let sum = |g: u32, h: u32| wide(g, h).0 * unit + wide(g, h).1;
    match settings.algorithm {
        A::BreadthFirst => breadth_first(problem, run),
        A::DepthFirst => {
            let limit = settings.depth_limit.unwrap_or(50);
            depth_first(problem, limit, settings.expanded.unwrap_or_default(), run)
        }
        A::IterativeDeepening => {
            iterative_deepening(problem, settings.depth_limit.unwrap_or(u32::MAX), run)
        }
        A::UniformCost => {
            let how = how(Expanded::Strict);
            best_first(problem, &Zero, |g, _| u64::from(g), &how, run)
        }
        A::Greedy => {
            let how = how(Expanded::Strict);
            best_first(problem, heuristic, |_, h| u64::from(h), &how, run)
        }
        A::BestFirstDepth => best_first(problem, heuristic, sum, &how(Expanded::Strict), run),
        A::AStar => best_first(problem, heuristic, sum, &how(Expanded::Reopen), run),
        A::WeightedAStar => {
            let weight = (settings.weight * 1000.0).round() as u64;
            let weighted = |g, h| 1000 * unit * wide(g, h).0 + weight * wide(g, h).1;
            best_first(problem, heuristic, weighted, &how(Expanded::Reopen), run)
        }
        A::IdaStar => ida_star(problem, heuristic, run),
        A::Rbfs => rbfs(problem, heuristic, run),
        A::Bidirectional => bidirectional_breadth_first(problem, run),
        A::BidirectionalAStar => {
            bidirectional_a_star(problem, heuristic, to_start.unwrap_or(heuristic), run)
        }
        A::Beam => beam(problem, heuristic, settings.width, run),
        A::HillClimbing => hill_climbing(problem, heuristic, Climb::Steepest, seed, run),
        A::FirstChoice => hill_climbing(problem, heuristic, Climb::FirstChoice, seed, run),
        A::RandomRestart => hill_climbing(problem, heuristic, Climb::Restarts, seed, run),
        A::Annealing => annealing(problem, heuristic, seed, run),
        A::Genetic => genetic(problem, heuristic, seed, run),
        A::RandomWalk => random_walk(problem, seed, run),
        A::RandomFrontier => random_frontier(problem, seed, run),
    }
}
