//! Results that the threads of an anytime search share.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::basics::{Cancel, Instant};
use crate::puzzle::{Board, Move};

use super::solver::Bounds;

/// A search: its ends, the best solution, the lower bound, and the flag that ends it.
pub(super) struct Shared<'a> {
    pub board: &'a Board,
    pub goal: &'a Board,
    best: Mutex<Best>,
    started: Instant,
    /// Flag that ends the search; also set when the optimum is proved.
    pub cancel: Cancel,
    observe: Observe<'a>,
    /// Number of beams that were taken.
    pub taken: AtomicUsize,
}

/// The best solution, the time at which it was found, and the lower bound.
struct Best {
    moves: Vec<Move>,
    found: Duration,
    lower_bound: usize,
}

/// Largest gap of a lower bound that is near: the best length divided by this.
const NEAR: usize = 8;

/// Callback with the length of the best solution and the lower bound when one of them has changed.
pub(super) type Observe<'a> = &'a (dyn Fn(usize, usize) + Sync);

impl<'a> Shared<'a> {
    pub(super) fn new(
        [board, goal]: [&'a Board; 2],
        first: Vec<Move>,
        cancel: Cancel,
        observe: Observe<'a>,
    ) -> Shared<'a> {
        observe(first.len(), 0);
        Shared {
            board,
            goal,
            best: Mutex::new(Best {
                moves: first,
                found: Duration::ZERO,
                lower_bound: 0,
            }),
            started: Instant::now(),
            cancel,
            observe,
            taken: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Best> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the time is over, the optimum proved or the search cancelled.
    pub(super) fn is_over(&self) -> bool {
        if self.lower_bound() >= self.length() {
            self.cancel.cancel();
        }
        self.cancel.is_cancelled()
    }

    /// Returns the moves that every solution has at least.
    pub(super) fn lower_bound(&self) -> usize {
        self.lock().lower_bound
    }

    /// Returns whether to prove rather than to search for better solutions: none was found for as long as the best one
    /// took, and for this time, and the lower bound is near.
    pub(super) fn is_stale(&self, patience: Duration) -> bool {
        let best = self.lock();
        let (length, found) = (best.moves.len(), best.found);
        // Each step to a shortest solution takes several times as long as the one before.
        length.saturating_sub(best.lower_bound) <= length / NEAR
            && self.started.elapsed().saturating_sub(found) >= patience.max(found)
    }

    /// Returns the length of the best solution.
    pub(super) fn length(&self) -> usize {
        self.lock().moves.len()
    }

    /// Returns the best solution.
    pub(super) fn best(&self) -> Vec<Move> {
        self.lock().moves.clone()
    }

    /// Takes a solution if it is better, and raises the lower bound to `bound` moves or one more: the lengths of all
    /// solutions are even, or all odd. Reports the results if that changed one of them.
    pub(super) fn take(&self, moves: Option<Vec<Move>>, bound: usize) {
        let mut best = self.lock();
        let before = (best.moves.len(), best.lower_bound);
        if let Some(moves) = moves.filter(|moves| moves.len() < before.0) {
            (best.moves, best.found) = (moves, self.started.elapsed());
        }
        let length = best.moves.len();
        if bound > best.lower_bound {
            best.lower_bound = (bound + (bound + length) % 2).min(length);
        }
        let after = (length, best.lower_bound);
        drop(best);
        if after != before {
            (self.observe)(after.0, after.1);
            self.is_over(); // sets the flag
        }
    }

    pub(super) fn into_solution(self) -> Bounds {
        let best = self.best.into_inner();
        let best = best.unwrap_or_else(PoisonError::into_inner);
        Bounds::new(best.moves, best.lower_bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Shape, UsualGoal};

    #[test]
    fn beams_end_where_nothing_better_comes_and_the_bound_is_near() {
        let board = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
        let shared = Shared::new([&board; 2], vec![Move::Up; 100], Cancel::new(), &|_, _| ());
        let (none, long) = (Duration::ZERO, Duration::from_secs(3600));
        for (bound, near) in [(10, false), (86, false), (88, true), (98, true)] {
            shared.take(None, bound);
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
        let board = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
        let shared = Shared::new([&board; 2], vec![Move::Up; 9], Cancel::new(), &observe);
        shared.take(None, 4);
        shared.take(None, 5);
        shared.take(Some(vec![Move::Up; 7]), 0);
        shared.take(Some(vec![Move::Down; 7]), 0);
        assert!(!shared.cancel.is_cancelled());
        shared.take(Some(vec![Move::Left; 5]), 5);
        assert!(shared.cancel.is_cancelled());
        let found = shared.into_solution();
        assert!(found.distance == Some(5) && found.moves == [Move::Left; 5]);
        assert_eq!(told.into_inner().unwrap(), [(9, 0), (9, 5), (7, 5), (5, 5)]);
    }
}
