//! Answers by searches with pattern databases, where there is no table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::basics::Cancel;
use crate::pattern::{Partition, PatternBuildError, Patterns, Question, ShortestSolutions, Solver};
use crate::puzzle::{Board, Move};
use crate::space::{MAX_DATABASE_CELLS, check_solvable};

use super::error::{OracleError, QueryError};
use super::front::Oracle;
use super::sources::{Once, Source};

/// Tiles of a pattern, and the boards that searches with such patterns visit before the next ones are made.
type Rung = (usize, u64);

/// Eight patterns for 4x4 take half a millisecond.
const TINY: Rung = (2, 30_000);

/// Three patterns for 4x4 take 30 ms and 3 MB.
const SMALL: Rung = (6, 40_000_000);

/// Two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: Rung = (8, u64::MAX);

impl Source {
    /// Returns patterns for a goal of up to 25 cells, which are not made yet.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn by_search(goal: &Board) -> Result<Source, OracleError> {
        let tiny = SharedPatterns::up_to(TINY, goal)?;
        Source::with_larger(vec![tiny, SharedPatterns::up_to(SMALL, goal)?], goal)
    }

    /// Returns these patterns. If they are small, larger ones are made too, once the searches have cost as much as that
    /// does.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn from_patterns(patterns: Arc<Patterns>, goal: &Board) -> Result<Source, OracleError> {
        let partition = patterns.partition().clone();
        partition.check_goal(goal)?;
        let given = SharedPatterns::new(partition, patterns.into(), SMALL.1);
        Source::with_larger(vec![given], goal)
    }

    /// Adds larger patterns, if any serve all boards in time.
    fn with_larger(mut rungs: Vec<SharedPatterns>, goal: &Board) -> Result<Source, OracleError> {
        let (shape, most) = (goal.shape(), LARGE.0.min(goal.shape().tiles()));
        let mut sizes = rungs.iter().flat_map(|rung| rung.partition.sizes());
        if sizes.all(|size| size < most) && shape.cells() <= MAX_DATABASE_CELLS {
            rungs.push(SharedPatterns::up_to(LARGE, goal)?);
        }
        Ok(Source {
            rungs: rungs.into(),
            ..Source::default()
        })
    }

    /// Returns all patterns but tiny ones, small ones first.
    fn named(&self) -> impl Iterator<Item = &SharedPatterns> {
        self.rungs.iter().filter(|rung| rung.worth > TINY.1)
    }

    /// Returns the patterns that are made, small ones first, without tiny ones.
    pub fn made(&self) -> impl Iterator<Item = &Arc<Patterns>> {
        self.named().filter_map(|rung| rung.made.get())
    }
}

impl Oracle {
    /// Makes the small patterns; `None` if that is cancelled, there is no memory, or none serve the shape.
    pub(crate) fn make_patterns(&self, cancel: &Cancel) -> Option<Arc<Patterns>> {
        self.source.named().next()?.get(cancel).ok()
    }

    /// Searches for one shortest solution.
    pub(super) fn search_first(&self, board: &Board) -> Result<ShortestSolutions, QueryError> {
        self.search(&Question::new(board), u64::MAX)
    }

    /// Searches for the number of shortest solutions, and the first `kept` of them; `None` and one solution if counting is
    /// given up: after the [limit](super::Limits::visited) of boards, or `more` than the first took.
    pub(super) fn search_all(
        &self,
        board: &Board,
        kept: usize,
        more: u64,
    ) -> Result<(Option<u64>, ShortestSolutions), QueryError> {
        let first = self.search_first(board)?;
        let question = Question::all_after(board, &first, kept);
        match self.search(&question, first.visited.saturating_add(more)) {
            Ok(all) if all.count > 0 => Ok((Some(all.count), all)),
            Ok(_) => Err(QueryError::WrongTable),
            Err(QueryError::GaveUp { .. }) => Ok((None, first)),
            Err(error) => Err(error),
        }
    }

    /// Searches for the distance, the number of solutions unless that takes [too long](super::Limits::counted) to count, and
    /// the moves that lead one step closer to the goal.
    pub(super) fn search_closer(
        &self,
        board: &Board,
    ) -> Result<(u8, Option<u64>, Vec<Move>), QueryError> {
        let (count, found) = self.search_all(board, 0, self.limits.counted)?;
        let distance = found.distance as u8;
        if count.is_some() {
            return Ok((distance, count, found.first_moves));
        }
        // A search for each other move with the one bound that it needs.
        let left = i32::from(distance) - 1;
        let known = found.solutions.first().and_then(|moves| moves.first());
        let mut closer = Vec::new();
        for (mv, next) in board.successors() {
            let question = Question {
                bounds: left..=left,
                ..Question::new(&next)
            };
            if known == Some(&mv) || self.search(&question, u64::MAX)?.count > 0 {
                closer.push(mv);
            }
        }
        Ok((distance, count, closer))
    }

