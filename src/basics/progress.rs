//! Counters of a running search.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that a long search updates from time to time, for other threads to read.
#[derive(Debug, Default)]
pub struct Progress {
    visited: AtomicU64,
    bound: AtomicU64,
    /// The length of the best solution so far; 0 if there is none.
    best: AtomicU64,
}

impl Progress {
    /// Adds `states` to the number of visited states.
    pub fn visit(&self, states: u64) {
        self.visited.fetch_add(states, Ordering::Relaxed);
    }

    /// Raises the number of visited states to `states`.
    pub fn reach(&self, states: u64) {
        self.visited.fetch_max(states, Ordering::Relaxed);
    }

    /// Raises the proved lower bound on the moves of a solution to `bound`.
    pub fn prove(&self, bound: u64) {
        self.bound.fetch_max(bound, Ordering::Relaxed);
    }

    /// Sets the number of moves of the best solution so far.
    pub fn find(&self, length: u64) {
        self.best.store(length, Ordering::Relaxed);
    }

    /// Resets all counters to 0.
    pub fn reset(&self) {
        self.visited.store(0, Ordering::Relaxed);
        self.bound.store(0, Ordering::Relaxed);
        self.best.store(0, Ordering::Relaxed);
    }

    /// Number of visited states.
    pub fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// Lower bound on the moves of a solution.
    pub fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    /// Moves of the best solution so far; 0 if there is none.
    pub fn best(&self) -> u64 {
        self.best.load(Ordering::Relaxed)
    }
}
