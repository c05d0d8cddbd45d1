//! Iterative-deepening A* from a board to the goal, on one thread or several.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::basics::parallel::prelude::*;

use crate::basics::{Cancel, Progress};
use crate::puzzle::Board;

use super::depth_first::{Early, Found, Job, Observe, Part, Walker, Wanted, search};
use super::estimate::Estimate;

/// Searches with bounds that grow by 2, since the lengths of all solutions of a board are even or all
/// are odd (Korf, 1985). Each visits, depth first, the boards where the moves so far and the estimate
/// are together not above its bound.
#[derive(Clone, Debug)]
pub(super) struct IdaStar {
    pub goal: Board,
    /// Most boards to visit.
    pub most_nodes: u64,
    /// Whether to split long searches over the threads of rayon.
    pub parallel: bool,
    /// Gets the boards that are visited and the bounds that are proved.
    pub progress: Option<Arc<Progress>>,
    /// Flag that ends the search.
    pub cancel: Cancel,
}

/// Board, wanted solutions and bounds of a search.
pub(super) struct Question<'a> {
    pub board: &'a Board,
    pub wanted: Wanted,
    /// The bounds to search with, as far as they are known: no solution is shorter than the first, and longer ones
    /// than the last are of no use.
    pub bounds: RangeInclusive<i32>,
    /// Boards that earlier searches for the same answer visited.
    pub visited: u64,
    pub observe: Observe<'a>,
}

impl<'a> Question<'a> {
    /// Makes the question with all bounds, from the estimate on.
    pub fn new(board: &'a Board, wanted: Wanted) -> Question<'a> {
        Question {
            board,
            wanted,
            bounds: 0..=i32::MAX,
            visited: 0,
            observe: &|_, _| (),
        }
    }
}

/// Result of a search, and the boards that were visited for the answer. A search that ended early proved that no
/// solution is shorter than its bound.
pub(super) struct Searched {
    pub result: Result<Found, (Early, i32)>,
    pub visited: u64,
}

impl IdaStar {
    /// Searches for the shortest solutions of a board; none are found if they are longer than the last bound.
    pub fn run<E: Estimate + Sync>(&self, question: &Question<'_>, estimate: E) -> Searched {
        let mut bound = estimate.bound().max(*question.bounds.start());
        // The lengths of all solutions have the parity of the blank's distance to its goal cell.
        bound += (bound + self.parity(question.board)) & 1;
        let nodes = AtomicU64::new(question.visited);
        let start = Walker::new(&self.goal, question.board, estimate);
        let result = loop {
            if bound > *question.bounds.end() {
                break Ok(Found::default());
            }
            if let Some(progress) = &self.progress {
                progress.prove(bound as u64);
            }
            let before = nodes.load(Ordering::Relaxed);
            match self.one_bound(&start, bound, question, &nodes) {
                Ok(found) if found.count > 0 => {
                    let distance = bound as u32;
                    break Ok(Found { distance, ..found });
                }
                Ok(_) => bound += 2,
                Err(early) => break Err((early, bound)),
            }
            debug_assert!(nodes.load(Ordering::Relaxed) > before);
        };
        Searched {
            result,
            visited: nodes.into_inner(),
        }
    }

    fn parity(&self, board: &Board) -> i32 {
        let cols = board.shape().cols();
        let colour = |cell: usize| cell / cols + cell % cols;
        ((colour(board.blank()) + colour(self.goal.blank())) % 2) as i32
    }

    /// Searches with one bound.
    fn one_bound<E: Estimate + Sync>(
        &self,
        start: &Walker<E>,
        bound: i32,
        question: &Question<'_>,
        nodes: &AtomicU64,
    ) -> Result<Found, Early> {
        let wanted = question.wanted;
        let job = Job {
            search: self,
            question,
            bound: bound as u32,
            nodes,
            first: AtomicUsize::new(usize::MAX),
        };
        let mut parts = Vec::new();
        let split = self.parallel && nodes.load(Ordering::Relaxed) >= WORTH_SPLITTING;
        let whole = Part {
            walker: start.clone(),
            left: bound,
            number: 0,
        };
        let mut found = search(whole, split.then_some(&mut parts), &job)?;
        if parts.is_empty() || (wanted == Wanted::One && found.count > 0) {
            return Ok(found);
        }
        let parts = parts.into_par_iter().with_max_len(1);
        let results: Vec<Result<Found, Early>> =
            parts.map(|part| search(part, None, &job)).collect();
        for result in results {
            let part = result?;
            found.count = found.count.saturating_add(part.count);
            found.first_moves |= part.first_moves;
            let room = wanted.kept().saturating_sub(found.solutions.len());
            found
                .solutions
                .extend(part.solutions.into_iter().take(room));
            if wanted == Wanted::One && found.count > 0 {
                break; // a later part may have ended early, as it is not needed
            }
        }
        Ok(found)
    }
}

/// Boards after which a search is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;
#[cfg(test)]
mod tests {
    use super::super::estimate::Manhattan;
    use super::*;
    use crate::puzzle::{Move, UsualGoal, parse_board};

    /// Counts the boards that a search of one bound visits, by plain recursion.
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
                cancel: Cancel::new(),
            };
            let question = Question::new(&board, Wanted::All(1));
            let Searched { result, visited } = search.run(&question, estimate.clone());
            assert_eq!((result.unwrap().distance, visited), (42, all));
        }
    }
}
