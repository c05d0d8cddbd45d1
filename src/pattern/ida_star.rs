//! Iterative-deepening A* from a board to the goal, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::basics::Progress;
use crate::puzzle::Board;

use super::depth_first::{Budget, Found, GoOn, Walker, Wanted, search};
use super::estimate::Estimate;

/// Searches with bounds that grow by 2, since the lengths of all solutions of a board are even or all
/// are odd (Korf, 1985). Each visits, depth first, the boards where the moves so far and the estimate
/// are together not above its bound.
#[derive(Clone, Debug)]
pub(super) struct IdaStar {
    pub goal: Board,
    /// Boards to visit at most.
    pub most_nodes: u64,
    /// Split long searches over the threads of rayon?
    pub parallel: bool,
    /// Told what is visited and proved.
    pub progress: Option<Arc<Progress>>,
}

/// The search visited as many boards as it may, or was ended: no solution is shorter than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp(pub i32);

impl IdaStar {
    /// The shortest solutions of a board that has one, and how many boards were visited.
    ///
    /// # Errors
    /// [`GaveUp`]
    pub fn run<E: Estimate + Sync>(
        &self,
        board: &Board,
        estimate: E,
        wanted: Wanted,
        go_on: GoOn<'_>,
    ) -> (Result<Found, GaveUp>, u64) {
        let mut bound = estimate.bound();
        // The lengths of all solutions are as even as the distance of the blank to its goal cell.
        bound += (bound + self.parity(board)) & 1;
        let nodes = AtomicU64::new(0);
        let start = Walker::new(&self.goal, board, estimate);
        loop {
            if let Some(progress) = &self.progress {
                progress.prove(bound as u64);
            }
            let before = nodes.load(Ordering::Relaxed);
            match self.one_bound(&start, bound, wanted, &nodes, go_on) {
                Some(found) if found.count > 0 => {
                    let distance = bound as u32;
                    return (Ok(Found { distance, ..found }), nodes.into_inner());
                }
                Some(_) => bound += 2,
                None => return (Err(GaveUp(bound)), nodes.into_inner()),
            }
            debug_assert!(nodes.load(Ordering::Relaxed) > before);
        }
    }

    fn parity(&self, board: &Board) -> i32 {
        let cols = board.shape().cols();
        let colour = |cell: usize| cell / cols + cell % cols;
        ((colour(board.blank()) + colour(self.goal.blank())) % 2) as i32
    }

    /// Searches with one bound; nothing if it gave up.
    fn one_bound<E: Estimate + Sync>(
        &self,
        start: &Walker<E>,
        bound: i32,
        wanted: Wanted,
        nodes: &AtomicU64,
        go_on: GoOn<'_>,
    ) -> Option<Found> {
        let budget = Budget {
            most: self.most_nodes,
            nodes,
            bound: bound as u32,
            go_on,
            first: &AtomicUsize::new(usize::MAX),
            progress: self.progress.as_deref(),
        };
        let mut parts = Vec::new();
        let split = self.parallel && nodes.load(Ordering::Relaxed) >= WORTH_SPLITTING;
        let split = split.then_some((SPLIT_AT, &mut parts));
        let mut found = search((start.clone(), bound), 0, split, wanted, budget)?;
        if parts.is_empty() || (wanted == Wanted::One && found.count > 0) {
            return Some(found);
        }
        let budget = Budget {
            first: &AtomicUsize::new(usize::MAX),
            ..budget
        };
        let results: Vec<Option<Found>> = (parts.into_par_iter().enumerate().with_max_len(1))
            .map(|(number, part)| search(part, number, None, wanted, budget))
            .collect();
        for result in results {
            let part = result?;
            found.count = found.count.saturating_add(part.count);
            found.first_moves |= part.first_moves;
            let room = wanted.kept().saturating_sub(found.solutions.len());
            found
                .solutions
                .extend(part.solutions.into_iter().take(room));
            if wanted == Wanted::One && found.count > 0 {
                break; // a later part may have given up, being of no use
            }
        }
        Some(found)
    }
}

/// After so many boards a search is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;

/// The moves that make the parts of a split search: some thousand.
const SPLIT_AT: usize = 9;

#[cfg(test)]
mod tests {
    use super::super::estimate::Manhattan;
    use super::*;
    use crate::puzzle::{Move, UsualGoal, parse_board};
    use std::ops::ControlFlow;

    /// The boards that a search of one bound visits, counted by plain recursion.
    fn plain(board: &Board, goal: &Board, left: u32, back: Option<Move>) -> u64 {
        let home = |tile: &u8| goal.tiles().iter().position(|other| other == tile).unwrap();
        let cols = goal.shape().cols();
        let tiles = board
            .tiles()
            .iter()
            .enumerate()
            .filter(|&(_, &tile)| tile != 0);
        let apart = tiles.map(|(cell, tile)| {
            let home = home(tile);
            (cell / cols).abs_diff(home / cols) + (cell % cols).abs_diff(home % cols)
        });
        if apart.sum::<usize>() > left as usize {
            return 0;
        }
        let moves = Move::ALL
            .into_iter()
            .filter(|&mv| left > 0 && Some(mv) != back);
        let next = moves.filter_map(|mv| Some((board.slide(mv)?, mv.opposite())));
        1 + next
            .map(|(board, back)| plain(&board, goal, left - 1, Some(back)))
            .sum::<u64>()
    }

    /// Korf's 79th board, which is solved in 42 moves.
    #[test]
    fn every_board_that_is_visited_counts_once() {
        let board = parse_board(b"0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", None).unwrap();
        let goal = UsualGoal::First.board(board.shape());
        let estimate = Manhattan::new(&goal, &board);
        let bounds = (estimate.bound() as u32..=42).step_by(2);
        let all: u64 = bounds.map(|bound| plain(&board, &goal, bound, None)).sum();
        assert!(all > WORTH_SPLITTING);
        for parallel in [false, true] {
            let search = IdaStar {
                goal,
                most_nodes: u64::MAX,
                parallel,
                progress: None,
            };
            let go_on = |_, _| ControlFlow::Continue(());
            let (found, visited) = search.run(&board, estimate.clone(), Wanted::All(1), &go_on);
            assert_eq!((found.unwrap().distance, visited), (42, all));
        }
    }
}
