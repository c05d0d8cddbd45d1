//! Proven lower bounds, by the iterations of iterative-deepening A*.

use std::ops::ControlFlow;

use crate::pattern::{SolveError, Solver};
use crate::puzzle::{Board, Move};
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem, Successor};
use crate::search::sliding::{Packed, Sliding};

use super::shared::Shared;

/// Iterative-deepening A* that can be ended and that tells what it has proved by then.
pub(super) struct Deepening<'a, W> {
    problem: &'a Sliding<W>,
    heuristic: &'a BoardHeuristic,
    /// No solution has an `f` below it, in the heuristic's units.
    threshold: u32,
    /// The least `f` above the threshold that was met.
    next: u32,
    moves: Vec<Move>,
    expansions: u64,
}

/// So many expansions are made between two questions whether to go on.
const CHECK_INTERVAL: u64 = 1 << 12;

/// How an iteration ends before it is complete.
enum Ended {
    /// The goal is reached by the moves of the path.
    Solved,
    /// It was told to end.
    Stopped,
}

impl<'a, W: Packed> Deepening<'a, W> {
    /// Before the first iteration. The heuristic must be admissible.
    pub(super) fn new(problem: &'a Sliding<W>, heuristic: &'a BoardHeuristic) -> Self {
        Deepening {
            problem,
            heuristic,
            threshold: heuristic.estimate(&problem.start()),
            next: u32::MAX,
            moves: Vec::new(),
            expansions: 0,
        }
    }

    /// The moves that every solution has at least.
    pub(super) fn bound(&self) -> usize {
        self.threshold
            .div_ceil(Heuristic::<Sliding<W>>::unit(self.heuristic)) as usize
    }

    /// Makes one iteration, which raises the bound unless it finds a shortest solution or is ended.
    /// `go_on` gets the expansions of all iterations so far. An iteration that was ended is made again from its beginning.
    pub(super) fn iterate(&mut self, mut go_on: impl FnMut(u64) -> bool) -> Option<Vec<Move>> {
        self.next = u32::MAX;
        self.moves.clear();
        let start = self.problem.start();
        let h = self.heuristic.estimate(&start);
        match self.visit(&start, h, &mut go_on) {
            Err(Ended::Solved) => Some(std::mem::take(&mut self.moves)),
            Err(Ended::Stopped) => None,
            Ok(()) => {
                self.threshold = self.next;
                None
            }
        }
    }

    /// Raises the lower bound, until so many expansions are made in all.
    fn raise(&mut self, shared: &Shared<'_>, expansions: u64) {
        let mut made = 0;
        while made < expansions && !shared.is_over() {
            let solved = self.iterate(|so_far| {
                made = so_far;
                made < expansions && !shared.is_over()
            });
            match solved {
                Some(moves) => shared.prove_optimal(moves),
                None => shared.raise_bound(self.bound()),
            }
        }
    }

    fn visit(
        &mut self,
        state: &W,
        h: u32,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Result<(), Ended> {
        if self.problem.is_goal(state) {
            return Err(Ended::Solved);
        }
        self.expansions += 1;
        if self.expansions.is_multiple_of(CHECK_INTERVAL) && !go_on(self.expansions) {
            return Err(Ended::Stopped);
        }
        let unit = Heuristic::<Sliding<W>>::unit(self.heuristic);
        let back = self.moves.last().map(|mv| mv.opposite());
        let g = (self.moves.len() as u32 + 1) * unit;
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
            self.visit(&next, h, go_on)?;
            self.moves.pop();
        }
        Ok(())
    }
}

/// What proves the lower bound of an anytime search.
#[derive(Clone, Copy, Debug)]
pub enum Prover<'a> {
    /// Iterative-deepening A* with a heuristic that is admissible for the goal.
    Heuristic(&'a BoardHeuristic),
    /// Iterative-deepening A* with additive patterns, by a solver for the goal.
    Patterns(&'a Solver),
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

/// A proof of the lower bound that can be interrupted and gone on with.
pub(super) enum Proof<'a, W> {
    Heuristic(Deepening<'a, W>),
    Patterns(&'a Board, Solver),
}

impl<'a, W: Packed> Proof<'a, W> {
    /// A proof that has not begun; `alone`, on one thread.
    pub(super) fn new(
        prover: Prover<'a>,
        board: &'a Board,
        problem: &'a Sliding<W>,
        shared: &Shared<'_>,
        alone: bool,
    ) -> Proof<'a, W> {
        match prover {
            Prover::Heuristic(heuristic) => {
                let deepening = Deepening::new(problem, heuristic);
                shared.raise_bound(deepening.bound());
                Proof::Heuristic(deepening)
            }
            Prover::Patterns(solver) if alone => {
                Proof::Patterns(board, solver.clone().on_one_thread())
            }
            Prover::Patterns(solver) => Proof::Patterns(board, solver.clone()),
        }
    }

    /// Raises the lower bound, until so many boards were visited or the search is over.
    pub(super) fn raise(&mut self, shared: &Shared<'_>, boards: u64) {
        match self {
            Proof::Heuristic(deepening) => deepening.raise(shared, boards),
            Proof::Patterns(board, solver) => {
                let proved = solver.solve_while(board, &|bound, visited| {
                    shared.raise_bound(bound as usize);
                    match visited < boards && !shared.is_over() {
                        true => ControlFlow::Continue(()),
                        false => ControlFlow::Break(()),
                    }
                });
                match proved {
                    Ok(mut optimal) => shared.prove_optimal(optimal.solutions.remove(0)),
                    Err(SolveError::GaveUp { at_least, .. }) => {
                        shared.raise_bound(at_least as usize);
                    }
                    // Wrong or damaged patterns prove nothing.
                    Err(
                        SolveError::WrongPatterns
                        | SolveError::Damaged { .. }
                        | SolveError::Space(_),
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
        let oracle = Oracle::in_memory(&goal).unwrap();
        for name in [HeuristicName::LinearConflict, HeuristicName::Euclidean] {
            let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
            for board in draw(&oracle, Draw::PerDistance(2), 0, 1).unwrap() {
                let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
                let distance = usize::from(oracle.distance(&board).unwrap());
                let mut deepening = Deepening::new(&problem, &heuristic);
                let moves = loop {
                    assert!(deepening.bound() <= distance, "{board}");
                    let bound = deepening.bound();
                    if let Some(moves) = deepening.iterate(|_| true) {
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
        let mut deepening = Deepening::new(&problem, &heuristic);
        let mut told = 0;
        while deepening.bound() < 20 && told == 0 {
            deepening.iterate(|expansions| {
                told = expansions;
                false
            });
        }
        let bound = deepening.bound();
        assert!(told > 0 && bound < 20);
        assert_eq!(deepening.iterate(|_| true), None);
        assert_eq!(deepening.bound(), bound + 1);
    }
}
