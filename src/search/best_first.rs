//! Best-first search: A*, and by other priorities uniform-cost, greedy and weighted A* search.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use super::nodes::{Insertion, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem, Successor};
use super::queue::Queue;
use super::run::{Failure, Run, Solution};

/// Treatment of a state that was expanded before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExpandedList {
    /// Never expand it again. With an inconsistent heuristic the solution may be suboptimal.
    Strict,
    /// Expand it again when a cheaper path to it is found.
    #[default]
    Reopen,
    /// Keep no list (tree search): every path to a state is a node of its own. Only paths with a
    /// cycle are dropped.
    None,
}

/// Tie-breaking: which of several states with the least priority is expanded first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Ties {
    /// The one with the largest `g`, which in A* has the smallest `h`; among equals the one
    /// inserted last.
    #[default]
    Deep,
    /// The one with the smallest `g`; among equals the one inserted last.
    Shallow,
    /// The one inserted last.
    Lifo,
    /// The one inserted first.
    Fifo,
    /// One at random.
    Random,
}

/// The options of a best-first search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestFirstOptions {
    /// Treatment of states that were expanded before.
    pub expanded: ExpandedList,
    /// Tie-breaking.
    pub ties: Ties,
    /// The seed of [`Ties::Random`].
    pub seed: u64,
}

/// Turns priorities into keys of the queue that break ties.
struct TieBreaker {
    ties: Ties,
    rng: ChaCha8Rng,
    insertions: u64,
}

/// Values of `g` that [`Ties::Deep`] and [`Ties::Shallow`] distinguish: larger ones are equal.
const DEPTHS: u128 = 64;

impl TieBreaker {
    fn new(options: &BestFirstOptions) -> TieBreaker {
        TieBreaker {
            ties: options.ties,
            rng: ChaCha8Rng::seed_from_u64(options.seed),
            insertions: 0,
        }
    }

    #[inline]
    fn key(&mut self, priority: u64, g: u32) -> u128 {
        let priority = u128::from(priority);
        let depth = u128::from(g).min(DEPTHS - 1);
        self.insertions += 1;
        match self.ties {
            Ties::Deep => priority * DEPTHS + (DEPTHS - 1 - depth),
            Ties::Shallow => priority * DEPTHS + depth,
            Ties::Lifo => priority,
            Ties::Fifo => (priority << 64) + u128::from(self.insertions),
            Ties::Random => (priority << 64) + u128::from(self.rng.random::<u64>()),
        }
    }
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
    let unit = u64::from(heuristic.unit());
    let f = |g: u32, h: u32| u64::from(g) * unit + u64::from(h);
    best_first(problem, heuristic, f, &BestFirstOptions::default(), run)
}

/// Expands states in the order of `priority(g, h)`, the least first, until the goal is taken out
/// of the queue.
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
    options: &BestFirstOptions,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        heuristic,
        priority,
        expanded: options.expanded,
        nodes: Nodes::new(),
        queue: Queue::new(),
        tie_breaker: TieBreaker::new(options),
        waiting: 0,
    };
    let result = search.find_goal(run);
    run.figures.memory = search.memory() as u64;
    result.map(|goal| search.nodes.solution(goal))
}

struct Search<'a, P: Problem, H, F> {
    problem: &'a P,
    heuristic: &'a H,
    priority: F,
    expanded: ExpandedList,
    nodes: Nodes<P::State, P::Action>,
    /// Nodes with the `g` that they had when they were inserted. An entry is stale, and skipped
    /// when it comes out, once a cheaper path to its state was found.
    queue: Queue<(NodeId, u32)>,
    tie_breaker: TieBreaker,
    /// Entries of the queue that are not stale.
    waiting: u64,
}

impl<P: Problem, H: Heuristic<P>, F: Fn(u32, u32) -> u64> Search<'_, P, H, F> {
    fn find_goal(&mut self, run: &mut Run<'_, P::State>) -> Result<NodeId, Failure> {
        let start = self.problem.start();
        let h = self.heuristic.estimate(&start);
        let node = || Node::root(start.clone(), h);
        let first = match self.expanded {
            ExpandedList::None => self.nodes.push(node()),
            _ => self
                .nodes
                .find_or_insert(start.clone(), node)
                .map(Insertion::id),
        };
        self.enqueue(first.expect("the first node has an index"));
        self.waiting = 1;
        while let Some((id, g)) = self.queue.pop() {
            let node = self.nodes.get(id);
            if node.closed || node.g != g {
                continue;
            }
            if self.problem.is_goal(&node.state) {
                return Ok(id);
            }
            self.expand(id, run)?;
        }
        Err(Failure::Exhausted)
    }

    fn expand(&mut self, id: NodeId, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        let node = self.nodes.get(id);
        let parent = self.nodes.parent_state(node).cloned();
        let expansion = node.expansion(parent.as_ref(), self.waiting);
        run.expand(&expansion, || self.memory())?;
        self.waiting -= 1;
        let node = self.nodes.get_mut(id);
        run.figures.reexpansions += u64::from(node.expanded);
        run.figures.closed += u64::from(!node.expanded && self.expanded != ExpandedList::None);
        (node.closed, node.expanded) = (true, true);
        let node = node.clone();
        for successor in self.problem.successors(&node.state) {
            if run.returns_to_parent(&successor.state, parent.as_ref()) {
                continue;
            }
            self.insert(id, &node, successor, run)
                .ok_or(Failure::Memory)?;
        }
        run.record_queue(self.waiting as usize);
        Ok(())
    }

    /// Inserts a successor of `parent`, which has the index `id`, unless its state is known by a
    /// path that is no worse. `None` if the node indices are used up.
    #[inline]
    fn insert(
        &mut self,
        id: NodeId,
        parent: &Node<P::State, P::Action>,
        successor: Successor<P::State, P::Action>,
        run: &mut Run<'_, P::State>,
    ) -> Option<()> {
        let heuristic = self.heuristic;
        let h = || heuristic.estimate_successor(&parent.state, parent.h, &successor);
        if self.expanded == ExpandedList::None {
            if self.nodes.is_on_path(id, &successor.state) {
                run.figures.loops_avoided += 1;
                return Some(());
            }
            let new = self.nodes.push(Node::child(id, parent, &successor, h()))?;
            self.waiting += 1;
            self.enqueue(new);
            return Some(());
        }
        let new = || Node::child(id, parent, &successor, h());
        let new = match self.nodes.find_or_insert(successor.state.clone(), new)? {
            Insertion::Inserted(new) => {
                self.waiting += 1;
                new
            }
            Insertion::Existing(existing) => {
                let old = self.nodes.get_mut(existing);
                let g = parent.g + successor.cost;
                if old.closed && (self.expanded == ExpandedList::Strict || old.g <= g) {
                    run.figures.attempted_reexpansions += 1;
                    return Some(());
                }
                if old.g <= g {
                    return Some(());
                }
                run.figures.replaced += u64::from(!old.closed);
                self.waiting += u64::from(old.closed);
                old.parent = Some((id, successor.action));
                (old.g, old.depth, old.closed) = (g, parent.depth + 1, false);
                existing
            }
        };
        self.enqueue(new);
        Some(())
    }

    #[inline]
    fn enqueue(&mut self, id: NodeId) {
        let &Node { g, h, .. } = self.nodes.get(id);
        let key = self.tie_breaker.key((self.priority)(g, h), g);
        self.queue.push(key, (id, g));
    }

    fn memory(&self) -> usize {
        self.nodes.memory() + self.queue.memory()
    }
}
