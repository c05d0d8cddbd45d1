//! How far a search has come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Told by a long search from time to time, and read by who waits for it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    visited: AtomicU64,
    bound: AtomicU64,
    made_patterns: AtomicBool,
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

    /// Large patterns are made in memory.
    pub fn make_patterns(&self) {
        self.made_patterns.store(true, Ordering::Relaxed);
    }

    /// Were large patterns made in memory?
    #[cfg(feature = "cli")]
    pub fn has_made_patterns(&self) -> bool {
        self.made_patterns.load(Ordering::Relaxed)
    }

    /// Begins anew.
    #[cfg(feature = "cli")]
    pub fn reset(&self) {
        self.visited.store(0, Ordering::Relaxed);
        self.bound.store(0, Ordering::Relaxed);
    }

    /// The states that were visited, and the moves that a solution has at least.
    #[cfg(feature = "cli")]
    pub fn now(&self) -> (u64, u64) {
        let [visited, bound] = [&self.visited, &self.bound];
        (
            visited.load(Ordering::Relaxed),
            bound.load(Ordering::Relaxed),
        )
    }
}
