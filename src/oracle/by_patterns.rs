//! Answers by searches with pattern databases, where there is no table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::Duration;

use crate::basics::{Cancel, Cancelled};
use crate::pattern::{
    IdaStar, Manhattan, Partition, PatternBuildError, Patterns, Question, ShortestSolutions,
    SolveError, Solver,
};
use crate::puzzle::{Board, Move};
use crate::space::{MAX_DATABASE_CELLS, check_solvable};

use super::error::{OracleError, QueryError, unless_given_up};
use super::front::Oracle;

/// The patterns that the oracles of a class of goals share.
///
/// Boards that a search without patterns solves at once need none. Small patterns are made in memory for the first
/// other board. Once the searches with them have cost as much as larger patterns do, larger ones are made and used from
/// then on, so that the time is never much more than twice that of the better choice.
///
/// They are the small patterns, and the larger ones where there are such; none if nothing is known of a shape but the
/// rules.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternPair(Arc<[SharedPatterns]>);

/// Tiles of the patterns that are made in memory: three for 4x4 take 30 ms and 3 MB.
const SMALL: usize = 6;

/// Tiles of the larger ones: two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: usize = 8;

/// The boards that a search with small patterns visits in the time that larger ones take to make.
const WORTH_LARGER: u64 = 40_000_000;

/// Boards that are visited without patterns, in some milliseconds.
const EASY: u64 = 200_000;

impl PatternPair {
    /// Returns small patterns for a goal of up to 25 cells, which are not made yet.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn new(goal: &Board) -> Result<PatternPair, OracleError> {
        PatternPair::with_larger(SharedPatterns::up_to(SMALL, goal)?, goal)
    }

    /// Returns these patterns. If they are small, larger ones are made too, once the searches have cost as much as that
    /// does.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn from_patterns(
        patterns: Arc<Patterns>,
        goal: &Board,
    ) -> Result<PatternPair, OracleError> {
        let partition = patterns.partition().clone();
        partition.check_goal(goal)?;
        PatternPair::with_larger(SharedPatterns::new(partition, patterns.into()), goal)
    }

    /// Adds larger patterns, if any serve all boards in time.
    fn with_larger(small: SharedPatterns, goal: &Board) -> Result<PatternPair, OracleError> {
        let (shape, sizes) = (goal.shape(), small.partition.sizes());
        let is_small = sizes.iter().all(|&size| size < LARGE.min(shape.tiles()));
        let mut both = vec![small];
        if is_small && shape.cells() <= MAX_DATABASE_CELLS {
            both.push(SharedPatterns::up_to(LARGE, goal)?);
        }
        Ok(PatternPair(both.into()))
    }

    /// Returns whether they serve a goal.
    pub fn serves(&self, goal: &Board) -> bool {
        (self.0.first()).is_some_and(|small| small.partition.check_goal(goal).is_ok())
    }

    /// Returns the patterns that are made, small ones first.
    pub fn made(&self) -> impl Iterator<Item = &Arc<Patterns>> {
        self.0.iter().filter_map(|patterns| patterns.made.get())
    }

    /// Makes the small patterns.
    pub fn make(&self, cancel: &Cancel) -> Option<Arc<Patterns>> {
        self.0.first()?.get(cancel).ok()
    }

    /// Returns one shortest solution.
    pub fn first(&self, oracle: &Oracle, board: &Board) -> Result<ShortestSolutions, QueryError> {
        self.find(oracle, &Question::new(board), u64::MAX)
    }

    /// Returns one shortest solution, and all of them, of which it keeps the first `kept`, unless that is given up: after
    /// the [limit](super::Limits::visited) of boards, or `more` than the first took.
    pub fn all(
        &self,
        oracle: &Oracle,
        board: &Board,
        kept: usize,
        more: u64,
    ) -> Result<(ShortestSolutions, Option<ShortestSolutions>), QueryError> {
        let first = self.first(oracle, board)?;
        let question = Question::all_after(board, &first, kept);
        let all = self.find(oracle, &question, first.visited.saturating_add(more));
        match unless_given_up(all)? {
            Some(all) if all.count == 0 => Err(QueryError::WrongTable),
            all => Ok((first, all)),
        }
    }

    /// Searches, up to `most` boards: without patterns first, as long as none are made; then with the small ones, or with
    /// the larger ones once they are worth making.
    fn find(
        &self,
        oracle: &Oracle,
        question: &Question<'_>,
        most: u64,
    ) -> Result<ShortestSolutions, QueryError> {
        let (goal, visited) = (oracle.goal(), question.visited);
        check_solvable(question.board, goal)?;
        let shape = goal.shape();
        let small = self.0.first().ok_or(QueryError::Unknown { shape })?;
        if small.made.get().is_none() {
            let easy = IdaStar {
                most_nodes: visited.saturating_add(EASY),
                parallel: false,
                ..IdaStar::new(*goal)
            };
            if let Ok(found) = easy.run(question, Manhattan::new(goal, question.board)) {
                return Ok(found);
            }
        }
        let search =
            |patterns: &SharedPatterns, most_nodes| patterns.search(oracle, question, most_nodes);
        let most = most.min(oracle.limits.visited);
        let larger = self.0.get(1).filter(|_| oracle.limits.larger_patterns);
        let Some(larger) = larger else {
            return search(small, most);
        };
        if larger.made.get().is_none() {
            let left = WORTH_LARGER.saturating_sub(small.visited.load(Ordering::Relaxed));
            let worth = visited.saturating_add(left);
            match search(small, worth.min(most)) {
                Err(QueryError::GaveUp { .. }) if worth < most => {}
                answer => return answer,
            }
        }
        match search(larger, most) {
            Err(QueryError::Memory { .. }) => search(small, most),
            answer => answer,
        }
    }

    /// Returns the distance, the number of solutions unless that takes [too long](super::Limits::counted) to count, and
    /// the moves that lead one step closer to the goal.
    pub fn closer(
        &self,
        oracle: &Oracle,
        board: &Board,
    ) -> Result<(u8, Option<u64>, Vec<Move>), QueryError> {
        let (first, all) = self.all(oracle, board, 0, oracle.limits.counted)?;
        let (distance, count) = (first.distance as u8, all.as_ref().map(|all| all.count));
        if let Some(all) = all {
            return Ok((distance, count, all.first_moves));
        }
        // A search for each other move with the one bound that it needs.
        let left = first.distance as i32 - 1;
        let known = first.solutions.first().and_then(|moves| moves.first());
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
    made: OnceLock<Arc<Patterns>>,
    /// Lock that is held while the patterns are made.
    making: Mutex<()>,
    /// Boards that all searches with them have visited.
    visited: AtomicU64,
}

