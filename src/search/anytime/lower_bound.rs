//! Proven lower bounds, by the iterations of iterative-deepening A*.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::basics::parallel::prelude::*;

use crate::basics::Cancel;
use crate::pattern::{SolveError, Solver};
use crate::puzzle::{Board, Move};
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem, Successor};
use crate::search::sliding::{Packed, Sliding};

use super::shared::Shared;

/// Iterative-deepening A* that can be ended, and then has the bound proved so far. Long iterations are split over the
/// threads of rayon.
pub(super) struct Deepening<'a, W> {
    problem: &'a Sliding<W>,
    heuristic: &'a BoardHeuristic,
    /// Lower bound of the `f` of all solutions, in the heuristic's units.
    threshold: u32,
    /// Whether to split long iterations.
    parallel: bool,
    /// Expansions of all iterations.
    expansions: u64,
}

/// Expansions between two checks of the flag.
const CHECK_INTERVAL: u64 = 1 << 12;

/// Expansions after which an iteration is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;

/// Moves of the paths at which an iteration is split into some hundred or thousand parts.
const SPLIT_AT: usize = 9;

/// Reason why an iteration ends before it is complete.
enum Ended {
    /// The goal is reached by these moves.
    Solved(Vec<Move>),
    /// The flag is set, or the limit of expansions is reached.
    Stopped,
}

/// Limits of an iteration.
struct Limit<'a> {
    cancel: &'a Cancel,
    /// Most expansions of all iterations.
    most: u64,
    /// Expansions so far.
    expansions: AtomicU64,
}

impl Limit<'_> {
    /// Counts some expansions. Returns whether the iteration must end.
    fn count(&self, expansions: u64) -> bool {
        let before = self.expansions.fetch_add(expansions, Ordering::Relaxed);
        before + expansions >= self.most || self.cancel.is_cancelled()
    }
}

/// Start of a part of an iteration: a state, its estimate and the moves to it.
struct Part<W> {
    state: W,
    h: u32,
    moves: Vec<Move>,
}

/// A part of an iteration.
struct Visit<'a, W> {
    problem: &'a Sliding<W>,
    heuristic: &'a BoardHeuristic,
    limit: &'a Limit<'a>,
    threshold: u32,
    unit: u32,
    /// The least `f` above the threshold that was met.
    next: u32,
    moves: Vec<Move>,
    expansions: u64,
    /// Number of moves after which paths are collected, not followed, and the list of them.
    split: Option<(usize, Vec<Part<W>>)>,
}

impl<'a, W: Packed> Deepening<'a, W> {
    /// Prepares the first iteration. The heuristic must be admissible.
    pub(super) fn new(
        problem: &'a Sliding<W>,
        heuristic: &'a BoardHeuristic,
        parallel: bool,
    ) -> Self {
        Deepening {
            problem,
            heuristic,
            threshold: heuristic.estimate(&problem.start()),
            parallel,
            expansions: 0,
        }
    }

    /// Returns the moves that every solution has at least.
    pub(super) fn bound(&self) -> usize {
        self.threshold.div_ceil(self.unit()) as usize
    }

    fn unit(&self) -> u32 {
        Heuristic::<Sliding<W>>::unit(self.heuristic)
    }

    /// Makes one iteration, which raises the bound unless it finds a shortest solution, or is ended by the flag or
    /// after `most` expansions of all iterations. An iteration that was ended is made again from its beginning.
    pub(super) fn iterate(&mut self, cancel: &Cancel, most: u64) -> Option<Vec<Move>> {
        let parallel = self.parallel && self.expansions >= WORTH_SPLITTING;
        let limit = Limit {
            cancel: &cancel.child(),
            most,
            expansions: AtomicU64::new(self.expansions),
        };
        let ended = self.visit(&limit, parallel);
        self.expansions = limit.expansions.into_inner();
        match ended {
            Err(Ended::Solved(moves)) => Some(moves),
            Err(Ended::Stopped) => None,
            Ok(next) => {
                self.threshold = next;
                None
            }
        }
    }

    /// Raises the lower bound, until `expansions` expansions are made in all.
    fn raise(&mut self, shared: &Shared<'_>, expansions: u64) {
        while self.expansions < expansions && !shared.is_over() {
            match self.iterate(shared.cancel(), expansions) {
                Some(moves) => shared.prove_optimal(moves),
                None => shared.raise_bound(self.bound()),
            }
        }
    }

