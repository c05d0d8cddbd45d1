//! Beam searches for better solutions, in the order in which threads take them.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustc_hash::FxBuildHasher;

use crate::basics::Instant;
use crate::puzzle::{Board, Move};
use crate::search::heuristic::{BoardHeuristic, HeuristicName};
use crate::search::nodes::{Place, PlaceOf};
use crate::search::problem::Problem;
use crate::search::sliding::{Packed, Sliding};

use super::shared::Shared;

/// The width of the first beams; each next round is twice as wide.
const FIRST_WIDTH: usize = 64;

/// Boards that a beam keeps at most, approximately, on all its levels together.
const MOST_KEPT: usize = 1 << 24;

/// Moves of the windows of the first round, and the moves that are added in each round.
const WINDOW: (usize, usize) = (40, 5);

/// Factor by which the beams that search windows are narrower.
const NARROWER: usize = 8;

/// Expansions of a beam between two checks of the clock.
const CHECK_INTERVAL: usize = 1 << 12;

impl Shared<'_> {
    /// Searches for better solutions in rounds of three tasks: a beam from the board to the goal, one from the goal to
    /// the board, and one through windows of the best path, one after the other. Ends when the search is over, beams
    /// would be too wide, have found nothing better for long and for `patience`, or it is later than `ends`.
    pub(super) fn work<W: Packed>(&self, patience: Duration, ends: Option<Instant>) {
        let is_late = || ends.is_some_and(|ends| Instant::now() >= ends);
        let is_over = || self.is_over() || self.is_stale(patience) || is_late();
        // A shorter solution has two moves fewer at least.
        let longest = || self.length().checked_sub(2).filter(|_| !is_over());
        while longest().is_some() {
            let task = self.taken.fetch_add(1, Ordering::Relaxed);
            let round = task / 3;
            let width = FIRST_WIDTH << round.min(20);
            if width > MOST_KEPT / self.length() {
                return;
            }
            let found = match task % 3 {
                0 => beam::<W>(self.board, self.goal, width, longest),
                1 => beam::<W>(self.goal, self.board, width, longest).map(reversed),
                _ => {
                    let length = WINDOW.0 + WINDOW.1 * round;
                    let width = (width / NARROWER).max(16);
                    let best = self.best();
                    Some(shortened::<W>(self.board, best, length, width, is_over))
                }
            };
            self.take(found, 0);
        }
    }
}

/// Returns the moves that undo these.
fn reversed(moves: Vec<Move>) -> Vec<Move> {
    moves.into_iter().rev().map(Move::opposite).collect()
}

/// Returns a path with the same ends, whose windows of `length` moves were replaced by shorter ones where
/// beams of this width found them. Windows overlap, and one that was replaced is searched again.
fn shortened<W: Packed>(
    start: &Board,
    mut moves: Vec<Move>,
    length: usize,
    width: usize,
    is_over: impl Fn() -> bool,
) -> Vec<Move> {
    let (mut first, mut from) = (0, *start);
    let after = |board: &Board, moves: &[Move]| board.replay(moves).expect("the path is legal");
    while first < moves.len() && !is_over() {
        let last = (first + length).min(moves.len());
        let to = after(&from, &moves[first..last]);
        let longest = || (last - first).checked_sub(2).filter(|_| !is_over());
        if from == to {
            moves.drain(first..last);
            continue;
        }
        if let Some(better) = beam::<W>(&from, &to, width, longest) {
            moves.splice(first..last, better);
            continue;
        }
        if last == moves.len() {
            break;
        }
        let next = first + length / 3;
        from = after(&from, &moves[first..next]);
        first = next;
    }
    moves
}

/// Breadth-first search between two boards that keeps the `width` boards of every level with the
/// least estimates, and that drops boards from which the goal is too far.
///
/// `longest` gives the most moves of a useful solution, which may fall on the way, or `None` to
/// end. The result is `None` if no solution was found.
fn beam<W: Packed>(
    from: &Board,
    to: &Board,
    width: usize,
    longest: impl Fn() -> Option<usize>,
) -> Option<Vec<Move>> {
    // An admissible heuristic, whose unit is one move.
    let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, to);
    let heuristic = heuristic.expect("it needs no database");
    let problem = Sliding::<W>::new(from, to, Move::ALL);
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
        vec![(0, Place::start(problem.start(), &heuristic))];
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
                let after = place.after(&heuristic, successor);
                if after.f(1) > most as u64 || !is_new(&after.state) {
                    continue;
                }
                if problem.is_goal(&after.state) {
                    // The moves of the path, the last one first.
                    let (mut at, mut moves) = (i, vec![action]);
                    for level in parents.iter().rev() {
                        let (parent, action) = level[at];
                        moves.extend(action);
                        at = parent as usize;
                    }
                    moves.reverse();
                    return Some(moves);
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
        let moves = next.iter().map(|(parent, place)| (*parent, place.action));
        parents.push(moves.collect());
        std::mem::swap(&mut level, &mut next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::draw::{Draw, draw};
    use crate::oracle::generate::Request;
    use crate::search::anytime::construct::construct;

    /// No level of the 8-puzzle has 24,048 boards.
    #[test]
    fn a_beam_as_wide_as_the_space_finds_shortest_solutions_and_none_below_them() {
        let goal = "123456780".parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        for board in draw(&oracle, Draw::PerDistance(2), 0, 1).unwrap() {
            let distance = usize::from(oracle.distance(&board).unwrap());
            if distance > 0 {
                let moves = beam::<u64>(&board, &goal, 24_048, || Some(100)).unwrap();
                assert_eq!((moves.len(), board.replay(&moves)), (distance, Ok(goal)));
                assert_eq!(
                    beam::<u64>(&board, &goal, 24_048, || Some(distance - 1)),
                    None
                );
                let narrow = beam::<u64>(&board, &goal, 50, || Some(100)).unwrap();
                assert_eq!(board.replay(&narrow), Ok(goal));
            }
        }
    }

    #[test]
    fn windows_shorten_paths_to_optimal_ones_where_a_window_has_the_whole_path() {
        let goal = "123456780".parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        for board in oracle.generate(&Request::new(5..=31, 40, 1)).unwrap() {
            let long = construct(&board, &goal);
            let windows = |length| shortened::<u64>(&board, long.clone(), length, 24_048, || false);
            let (some, all) = (windows(12), windows(200));
            assert_eq!(board.replay(&some), Ok(goal));
            assert_eq!(all.len(), usize::from(oracle.distance(&board).unwrap()));
            assert!((all.len()..=long.len()).contains(&some.len()));
        }
        let there_and_back = [Move::Up, Move::Left, Move::Right, Move::Down];
        assert_eq!(
            shortened::<u64>(&goal, there_and_back.to_vec(), 9, 9, || false),
            []
        );
    }

    #[test]
    fn reversed_moves_lead_back() {
        let board: Board = "123456780".parse().unwrap();
        let moves = vec![Move::Up, Move::Left, Move::Up];
        let there = board.replay(&moves).unwrap();
        assert_eq!(there.replay(&reversed(moves)), Ok(board));
    }
}
