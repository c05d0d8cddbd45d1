//! The limits and counters of a search, the reasons why it fails, and the loop that drives every search by steps.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::basics::{Cancel, Instant, Progress};

use super::problem::Problem;

/// The resources that a search may use. It ends when the first of them is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Expansions.
    pub expansions: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes for states, lists and queues.
    pub memory: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits {
        expansions: u64::MAX,
        time: Duration::MAX,
        memory: u64::MAX,
    };
}

/// Why a search found no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Failure {
    /// It expanded all reachable states, and none was a goal.
    #[error("no solution: everything within reach was searched")]
    Exhausted,
    /// A depth-first search did not expand states at its depth limit.
    #[error("cut off: no solution within the depth limit")]
    DepthLimit,
    /// A beam search dropped states for its width, and found no goal among the rest.
    #[error("lost: the beam threw away every way to the goal; a wider one may keep it")]
    Narrow,
    /// [`Limits::expansions`] is reached.
    #[error("gave up: the limit of expansions is reached")]
    Expansions,
    /// [`Limits::time`] is reached.
    #[error("gave up: the limit of time is reached")]
    Time,
    /// [`Limits::memory`] is reached.
    #[error("gave up: the limit of memory is reached")]
    Memory,
    /// The flag of the search is set.
    #[error("cancelled")]
    Cancelled,
    /// The observer ended the search.
    #[error("ended by its observer")]
    Stopped,
    /// A local search is at a local minimum of the heuristic, or a state has no successor.
    #[error("stuck: no neighbour is closer by the heuristic")]
    Stuck,
}

/// A path from the start to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<A> {
    /// Its actions.
    pub actions: Vec<A>,
    /// The sum of their costs.
    pub cost: u64,
}

/// The counters of a search.
///
/// A state is **expanded** when its successors are made. The goal is not expanded: it ends the
/// search. A state is **generated** each time it is made as a successor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Counters {
    /// Expansions, re-expansions included.
    pub expansions: u64,
    /// Successors generated.
    pub generated: u64,
    /// Expansions of a state that had been expanded before; 0 without an expanded list.
    pub reexpansions: u64,
    /// The largest number of states that waited to be expanded at one time.
    pub max_queue: u64,
    /// States on the expanded list at the end; 0 without one.
    pub closed: u64,
    /// The largest depth of an expanded state, in actions from the start.
    pub depth: u32,
    /// States in the queue whose path was replaced by a cheaper one.
    pub replaced: u64,
    /// Successors that were dropped because they are on the path to the expanded state: its parent
    /// and, under [`ExpandedList::None`](super::ExpandedList::None), its other ancestors.
    pub loops_avoided: u64,
    /// Successors that were dropped because they are on the expanded list.
    pub attempted_reexpansions: u64,
    /// Bytes of states, lists and queues at the end.
    pub memory: u64,
}

/// A state that is being expanded.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expansion<'a, S> {
    /// The state.
    pub state: &'a S,
    /// The state that it was reached from.
    pub parent: Option<&'a S>,
    /// The cost of the path to it.
    pub g: u64,
    /// The heuristic's estimate from it, in the heuristic's units.
    pub h: u32,
    /// Its depth, in actions from the start.
    pub depth: u32,
    /// States that wait to be expanded, this one included.
    pub queue: u64,
}

/// A callback that gets every expansion and may end the search.
pub type Observer<'a, S> = dyn FnMut(&Expansion<'_, S>) -> ControlFlow<()> + 'a;

/// One search in progress: its limits, counters and observer.
///
/// ```
/// use puzzledb::search::{Limits, Run};
///
/// let mut limits = Limits::NONE;
/// limits.expansions = 1_000;
/// let run = Run::<u64>::new(limits); // or Run::default(), without limits
/// assert_eq!(run.figures().expansions, 0);
/// ```
pub struct Run<'a, S> {
    limits: Limits,
    started: Instant,
    observer: Option<&'a mut Observer<'a, S>>,
    /// Gets the expansions and, with the heuristic's unit, the bound that `f` proves. The unit may be given only if no
    /// solution costs less than `f`.
    pub(super) progress: Option<(&'a Progress, Option<u32>)>,
    cancel: Cancel,
    /// Returns whether the heuristic can no longer be trusted, which cancels the search.
    pub(super) broken: Option<&'a (dyn Fn() -> bool + Sync)>,
    pub(super) figures: Counters,
}

