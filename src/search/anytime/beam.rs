//! Beam search with a largest length.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::puzzle::Move;
use crate::search::heuristic::BoardHeuristic;
use crate::search::nodes::{Place, PlaceOf};
use crate::search::problem::Problem;
use crate::search::sliding::{Packed, Sliding};

/// Expansions between two checks of the clock.
const CHECK_INTERVAL: usize = 1 << 12;

/// Breadth-first search from the start that keeps the `width` boards of every level with the
/// least estimates, and that drops boards from which the goal is too far.
///
/// `longest` gives the most moves of a useful solution, which may fall on the way, or `None` to
/// end. The result is `None` if no solution was found. The heuristic must be admissible, and one move its unit.
pub(super) fn beam<W: Packed>(
    problem: &Sliding<W>,
    heuristic: &BoardHeuristic,
    width: usize,
    longest: impl Fn() -> Option<usize>,
) -> Option<Vec<Move>> {
    // Hashes of the boards that were met lately. Newer ones replace them, so that a board may be searched twice; two boards
    // are taken for one in 2^64 cases.
    let mut seen = vec![0; (32 * width).next_power_of_two()];
    let mut is_new = |state: &W| {
        let hash = FxBuildHasher.hash_one(state).max(1);
        let place = hash as usize & (seen.len() - 1);
        std::mem::replace(&mut seen[place], hash) != hash
    };
    // Of each level before: the index of the parent, and the move that led from it.
    let mut parents: Vec<Vec<(u32, Option<Move>)>> = Vec::new();
    let mut level: Vec<(u32, PlaceOf<Sliding<W>>)> =
        vec![(0, Place::start(problem.start(), heuristic))];
    let mut next = Vec::new();
    loop {
        let mut most = longest()?;
        for (i, (_, place)) in level.drain(..).enumerate() {
            if (i + 1).is_multiple_of(CHECK_INTERVAL) {
                most = longest()?;
            }
            for successor in problem.successors(&place.state) {
                let action = successor.action;
                if place.action == Some(action.opposite()) {
                    continue;
                }
                let after = place.after(heuristic, successor);
                if after.f(1) > most as u64 || !is_new(&after.state) {
                    continue;
                }
                if problem.is_goal(&after.state) {
                    return Some(path(&parents, i, action));
                }
                next.push((i as u32, after));
            }
        }
        if next.is_empty() {
            return None;
        }
        if next.len() > width {
            // Of those with the largest estimate that is kept, some from all over the level.
            let key = |(parent, place): &(u32, PlaceOf<Sliding<W>>)| {
                u64::from(place.h) << 32 | u64::from(parent.wrapping_mul(0x9E37_79B1))
            };
            let mut keys: Vec<u64> = next.iter().map(key).collect();
            let (_, &mut most, _) = keys.select_nth_unstable(width - 1);
            next.retain(|node| key(node) <= most);
        }
        parents.push(
            next.iter()
                .map(|(parent, place)| (*parent, place.action))
                .collect(),
        );
        std::mem::swap(&mut level, &mut next);
    }
}

/// Returns the moves to the `i`-th board of the last level, and one more.
fn path(parents: &[Vec<(u32, Option<Move>)>], mut i: usize, last: Move) -> Vec<Move> {
    let mut moves = vec![last];
    for level in parents.iter().rev() {
        let (parent, action) = level[i];
        moves.extend(action);
        i = parent as usize;
    }
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::draw::{Draw, draw};
    use crate::puzzle::Board;
    use crate::search::heuristic::HeuristicName;

    fn solved(board: &Board, goal: &Board, width: usize, most: usize) -> Option<Vec<Move>> {
        let problem = Sliding::<u64>::new(board, goal, Move::ALL);
        let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal).unwrap();
        beam(&problem, &heuristic, width, || Some(most))
    }

    /// No level of the 8-puzzle has 24,048 boards.
    #[test]
    fn a_beam_as_wide_as_the_space_finds_shortest_solutions_and_none_below_them() {
        let goal = "123456780".parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        for board in draw(&oracle, Draw::PerDistance(2), 0, 1).unwrap() {
            let distance = usize::from(oracle.distance(&board).unwrap());
            if distance > 0 {
                let moves = solved(&board, &goal, 24_048, 100).unwrap();
                assert_eq!((moves.len(), board.replay(&moves)), (distance, Ok(goal)));
                assert_eq!(solved(&board, &goal, 24_048, distance - 1), None);
                let narrow = solved(&board, &goal, 50, 100).unwrap();
                assert_eq!(board.replay(&narrow), Ok(goal));
            }
        }
    }
}
