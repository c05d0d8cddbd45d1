//! Proven lower bounds, by the iterations of iterative-deepening A*.

use crate::basics::Cancel;
use crate::pattern::{Estimate, IdaStar, Question};
use crate::puzzle::Move;
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Successor};
use crate::search::sliding::Packed;

use super::shared::Shared;

/// Proof of the lower bound of an anytime search, by iterative-deepening A* with a heuristic that is admissible for the
/// goal. If there is a function that makes a heuristic of patterns, that one replaces it after the first part.
pub type Prover<'a> = (&'a BoardHeuristic, Option<MakePatterns<'a>>);

/// Makes a heuristic of patterns, unless it is cancelled.
pub type MakePatterns<'a> = &'a (dyn Fn(&Cancel) -> Option<BoardHeuristic> + Sync);

impl Shared<'_> {
    /// Raises the lower bound by an admissible heuristic, until so many boards were visited or the search is over; with
    /// `parallel`, on the threads of rayon. Patterns have a solver of their own.
    pub(super) fn raise<W: Packed>(&self, heuristic: &BoardHeuristic, parallel: bool, most: u64) {
        let question = Question {
            bounds: self.lower_bound() as i32..=i32::MAX,
            observe: &|bound, _| self.take(None, bound as usize),
            ..Question::new(self.board)
        };
        let limited = |search: IdaStar| IdaStar {
            most_nodes: most,
            parallel,
            cancel: self.cancel.clone(),
            ..search
        };
        let found = if let Some(solver) = heuristic.solver() {
            let mut solver = solver.clone();
            solver.search = limited(solver.search);
            solver.run(&question)
        } else {
            let state = W::pack(self.board);
            let at = (state, heuristic.estimate(&state));
            Some(limited(IdaStar::new(*self.goal)).run(&question, Guided { heuristic, at }))
        };
        // Wrong or damaged patterns prove nothing.
        if let Some(mut found) = found {
            self.take(found.solutions.pop(), found.distance as usize);
        }
    }
}

/// A board on a path, with its estimate by a heuristic of boards.
#[derive(Clone)]
struct Guided<'a, W> {
    heuristic: &'a BoardHeuristic,
    at: (W, u32),
}

impl<W: Packed> Estimate for Guided<'_, W> {
    /// The board after a move, with its estimate; then the board before.
    type Change = (W, u32);

    fn bound(&self) -> i32 {
        self.at.1.div_ceil(self.heuristic.unit()) as i32
    }

    #[inline]
    fn change(&self, _: u8, blank: usize, mv: Move, most: i32) -> Option<(W, u32)> {
        let ((state, h), to) = (self.at, self.heuristic.shape.step(blank, mv)?);
        let next = Successor::new(mv, state.slide(blank, to), 1);
        let h = self.heuristic.estimate_successor(&state, h, &next);
        (h.div_ceil(self.heuristic.unit()) as i32 <= most).then_some((next.state, h))
    }

    #[inline]
    fn exchange(&mut self, change: &mut (W, u32)) {
        std::mem::swap(&mut self.at, change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::draw::{Draw, draw};
    use crate::search::anytime::construct::construct;
    use crate::search::heuristic::HeuristicName;

    #[test]
    fn the_bound_rises_to_the_distance_and_then_a_shortest_solution_is_found() {
        let goal = "123456780".parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        for name in [HeuristicName::LinearConflict, HeuristicName::Euclidean] {
            let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
            for board in draw(&oracle, Draw::PerDistance(2), 0, 1).unwrap() {
                let distance = usize::from(oracle.distance(&board).unwrap());
                let observe = |_, bound| assert!(bound <= distance, "{board}");
                let first = construct(&board, &goal);
                let shared = Shared::new([&board, &goal], first, Cancel::new(), &observe);
                let parallel = distance % 3 == 0;
                shared.raise::<u64>(&heuristic, parallel, u64::MAX);
                let found = shared.into_solution();
                assert_eq!((found.moves.len(), found.at_least), (distance, distance));
                assert_eq!(board.replay(&found.moves), Ok(goal));
            }
        }
    }

    #[test]
    fn an_iteration_that_is_ended_proves_nothing_and_can_be_made_again() {
        let (board, goal) = ("867254301".parse().unwrap(), "123456780".parse().unwrap());
        let heuristic = BoardHeuristic::new(&HeuristicName::Zero, &goal).unwrap();
        let first = construct(&board, &goal);
        let shared = Shared::new([&board, &goal], first, Cancel::new(), &|_, _| ());
        shared.raise::<u64>(&heuristic, false, 20_000);
        let bound = shared.lower_bound();
        assert!((10..20).contains(&bound));
        shared.raise::<u64>(&heuristic, false, 100);
        assert_eq!(shared.lower_bound(), bound);
        shared.raise::<u64>(&heuristic, false, 1_000_000);
        assert!((bound + 1..31).contains(&shared.lower_bound()));
    }
}