/// Expansions between two checks of time, memory and the flag.
const CHECK_INTERVAL: u64 = 256;

impl<'a, S> Run<'a, S> {
    /// Returns a search that starts now.
    pub fn new(limits: Limits) -> Run<'a, S> {
        Run {
            limits,
            started: Instant::now(),
            observer: None,
            progress: None,
            cancel: Cancel::new(),
            broken: None,
            figures: Counters::default(),
        }
    }

    /// Passes every expansion to `observer`.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a mut Observer<'a, S>) -> Run<'a, S> {
        self.observer = Some(observer);
        self
    }

    /// Ends the search once the flag is set: [`Failure::Cancelled`].
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Run<'a, S> {
        self.cancel = cancel.clone();
        self
    }

    /// Returns the counters so far.
    pub fn figures(&self) -> &Counters {
        &self.figures
    }

    /// Returns the time since the start.
    pub fn time(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts an expansion and passes it to the observer, or fails if a limit is reached.
    /// `memory` gives the bytes in use; it is called every [`CHECK_INTERVAL`] expansions.
    #[inline]
    pub(super) fn expand(
        &mut self,
        expansion: &Expansion<'_, S>,
        memory: impl FnOnce() -> usize,
    ) -> Result<(), Failure> {
        if self.figures.expansions >= self.limits.expansions {
            return Err(Failure::Expansions);
        }
        if self.figures.expansions.is_multiple_of(CHECK_INTERVAL) {
            self.check(memory() as u64, expansion)?;
        }
        let figures = &mut self.figures;
        figures.expansions += 1;
        figures.max_queue = figures.max_queue.max(expansion.queue);
        figures.depth = figures.depth.max(expansion.depth);
        if let Some(observer) = &mut self.observer
            && observer(expansion).is_break()
        {
            return Err(Failure::Stopped);
        }
        Ok(())
    }

    /// Checks memory, time and the flag, and updates the progress.
    #[cold]
    fn check(&mut self, memory: u64, expansion: &Expansion<'_, S>) -> Result<(), Failure> {
        self.figures.memory = self.figures.memory.max(memory);
        if self.figures.memory > self.limits.memory {
            return Err(Failure::Memory);
        }
        if self.started.elapsed() >= self.limits.time {
            return Err(Failure::Time);
        }
        if self.cancel.is_cancelled() || self.broken.is_some_and(|broken| broken()) {
            return Err(Failure::Cancelled);
        }
        if let Some((progress, unit)) = self.progress {
            progress.visit(CHECK_INTERVAL);
            let h = unit.map(|unit| expansion.h.div_ceil(unit));
            progress.prove(h.map_or(0, |h| expansion.g + u64::from(h)));
        }
        Ok(())
    }

    /// Counts a generated successor. Returns whether it is the parent of the expanded state.
    #[inline]
    pub(super) fn returns_to_parent(&mut self, successor: &S, parent: Option<&S>) -> bool
    where
        S: PartialEq,
    {
        self.figures.generated += 1;
        let is_parent = parent == Some(successor);
        self.figures.loops_avoided += u64::from(is_parent);
        is_parent
    }

    /// Updates the maximum queue length; so many states wait now.
    #[inline]
    pub(super) fn record_queue(&mut self, queue: u64) {
        self.figures.max_queue = self.figures.max_queue.max(queue);
    }
}

impl<S> Default for Run<'_, S> {
    /// Returns a search without limits that starts now.
    fn default() -> Self {
        Run::new(Limits::NONE)
    }
}

impl<S> std::fmt::Debug for Run<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("limits", &self.limits)
            .field("figures", &self.figures)
            .finish_non_exhaustive()
    }
}

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
