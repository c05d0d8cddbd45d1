//! How far a search has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// Told by a long search from time to time, and read by who waits for it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    visited: AtomicU64,
    bound: AtomicU64,
    /// The length of the best solution so far; 0 if there is none.
    #[cfg(feature = "cli")]
    best: AtomicU64,
}

impl Progress {
    /// So many more states were visited.
    pub fn visit(&self, states: u64) {
        self.visited.fetch_add(states, Ordering::Relaxed);
    }

    /// So many states were visited in all.
    #[cfg(feature = "cli")]
    pub fn reach(&self, states: u64) {
        self.visited.fetch_max(states, Ordering::Relaxed);
    }

    /// No solution has fewer moves.
    pub fn prove(&self, bound: u64) {
        self.bound.fetch_max(bound, Ordering::Relaxed);
    }

    /// The best solution so far has so many moves.
    #[cfg(feature = "cli")]
    pub fn find(&self, length: u64) {
        self.best.store(length, Ordering::Relaxed);
    }

    /// Begins anew.
    #[cfg(feature = "cli")]
    pub fn reset(&self) {
        self.visited.store(0, Ordering::Relaxed);
        self.bound.store(0, Ordering::Relaxed);
        self.best.store(0, Ordering::Relaxed);
    }

    /// The states that were visited.
    #[cfg(feature = "cli")]
    pub fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// The moves that a solution has at least.
    #[cfg(feature = "cli")]
    pub fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    /// The moves of the best solution so far; 0 if there is none.
    #[cfg(feature = "cli")]
    pub fn best(&self) -> u64 {
        self.best.load(Ordering::Relaxed)
    }
}
