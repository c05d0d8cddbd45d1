//! The path of a local search, and the random walk.

use std::collections::HashMap;
use std::hash::Hash;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxBuildHasher;

use super::problem::{Problem, Successor};
use super::run::{Expansion, Failure, Run, Solution};

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

/// Makes a random walk. Cycles are removed from its path.
///
/// # Errors
/// A [`Failure`] by a limit, as it may never end without; [`Failure::Stuck`] where a state has no
/// successor.
pub fn random_walk<P: Problem>(
    problem: &P,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut walk = Walk::new(problem.start());
    let result = loop {
        let state = walk.state();
        if problem.is_goal(state) {
            break Ok(walk.solution());
        }
        let expansion = Expansion {
            state,
            parent: walk.parent(),
            g: walk.cost(),
            h: 0,
            depth: walk.len() as u32,
            queue: 1,
        };
        if let Err(failure) = run.expand(&expansion, || walk.memory()) {
            break Err(failure);
        }
        let mut successors: Vec<_> = problem.successors(state).collect();
        run.figures.generated += successors.len() as u64;
        if successors.is_empty() {
            break Err(Failure::Stuck);
        }
        walk.step(successors.swap_remove(rng.random_range(0..successors.len())));
    };
    run.figures.memory = walk.memory() as u64;
    result
}
