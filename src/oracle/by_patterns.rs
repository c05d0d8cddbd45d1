//! Answers by searches with pattern databases, where there is no table.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::basics::Cancel;
use crate::pattern::{Patterns, ShortestSolutions, SolveError, Solver, solve_easy};
use crate::puzzle::{Board, Move};
use crate::space::{MAX_DATABASE_CELLS, check_solvable};

use super::error::{OracleError, QueryError, unless_given_up};
use super::front::Oracle;
use super::probe::Probe;
use super::shared_patterns::SharedPatterns;

/// The patterns that the oracles of a class of goals share.
///
/// Boards that a search without patterns solves at once need none. Small patterns are made in memory for the first
/// other board. Once the searches with them have cost as much as larger patterns do, larger ones are made and used from
/// then on, so that the time is never much more than twice that of the better choice.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternPair {
    /// `None` if no patterns serve the shape: nothing is known but the rules.
    small: Option<Arc<SharedPatterns>>,
    /// The larger patterns, for hard boards and for many boards.
    larger: Option<Arc<SharedPatterns>>,
}

/// Tiles of the patterns that are made in memory: three for 4x4 take 30 ms and 3 MB.
const SMALL: usize = 6;

/// Tiles of the larger ones: two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: usize = 8;

/// The boards that a search with small patterns visits in the time that larger ones take to make.
const WORTH_LARGER: u64 = 40_000_000;

/// Boards that are visited without patterns, in some milliseconds.
const EASY: u64 = 200_000;

/// Most solutions that are kept when all are requested.
const MOST_KEPT: usize = 1_000_000;

impl PatternPair {
    /// Returns small patterns for a goal of up to 25 cells, which are not made yet.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn new(goal: &Board) -> Result<PatternPair, OracleError> {
        let small = SharedPatterns::up_to(SMALL, goal)?;
        PatternPair::with_larger(small, goal, SMALL)
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
        let largest = partition.sizes().into_iter().max().unwrap_or(0);
        let patterns = SharedPatterns::new(partition, patterns.into());
        PatternPair::with_larger(patterns, goal, largest)
    }

    /// Returns no patterns.
    pub fn none() -> PatternPair {
        PatternPair::default()
    }

    /// Adds patterns that are larger than those of `size` tiles, if any serve all boards in time.
    fn with_larger(
        small: SharedPatterns,
        goal: &Board,
        size: usize,
    ) -> Result<PatternPair, OracleError> {
        let shape = goal.shape();
        let has_larger = size < LARGE.min(shape.tiles()) && shape.cells() <= MAX_DATABASE_CELLS;
        let larger = has_larger.then(|| SharedPatterns::up_to(LARGE, goal));
        Ok(PatternPair {
            small: Some(small.into()),
            larger: larger.transpose()?.map(Arc::new),
        })
    }

    /// Returns whether they serve a goal.
    pub fn serves(&self, goal: &Board) -> bool {
        let small = self.small.as_ref();
        small.is_some_and(|small| small.partition.check_goal(goal).is_ok())
    }

    /// Returns the patterns that are made, small ones first.
    pub fn made(&self) -> impl Iterator<Item = &Arc<Patterns>> {
        let both = self.small.iter().chain(&self.larger);
        both.filter_map(|patterns| patterns.made.get())
    }

    /// Makes the small patterns.
    pub fn make(&self, cancel: &Cancel) -> Option<Arc<Patterns>> {
        self.small.as_ref()?.get(cancel).ok()
    }

    /// Returns the canonical goal of the larger patterns, if they were made.
    pub fn has_made_larger(&self) -> Option<Board> {
        let larger = self.larger.as_ref()?;
        larger.made.get().map(|_| larger.partition.goal())
    }
}

/// Answers with some patterns, by the settings of an oracle.
#[derive(Clone, Copy)]
pub(super) struct ByPatterns<'a> {
    pub patterns: &'a PatternPair,
    pub oracle: &'a Oracle,
}

