//! States that searches reach, and the paths that they make.

use super::problem::{Heuristic, Problem, Successor};
use super::run::{Expansion, Solution};

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
    pub(super) fn start<P>(state: S, heuristic: &impl Heuristic<P>) -> Place<S, A>
    where
        P: Problem<State = S, Action = A>,
    {
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
    pub(super) fn after<P>(
        &self,
        heuristic: &impl Heuristic<P>,
        next: Successor<S, A>,
    ) -> Place<S, A>
    where
        P: Problem<State = S, Action = A>,
    {
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
