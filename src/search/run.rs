//! What every search counts, and what ends it before its time.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

/// What a search may use. The first limit that is reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States to expand.
    pub expansions: u64,
    /// Time by the clock.
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

/// Why a search has no solution to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, thiserror::Error)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// It has seen all that can be reached, and the goal was not there.
    #[error("no solution: everything within reach was searched")]
    Exhausted,
    /// A depth-first search left states at its depth limit.
    #[error("cut off: no solution within the depth limit")]
    DepthLimit,
    /// A beam search threw away all ways to the goal.
    #[error("lost: the beam threw away every way to the goal; a wider one may keep it")]
    Narrow,
    /// [`Limits::expansions`].
    #[error("gave up: the limit of expansions is reached")]
    Expansions,
    /// [`Limits::time`].
    #[error("gave up: the limit of time is reached")]
    Time,
    /// [`Limits::memory`].
    #[error("gave up: the limit of memory is reached")]
    Memory,
    /// The spectator had enough.
    #[error("ended by its spectator")]
    Stopped,
    /// A local search stands where no step is better.
    #[error("stuck: no neighbour is closer by the heuristic")]
    Stuck,
}

/// A way to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<A> {
    /// The actions from the start to the goal.
    pub actions: Vec<A>,
    /// What they cost together.
    pub cost: u64,
}

/// What a search did.
///
/// A state is **expanded** when its successors are made. The goal is not expanded: it ends the
/// search. A state is **generated** when it is made as a successor, however often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct Figures {
    /// States expanded, those that were expanded before included.
    pub expansions: u64,
    /// Successors made.
    pub generated: u64,
    /// Expansions of a state that had been expanded before, where the search keeps a list to know.
    pub reexpansions: u64,
    /// The most states that waited to be expanded at one time.
    pub max_queue: u64,
    /// States on the expanded list at the end, if one is kept.
    pub closed: u64,
    /// The largest depth of an expanded state, in actions from the start.
    pub depth: u32,
    /// States in the queue whose way was replaced by a cheaper one.
    pub replaced: u64,
    /// Successors that were dropped because they lie on the way to the state itself, which of a
    /// search with an expanded list is known of the last step only.
    pub loops_avoided: u64,
    /// Successors that were dropped because they are on the expanded list.
    pub attempted_reexpansions: u64,
    /// Bytes of states, lists and queues at the end.
    pub memory: u64,
}

/// A state that is being expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion<'a, S> {
    /// The state.
    pub state: &'a S,
    /// The state that it was reached from.
    pub parent: Option<&'a S>,
    /// The cost of the way to it.
    pub g: u64,
    /// The heuristic's estimate from it, in the heuristic's units.
    pub h: u32,
    /// Its depth, in actions from the start.
    pub depth: u32,
    /// States that wait to be expanded.
    pub queue: u64,
}

/// Somebody who sees every expansion and may end the search.
pub type Watch<'a, S> = dyn FnMut(&Expansion<'_, S>) -> ControlFlow<()> + 'a;

/// The limits, the figures and the spectator of one search.
pub struct Run<'a, S> {
    limits: Limits,
    started: Instant,
    watch: Option<&'a mut Watch<'a, S>>,
    pub(super) figures: Figures,
}

/// Expansions between two looks at the clock.
const LOOK: u64 = 256;

impl<'a, S> Run<'a, S> {
    /// A search that begins now.
    pub fn new(limits: Limits) -> Run<'a, S> {
        Run {
            limits,
            started: Instant::now(),
            watch: None,
            figures: Figures::default(),
        }
    }

    /// Shows every expansion to `watch`.
    #[must_use]
    pub fn watched(self, watch: &'a mut Watch<'a, S>) -> Run<'a, S> {
        Run {
            watch: Some(watch),
            ..self
        }
    }

    /// The figures so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The time since the beginning.
    pub fn time(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts an expansion that is about to be made, unless a limit forbids it. `memory` tells
    /// the bytes in use; it is asked now and then.
    #[inline]
    pub(super) fn expand(
        &mut self,
        expansion: &Expansion<'_, S>,
        memory: impl FnOnce() -> usize,
    ) -> Result<(), Failure> {
        let figures = &mut self.figures;
        if figures.expansions >= self.limits.expansions {
            return Err(Failure::Expansions);
        }
        if figures.expansions.is_multiple_of(LOOK) {
            figures.memory = figures.memory.max(memory() as u64);
            if figures.memory > self.limits.memory {
                return Err(Failure::Memory);
            }
            if self.started.elapsed() >= self.limits.time {
                return Err(Failure::Time);
            }
        }
        figures.expansions += 1;
        figures.max_queue = figures.max_queue.max(expansion.queue);
        figures.depth = figures.depth.max(expansion.depth);
        if let Some(watch) = &mut self.watch
            && watch(expansion).is_break()
        {
            return Err(Failure::Stopped);
        }
        Ok(())
    }
}

impl<S> Run<'_, S> {
    /// Counts a successor that was made. Is it only the way back to the state before?
    #[inline]
    pub(super) fn is_way_back(&mut self, successor: &S, parent: Option<&S>) -> bool
    where
        S: PartialEq,
    {
        self.figures.generated += 1;
        let back = parent == Some(successor);
        self.figures.loops_avoided += u64::from(back);
        back
    }

    /// Notes that so many states wait now.
    #[inline]
    pub(super) fn waiting(&mut self, queue: usize) {
        self.figures.max_queue = self.figures.max_queue.max(queue as u64);
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
