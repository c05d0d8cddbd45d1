//! Answers by searches with pattern databases, where there is no table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::basics::Cancel;
use crate::pattern::{
    IdaStar, Partition, PatternBuildError, Patterns, Question, ShortestSolutions, SolveError,
    Solver,
};
use crate::puzzle::{Board, Move};
use crate::space::{MAX_DATABASE_CELLS, check_solvable};

use super::error::{OracleError, QueryError};
use super::front::Oracle;
use super::sources::Once;

/// The patterns that the oracles of a class of goals share, each made in memory once the searches with those before have
/// cost as much as making it, so that the time is never much more than twice that of the best choice.
///
/// They are tiny and small patterns, or those of a file, and larger ones where there are such; none if nothing is known
/// of a shape but the rules.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternLadder(Arc<[SharedPatterns]>);

/// Tiles of a pattern, and the boards that searches with such patterns visit before the next ones are made.
type Rung = (usize, u64);

/// Eight patterns for 4x4 take half a millisecond.
const TINY: Rung = (2, 30_000);

/// Three patterns for 4x4 take 30 ms and 3 MB.
const SMALL: Rung = (6, 40_000_000);

/// Two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: Rung = (8, u64::MAX);

impl PatternLadder {
    /// Returns patterns for a goal of up to 25 cells, which are not made yet.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn new(goal: &Board) -> Result<PatternLadder, OracleError> {
        let tiny = SharedPatterns::up_to(TINY, goal)?;
        PatternLadder::with_larger(vec![tiny, SharedPatterns::up_to(SMALL, goal)?], goal)
    }

    /// Returns these patterns. If they are small, larger ones are made too, once the searches have cost as much as that
    /// does.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn from_patterns(
        patterns: Arc<Patterns>,
        goal: &Board,
    ) -> Result<PatternLadder, OracleError> {
        let partition = patterns.partition().clone();
        partition.check_goal(goal)?;
        let given = SharedPatterns::new(partition, patterns.into(), SMALL.1);
        PatternLadder::with_larger(vec![given], goal)
    }

    /// Adds larger patterns, if any serve all boards in time.
    fn with_larger(
        mut rungs: Vec<SharedPatterns>,
        goal: &Board,
    ) -> Result<PatternLadder, OracleError> {
        let (shape, last) = (goal.shape(), rungs.last());
        let sizes = last.map_or(Vec::new(), |last| last.partition.sizes());
        let is_small = sizes.iter().all(|&size| size < LARGE.0.min(shape.tiles()));
        if is_small && shape.cells() <= MAX_DATABASE_CELLS {
            rungs.push(SharedPatterns::up_to(LARGE, goal)?);
        }
        Ok(PatternLadder(rungs.into()))
    }

    /// Returns all patterns but tiny ones, small ones first.
    fn named(&self) -> impl Iterator<Item = &SharedPatterns> {
        self.0.iter().filter(|patterns| patterns.worth > TINY.1)
    }

    /// Returns the patterns that are made, small ones first, without tiny ones.
    pub fn made(&self) -> impl Iterator<Item = &Arc<Patterns>> {
        self.named().filter_map(|patterns| patterns.made.get())
    }

    /// Makes the small patterns.
    pub fn make(&self, cancel: &Cancel) -> Option<Arc<Patterns>> {
        self.named().next()?.get(cancel).ok()
    }

    /// Returns one shortest solution.
    pub fn first(&self, oracle: &Oracle, board: &Board) -> Result<ShortestSolutions, QueryError> {
        self.find(oracle, &Question::new(board), u64::MAX)
    }

    /// Returns the number of shortest solutions, and the first `kept` of them; `None` and one solution if counting is given
    /// up: after the [limit](super::Limits::visited) of boards, or `more` than the first took.
    pub fn all(
        &self,
        oracle: &Oracle,
        board: &Board,
        kept: usize,
        more: u64,
    ) -> Result<(Option<u64>, ShortestSolutions), QueryError> {
        let first = self.first(oracle, board)?;
        let question = Question::all_after(board, &first, kept);
        match self.find(oracle, &question, first.visited.saturating_add(more)) {
            Ok(all) if all.count > 0 => Ok((Some(all.count), all)),
            Ok(_) => Err(QueryError::WrongTable),
            Err(QueryError::GaveUp { .. }) => Ok((None, first)),
            Err(error) => Err(error),
        }
    }

    /// Searches, up to `most` boards, with the largest patterns that are made, and then with larger ones once they are
    /// worth making.
    fn find(
        &self,
        oracle: &Oracle,
        question: &Question<'_>,
        most: u64,
    ) -> Result<ShortestSolutions, QueryError> {
        let (goal, most) = (oracle.goal(), most.min(oracle.limits.visited));
        check_solvable(question.board, goal)?;
        let is_used = |it: &&SharedPatterns| it.worth < LARGE.1 || oracle.limits.larger_patterns;
        let rungs: Vec<&SharedPatterns> = self.0.iter().filter(is_used).collect();
        let is_made = |it: &&SharedPatterns| it.made.get().is_some();
        let mut at = rungs.iter().rposition(is_made).unwrap_or(0);
        loop {
            let shape = goal.shape();
            let rung = rungs.get(at).ok_or(QueryError::Unknown { shape })?;
            let mut worth = u64::MAX;
            if at + 1 < rungs.len() {
                let left = (rung.worth).saturating_sub(rung.visited.load(Ordering::Relaxed));
                worth = question.visited.saturating_add(left);
            }
            match rung.search(oracle, question, worth.min(most)) {
                Err(QueryError::GaveUp { .. }) if worth < most => at += 1,
                Err(QueryError::Memory { .. }) if at > 0 => {
                    return rungs[at - 1].search(oracle, question, most);
                }
                answer => return answer,
            }
        }
    }

    /// Returns the distance, the number of solutions unless that takes [too long](super::Limits::counted) to count, and
    /// the moves that lead one step closer to the goal.
    pub fn closer(
        &self,
        oracle: &Oracle,
        board: &Board,
    ) -> Result<(u8, Option<u64>, Vec<Move>), QueryError> {
        let (count, found) = self.all(oracle, board, 0, oracle.limits.counted)?;
        let distance = found.distance as u8;
        if count.is_some() {
            return Ok((distance, count, found.first_moves));
        }
        // A search for each other move with the one bound that it needs.
        let left = i32::from(distance) - 1;
        let known = found.solutions.first().and_then(|moves| moves.first());
        let mut closer = Vec::new();
        for mv in Move::ALL {
            let Some(next) = board.slide(mv) else {
                continue;
            };
            let question = Question {
                bounds: left..=left,
                ..Question::new(&next)
            };
            if known == Some(&mv) || self.find(oracle, &question, u64::MAX)?.count > 0 {
                closer.push(mv);
            }
        }
        Ok((distance, count, closer))
    }
}

