//! The interface between a search and a puzzle.

use std::hash::Hash;

/// A puzzle to search: states, actions that lead from one to another, and a goal.
///
/// Every algorithm of this module takes any implementation of this trait; the
/// [module's page](super) has an example that is not a sliding-tile puzzle.
pub trait Problem {
    /// A state. Searches keep many of them in hash maps, so it should be small.
    type State: Clone + Eq + Hash;
    /// Step from a state to the next.
    type Action: Copy;

    /// Returns the start state.
    fn start(&self) -> Self::State;

    /// Returns whether this state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Returns the states one action away, in the order in which a search generates them.
    fn successors(
        &self,
        state: &Self::State,
    ) -> impl Iterator<Item = Successor<Self::State, Self::Action>>;
}

/// A state one action away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor<S, A> {
    /// The action that leads to it.
    pub action: A,
    /// The state.
    pub state: S,
    /// The cost of the action, at least 1. Paths that are searched cost less than 2^32.
    pub cost: u32,
}

impl<S, A> Successor<S, A> {
    /// Makes a successor: an action, the state that it leads to, and its cost, at least 1.
    pub const fn new(action: A, state: S, cost: u32) -> Successor<S, A> {
        Successor {
            action,
            state,
            cost,
        }
    }
}

/// An estimate of the cost from a state to the goal.
///
/// Functions from a state to an estimate are heuristics too.
pub trait Heuristic<P: Problem> {
    /// Returns the estimate that stands for a cost of 1: above 1, estimates can have fractions.
    fn unit(&self) -> u32 {
        1
    }

    /// Returns the estimate of a state, in [units](Heuristic::unit).
    fn estimate(&self, state: &P::State) -> u32;

    /// Returns the estimate of a successor of a state whose estimate is known. Override it where
    /// that is faster to compute than [`Heuristic::estimate`].
    #[inline]
    fn estimate_successor(
        &self,
        state: &P::State,
        estimate: u32,
        successor: &Successor<P::State, P::Action>,
    ) -> u32 {
        let _ = (state, estimate);
        self.estimate(&successor.state)
    }
}

/// The heuristic that is 0 for every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<P: Problem> Heuristic<P> for Zero {
    #[inline]
    fn estimate(&self, _: &P::State) -> u32 {
        0
    }
}

impl<P: Problem, F: Fn(&P::State) -> u32> Heuristic<P> for F {
    #[inline]
    fn estimate(&self, state: &P::State) -> u32 {
        self(state)
    }
}
