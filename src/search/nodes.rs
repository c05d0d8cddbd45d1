//! States that searches reach, and the nodes of those that a search keeps, each with the best path found to it.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::problem::{Heuristic, Problem, Successor};
use super::run::{Expansion, Solution};

/// The index of a node.
pub(super) type NodeId = u32;

/// A state and the best path to it so far.
#[derive(Clone, Debug)]
pub(super) struct Node<S, A> {
    pub(super) place: Place<S, A>,
    /// The node from which its action led; of no meaning at the root.
    pub(super) parent: NodeId,
    /// Whether it was expanded with its present `g`.
    pub(super) closed: bool,
    /// Whether it was ever expanded.
    pub(super) expanded: bool,
}

/// All nodes, and the node of each state for searches that detect duplicates.
#[derive(Debug)]
pub(super) struct Nodes<S, A> {
    nodes: Vec<Node<S, A>>,
    by_state: HashMap<S, NodeId, FxBuildHasher>,
}

impl<S: Clone + Eq + Hash, A: Copy> Nodes<S, A> {
    pub(super) fn new() -> Nodes<S, A> {
        Nodes {
            nodes: Vec::new(),
            by_state: HashMap::with_capacity_and_hasher(256, FxBuildHasher),
        }
    }

    /// Appends a node that is not expanded yet, without looking for its state. `None` if the indices are used up.
    #[inline]
    pub(super) fn push(&mut self, place: Place<S, A>, parent: NodeId) -> Option<NodeId> {
        let id = NodeId::try_from(self.nodes.len()).ok()?;
        self.nodes.push(Node {
            place,
            parent,
            closed: false,
            expanded: false,
        });
        Some(id)
    }

    /// Returns the node of a state, and whether it is new: the state has none yet and gets one with this place and parent.
    /// `None` if the indices are used up.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        state: S,
        place: impl FnOnce() -> Place<S, A>,
        parent: NodeId,
    ) -> Option<(NodeId, bool)> {
        let next = NodeId::try_from(self.nodes.len()).ok()?;
        let id = *self.by_state.entry(state).or_insert(next);
        if id == next {
            self.push(place(), parent)?;
        }
        Some((id, id == next))
    }

    /// Returns the node of a state, if it has one.
    pub(super) fn find(&self, state: &S) -> Option<NodeId> {
        self.by_state.get(state).copied()
    }

    #[inline]
    pub(super) fn get(&self, id: NodeId) -> &Node<S, A> {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node<S, A> {
        &mut self.nodes[id as usize]
    }

    /// Returns a node's parent; `None` at the root.
    pub(super) fn parent(&self, node: &Node<S, A>) -> Option<&Node<S, A>> {
        node.place.action.map(|_| self.get(node.parent))
    }

    /// Returns the places of the node and of its ancestors, the root last.
    pub(super) fn path_to_root(&self, id: NodeId) -> impl Iterator<Item = &Place<S, A>> {
        let nodes = std::iter::successors(Some(self.get(id)), |node| self.parent(node));
        nodes.map(|node| &node.place)
    }

    /// Returns the solution from the start to a node.
    pub(super) fn solution(&self, id: NodeId) -> Solution<A> {
        let path = Vec::from_iter(self.path_to_root(id));
        solution(path.into_iter().rev())
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<S, A>>()
            + self.by_state.capacity() * (size_of::<(S, NodeId)>() + 1)
    }
}

/// A state that was reached, with the action that led to it.
#[derive(Clone, Debug)]
pub(super) struct Place<S, A> {
    pub(super) state: S,
    /// The action that led to it; `None` at the start.
    pub(super) action: Option<A>,
    pub(super) g: u32,
    pub(super) h: u32,
    /// Actions from the start.
    pub(super) depth: u32,
}

pub(super) type PlaceOf<P> = Place<<P as Problem>::State, <P as Problem>::Action>;

impl<S, A: Copy> Place<S, A> {
    /// Returns the start of a path.
    pub(super) fn start<P: Problem<State = S, Action = A>>(
        state: S,
        heuristic: &impl Heuristic<P>,
    ) -> Place<S, A> {
        Place {
            h: heuristic.estimate(&state),
            state,
            action: None,
            g: 0,
            depth: 0,
        }
    }

    /// Returns the place of a successor.
    #[inline]
    pub(super) fn after<P: Problem<State = S, Action = A>>(
        &self,
        heuristic: &impl Heuristic<P>,
        next: Successor<S, A>,
    ) -> Place<S, A> {
        Place {
            h: heuristic.estimate_successor(&self.state, self.h, &next),
            state: next.state,
            action: Some(next.action),
            g: self.g + next.cost,
            depth: self.depth + 1,
        }
    }

    /// Returns `f = g + h`, in units.
    #[inline]
    pub(super) fn f(&self, unit: u64) -> u64 {
        u64::from(self.g) * unit + u64::from(self.h)
    }

    /// Returns this place as observers get it, reached from `parent`, while `queue` states wait, this one included.
    #[inline]
    pub(super) fn expansion<'a>(&'a self, parent: Option<&'a S>, queue: u64) -> Expansion<'a, S> {
        Expansion {
            state: &self.state,
            parent,
            g: self.g.into(),
            h: self.h,
            depth: self.depth,
            queue,
        }
    }
}

/// Returns the solution that a path is.
pub(super) fn solution<'a, S: 'a, A: Copy + 'a>(
    path: impl Iterator<Item = &'a Place<S, A>>,
) -> Solution<A> {
    let mut cost = 0;
    let path = path.inspect(|place| cost = place.g.into());
    let actions = path.filter_map(|place| place.action).collect();
    Solution { actions, cost }
}
