//! The states that a search remembers, and how it came to them.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::problem::Successor;
use super::run::{Expansion, Solution};

/// The number of a node.
pub(super) type NodeId = u32;

/// A state and the best way to it so far.
#[derive(Clone, Debug)]
pub(super) struct Node<S, A> {
    pub(super) state: S,
    /// The node before it and what led here; `None` at the start.
    pub(super) from: Option<(NodeId, A)>,
    pub(super) g: u32,
    pub(super) h: u32,
    /// Actions from the start.
    pub(super) depth: u32,
    /// Has it been expanded, by the way that it has now?
    pub(super) closed: bool,
    /// Has it ever been?
    pub(super) expanded: bool,
}

/// All nodes, and the node of each state if the search wants to know.
#[derive(Debug)]
pub(super) struct Nodes<S, A> {
    nodes: Vec<Node<S, A>>,
    by_state: HashMap<S, NodeId, FxBuildHasher>,
}

/// What there is for a state.
pub(super) enum Found {
    /// A new node.
    New(NodeId),
    /// The node that it had.
    Old(NodeId),
}

impl<S: Clone, A: Copy> Node<S, A> {
    /// The node of the start.
    pub(super) fn start(state: S, h: u32) -> Node<S, A> {
        Node {
            state,
            from: None,
            g: 0,
            h,
            depth: 0,
            closed: false,
            expanded: false,
        }
    }

    /// The node of a successor of `before`, which has the number `id`.
    #[inline]
    pub(super) fn after(
        id: NodeId,
        before: &Node<S, A>,
        successor: &Successor<S, A>,
        h: u32,
    ) -> Node<S, A> {
        Node {
            state: successor.state.clone(),
            from: Some((id, successor.action)),
            g: before.g + successor.cost,
            h,
            depth: before.depth + 1,
            closed: false,
            expanded: false,
        }
    }

    /// This node as it is shown when it is expanded.
    #[inline]
    pub(super) fn expansion<'a>(&'a self, parent: Option<&'a S>, queue: u64) -> Expansion<'a, S> {
        Expansion {
            state: &self.state,
            parent,
            g: u64::from(self.g),
            h: self.h,
            depth: self.depth,
            queue,
        }
    }
}

impl Found {
    pub(super) fn id(self) -> NodeId {
        match self {
            Found::New(id) | Found::Old(id) => id,
        }
    }
}

impl<S: Clone + Eq + Hash, A: Copy> Nodes<S, A> {
    pub(super) fn new() -> Nodes<S, A> {
        Nodes {
            nodes: Vec::new(),
            by_state: HashMap::with_capacity_and_hasher(256, FxBuildHasher),
        }
    }

    /// Appends a node without asking whether its state has one. `None` if there is no number
    /// left for it.
    pub(super) fn push(&mut self, node: Node<S, A>) -> Option<NodeId> {
        let id = NodeId::try_from(self.nodes.len()).ok()?;
        self.nodes.push(node);
        Some(id)
    }

    /// The node of a state; `node` makes one if it has none.
    #[inline]
    pub(super) fn find_or(&mut self, state: S, node: impl FnOnce() -> Node<S, A>) -> Option<Found> {
        use std::collections::hash_map::Entry;
        let next = NodeId::try_from(self.nodes.len()).ok()?;
        match self.by_state.entry(state) {
            Entry::Occupied(entry) => Some(Found::Old(*entry.get())),
            Entry::Vacant(entry) => {
                self.nodes.push(node());
                entry.insert(next);
                Some(Found::New(next))
            }
        }
    }

    /// The node of a state, if it has one.
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

    /// The state that a node was reached from.
    pub(super) fn parent(&self, node: &Node<S, A>) -> Option<&S> {
        node.from.map(|(parent, _)| &self.get(parent).state)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is `state` the state of the node or of one on the way to it?
    pub(super) fn is_on_way(&self, id: NodeId, state: &S) -> bool {
        self.way_back(id).any(|node| node.state == *state)
    }

    fn way_back(&self, id: NodeId) -> impl Iterator<Item = &Node<S, A>> {
        std::iter::successors(Some(self.get(id)), |node| {
            node.from.map(|(before, _)| self.get(before))
        })
    }

    /// The actions from the start to a node, and the cost.
    pub(super) fn solution(&self, id: NodeId) -> Solution<A> {
        let mut actions: Vec<A> = self
            .way_back(id)
            .filter_map(|node| node.from.map(|(_, action)| action))
            .collect();
        actions.reverse();
        Solution {
            actions,
            cost: u64::from(self.get(id).g),
        }
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<S, A>>()
            + self.by_state.capacity() * (size_of::<(S, NodeId)>() + 1)
    }
}