impl SharedPatterns {
    /// Returns patterns of at most `most` tiles, which are not made yet.
    fn up_to(most: usize, goal: &Board) -> Result<SharedPatterns, OracleError> {
        let partition = Partition::up_to(goal, most.min(goal.shape().tiles()))?;
        Ok(SharedPatterns::new(partition, OnceLock::new()))
    }

    fn new(partition: Partition, made: OnceLock<Arc<Patterns>>) -> SharedPatterns {
        SharedPatterns {
            partition,
            made,
            making: Mutex::default(),
            visited: AtomicU64::new(0),
        }
    }

    /// Returns the patterns, and makes them if there are none.
    fn get(&self, cancel: &Cancel) -> Result<Arc<Patterns>, QueryError> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let _making = self.lock(cancel)?;
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = Patterns::build_observed(&self.partition, cancel, |_| ());
        let made = made.map_err(|error| match error {
            PatternBuildError::Cancelled => QueryError::Cancelled,
            error => QueryError::Memory {
                cause: error.to_string().into(),
            },
        })?;
        Ok(Arc::clone(self.made.get_or_init(|| made.into())))
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
            let visited = visited.saturating_sub(question.visited);
            self.visited.fetch_add(visited, Ordering::Relaxed);
        }
        Ok(answer?)
    }

    /// Waits until no other thread makes the patterns.
    fn lock(&self, cancel: &Cancel) -> Result<MutexGuard<'_, ()>, Cancelled> {
        loop {
            match self.making.try_lock() {
                Ok(making) => return Ok(making),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    cancel.check()?;
                    std::thread::sleep(WAIT);
                }
            }
        }
    }
}

/// Time that a thread sleeps between two checks whether another has made the patterns.
const WAIT: Duration = Duration::from_millis(2);

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
        let Source::Patterns(pair) = &oracle.source else {
            panic!("it has a table");
        };
        let [small, larger] = &*pair.0 else {
            panic!("it has no larger patterns");
        };
        for spent in [0, WORTH_LARGER - 1, WORTH_LARGER] {
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
