//! The path of a local search or a random walk.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::problem::Successor;
use super::run::Solution;

/// The path from the start to the current state, without cycles: a step back to a state of the path
/// removes the cycle.
#[derive(Debug)]
pub(super) struct Walk<S, A> {
    /// Each action with the state that it leads to and the cost of the path up to there.
    steps: Vec<(A, u64, S)>,
    start: S,
    /// The number of steps to each state of the path.
    lengths: HashMap<S, usize, FxBuildHasher>,
}

impl<S: Clone + Eq + Hash, A: Copy> Walk<S, A> {
    pub(super) fn new(start: S) -> Walk<S, A> {
        Walk {
            steps: Vec::new(),
            lengths: HashMap::from_iter([(start.clone(), 0)]),
            start,
        }
    }

    /// Returns the current state.
    pub(super) fn state(&self) -> &S {
        self.steps.last().map_or(&self.start, |(_, _, state)| state)
    }

    /// Returns the state before the current one on the path.
    pub(super) fn parent(&self) -> Option<&S> {
        match self.steps.as_slice() {
            [] => None,
            [_] => Some(&self.start),
            [.., (_, _, parent), _] => Some(parent),
        }
    }

    /// Steps to a successor of the current state.
    pub(super) fn step(&mut self, successor: Successor<S, A>) {
        let length = self.lengths.get(&successor.state).copied();
        match length {
            Some(length) => {
                for (_, _, state) in self.steps.drain(length..) {
                    if state != successor.state {
                        self.lengths.remove(&state);
                    }
                }
            }
            None => {
                let length = self.steps.len() + 1;
                self.lengths.insert(successor.state.clone(), length);
                let cost = self.cost() + u64::from(successor.cost);
                self.steps.push((successor.action, cost, successor.state));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn cost(&self) -> u64 {
        self.steps.last().map_or(0, |&(_, cost, _)| cost)
    }

    pub(super) fn solution(&self) -> Solution<A> {
        Solution {
            actions: self.steps.iter().map(|&(action, ..)| action).collect(),
            cost: self.cost(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.steps.capacity() * size_of::<(A, u64, S)>()
            + self.lengths.capacity() * (size_of::<(S, usize)>() + 1)
    }
}
