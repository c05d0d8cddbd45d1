//! A way that wanders: what local searches leave behind them.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::problem::Successor;
use super::run::Solution;

/// The states and actions from the start to where the search stands, loops cut out as soon as they
/// close.
#[derive(Debug)]
pub(super) struct Walk<S, A> {
    /// Each with the cost of the way up to its end.
    steps: Vec<(A, u64, S)>,
    start: S,
    /// How many steps lead to each state on the way.
    places: HashMap<S, usize, FxBuildHasher>,
}

impl<S: Clone + Eq + Hash, A: Copy> Walk<S, A> {
    pub(super) fn new(start: S) -> Walk<S, A> {
        Walk {
            steps: Vec::new(),
            places: HashMap::from_iter([(start.clone(), 0)]),
            start,
        }
    }

    /// The state where it stands.
    pub(super) fn state(&self) -> &S {
        self.steps.last().map_or(&self.start, |(_, _, state)| state)
    }

    /// The state before it.
    pub(super) fn before(&self) -> Option<&S> {
        match self.steps.as_slice() {
            [] => None,
            [_] => Some(&self.start),
            [.., (_, _, before), _] => Some(before),
        }
    }

    /// Goes a step.
    pub(super) fn go(&mut self, successor: Successor<S, A>) {
        let place = self.places.get(&successor.state).copied();
        match place {
            Some(place) => {
                for (_, _, state) in self.steps.drain(place..) {
                    if state != successor.state {
                        self.places.remove(&state);
                    }
                }
            }
            None => {
                let place = self.steps.len() + 1;
                self.places.insert(successor.state.clone(), place);
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
            + self.places.capacity() * (size_of::<(S, usize)>() + 1)
    }
}
