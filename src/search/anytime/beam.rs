//! Beam search with a largest length.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::puzzle::Move;
use crate::search::heuristic::BoardHeuristic;
use crate::search::problem::{Heuristic, Problem};
use crate::search::sliding::{Packed, Sliding};

/// A board of a level.
#[derive(Clone, Copy)]
struct Node<W> {
    state: W,
    /// Index of its parent in the level before.
    parent: u32,
    /// The move that led to it; `None` for the start.
    action: Option<Move>,
    /// The estimate from it.
    h: u32,
}

/// Expansions between two checks of the clock.
const CHECK_INTERVAL: usize = 1 << 12;

/// Breadth-first search from the start that keeps the `width` boards of every level with the
/// least estimates, and that drops boards from which the goal is too far.
///
/// `longest` gives the most moves of a useful solution, which may fall on the way, or `None` to
/// end. The result is `None` if no solution was found. The heuristic must be admissible.
pub(super) fn beam<W: Packed>(
    problem: &Sliding<W>,
    heuristic: &BoardHeuristic,
    width: usize,
    longest: impl Fn() -> Option<usize>,
) -> Option<Vec<Move>> {
    let mut parents: Vec<Vec<(u32, Option<Move>)>> = Vec::new();
    let mut seen = Seen::new(width);
    let start = problem.start();
    let mut level = vec![Node {
        state: start,
        parent: 0,
        action: None,
        h: heuristic.estimate(&start),
    }];
    let mut next: Vec<Node<W>> = Vec::new();
    loop {
        next.clear();
        let moves = parents.len() + 1;
        let mut most = longest()?;
        for (i, node) in level.iter().enumerate() {
            if (i + 1).is_multiple_of(CHECK_INTERVAL) {
                most = longest()?;
            }
            for successor in problem.successors(&node.state) {
                let action = successor.action;
                if node.action == Some(action.opposite()) {
                    continue;
                }
                let h = heuristic.estimate_successor(&node.state, node.h, &successor);
                if moves + h as usize > most || !seen.insert(&successor.state) {
                    continue;
                }
                if problem.is_goal(&successor.state) {
                    return Some(path(&parents, i, action));
                }
                next.push(Node {
                    state: successor.state,
                    parent: i as u32,
                    action: Some(action),
                    h,
                });
            }
        }
        if next.is_empty() {
            return None;
        }
        keep_best(&mut next, width);
        parents.push(next.iter().map(|node| (node.parent, node.action)).collect());
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

/// Keeps the nodes with the least estimates. Of those with the largest estimate that is kept, some
/// are kept from all over the level.
fn keep_best<W>(nodes: &mut Vec<Node<W>>, width: usize) {
    if nodes.len() <= width {
        return;
    }
    let mut counts = Vec::new();
    for node in nodes.iter() {
        let h = node.h as usize;
        counts.resize(counts.len().max(h + 1), 0);
        counts[h] += 1;
    }
    let (mut last, mut left) = (0, width);
    while counts[last] <= left {
        left -= counts[last];
        last += 1;
    }
    let (mut met, all) = (0, counts[last]);
    nodes.retain(|node| {
        if node.h as usize != last {
            return (node.h as usize) < last;
        }
        met += 1;
        met * left / all > (met - 1) * left / all
    });
}

/// The boards that were met lately, as far as there is room. It drops some, so that a beam may
/// search a board twice, and takes two boards for one in 2^64 cases.
struct Seen {
    hashes: Vec<[u64; 4]>,
}

impl Seen {
    fn new(width: usize) -> Seen {
        let buckets = (8 * width).next_power_of_two();
        Seen {
            hashes: vec![[0; 4]; buckets],
        }
    }

    /// Inserts a state. Returns whether it was not met before, as far as is known.
    #[inline]
    fn insert<W: Packed>(&mut self, state: &W) -> bool {
        let hash = FxBuildHasher.hash_one(state).max(1);
        let bucket = hash as usize & (self.hashes.len() - 1);
        let hashes = &mut self.hashes[bucket];
        let is_new = !hashes.contains(&hash);
        if is_new {
            hashes.rotate_right(1);
            hashes[0] = hash;
        }
        is_new
    }
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

    #[test]
    fn the_best_are_kept_and_ties_evenly() {
        let node = |parent: u32| Node {
            state: 0u64,
            parent,
            action: Some(Move::Up),
            h: 10 - parent % 3,
        };
        let mut nodes: Vec<_> = (0..30).map(node).collect();
        keep_best(&mut nodes, 15);
        let kept: Vec<u32> = nodes.iter().map(|n| n.parent).collect();
        assert_eq!(kept.len(), 15);
        assert_eq!(kept.iter().filter(|p| *p % 3 == 2).count(), 10);
        assert_eq!(kept.iter().filter(|p| *p % 3 == 0).count(), 0);
        let ties: Vec<u32> = kept.into_iter().filter(|p| p % 3 == 1).collect();
        assert_eq!(ties, [4, 10, 16, 22, 28]);
    }
}
