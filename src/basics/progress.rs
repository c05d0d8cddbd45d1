//! How far a search has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of a long search: written by the search, read by another thread that shows them.
#[derive(Debug, Default)]
pub struct Progress {
    visited: AtomicU64,
    bound: AtomicU64,
    /// The length of the best solution so far; 0 if there is none.
    best: AtomicU64,
}

impl Progress {
    /// So many more states were visited.
    pub fn visit(&self, states: u64) {
        self.visited.fetch_add(states, Ordering::Relaxed);
    }

    /// So many states were visited in all.
    pub fn reach(&self, states: u64) {
        self.visited.fetch_max(states, Ordering::Relaxed);
    }

    /// No solution has fewer moves.
    pub fn prove(&self, bound: u64) {
        self.bound.fetch_max(bound, Ordering::Relaxed);
    }

    /// The best solution so far has so many moves.
    pub fn find(&self, length: u64) {
        self.best.store(length, Ordering::Relaxed);
    }

    /// Begins anew.
    pub fn reset(&self) {
        self.visited.store(0, Ordering::Relaxed);
        self.bound.store(0, Ordering::Relaxed);
        self.best.store(0, Ordering::Relaxed);
    }

    /// The states that were visited.
    pub fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// The moves that a solution has at least.
    pub fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    /// The moves of the best solution so far; 0 if there is none.
    pub fn best(&self) -> u64 {
        self.best.load(Ordering::Relaxed)
    }
}
