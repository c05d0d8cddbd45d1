//! What a search needs to know of a puzzle.

use std::hash::Hash;

/// A puzzle to search: states, actions that lead from one to another, and a goal.
///
/// Every algorithm of this room is written against this trait and serves any puzzle; see
/// [`search`](super) for one that is not a sliding-tile puzzle.
pub trait Problem {
    /// A state. It is kept in hash maps, so it had better be small.
    type State: Clone + Eq + Hash;
    /// What leads from a state to the next.
    type Action: Copy;

    /// Where the search begins.
    fn start(&self) -> Self::State;

    /// Is this a goal?
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The states after one action, in the order in which they are to be tried.
    fn successors(
        &self,
        state: &Self::State,
    ) -> impl Iterator<Item = Successor<Self::State, Self::Action>>;
}

/// A puzzle with one goal, whose actions can all be taken back at the same cost.
pub trait Reversible: Problem {
    /// The goal.
    fn goal(&self) -> Self::State;

    /// The action that takes this one back.
    fn inverse(&self, action: Self::Action) -> Self::Action;
}

/// A state one action away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor<S, A> {
    /// What leads there.
    pub action: A,
    /// The state.
    pub state: S,
    /// What the action costs, at least 1.
    pub cost: u32,
}

/// An estimate of the cost from a state to the goal.
pub trait Heuristic<P: Problem> {
    /// What a cost of 1 counts in the estimates, so that they can have fractions.
    fn unit(&self) -> u32 {
        1
    }

    /// The estimate of a state, in [units](Heuristic::unit).
    fn estimate(&self, state: &P::State) -> u32;

    /// The estimate of a successor of a state whose estimate is known, for those that can tell it
    /// sooner from there.
    #[inline]
    fn after(
        &self,
        state: &P::State,
        estimate: u32,
        successor: &Successor<P::State, P::Action>,
    ) -> u32 {
        let _ = (state, estimate);
        self.estimate(&successor.state)
    }
}

/// Knows nothing: 0 for every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<P: Problem> Heuristic<P> for Zero {
    #[inline]
    fn estimate(&self, _: &P::State) -> u32 {
        0
    }
}