    /// Visits all states whose `f` is not above the threshold, and returns the least `f` above it.
    fn visit(&self, limit: &Limit<'_>, parallel: bool) -> Result<u32, Ended> {
        let (state, threshold) = (self.problem.start(), self.threshold);
        let visit = |part: Part<W>, split| {
            let mut visit = Visit {
                problem: self.problem,
                heuristic: self.heuristic,
                limit,
                threshold,
                unit: self.unit(),
                next: u32::MAX,
                moves: part.moves,
                expansions: 0,
                split,
            };
            let ended = visit.step(&part.state, part.h);
            limit.count(visit.expansions % CHECK_INTERVAL);
            ended.map(|()| (visit.next, visit.split))
        };
        let start = Part {
            state,
            h: self.heuristic.estimate(&state),
            moves: Vec::new(),
        };
        let (next, split) = visit(start, parallel.then(|| (SPLIT_AT, Vec::new())))?;
        let (_, parts) = split.unwrap_or_default();
        let nexts = parts.into_par_iter().with_max_len(1).map(|part| {
            if limit.cancel.is_cancelled() {
                return Err(Ended::Stopped);
            }
            let ended = visit(part, None);
            if matches!(ended, Err(Ended::Solved(_))) {
                limit.cancel.cancel(); // the other parts
            }
            ended.map(|(next, _)| next)
        });
        let ends: Vec<Result<u32, Ended>> = nexts.collect();
        // A solution counts, though the parts beside it were stopped.
        let (mut least, mut stopped) = (next, false);
        for end in ends {
            match end {
                Ok(next) => least = least.min(next),
                Err(Ended::Stopped) => stopped = true,
                solved => return solved,
            }
        }
        if stopped {
            Err(Ended::Stopped)
        } else {
            Ok(least)
        }
    }
}

impl<W: Packed> Visit<'_, W> {
    fn step(&mut self, state: &W, h: u32) -> Result<(), Ended> {
        if self.problem.is_goal(state) {
            return Err(Ended::Solved(std::mem::take(&mut self.moves)));
        }
        if let Some((at, parts)) = &mut self.split
            && self.moves.len() == *at
        {
            parts.push(Part {
                state: *state,
                h,
                moves: self.moves.clone(),
            });
            return Ok(());
        }
        self.expansions += 1;
        if self.expansions.is_multiple_of(CHECK_INTERVAL) && self.limit.count(CHECK_INTERVAL) {
            return Err(Ended::Stopped);
        }
        let back = self.moves.last().map(|mv| mv.opposite());
        let g = (self.moves.len() as u32 + 1) * self.unit;
        for successor in self.problem.successors(state) {
            let Successor {
                action,
                state: next,
                ..
            } = successor;
            if back == Some(action) {
                continue;
            }
            let h = self.heuristic.estimate_successor(state, h, &successor);
            if g + h > self.threshold {
                self.next = self.next.min(g + h);
                continue;
            }
            self.moves.push(action);
            self.step(&next, h)?;
            self.moves.pop();
        }
        Ok(())
    }
}

/// Method that proves the lower bound of an anytime search.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Prover<'a> {
    /// Iterative-deepening A* with a heuristic that is admissible for the goal.
    Heuristic(&'a BoardHeuristic),
    /// Iterative-deepening A* with additive patterns, by a solver for the goal.
    Patterns(&'a Solver),
    /// The heuristic, until patterns are made while solutions are looked for; if that gives none, the heuristic alone.
    PatternsLater(&'a BoardHeuristic, MakePatterns<'a>),
}

/// Makes a solver with patterns, unless it is cancelled.
pub type MakePatterns<'a> = &'a (dyn Fn(&Cancel) -> Option<Solver> + Sync);

impl std::fmt::Debug for Prover<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Prover::Heuristic(_) => "Heuristic",
            Prover::Patterns(_) => "Patterns",
            Prover::PatternsLater(..) => "PatternsLater",
        })
    }
}

impl<'a> From<&'a BoardHeuristic> for Prover<'a> {
    fn from(heuristic: &'a BoardHeuristic) -> Prover<'a> {
        Prover::Heuristic(heuristic)
    }
}

