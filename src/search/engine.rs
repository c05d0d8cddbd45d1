//! The step of a search, and the loop that drives every search.

use super::problem::Problem;
use super::run::{Failure, Run, Solution};

/// Result of a step: the solution once it is found, `None` after an expansion or another step towards it, or the reason
/// why the search has ended.
pub(super) type Step<A> = Result<Option<Solution<A>>, Failure>;

/// A search in progress.
pub(super) trait Engine<P: Problem> {
    /// Expands one state, or takes a step that expands none.
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action>;

    /// Bytes of states, lists and queues.
    fn memory(&self) -> usize;
}

/// Steps until a solution is found or the search ends.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub(super) fn drive<P: Problem>(
    engine: &mut impl Engine<P>,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let result = loop {
        if let Some(result) = engine.step(run).transpose() {
            break result;
        }
    };
    run.figures.memory = engine.memory() as u64;
    result
}
