//! What the threads of an anytime search know together.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::puzzle::Move;

use super::solution::AnytimeSolution;

/// The best solution, the lower bound and the end.
pub(super) struct Shared<'a> {
    best: Mutex<Vec<Move>>,
    /// The length of the best solution.
    length: AtomicUsize,
    lower_bound: AtomicUsize,
    ends: Option<Instant>,
    go_on: GoOn<'a>,
}

/// Asked with the length of the best solution and the lower bound: may the search go on?
pub(super) type GoOn<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

impl<'a> Shared<'a> {
    pub(super) fn new(first: Vec<Move>, ends: Option<Instant>, go_on: GoOn<'a>) -> Shared<'a> {
        Shared {
            length: AtomicUsize::new(first.len()),
            best: Mutex::new(first),
            lower_bound: AtomicUsize::new(0),
            ends,
            go_on,
        }
    }

    /// Is the time over, the optimum proved or the search ended from outside?
    pub(super) fn is_over(&self) -> bool {
        let is_late = self.ends.is_some_and(|ends| Instant::now() >= ends);
        let (length, bound) = (self.length(), self.lower_bound.load(Ordering::Relaxed));
        is_late || bound >= length || (self.go_on)(length, bound).is_break()
    }

    /// The length of the best solution.
    pub(super) fn length(&self) -> usize {
        self.length.load(Ordering::Relaxed)
    }

    /// The best solution.
    pub(super) fn best(&self) -> Vec<Move> {
        self.best
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes a solution, if it is better.
    pub(super) fn offer(&self, moves: Vec<Move>) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if moves.len() < best.len() {
            self.length.store(moves.len(), Ordering::Relaxed);
            *best = moves;
        }
    }

    /// No solution has fewer moves than `bound`. The lengths of all solutions are even, or all odd.
    pub(super) fn raise_bound(&self, bound: usize) {
        let length = self.length();
        let bound = bound + (bound + length) % 2;
        self.lower_bound
            .fetch_max(bound.min(length), Ordering::Relaxed);
    }

    /// Takes a shortest solution.
    pub(super) fn prove_optimal(&self, moves: Vec<Move>) {
        let length = moves.len();
        self.offer(moves);
        self.raise_bound(length);
    }

    pub(super) fn into_solution(self) -> AnytimeSolution {
        let moves = self
            .best
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        AnytimeSolution {
            lower_bound: self.lower_bound.into_inner().min(moves.len()),
            moves,
        }
    }
}