impl From<SolveError> for QueryError {
    fn from(error: SolveError) -> QueryError {
        match error {
            SolveError::Space(error) => error.into(),
            SolveError::GaveUp { at_least, .. } => QueryError::GaveUp { at_least },
            SolveError::Cancelled { .. } => QueryError::Cancelled,
            SolveError::WrongPatterns => QueryError::WrongTable,
            SolveError::Damaged(damage) => damage.into(),
        }
    }
}

/// Patterns of a partition, which are made once, when a search needs them.
#[derive(Debug)]
struct SharedPatterns {
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
        solver.search = IdaStar {
            goal: *oracle.goal(),
            most_nodes,
            parallel: !oracle.limits.one_thread,
            progress: oracle.progress.clone(),
            cancel: oracle.cancel.clone(),
        };
        let answer = solver.run(question);
        if let Ok(ShortestSolutions { visited, .. })
        | Err(SolveError::GaveUp { visited, .. } | SolveError::Cancelled { visited, .. }) =
            &answer
        {
            let hard = visited.saturating_sub(question.visited + TINY.1);
            self.visited.fetch_add(hard, Ordering::Relaxed);
        }
        Ok(answer?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::Source;
    use super::*;
    use crate::space::StateIndex;

    #[test]
    fn larger_patterns_are_made_when_small_ones_have_cost_as_much() {
        let table = Oracle::for_shape("2x5".parse().unwrap()).unwrap();
        let oracle = Oracle::by_search(table.goal()).unwrap();
        let boards: Vec<Board> = (0..40)
            .map(|i| table.space().unwrap().unrank(StateIndex(45_000 * i)))
            .collect();
        let Source::Patterns(ladder) = &oracle.source else {
            panic!("it has a table");
        };
        let [_, small, larger] = &*ladder.0 else {
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
