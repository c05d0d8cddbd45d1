//! Best-first search: uniform cost, greedy, A* and their kin.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::nodes::{Found, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem, Successor};
use super::queue::Queue;
use super::run::{Failure, Run, Solution};

/// What is done with a state that was expanded before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expanded {
    /// Never expand it again. With an inconsistent heuristic the solution may be too long.
    Strict,
    /// Expand it again when a cheaper way to it is found.
    #[default]
    Reopen,
    /// Keep no list: every way to a state is a node of its own. Only ways that come back to
    /// themselves are dropped.
    None,
}

/// Which of several states with the least priority is expanded first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// The one with the costlier way, so the one nearer to the goal by the heuristic; among
    /// equals the latest.
    #[default]
    Deep,
    /// The one with the cheaper way.
    Shallow,
    /// The one that came last.
    Lifo,
    /// The one that came first.
    Fifo,
    /// Any, drawn from the seed.
    Random,
}

/// How a best-first search goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BestFirst {
    /// What is done with a state that was expanded before.
    pub expanded: Expanded,
    /// Which of equals is first.
    pub ties: Ties,
    /// For [`Ties::Random`].
    pub seed: u64,
}

/// Turns priorities into keys of the queue, ties broken.
struct Order {
    ties: Ties,
    rng: ChaCha8Rng,
    arrivals: u64,
}

/// Depths that ties tell apart.
const DEPTHS: u128 = 64;

impl Order {
    fn new(how: &BestFirst) -> Order {
        Order {
            ties: how.ties,
            rng: ChaCha8Rng::seed_from_u64(how.seed),
            arrivals: 0,
        }
    }

    #[inline]
    fn key(&mut self, priority: u64, g: u32) -> u128 {
        let priority = u128::from(priority);
        let depth = u128::from(g).min(DEPTHS - 1);
        self.arrivals += 1;
        match self.ties {
            Ties::Deep => priority * DEPTHS + (DEPTHS - 1 - depth),
            Ties::Shallow => priority * DEPTHS + depth,
            Ties::Lifo => priority,
            Ties::Fifo => (priority << 64) + u128::from(self.arrivals),
            Ties::Random => (priority << 64) + u128::from(self.rng.random::<u64>()),
        }
    }
}

/// Expands states in the order of `priority(g, h)`, the least first, until it takes the goal out
/// of the queue.
///
/// `g` is the cost of the way to a state, `h` the heuristic's estimate in its units. So
/// `g * unit + h` is A*, `g` uniform cost, `h` greedy search. With a heuristic that never
/// overestimates, A* finds a cheapest solution (Hart, Nilsson and Raphael, 1968), under
/// [`Expanded::Strict`] if the heuristic is also consistent.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn best_first<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    priority: impl Fn(u32, u32) -> u64,
    how: &BestFirst,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        heuristic,
        priority,
        expanded: how.expanded,
        nodes: Nodes::new(),
        queue: Queue::new(),
        order: Order::new(how),
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
    expanded: Expanded,
    nodes: Nodes<P::State, P::Action>,
    /// Nodes with the `g` that they had when they came in. An entry whose way was replaced stays
    /// until it comes out.
    queue: Queue<(NodeId, u32)>,
    order: Order,
    /// Nodes in the queue, replaced entries left out.
    waiting: u64,
}

impl<P: Problem, H: Heuristic<P>, F: Fn(u32, u32) -> u64> Search<'_, P, H, F> {
    fn find_goal(&mut self, run: &mut Run<'_, P::State>) -> Result<NodeId, Failure> {
        let start = self.problem.start();
        let h = self.heuristic.estimate(&start);
        let node = || Node::start(start.clone(), h);
        let first = match self.expanded {
            Expanded::None => self.nodes.push(node()),
            _ => self.nodes.find_or(start.clone(), node).map(Found::id),
        };
        self.enqueue(first.expect("the first node has a number"));
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
        let parent = self.nodes.parent(node).cloned();
        let expansion = node.expansion(parent.as_ref(), self.waiting);
        run.expand(&expansion, || self.memory())?;
        self.waiting -= 1;
        let node = self.nodes.get_mut(id);
        run.figures.reexpansions += u64::from(node.expanded);
        run.figures.closed += u64::from(!node.expanded && self.expanded != Expanded::None);
        (node.closed, node.expanded) = (true, true);
        let node = node.clone();
        for successor in self.problem.successors(&node.state) {
            if run.is_way_back(&successor.state, parent.as_ref()) {
                continue;
            }
            self.meet(id, &node, successor, run)
                .ok_or(Failure::Memory)?;
        }
        run.waiting(self.waiting as usize);
        Ok(())
    }

    /// Takes up a successor. `None` if there is no number left for its node.
    #[inline]
    fn meet(
        &mut self,
        parent: NodeId,
        node: &Node<P::State, P::Action>,
        successor: Successor<P::State, P::Action>,
        run: &mut Run<'_, P::State>,
    ) -> Option<()> {
        let h = || (self.heuristic).after(&node.state, node.h, &successor);
        if self.expanded == Expanded::None {
            if self.nodes.is_on_way(parent, &successor.state) {
                run.figures.loops_avoided += 1;
                return Some(());
            }
            let new = Node::after(parent, node, &successor, h());
            let id = self.nodes.push(new)?;
            self.waiting += 1;
            self.enqueue(id);
            return Some(());
        }
        let new = || Node::after(parent, node, &successor, h());
        let id = match self.nodes.find_or(successor.state.clone(), new)? {
            Found::New(id) => {
                self.waiting += 1;
                id
            }
            Found::Old(id) => {
                let old = self.nodes.get_mut(id);
                let g = node.g + successor.cost;
                if old.closed && (self.expanded == Expanded::Strict || old.g <= g) {
                    run.figures.attempted_reexpansions += 1;
                    return Some(());
                }
                if old.g <= g {
                    return Some(());
                }
                run.figures.replaced += u64::from(!old.closed);
                self.waiting += u64::from(old.closed);
                old.from = Some((parent, successor.action));
                (old.g, old.depth, old.closed) = (g, node.depth + 1, false);
                id
            }
        };
        self.enqueue(id);
        Some(())
    }

    #[inline]
    fn enqueue(&mut self, id: NodeId) {
        let &Node { g, h, .. } = self.nodes.get(id);
        let key = self.order.key((self.priority)(g, h), g);
        self.queue.push(key, (id, g));
    }

    fn memory(&self) -> usize {
        self.nodes.memory() + self.queue.memory()
    }
}
