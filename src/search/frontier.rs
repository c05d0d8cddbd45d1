//! The search by a frontier: nodes wait, one of them is expanded, and its successors wait too.
//!
//! An [`Open`] list gives the order of expansion: by priority in A* and its kin, as generated in breadth-first search,
//! level by level in beam search, at random in random-frontier search. A bidirectional search has two frontiers.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::effort::GoalTest;
use super::nodes::{NodeId, Nodes, Place, PlaceOf};
use super::problem::{Heuristic, Problem, Successor};
use super::run::{Engine, Failure, Run, Step};

/// The nodes of a problem.
pub(super) type NodesOf<P> = Nodes<<P as Problem>::State, <P as Problem>::Action>;

/// The nodes that wait, in the order of their expansion.
pub(super) trait Open<P: Problem> {
    /// Inserts a node; again, when a cheaper path to its state is found.
    fn push(&mut self, id: NodeId, nodes: &NodesOf<P>);

    /// Removes the node that is expanded next. Nodes that are dropped no longer count as `waiting`.
    ///
    /// # Errors
    /// The reason why there is no solution if no node waits.
    fn pop(&mut self, nodes: &NodesOf<P>, waiting: &mut u64) -> Result<NodeId, Failure>;

    /// Bytes in use beside the nodes.
    fn memory(&self) -> usize {
        0
    }
}

/// Treatment of a successor whose state has a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duplicates {
    /// Dropped.
    Drop,
    /// Dropped; a state is on the expanded list once it is generated.
    DropGenerated,
    /// Replaces the path of a node that waits, if it is cheaper.
    Replace,
    /// Replaces the path of any node, if it is cheaper. An expanded one waits again.
    Reopen,
    /// Gets a node of its own, unless its state is on the path to it.
    Keep,
}

/// A search in progress from one state.
pub(super) struct Frontier<'a, P: Problem, H, O> {
    problem: &'a P,
    pub(super) heuristic: &'a H,
    duplicates: Duplicates,
    test: GoalTest,
    pub(super) nodes: NodesOf<P>,
    open: O,
    /// Nodes that wait to be expanded.
    pub(super) waiting: u64,
}

impl<'a, P: Problem, H: Heuristic<P>, O: Open<P>> Frontier<'a, P, H, O> {
    /// Begins a search at a state, which gets the node 0. By `test` the goal is found when it is generated, or when it
    /// is the next to be expanded.
    pub(super) fn new(
        problem: &'a P,
        start: P::State,
        heuristic: &'a H,
        (duplicates, test): (Duplicates, GoalTest),
        mut open: O,
    ) -> Self {
        let mut nodes = Nodes::new();
        nodes.find_or_insert(start.clone(), || Place::start(start, heuristic), 0);
        open.push(0, &nodes);
        Frontier {
            problem,
            heuristic,
            duplicates,
            test,
            nodes,
            open,
            waiting: 1,
        }
    }

    /// Removes the node that is expanded next from the list. It waits until it is expanded.
    #[inline]
    pub(super) fn next(&mut self) -> Result<NodeId, Failure> {
        self.open.pop(&self.nodes, &mut self.waiting)
    }

    /// Expands a node that [`Frontier::next`] returned. `is_found` gets each node that is inserted, or inserted again;
    /// the first for which it is true ends the expansion and is returned. `other` is the other frontier of a
    /// bidirectional search.
    #[inline]
    pub(super) fn expand(
        &mut self,
        id: NodeId,
        other: Option<&Self>,
        run: &mut Run<'_, P::State>,
        mut is_found: impl FnMut(NodeId, &NodesOf<P>) -> bool,
    ) -> Result<Option<NodeId>, Failure> {
        let node = self.nodes.get(id);
        let (place, expanded) = (node.place.clone(), node.expanded);
        let parent = self.nodes.parent(node);
        let parent = parent.map(|parent| parent.place.state.clone());
        let waiting_there = other.map_or(0, |other| other.waiting);
        let expansion = place.expansion(parent.as_ref(), self.waiting + waiting_there);
        run.expand(&expansion, || {
            self.memory() + other.map_or(0, Engine::memory)
        })?;
        self.waiting -= 1;
        run.figures.reexpansions += u64::from(expanded);
        run.figures.closed += u64::from(!expanded && self.duplicates != Duplicates::Keep);
        let stored = self.nodes.get_mut(id);
        (stored.closed, stored.expanded) = (true, true);
        for successor in self.problem.successors(&place.state) {
            if run.returns_to_parent(&successor.state, parent.as_ref()) {
                continue;
            }
            let Some(new) = self.insert(id, &place, &successor, run)? else {
                continue;
            };
            self.open.push(new, &self.nodes);
            if is_found(new, &self.nodes) {
                return Ok(Some(new));
            }
        }
        run.record_queue(self.waiting + waiting_there);
        Ok(None)
    }

