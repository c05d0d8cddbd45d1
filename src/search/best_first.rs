//! Searches by one frontier: A*, by other priorities uniform-cost, greedy and weighted A* search; breadth-first search.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use crate::basics::names;

use super::effort::GoalTest;
use super::frontier::{Duplicates, Frontier, InOrder, NodesOf, Open};
use super::nodes::{NodeId, Place};
use super::problem::{Heuristic, Problem, Zero};
use super::queue::{Queue, TIES};
use super::run::{Failure, Run, Solution, drive};

/// Treatment of a state that was expanded before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExpandedList {
    /// Never expand a board again
    ///
    /// With an inconsistent heuristic the solution may be suboptimal.
    Strict,
    /// Expand it again when a shorter way is found
    #[default]
    Reopen,
    /// Keep no list of expanded boards
    ///
    /// This is tree search: every path to a state is a node of its own. Only paths with a cycle are dropped.
    None,
}

/// Tie-breaking: which of several states with the least priority is expanded first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Ties {
    /// The one farthest from the start
    ///
    /// It has the largest `g`, and in A* the smallest `h`; of several it is the one inserted last.
    #[default]
    Deep,
    /// The one nearest to the start
    ///
    /// It has the smallest `g`; of several it is the one inserted last.
    Shallow,
    /// The one that came last
    Lifo,
    /// The one that came first
    Fifo,
    /// Any, by the seed
    Random,
}

names!(Ties, "a way to break ties", [
    Deep: "deep", Shallow: "shallow", Lifo: "lifo", Fifo: "fifo", Random: "random"
]);

/// Nodes by a priority, the least first; ties are broken.
pub(super) struct ByPriority<F> {
    priority: F,
    ties: Ties,
    rng: ChaCha8Rng,
    insertions: u64,
    /// Nodes with the `g` that they had when they were inserted. An entry is stale, and skipped when it comes out, once
    /// a cheaper path to its state was found.
    queue: Queue<(NodeId, u32)>,
}

impl<F> ByPriority<F> {
    /// Makes an empty list. The seed is that of [`Ties::Random`].
    pub(super) fn new(priority: F, ties: Ties, seed: u64) -> ByPriority<F> {
        ByPriority {
            priority,
            ties,
            rng: ChaCha8Rng::seed_from_u64(seed),
            insertions: 0,
            queue: Queue::new(match ties {
                Ties::Deep => (1 << 32) - TIES, // the tie of g = 63
                _ => 0,
            }),
        }
    }
}

impl<P: Problem, F: Fn(u32, u32) -> u64> Open<P> for ByPriority<F> {
    #[inline]
    fn push(&mut self, id: NodeId, nodes: &NodesOf<P>) {
        let &Place { g, h, .. } = &nodes.get(id).place;
        self.insertions += 1;
        let tie = match self.ties {
            Ties::Deep => (1 << 32) - 1 - u64::from(g),
            Ties::Shallow => g.into(),
            Ties::Lifo => 0,
            Ties::Fifo => self.insertions,
            Ties::Random => self.rng.random(),
        };
        let priority = (self.priority)(g, h);
        self.queue.push((priority, tie), (id, g));
    }

    #[inline]
    fn pop(&mut self, nodes: &NodesOf<P>, _: &mut u64) -> Result<NodeId, Failure> {
        loop {
            let (id, g) = self.queue.pop().ok_or(Failure::Exhausted)?;
            let node = nodes.get(id);
            if !node.closed && node.place.g == g {
                return Ok(id);
            }
        }
    }

    fn memory(&self) -> usize {
        self.queue.memory()
    }
}

/// Returns the evaluation function that is a weighted sum of `g` and `h`. That of A* weighs `g` by the unit of `h`.
pub(super) fn weighted([of_g, of_h]: [u64; 2]) -> impl Fn(u32, u32) -> u64 {
    move |g, h| of_g * u64::from(g) + of_h * u64::from(h)
}

/// A*: best-first search by `f = g + h` that reopens expanded states when it finds a cheaper path,
/// and breaks ties for the largest `g`.
///
/// With an admissible heuristic the solution is optimal (Hart, Nilsson and Raphael, 1968). For
/// other priorities, tie-breaking or expanded lists there is [`best_first`].
///
/// ```
/// use puzzledb::puzzle::{Board, Move};
/// use puzzledb::search::{BoardHeuristic, Run, Sliding, a_star};
///
/// let (board, goal): (Board, Board) = ("704851632".parse()?, "123456780".parse()?);
/// let manhattan = BoardHeuristic::new(&"manhattan".parse()?, &goal)?;
/// let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
/// let mut run = Run::default();
/// let solution = a_star(&problem, &manhattan, &mut run)?;
/// assert_eq!((solution.cost, run.figures().expansions), (19, 19));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn a_star<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let f = weighted([heuristic.unit().into(), 1]);
    let options = (ExpandedList::default(), Ties::default(), 0);
    best_first(problem, heuristic, f, options, run)
}

/// Expands states in the order of `priority(g, h)`, the least first, until the goal is taken out
/// of the queue. `seed` is that of [`Ties::Random`].
///
/// `g` is the cost of the path to a state, `h` the heuristic's estimate in
/// [units](Heuristic::unit). So `g * unit + h` is A*, `g` uniform-cost and `h` greedy search. A* with an
/// admissible heuristic finds an optimal solution, under [`ExpandedList::Strict`] if the heuristic
/// is consistent too.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn best_first<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    priority: impl Fn(u32, u32) -> u64,
    (expanded, ties, seed): (ExpandedList, Ties, u64),
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let duplicates = match expanded {
        ExpandedList::Strict => Duplicates::Replace,
        ExpandedList::Reopen => Duplicates::Reopen,
        ExpandedList::None => Duplicates::Keep,
    };
    let open = ByPriority::new(priority, ties, seed);
    let rules = (duplicates, GoalTest::Late);
    drive(
        &mut Frontier::new(problem, problem.start(), heuristic, rules, open),
        run,
    )
}

/// Expands states in the order in which they were first generated, until the goal is generated.
///
/// The goal test is made on generation, so no state of the goal's depth is expanded (Russell and
/// Norvig, figure 3.9). The solution has the fewest actions, whatever they cost.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn breadth_first<P: Problem>(
    problem: &P,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let (open, rules) = (InOrder::default(), (Duplicates::Drop, GoalTest::Early));
    let mut frontier = Frontier::new(problem, problem.start(), &Zero, rules, open);
    let result = drive(&mut frontier, run);
    if run.figures.expansions > 0 {
        run.record_queue(frontier.waiting); // with the goal
    }
    result
}