    /// Searches, up to `most` boards, with the largest patterns that are made, and then with larger ones once they are
    /// worth making.
    fn search(&self, question: &Question<'_>, most: u64) -> Result<ShortestSolutions, QueryError> {
        let most = most.min(self.limits.visited);
        check_solvable(question.board, &self.goal)?;
        let is_used = |it: &&SharedPatterns| it.worth < LARGE.1 || self.limits.larger_patterns;
        let rungs: Vec<_> = self.source.rungs.iter().filter(is_used).collect();
        let is_made = |it: &&SharedPatterns| it.made.get().is_some();
        let mut at = rungs.iter().rposition(is_made).unwrap_or(0);
        loop {
            let shape = self.shape();
            let rung = rungs.get(at).ok_or(QueryError::Unknown { shape })?;
            let mut worth = u64::MAX;
            if at + 1 < rungs.len() {
                let left = (rung.worth).saturating_sub(rung.visited.load(Ordering::Relaxed));
                worth = question.visited.saturating_add(left);
            }
            match rung.search(self, question, worth.min(most)) {
                Err(QueryError::GaveUp { .. }) if worth < most => at += 1,
                Err(QueryError::Memory { .. }) if at > 0 => {
                    return rungs[at - 1].search(self, question, most);
                }
                answer => return answer,
            }
        }
    }
}

/// Patterns of a partition, which are made once, when a search needs them.
#[derive(Debug)]
pub(super) struct SharedPatterns {
    partition: Partition,
    made: Once<Arc<Patterns>>,
    /// Boards that all searches with them have visited, without the first of each: larger patterns do not speed easy
    /// searches up.
    visited: AtomicU64,
    /// The number of boards after which larger patterns are made.
    worth: u64,
}

impl SharedPatterns {
    /// Returns patterns of some size, which are not made yet.
    fn up_to((most, worth): Rung, goal: &Board) -> Result<SharedPatterns, OracleError> {
        let partition = Partition::up_to(goal, most.min(goal.shape().tiles()))?;
        Ok(SharedPatterns::new(partition, OnceLock::new(), worth))
    }

    fn new(partition: Partition, made: OnceLock<Arc<Patterns>>, worth: u64) -> SharedPatterns {
        SharedPatterns {
            partition,
            made: Once::new(made),
            visited: AtomicU64::new(0),
            worth,
        }
    }

    /// Returns the patterns, and makes them if there are none.
    fn get(&self, cancel: &Cancel) -> Result<Arc<Patterns>, QueryError> {
        let made = self.made.get_or_make(cancel, || {
            let made = Patterns::build_observed(&self.partition, cancel, |_| ());
            made.map(Arc::new).map_err(|error| match error {
                PatternBuildError::Cancelled => QueryError::Cancelled,
                error => QueryError::Memory {
                    cause: error.to_string().into(),
                },
            })
        });
        made.cloned()
    }

    /// Searches with these patterns, up to `most_nodes` boards.
    fn search(
        &self,
        oracle: &Oracle,
        question: &Question<'_>,
        most_nodes: u64,
    ) -> Result<ShortestSolutions, QueryError> {
        let solver = Solver::new(self.get(&oracle.cancel)?, oracle.goal());
        let mut solver = solver.map_err(|_| QueryError::WrongTable)?;
        let search = &mut solver.search;
        (search.most_nodes, search.parallel) = (most_nodes, !oracle.limits.one_thread);
        (search.progress, search.cancel) = (oracle.progress.clone(), oracle.cancel.clone());
        let found = solver.run(question);
        let found = found.ok_or_else(|| QueryError::no_way(solver.patterns.file()))?;
        let hard = (found.visited).saturating_sub(question.visited + TINY.1);
        self.visited.fetch_add(hard, Ordering::Relaxed);
        if !question.is_open_after(&found) {
            return Ok(found);
        }
        oracle.cancel.check()?;
        let at_least = found.distance;
        Err(QueryError::GaveUp { at_least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::StateIndex;

    #[test]
    fn larger_patterns_are_made_when_small_ones_have_cost_as_much() {
        let table = Oracle::for_shape("2x5".parse().unwrap()).unwrap();
        let oracle = Oracle::by_search(table.goal()).unwrap();
        let boards: Vec<Board> = (0..40)
            .map(|i| table.space().unwrap().unrank(StateIndex(45_000 * i)))
            .collect();
        let [_, small, larger] = &*oracle.source.rungs else {
            panic!("it has no larger patterns");
        };
        for spent in [0, SMALL.1 - 1, SMALL.1] {
            small.get(&Cancel::new()).unwrap();
            small.visited.store(spent, Ordering::Relaxed);
            for board in &boards {
                assert_eq!(oracle.distance(board), table.distance(board));
                assert_eq!(oracle.count_solutions(board), table.count_solutions(board));
            }
            assert_eq!(larger.made.get().is_some(), spent > 0);
            let at_goal = oracle.solve_and_count(oracle.goal());
            assert_eq!(at_goal, Ok((Vec::new(), Some(1))));
            assert_eq!(oracle.solve(oracle.goal()), Ok(Vec::new()));
        }
    }
}
