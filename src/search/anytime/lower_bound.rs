//! Proven lower bounds, by the iterations of iterative-deepening A*.

use crate::basics::Cancel;
use crate::basics::parallel::each;
use crate::pattern::SolveError;
use crate::search::depth_first::{Bounded, DepthFirst, Path};
use crate::search::engine::drive;
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem};
use crate::search::run::{Failure, Limits, Run};
use crate::search::sliding::{Packed, Sliding};

use super::shared::Shared;

/// Proof of the lower bound of an anytime search, by iterative-deepening A* with a heuristic that is admissible for the
/// goal. If there is a function that makes a heuristic of patterns, that one replaces it after the first part.
pub type Prover<'a> = (&'a BoardHeuristic, Option<MakePatterns<'a>>);

/// Makes a heuristic of patterns, unless it is cancelled.
pub type MakePatterns<'a> = &'a (dyn Fn(&Cancel) -> Option<BoardHeuristic> + Sync);

/// Raises the lower bound by an admissible heuristic, until so many boards were visited or the search is over; with
/// `parallel`, on the threads of rayon. Patterns have a solver of their own.
pub(super) fn raise<W: Packed>(
    problem: &Sliding<W>,
    heuristic: &BoardHeuristic,
    shared: &Shared<'_>,
    parallel: bool,
    most: u64,
) {
    let Some(solver) = heuristic.solver() else {
        return deepen(problem, heuristic, shared, parallel, most);
    };
    let mut solver = solver.clone().with_cancel(shared.cancel());
    if !parallel {
        solver = solver.on_one_thread();
    }
    let known = shared.lower_bound() as u32;
    let observe = |bound: u32, _: u64| shared.raise_bound(bound as usize);
    let solver = solver.visiting_at_most(most);
    match solver.solve_observed(&problem.board(problem.start()), known, &observe) {
        Ok(mut optimal) => shared.prove_optimal(optimal.solutions.remove(0)),
        Err(SolveError::GaveUp { at_least, .. } | SolveError::Cancelled { at_least, .. }) => {
            shared.raise_bound(at_least as usize);
        }
        Err(_) => {} // wrong or damaged patterns prove nothing
    }
}

/// Moves of the paths at which an iteration is split over the threads, into some hundred or thousand parts.
const SPLIT_AT: usize = 9;

/// Iterative-deepening A* from the bound that is proved. The heuristic must be admissible.
fn deepen<W: Packed>(
    problem: &Sliding<W>,
    heuristic: &BoardHeuristic,
    shared: &Shared<'_>,
    parallel: bool,
    most: u64,
) {
    let unit = u64::from(heuristic.unit());
    let h = heuristic.estimate(&problem.start());
    // Lower bound of the `f` of all solutions, in the heuristic's units.
    let mut threshold = (shared.lower_bound() as u64 * unit).max(h.into());
    let mut expansions = 0;
    loop {
        shared.raise_bound(threshold.div_ceil(unit) as usize);
        if expansions >= most || shared.is_over() {
            return;
        }
        let cancel = shared.cancel().child();
        let mut limits = Limits::NONE;
        limits.expansions = most - expansions;
        let search = |path: Option<Path<Sliding<W>>>, split_at| {
            let bounds = threshold..=threshold;
            let mut search = DepthFirst::new(problem, heuristic, Bounded::Cost, bounds);
            search.split_at = split_at;
            if let Some(path) = path {
                search.continue_from(path);
            }
            let mut run = Run::new(limits).with_cancel(&cancel);
            let result = drive(&mut search, &mut run);
            if result.is_ok() {
                cancel.cancel(); // the other parts
            }
            (result, search, run.figures().expansions)
        };
        let mut whole = search(None, if parallel { SPLIT_AT } else { usize::MAX });
        let parts = std::mem::take(&mut whole.1.parts);
        let mut ends = each(parts, |path| search(Some(path), usize::MAX));
        ends.push(whole);
        let (mut is_complete, mut next) = (true, u64::MAX);
        for (result, search, visited) in ends {
            if let Ok(solution) = result {
                return shared.prove_optimal(solution.actions); // though the other parts were stopped
            }
            is_complete &= matches!(result, Err(Failure::DepthLimit | Failure::Exhausted));
            next = next.min(search.next);
            expansions += visited;
        }
        if is_complete {
            threshold = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::draw::{Draw, draw};
    use crate::puzzle::Move;
    use crate::search::anytime::construct::construct;
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
                let observe = |_, bound| assert!(bound <= distance, "{board}");
                let first = construct(&board, &goal);
                let shared = Shared::new(first, Cancel::new(), &observe);
                deepen(&problem, &heuristic, &shared, distance % 3 == 0, u64::MAX);
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
        let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
        let first = construct(&board, &goal);
        let shared = Shared::new(first, Cancel::new(), &|_, _| ());
        deepen(&problem, &heuristic, &shared, false, 20_000);
        let bound = shared.lower_bound();
        assert!((10..20).contains(&bound));
        deepen(&problem, &heuristic, &shared, false, 100);
        assert_eq!(shared.lower_bound(), bound);
        deepen(&problem, &heuristic, &shared, false, 1_000_000);
        assert!((bound + 1..31).contains(&shared.lower_bound()));
    }
}
