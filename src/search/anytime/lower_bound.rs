//! Proven lower bounds, by the iterations of iterative-deepening A*.

use crate::puzzle::Move;
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem, Successor};
use crate::search::sliding::{Packed, Sliding};

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
