//! Proven lower bounds, by the iterations of iterative-deepening A*.

use crate::basics::parallel::prelude::*;

use crate::basics::Cancel;
use crate::pattern::{SolveError, Solver};
use crate::puzzle::{Board, Move};
use crate::search::depth_first::{Bounded, DepthFirst, Path};
use crate::search::engine::drive;
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem};
use crate::search::run::{Failure, Limits, Run, Solution};
use crate::search::sliding::{Packed, Sliding};

use super::shared::Shared;

/// Iterative-deepening A* that can be ended, and then has the bound proved so far. Long iterations are split over the
/// threads of rayon.
pub(super) struct Deepening<'a, W> {
    problem: &'a Sliding<W>,
    heuristic: &'a BoardHeuristic,
    /// Lower bound of the `f` of all solutions, in the heuristic's units.
    threshold: u64,
    /// Whether to split long iterations.
    parallel: bool,
    /// Expansions of all iterations.
    expansions: u64,
}

/// Expansions after which an iteration is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;

/// Moves of the paths at which an iteration is split into some hundred or thousand parts.
const SPLIT_AT: usize = 9;

/// End of an iteration or of a part of it.
struct Ended<W: Packed> {
    result: Result<Solution<Move>, Failure>,
    /// The least `f` above the threshold.
    next: u64,
    expansions: u64,
    /// Paths from which other parts continue.
    parts: Vec<Path<Sliding<W>>>,
}

impl<W: Packed> Ended<W> {
    /// Returns whether it visited all states within the threshold, and none is the goal.
    fn is_complete(&self) -> bool {
        matches!(self.result, Err(Failure::DepthLimit | Failure::Exhausted))
    }
}

impl<'a, W: Packed> Deepening<'a, W> {
    /// Prepares the first iteration. The heuristic must be admissible.
    pub(super) fn new(
        problem: &'a Sliding<W>,
        heuristic: &'a BoardHeuristic,
        parallel: bool,
    ) -> Self {
        let threshold = heuristic.estimate(&problem.start()).into();
        Deepening {
            problem,
            heuristic,
            threshold,
            parallel,
            expansions: 0,
        }
    }

    /// Returns the moves that every solution has at least.
    pub(super) fn bound(&self) -> usize {
        self.threshold.div_ceil(self.heuristic.unit().into()) as usize
    }

    /// Makes one iteration, which raises the bound unless it finds a shortest solution, or is ended by the flag or
    /// after `most` expansions of all iterations. An iteration that was ended is made again from its beginning.
    pub(super) fn iterate(&mut self, cancel: &Cancel, most: u64) -> Option<Vec<Move>> {
        let split = self.parallel && self.expansions >= WORTH_SPLITTING;
        let (cancel, most) = (cancel.child(), most.saturating_sub(self.expansions));
        let mut whole = self.search(None, split, &cancel, most);
        let parts = std::mem::take(&mut whole.parts).into_par_iter();
        let parts = parts.with_max_len(1).map(|path| {
            let part = self.search(Some(path), false, &cancel, most);
            if part.result.is_ok() {
                cancel.cancel(); // the other parts
            }
            part
        });
        let mut ends: Vec<Ended<W>> = parts.collect();
        ends.push(whole);
        self.expansions += ends.iter().map(|end| end.expansions).sum::<u64>();
        if ends.iter().all(Ended::is_complete) {
            let least = ends.iter().map(|end| end.next).min();
            self.threshold = least.unwrap_or(self.threshold);
        }
        // A solution counts, though the parts beside it were stopped.
        let found = ends.into_iter().find_map(|end| end.result.ok());
        found.map(|solution| solution.actions)
    }

    /// Visits the states within the threshold, all or those after a path.
    fn search(
        &self,
        path: Option<Path<Sliding<W>>>,
        split: bool,
        cancel: &Cancel,
        most: u64,
    ) -> Ended<W> {
        let bounds = self.threshold..=self.threshold;
        let mut search = DepthFirst::new(self.problem, self.heuristic, Bounded::Cost, bounds);
        if let Some(path) = path {
            search.continue_from(path);
        }
        search.split_at = if split { SPLIT_AT } else { usize::MAX };
        let limits = Limits {
            expansions: most,
            ..Limits::NONE
        };
        let mut run = Run::new(limits).with_cancel(cancel);
        Ended {
            result: drive(&mut search, &mut run),
            next: search.next,
            expansions: run.figures().expansions,
            parts: search.parts,
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
        let solver = match parallel {
            true => solver,
            false => solver.on_one_thread(),
        };
        Proof::Patterns(board, solver)
    }

    /// Raises the lower bound, until so many boards were visited or the search is over.
    pub(super) fn raise(&mut self, shared: &Shared<'_>, boards: u64) {
        match self {
            Proof::Heuristic(deepening) => deepening.raise(shared, boards),
            Proof::Patterns(board, solver) => {
                let solver = solver.clone().with_cancel(shared.cancel());
                let known = shared.lower_bound() as u32;
                let observe = |bound: u32, _: u64| shared.raise_bound(bound as usize);
                let solver = solver.visiting_at_most(boards);
                match solver.solve_observed(board, known, &observe) {
                    Ok(mut optimal) => shared.prove_optimal(optimal.solutions.remove(0)),
                    Err(
                        SolveError::GaveUp { at_least, .. }
                        | SolveError::Cancelled { at_least, .. },
                    ) => shared.raise_bound(at_least as usize),
                    Err(_) => {} // wrong or damaged patterns prove nothing
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