impl ByPatterns<'_> {
    /// Returns the small patterns, or the error if nothing is known of the shape.
    fn small(&self, board: &Board) -> Result<&SharedPatterns, QueryError> {
        check_solvable(board, self.oracle.goal())?;
        let shape = self.oracle.shape();
        (self.patterns.small.as_deref()).ok_or(QueryError::Unknown { shape })
    }

    /// Returns one shortest solution.
    fn first(&self, board: &Board) -> Result<ShortestSolutions, QueryError> {
        if self.small(board)?.made.get().is_none()
            && let Some(found) = solve_easy(board, self.oracle.goal(), None, EASY)?
        {
            return Ok(found);
        }
        self.search(board, 0, self.visited(), |solver| solver.solve(board))
    }

    /// Finds all shortest solutions, given one of them, and keeps the first `kept`. At most `most_nodes` boards may be
    /// visited for all of them, those for the given one included.
    fn all_after(
        &self,
        board: &Board,
        first: &ShortestSolutions,
        kept: usize,
        most_nodes: u64,
    ) -> Result<ShortestSolutions, QueryError> {
        let (easy, all) = (first.visited.saturating_add(EASY), Some((first, kept)));
        if self.small(board)?.made.get().is_none()
            && let Some(found) = solve_easy(board, self.oracle.goal(), all, easy)?
        {
            return Ok(found);
        }
        self.search(board, first.visited, most_nodes, |solver| {
            solver.solve_all_after(board, first, kept)
        })
    }

    /// Finds all shortest solutions and keeps the first `kept`.
    fn all(&self, board: &Board, kept: usize) -> Result<ShortestSolutions, QueryError> {
        self.all_after(board, &self.first(board)?, kept, self.visited())
    }

    /// As [`ByPatterns::all_after`]; `None` if the solutions take too long to count beside another answer.
    fn counted(
        &self,
        board: &Board,
        first: &ShortestSolutions,
        kept: usize,
    ) -> Result<Option<ShortestSolutions>, QueryError> {
        let most = first.visited.saturating_add(self.oracle.limits.counted);
        unless_given_up(self.all_after(board, first, kept, most.min(self.visited())))
    }

    /// Searches with the small patterns, or with the larger ones once they are worth making. The boards that are
    /// visited are counted on from `before`, up to `most_nodes`.
    fn search(
        &self,
        board: &Board,
        before: u64,
        most_nodes: u64,
        ask: impl Fn(&Solver) -> Result<ShortestSolutions, SolveError>,
    ) -> Result<ShortestSolutions, QueryError> {
        let patterns = self.small(board)?;
        let small = |most| self.search_with(patterns, before, most, &ask);
        let may_grow = self.oracle.limits.larger_patterns;
        let Some(larger) = self.patterns.larger.as_ref().filter(|_| may_grow) else {
            return small(most_nodes);
        };
        if larger.made.get().is_none() {
            let visited = patterns.visited.load(Ordering::Relaxed);
            let most = before.saturating_add(WORTH_LARGER.saturating_sub(visited));
            match small(most.min(most_nodes)) {
                Err(QueryError::GaveUp { .. }) if most < most_nodes => {}
                answer => return answer,
            }
        }
        match self.search_with(larger, before, most_nodes, &ask) {
            Err(QueryError::Memory { .. }) => small(most_nodes),
            answer => answer,
        }
    }

    /// As [`ByPatterns::search`], with these patterns.
    fn search_with(
        &self,
        patterns: &SharedPatterns,
        before: u64,
        most_nodes: u64,
        ask: impl Fn(&Solver) -> Result<ShortestSolutions, SolveError>,
    ) -> Result<ShortestSolutions, QueryError> {
        let solver = Solver::new(patterns.get(&self.oracle.cancel)?, self.oracle.goal());
        let mut solver = solver
            .map_err(|_| QueryError::WrongTable)?
            .visiting_at_most(most_nodes)
            .with_cancel(&self.oracle.cancel)
            .with_progress(self.oracle.progress.clone());
        if self.oracle.limits.one_thread {
            solver = solver.on_one_thread();
        }
        let answer = ask(&solver);
        if let Ok(ShortestSolutions { visited, .. })
        | Err(SolveError::GaveUp { visited, .. } | SolveError::Cancelled { visited, .. }) =
            &answer
        {
            let visited = visited.saturating_sub(before);
            patterns.visited.fetch_add(visited, Ordering::Relaxed);
        }
        Ok(answer?)
    }

    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        Ok(self.first(board)?.distance as u8)
    }

    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        Ok(self.first(board)?.solutions.pop().unwrap_or_default())
    }

    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        Ok(self.all(board, 0)?.count)
    }

    /// Returns the most boards that a search visits.
    fn visited(&self) -> u64 {
        self.oracle.limits.visited
    }

    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, Option<u64>), QueryError> {
        let mut first = self.first(board)?;
        let counted = self.counted(board, &first, 0)?;
        let moves = first.solutions.pop().unwrap_or_default();
        Ok((moves, counted.map(|counted| counted.count)))
    }

    pub fn solutions(&self, board: &Board) -> Result<Vec<Vec<Move>>, QueryError> {
        Ok(self.all(board, MOST_KEPT)?.solutions)
    }

    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        let first = self.first(board)?;
        let all = unless_given_up(self.all_after(board, &first, kept, self.visited()))?;
        Ok(match all {
            Some(found) => (found.solutions, Some(found.count)),
            None => (first.solutions, None),
        })
    }

    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let first = self.first(board)?;
        match self.counted(board, &first, 0)? {
            Some(counted) => Ok(counted.first_moves),
            None => self.moves_closer(board, &first),
        }
    }

    /// Returns the moves that lead one step closer to the goal, given a shortest solution. It searches for each other
    /// move with the one bound that it needs.
    fn moves_closer(
        &self,
        board: &Board,
        first: &ShortestSolutions,
    ) -> Result<Vec<Move>, QueryError> {
        let known = first.solutions.first().and_then(|moves| moves.first());
        let Some(left) = first.distance.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let mut closer = Vec::new();
        for (mv, next) in Move::ALL
            .into_iter()
            .filter_map(|mv| Some((mv, board.slide(mv)?)))
        {
            let solve = |solver: &Solver| solver.solve_in(&next, left);
            if known == Some(&mv) || self.search(&next, 0, self.visited(), solve)?.count > 0 {
                closer.push(mv);
            }
        }
        Ok(closer)
    }

    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        let first = self.first(board)?;
        let distance = first.distance as u8;
        let (solutions, closer) = match self.counted(board, &first, 0)? {
            Some(counted) => (Some(counted.count), counted.first_moves),
            None => (None, self.moves_closer(board, &first)?),
        };
        Probe::new((board, self.oracle.goal()), distance, solutions, |mv, _| {
            Ok(if closer.contains(&mv) {
                distance - 1
            } else {
                distance + 1
            })
        })
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
        let [small, larger] = [&pair.small, &pair.larger].map(|one| one.clone().unwrap());
        for spent in [0, WORTH_LARGER - 1, WORTH_LARGER] {
            small.get(&Cancel::new()).unwrap();
            small.visited.store(spent, Ordering::Relaxed);
            for board in &boards {
                assert_eq!(oracle.distance(board), table.distance(board));
                assert_eq!(oracle.count_solutions(board), table.count_solutions(board));
            }
            assert_eq!(larger.made.get().is_some(), spent > 0);
        }
    }
}
