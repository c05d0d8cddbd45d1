//! Results that the threads of an anytime search share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::basics::{Cancel, Instant};
use crate::oracle::Bounds;
use crate::puzzle::Move;

/// The best solution, the lower bound and the flag that ends the search.
pub(super) struct Shared<'a> {
    best: Mutex<Best>,
    /// The length of the best solution.
    length: AtomicUsize,
    lower_bound: AtomicUsize,
    started: Instant,
    /// Flag that ends the search; also set when the optimum is proved.
    cancel: Cancel,
    observe: Observe<'a>,
}

/// The best solution, and the time at which it was found.
struct Best {
    moves: Vec<Move>,
    found: Duration,
}

/// Largest gap of a lower bound that is near: the best length divided by this.
const NEAR: usize = 8;

/// Callback with the length of the best solution and the lower bound when one of them has changed.
pub(super) type Observe<'a> = &'a (dyn Fn(usize, usize) + Sync);

impl<'a> Shared<'a> {
    pub(super) fn new(first: Vec<Move>, cancel: Cancel, observe: Observe<'a>) -> Shared<'a> {
        observe(first.len(), 0);
        Shared {
            length: AtomicUsize::new(first.len()),
            best: Mutex::new(Best {
                moves: first,
                found: Duration::ZERO,
            }),
            lower_bound: AtomicUsize::new(0),
            started: Instant::now(),
            cancel,
            observe,
        }
    }

    /// Returns whether the time is over, the optimum proved or the search cancelled.
    pub(super) fn is_over(&self) -> bool {
        if self.lower_bound() >= self.length() {
            self.cancel.cancel();
        }
        self.cancel.is_cancelled()
    }

    /// Returns the flag that is set once the search [is over](Shared::is_over).
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the moves that every solution has at least.
    pub(super) fn lower_bound(&self) -> usize {
        self.lower_bound.load(Ordering::Relaxed)
    }

    /// Returns whether to prove rather than to search for better solutions: none was found for as long as the best one
    /// took, and for this time, and the lower bound is near.
    pub(super) fn is_stale(&self, patience: Duration) -> bool {
        let length = self.length();
        if length.saturating_sub(self.lower_bound()) > length / NEAR {
            return false; // each step to a shortest solution takes several times as long as the one before
        }
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let found = best.found;
        drop(best);
        self.started.elapsed().saturating_sub(found) >= patience.max(found)
    }

    /// Returns the length of the best solution.
    pub(super) fn length(&self) -> usize {
        self.length.load(Ordering::Relaxed)
    }

    /// Returns the best solution.
    pub(super) fn best(&self) -> Vec<Move> {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        best.moves.clone()
    }

    /// Takes a solution, if it is better.
    pub(super) fn offer(&self, moves: Vec<Move>) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if moves.len() < best.moves.len() {
            self.length.store(moves.len(), Ordering::Relaxed);
            let found = self.started.elapsed();
            *best = Best { moves, found };
            drop(best);
            self.report();
        }
    }

    fn report(&self) {
        (self.observe)(self.length(), self.lower_bound());
        self.is_over(); // sets the flag
    }

    /// Raises the lower bound to `bound` moves or one more: the lengths of all solutions are even, or all odd.
    pub(super) fn raise_bound(&self, bound: usize) {
        let length = self.length();
        let bound = bound + (bound + length) % 2;
        let bound = bound.min(length);
        if self.lower_bound.fetch_max(bound, Ordering::Relaxed) < bound {
            self.report();
        }
    }

    /// Takes a shortest solution.
    pub(super) fn prove_optimal(&self, moves: Vec<Move>) {
        let length = moves.len();
        self.offer(moves);
        self.raise_bound(length);
    }

    pub(super) fn into_solution(self) -> Bounds {
        let best = self.best.into_inner();
        let moves = best.unwrap_or_else(PoisonError::into_inner).moves;
        Bounds::new(moves, self.lower_bound.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beams_end_where_nothing_better_comes_and_the_bound_is_near() {
        let shared = Shared::new(vec![Move::Up; 100], Cancel::new(), &|_, _| ());
        let (none, long) = (Duration::ZERO, Duration::from_secs(3600));
        for (bound, near) in [(10, false), (86, false), (88, true), (98, true)] {
            shared.raise_bound(bound);
            assert_eq!(
                (shared.is_stale(none), shared.is_stale(long)),
                (near, false)
            );
        }
        assert!(!shared.is_over());
    }

    #[test]
    fn a_proof_sets_the_flag_and_changes_are_told_once() {
        let told = Mutex::new(Vec::new());
        let observe = |length, bound| told.lock().unwrap().push((length, bound));
        let shared = Shared::new(vec![Move::Up; 9], Cancel::new(), &observe);
        shared.raise_bound(4);
        shared.raise_bound(5);
        shared.offer(vec![Move::Up; 7]);
        shared.offer(vec![Move::Down; 7]);
        assert!(!shared.cancel().is_cancelled());
        shared.prove_optimal(vec![Move::Left; 5]);
        assert!(shared.cancel().is_cancelled());
        let found = shared.into_solution();
        assert!(found.distance == Some(5) && found.moves == [Move::Left; 5]);
        assert_eq!(told.into_inner().unwrap(), [(9, 0), (9, 5), (7, 5), (5, 5)]);
    }
}
