//! One step of a level: the new states of a part of each rank's share, and what all steps share.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::basics::parallel::{Threads, each};

use super::super::error::SearchError;
use super::super::options::SearchOptions;
use super::super::ranks::exchange::Exchange;
use super::super::scratch::slab::Slab;
use super::colour::{ClaimedBits, ColourPlanes, Expansion, LevelResult, Task};
use super::layout::{Layout, bit_one_of};
use super::pulls::Pulls;
use super::search::HAS_FILES;
use crate::space::GoalClass;

/// Data kept for all states beside the frontiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: the states of each level are counted, or compared with claims.
    Nothing,
    /// Bit 1 of the distance.
    BitOne,
}

/// What is searched, and by which ranks: the same for all levels and threads.
#[derive(Debug)]
pub struct Setup {
    pub pulls: Pulls,
    pub kept: Kept,
    pub exchange: Arc<dyn Exchange>,
    /// Threads that share the tasks of a level; none for small spaces.
    threads: Option<Threads>,
}

/// Below this many states a second thread takes more time than it saves.
const WORTH_THREADS: u64 = 1_000_000;

impl Setup {
    /// Starts the threads of a search by the ranks of these options.
    ///
    /// # Errors
    /// [`SearchError::System`].
    pub fn new(layout: &Layout, kept: Kept, options: &SearchOptions) -> Result<Setup, SearchError> {
        let threads = options.threads;
        let is_worth = threads > 1 && layout.ranking.states() >= WORTH_THREADS;
        let started = is_worth.then(|| Threads::new(threads)).transpose();
        let what = format!("cannot start {threads} threads");
        Ok(Setup {
            pulls: Pulls::new(layout),
            kept,
            exchange: options.exchange.clone(),
            threads: started.map_err(|cause| SearchError::System { what, cause })?,
        })
    }

    /// Runs `run` on every task, and returns the results in the order of the tasks.
    pub fn each<T: Send, R: Send>(
        &self,
        tasks: Vec<T>,
        run: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.threads {
            Some(pool) => pool.work(0, || (), || each(tasks, run)),
            None => tasks.into_iter().map(run).collect(),
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.pulls.layout
    }

    pub fn class(&self) -> GoalClass {
        self.layout().ranking.class()
    }

    /// Returns whether the states of a level are kept: those for which bit 1 of the distance is set.
    pub fn keeps(&self, level: u8) -> bool {
        self.kept == Kept::BitOne && bit_one_of(level) != 0
    }

    /// The words of each plane that this rank owns.
    pub fn words(&self) -> Range<usize> {
        self.layout().share(self.exchange.rank())
    }

    /// The slabs that this rank owns.
    pub fn slabs(&self) -> Range<usize> {
        let (own, words) = (self.words(), self.layout().slab_words());
        own.start / words..own.end / words
    }
}

/// One step of a level, in which each rank takes a part of its share.
#[derive(Clone, Debug)]
pub struct Step {
    pub setup: Arc<Setup>,
    /// The distance of the level.
    pub distance: u8,
    /// The number of the step.
    pub number: usize,
    /// Number of this rank's states, if they are stored already.
    pub finished: Option<u64>,
}

impl Step {
    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.setup.exchange.rank()
    }

    /// The colour of its new states.
    pub fn colour(&self) -> usize {
        usize::from(self.distance % 2)
    }

    /// The words of each plane that a rank takes; those of this rank are none if it has finished them. Odd levels
    /// take the slabs backwards.
    pub fn words_of(&self, rank: usize) -> Range<usize> {
        let layout = self.setup.layout();
        let number = match self.colour() {
            0 => self.number,
            _ => layout.steps() - 1 - self.number,
        };
        let words = layout.part(rank, number);
        let is_finished = self.finished.is_some() && rank == self.rank();
        if is_finished { 0..0 } else { words }
    }

    /// The words of each plane that this rank takes.
    pub fn words(&self) -> Range<usize> {
        self.words_of(self.rank())
    }

    /// Returns whether anything is carried from slab to slab.
    pub fn crosses(&self) -> bool {
        self.distance > 0 && self.setup.layout().slabs > 1
    }

    /// Makes its new states, from planes that are loaded and the messages of all ranks: as codes of a slab, or in the
    /// planes.
    ///
    /// # Errors
    /// If the messages of other ranks, or the stored planes, are damaged.
    pub fn expand(
        &self,
        planes: &mut [ColourPlanes; 2],
        mut slab: Option<&mut Slab>,
        messages: Vec<Vec<u8>>,
        claims: Option<&dyn ClaimedBits>,
    ) -> io::Result<LevelResult> {
        let planes = planes.get_disjoint_mut([1 - self.colour(), self.colour()]);
        let [source, target] = planes.expect("the colours differ");
        let mut expand = |source: &ColourPlanes, crossing| {
            let mut all = LevelResult::default();
            if self.words().is_empty() {
                return Ok(all);
            }
            let level = Expansion {
                step: self,
                crossing,
                claims,
            };
            let expand = |task: Task<'_>| Ok(task.expand(level, source));
            let found = match slab.as_mut().filter(|_| HAS_FILES) {
                Some(slab) => slab.expand(level, source),
                None => self.setup.each(target.tasks(), expand),
            };
            for found in found {
                all.add(found?);
            }
            Ok(all)
        };
        if !self.crosses() {
            return expand(source, None);
        }
        let mut inside = Ok(LevelResult::default());
        let meanwhile = &mut || inside = expand(source, Some(false));
        let messages = self.setup.exchange.swap(messages, meanwhile);
        self.arrive(source, &messages)?;
        let mut found = inside?;
        found.add(expand(source, Some(true))?);
        source.crossing.fill(Vec::new());
        Ok(found)
    }
}
