//! The beams that search for better solutions, in the order in which threads take them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::basics::Instant;
use crate::puzzle::{Board, Move};
use crate::search::heuristic::{BoardHeuristic, HeuristicName};
use crate::search::sliding::{Packed, Sliding};

use super::beam::beam;
use super::shared::Shared;

/// The width of the first beams; each next round is twice as wide.
const FIRST_WIDTH: usize = 64;

/// Boards that a beam keeps at most, approximately, on all its levels together.
const MOST_KEPT: usize = 1 << 24;

/// Moves of the windows of the first round, and the moves that are added in each round.
const WINDOW: (usize, usize) = (40, 5);

/// Factor by which the beams that search windows are narrower.
const NARROWER: usize = 8;

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
                0 => solve::<W>(self.board, self.goal, width, longest),
                1 => solve::<W>(self.goal, self.board, width, longest).map(reversed),
                _ => {
                    let length = WINDOW.0 + WINDOW.1 * round;
                    let width = (width / NARROWER).max(16);
                    Some(shortened::<W>(
                        self.board,
                        self.best(),
                        length,
                        width,
                        is_over,
                    ))
                }
            };
            self.take(found, 0);
        }
    }
}

/// Returns the best solution that a beam of this width finds.
fn solve<W: Packed>(
    from: &Board,
    to: &Board,
    width: usize,
    longest: impl Fn() -> Option<usize>,
) -> Option<Vec<Move>> {
    let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, to);
    let heuristic = heuristic.expect("it needs no database");
    let problem = Sliding::<W>::new(from, to, Move::ALL);
    beam(&problem, &heuristic, width, longest)
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
        if let Some(better) = solve::<W>(&from, &to, width, longest) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use crate::oracle::generate::Request;
    use crate::search::anytime::construct::construct;

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
