//! The search of all patterns, one after the other.

use std::io;

use crate::basics::{Cancel, Cancelled, available_memory, size_text};
use crate::bfs::Given;

use super::database::{Database, States};
use super::forecast::memory;
use super::partition::Partition;
use super::patterns::Patterns;
use super::search::Search;

/// Progress of a search of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatternProgress {
    /// Number of the pattern, from 1, and number of all patterns.
    pub pattern: (usize, usize),
    /// The distance of its last finished level.
    pub distance: u8,
    /// States of all patterns that have been reached.
    pub states: u64,
    /// States of all patterns that can be reached.
    pub all: u64,
}

/// Reason why patterns were not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternBuildError {
    /// The system does not give the memory.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The search was cancelled.
    #[error("the search of the patterns was cancelled")]
    Cancelled,
}

impl From<Cancelled> for PatternBuildError {
    fn from(_: Cancelled) -> PatternBuildError {
        PatternBuildError::Cancelled
    }
}

impl Patterns {
    /// Searches all patterns and keeps their databases in memory, on the threads of rayon.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn build(partition: &Partition) -> io::Result<Patterns> {
        match Patterns::build_observed(partition, &Cancel::new(), |_| ()) {
            Ok(patterns) => Ok(patterns),
            Err(PatternBuildError::Io(error)) => Err(error),
            Err(PatternBuildError::Cancelled) => unreachable!("the flag is nowhere else"),
        }
    }

    /// As [`Patterns::build`]. `observe` is called with every finished level; the flag is polled within levels.
    ///
    /// ```
    /// use puzzledb::Cancel;
    /// use puzzledb::pattern::{Partition, PatternBuildError, Patterns};
    /// use puzzledb::puzzle::{Shape, UsualGoal};
    ///
    /// let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
    /// let cancel = Cancel::new();
    /// let built = Patterns::build_observed(&Partition::up_to(&goal, 5)?, &cancel, |progress| {
    ///     if progress.distance == 10 {
    ///         cancel.cancel();
    ///     }
    /// });
    /// assert!(matches!(built, Err(PatternBuildError::Cancelled)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PatternBuildError`]
    pub fn build_observed(
        partition: &Partition,
        cancel: &Cancel,
        mut observe: impl FnMut(PatternProgress),
    ) -> Result<Patterns, PatternBuildError> {
        let mut build = Build::new(partition)?;
        while let Some(progress) = build.advance(cancel)? {
            observe(progress);
        }
        Ok(build.finish())
    }
}

/// The search of patterns one after the other: each has work for all threads, and two at once would need the memory of
/// two.
pub(super) struct Build<'a> {
    pub partition: &'a Partition,
    pub states: Vec<States>,
    /// The patterns that have been searched.
    pub done: Vec<Database>,
    /// The search of the next pattern.
    pub search: Option<Search>,
}

impl<'a> Build<'a> {
    /// Starts a search from the goal.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn new(partition: &'a Partition) -> io::Result<Build<'a>> {
        let states = partition.all_states();
        let needed = memory(&states);
        if let Some(given) = Given::below(needed, None, available_memory()) {
            let what = format!("patterns need {} of memory, and {given}", size_text(needed));
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, what));
        }
        Ok(Build {
            partition,
            states,
            done: Vec::new(),
            search: None,
        })
    }

    /// Finds the next level; `None` when all patterns have been searched, or the search was resumed from a checkpoint
    /// that is wrong.
    ///
    /// # Errors
    /// If the system does not give the memory; [`PatternBuildError::Cancelled`], and then nothing can be saved.
    pub fn advance(
        &mut self,
        cancel: &Cancel,
    ) -> Result<Option<PatternProgress>, PatternBuildError> {
        while let Some(states) = self.states.get(self.done.len()).cloned() {
            let search = self.search.take();
            let mut search = search.map_or_else(|| self.new_search(), Ok)?;
            if search.advance(cancel)? > 0 {
                self.search = Some(search);
                return Ok(Some(self.progress()));
            }
            if search.reached() != states.reachable() {
                return Ok(None);
            }
            let goal = self.partition.goal_state(self.done.len());
            let database = Database::in_memory(states, goal, search.into_bits());
            self.done.push(database);
        }
        Ok(None)
    }

    /// Returns a search of the pattern that is next, from the goal.
    pub fn new_search(&self) -> io::Result<Search> {
        let i = self.done.len();
        let blocks = &self.states[i].blocks;
        Search::new(blocks, &self.partition.goal_state(i))
    }

    /// Returns the progress of the search.
    pub fn progress(&self) -> PatternProgress {
        let reachable = self.states.iter().map(States::reachable);
        let done: u64 = reachable.clone().take(self.done.len()).sum();
        let of = self.states.len();
        PatternProgress {
            pattern: (of.min(self.done.len() + 1), of),
            distance: self.search.as_ref().map_or(0, Search::distance),
            states: done + self.search.as_ref().map_or(0, Search::reached),
            all: reachable.sum(),
        }
    }

    /// Returns the databases of the patterns that have been searched.
    pub fn finish(self) -> Patterns {
        Patterns {
            partition: self.partition.clone(),
            databases: self.done,
        }
    }
}