impl<'a> From<&'a Solver> for Prover<'a> {
    fn from(solver: &'a Solver) -> Prover<'a> {
        Prover::Patterns(solver)
    }
}

/// Proof of the lower bound that can be interrupted and resumed.
pub(super) enum Proof<'a, W> {
    Heuristic(Deepening<'a, W>),
    Patterns(&'a Board, Solver),
}

impl<'a, W: Packed> Proof<'a, W> {
    /// Prepares a proof; with `parallel`, on the threads of rayon.
    pub(super) fn new(
        prover: Prover<'a>,
        board: &'a Board,
        problem: &'a Sliding<W>,
        shared: &Shared<'_>,
        parallel: bool,
    ) -> Proof<'a, W> {
        match prover {
            Prover::Heuristic(heuristic) | Prover::PatternsLater(heuristic, _) => {
                let deepening = Deepening::new(problem, heuristic, parallel);
                shared.raise_bound(deepening.bound());
                Proof::Heuristic(deepening)
            }
            Prover::Patterns(solver) => Proof::with(board, solver.clone(), parallel),
        }
    }

    /// Returns a proof with patterns.
    pub(super) fn with(board: &'a Board, solver: Solver, parallel: bool) -> Proof<'a, W> {
        Proof::Patterns(
            board,
            if parallel {
                solver
            } else {
                solver.on_one_thread()
            },
        )
    }

    /// Raises the lower bound, until so many boards were visited or the search is over.
    pub(super) fn raise(&mut self, shared: &Shared<'_>, boards: u64) {
        match self {
            Proof::Heuristic(deepening) => deepening.raise(shared, boards),
            Proof::Patterns(board, solver) => {
                let solver = solver.clone().with_cancel(shared.cancel());
                let known = shared.lower_bound() as u32;
                let proved =
                    solver
                        .visiting_at_most(boards)
                        .solve_observed(board, known, &|bound, _| {
                            shared.raise_bound(bound as usize)
                        });
                match proved {
                    Ok(mut optimal) => shared.prove_optimal(optimal.solutions.remove(0)),
                    Err(
                        SolveError::GaveUp { at_least, .. }
                        | SolveError::Cancelled { at_least, .. },
                    ) => shared.raise_bound(at_least as usize),
                    // Wrong or damaged patterns prove nothing.
                    Err(
                        SolveError::WrongPatterns | SolveError::Damaged(_) | SolveError::Space(_),
                    ) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::draw::{Draw, draw};
    use crate::search::heuristic::HeuristicName;

    #[test]
    fn the_bound_rises_to_the_distance_and_then_a_shortest_solution_is_found() {
        let goal = "123456780".parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        for name in [HeuristicName::LinearConflict, HeuristicName::Euclidean] {
            let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
            for board in draw(&oracle, Draw::PerDistance(2), 0, 1).unwrap() {
                let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
                let distance = usize::from(oracle.distance(&board).unwrap());
                let mut deepening = Deepening::new(&problem, &heuristic, false);
                let moves = loop {
                    assert!(deepening.bound() <= distance, "{board}");
                    let bound = deepening.bound();
                    if let Some(moves) = deepening.iterate(&Cancel::new(), u64::MAX) {
                        break moves;
                    }
                    assert!(deepening.bound() >= bound);
                };
                assert_eq!((moves.len(), board.replay(&moves)), (distance, Ok(goal)));
            }
        }
    }

    #[test]
    fn an_iteration_that_is_ended_proves_nothing_and_can_be_made_again() {
        let (board, goal) = ("867254301".parse().unwrap(), "123456780".parse().unwrap());
        let heuristic = BoardHeuristic::new(&HeuristicName::Zero, &goal).unwrap();
        let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
        let mut deepening = Deepening::new(&problem, &heuristic, false);
        while deepening.bound() < 20 {
            let before = deepening.bound();
            deepening.iterate(&Cancel::new(), 20_000);
            if deepening.bound() == before {
                break;
            }
        }
        let bound = deepening.bound();
        assert!(deepening.expansions >= 20_000 && bound < 20);
        assert_eq!(deepening.iterate(&Cancel::new(), u64::MAX), None);
        assert_eq!(deepening.bound(), bound + 1);
    }
}
