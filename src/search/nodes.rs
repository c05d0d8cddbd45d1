//! The search nodes: states that a search keeps, with the best path found to each.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::problem::Successor;
use super::run::{Expansion, Solution};

/// The index of a node.
pub(super) type NodeId = u32;

/// A state and the best path to it so far.
#[derive(Clone, Debug)]
pub(super) struct Node<S, A> {
    pub(super) state: S,
    /// The parent node and the action that led from it; `None` at the root.
    pub(super) parent: Option<(NodeId, A)>,
    pub(super) g: u32,
    pub(super) h: u32,
    /// Actions from the start.
    pub(super) depth: u32,
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

impl<S: Clone, A: Copy> Node<S, A> {
    /// Returns the root of the search tree.
    pub(super) fn root(state: S, h: u32) -> Node<S, A> {
        Node {
            state,
            parent: None,
            g: 0,
            h,
            depth: 0,
            closed: false,
            expanded: false,
        }
    }

    /// Returns the node of a successor of `parent`, which has the index `id`.
    #[inline]
    pub(super) fn child(
        id: NodeId,
        parent: &Node<S, A>,
        successor: &Successor<S, A>,
        h: u32,
    ) -> Node<S, A> {
        Node {
            parent: Some((id, successor.action)),
            g: parent.g + successor.cost,
            depth: parent.depth + 1,
            ..Node::root(successor.state.clone(), h)
        }
    }

    /// Returns this node as observers get it; `queue` counts the states that wait, this one
    /// included.
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

impl<S: Clone + Eq + Hash, A: Copy> Nodes<S, A> {
    pub(super) fn new() -> Nodes<S, A> {
        Nodes {
            nodes: Vec::new(),
            by_state: HashMap::with_capacity_and_hasher(256, FxBuildHasher),
        }
    }

    /// Appends a node without looking for its state. `None` if the indices are used up.
    pub(super) fn push(&mut self, node: Node<S, A>) -> Option<NodeId> {
        let id = NodeId::try_from(self.nodes.len()).ok()?;
        self.nodes.push(node);
        Some(id)
    }

    /// Returns the node of a state, and whether it is new: `node` makes one if the state has none. `None` if the indices
    /// are used up.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        state: S,
        node: impl FnOnce() -> Node<S, A>,
    ) -> Option<(NodeId, bool)> {
        use std::collections::hash_map::Entry;
        let next = NodeId::try_from(self.nodes.len()).ok()?;
        match self.by_state.entry(state) {
            Entry::Occupied(entry) => Some((*entry.get(), false)),
            Entry::Vacant(entry) => {
                self.nodes.push(node());
                entry.insert(next);
                Some((next, true))
            }
        }
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

    /// Returns the state of a node's parent.
    pub(super) fn parent_state(&self, node: &Node<S, A>) -> Option<&S> {
        node.parent.map(|(parent, _)| &self.get(parent).state)
    }

    /// Returns whether `state` is the state of the node or of one of its ancestors.
    pub(super) fn is_on_path(&self, id: NodeId, state: &S) -> bool {
        self.path_to_root(id).any(|node| node.state == *state)
    }

    /// Returns the node and its ancestors, the root last.
    fn path_to_root(&self, id: NodeId) -> impl Iterator<Item = &Node<S, A>> {
        std::iter::successors(Some(self.get(id)), |node| {
            node.parent.map(|(parent, _)| self.get(parent))
        })
    }

    /// Returns the actions from the start to a node, and the cost.
    pub(super) fn solution(&self, id: NodeId) -> Solution<A> {
        let mut actions: Vec<A> = self
            .path_to_root(id)
            .filter_map(|node| node.parent.map(|(_, action)| action))
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