    /// Returns the node of a successor of `parent`, which has the index `id`, if it waits anew.
    #[inline]
    fn insert(
        &mut self,
        id: NodeId,
        parent: &PlaceOf<P>,
        successor: &Successor<P::State, P::Action>,
        run: &mut Run<'_, P::State>,
    ) -> Result<Option<NodeId>, Failure> {
        let (heuristic, state) = (self.heuristic, &successor.state);
        let place = || parent.after(heuristic, successor.clone());
        if self.duplicates == Duplicates::Keep {
            if self.nodes.path_to_root(id).any(|on| on.state == *state) {
                run.figures.loops_avoided += 1;
                return Ok(None);
            }
            self.waiting += 1;
            let new = self.nodes.push(place(), id);
            return new.ok_or(Failure::Memory).map(Some);
        }
        let found = self.nodes.find_or_insert(state.clone(), place, id);
        let (found, is_new) = found.ok_or(Failure::Memory)?;
        let known = self.nodes.get_mut(found);
        if is_new {
            self.waiting += 1;
            known.closed = self.duplicates == Duplicates::DropGenerated;
            return Ok(Some(found));
        }
        let g = parent.g + successor.cost;
        let replaces = match self.duplicates {
            Duplicates::Reopen => g < known.place.g,
            Duplicates::Replace => g < known.place.g && !known.closed,
            _ => false,
        };
        if !replaces {
            run.figures.attempted_reexpansions += u64::from(known.closed);
            return Ok(None);
        }
        run.figures.replaced += u64::from(!known.closed);
        self.waiting += u64::from(known.closed);
        (known.parent, known.closed) = (id, false);
        let place = &mut known.place;
        (place.action, place.g, place.depth) = (Some(successor.action), g, parent.depth + 1);
        Ok(Some(found))
    }
}

impl<P: Problem, H: Heuristic<P>, O: Open<P>> Engine<P> for Frontier<'_, P, H, O> {
    #[inline]
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        let (problem, early) = (self.problem, self.test == GoalTest::Early);
        let is_goal = |id, nodes: &NodesOf<P>| problem.is_goal(&nodes.get(id).place.state);
        let id = self.next()?;
        let found = if is_goal(id, &self.nodes) {
            Some(id) // with an early test that is the start
        } else {
            self.expand(id, None, run, |new, nodes| early && is_goal(new, nodes))?
        };
        Ok(found.map(|goal| self.nodes.solution(goal)))
    }

    fn memory(&self) -> usize {
        self.nodes.memory() + self.open.memory()
    }
}

/// Nodes in the order in which they were generated, each once.
#[derive(Default)]
pub(super) struct InOrder(std::ops::Range<NodeId>);

impl<P: Problem> Open<P> for InOrder {
    fn push(&mut self, _: NodeId, _: &NodesOf<P>) {
        self.0.end += 1;
    }

    fn pop(&mut self, _: &NodesOf<P>, _: &mut u64) -> Result<NodeId, Failure> {
        self.0.next().ok_or(Failure::Exhausted)
    }
}

/// Nodes in random order, each once.
pub(super) struct AtRandom {
    rng: ChaCha8Rng,
    waiting: Vec<NodeId>,
}

impl AtRandom {
    pub(super) fn new(seed: u64) -> AtRandom {
        AtRandom {
            rng: ChaCha8Rng::seed_from_u64(seed),
            waiting: Vec::new(),
        }
    }
}

impl<P: Problem> Open<P> for AtRandom {
    fn push(&mut self, id: NodeId, _: &NodesOf<P>) {
        self.waiting.push(id);
    }

    fn pop(&mut self, _: &NodesOf<P>, _: &mut u64) -> Result<NodeId, Failure> {
        match self.waiting.len() {
            0 => Err(Failure::Exhausted),
            count => Ok(self.waiting.swap_remove(self.rng.random_range(0..count))),
        }
    }
}

/// Level after level, of each the nodes with the least `h`.
pub(super) struct Levels {
    /// Most nodes of a level.
    width: usize,
    /// The level that is being expanded, the next node last.
    level: Vec<NodeId>,
    /// The level after it.
    next: Vec<NodeId>,
    /// Reason why there is no solution if no node waits.
    failure: Failure,
}

impl Levels {
    pub(super) fn new(width: usize) -> Levels {
        Levels {
            width,
            level: Vec::new(),
            next: Vec::new(),
            failure: Failure::Exhausted,
        }
    }
}

impl<P: Problem> Open<P> for Levels {
    fn push(&mut self, id: NodeId, _: &NodesOf<P>) {
        self.next.push(id);
    }

    fn pop(&mut self, nodes: &NodesOf<P>, waiting: &mut u64) -> Result<NodeId, Failure> {
        if self.level.is_empty() {
            std::mem::swap(&mut self.level, &mut self.next);
            self.level.sort_by_key(|&id| nodes.get(id).place.h);
            if self.level.len() > self.width {
                *waiting -= (self.level.len() - self.width) as u64;
                self.level.truncate(self.width);
                self.failure = Failure::Narrow;
            }
            self.level.reverse();
        }
        self.level.pop().ok_or(self.failure)
    }
}
