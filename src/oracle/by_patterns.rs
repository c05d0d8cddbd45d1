//! An oracle that searches with pattern databases, where there is no table.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::basics::{Cancel, Progress};
use crate::pattern::{
    Partition, Patterns, ShortestSolutions, SolveError, Solver, solve_all_easy, solve_easy,
};
use crate::puzzle::{Board, Move, Shape};
use crate::space::MAX_DATABASE_CELLS;
use crate::table::WatchedFile;

use super::error::{OracleError, QueryError, unless_given_up};
use super::probe::Probe;
use super::shared_patterns::SharedPatterns;

/// Optimal distances and solutions of all boards for one goal, by IDA* over pattern databases.
///
/// Boards that a search without patterns solves at once need none. Small patterns are made in memory for the first
/// other board. Once the searches with them have cost as much as larger patterns do, larger ones are made and used from
/// then on, so that the time is never much more than twice that of the better choice. All clones share the patterns.
///
/// ```
/// use puzzledb::oracle::PatternOracle;
/// use puzzledb::puzzle::{Shape, UsualGoal, parse_board};
///
/// let oracle = PatternOracle::new(&UsualGoal::Last.board(Shape::new(4, 4)?))?;
/// let board = parse_board(b"1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15", None)?;
/// assert_eq!((oracle.distance(&board)?, oracle.count_solutions(&board)?), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PatternOracle {
    goal: Board,
    patterns: Arc<SharedPatterns>,
    /// The larger patterns, for hard boards and for many boards.
    larger: Option<Arc<SharedPatterns>>,
    one_thread: bool,
    most_nodes: u64,
    /// Most boards to visit for a count of solutions beside another answer.
    most_for_count: u64,
    progress: Option<Arc<Progress>>,
    cancel: Cancel,
}

/// Tiles of the patterns that are made in memory: three for 4x4 take 30 ms and 3 MB.
const SMALL: usize = 6;

/// Tiles of the larger ones: two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: usize = 8;

/// The boards that a search with small patterns visits in the time that larger ones take to make.
const WORTH_LARGER: u64 = 40_000_000;

/// Boards that are visited without patterns, in some milliseconds.
const EASY: u64 = 200_000;

/// Boards that are visited to count solutions where their number is only a part of the answer: about a second. A
/// 15-puzzle of average distance takes a tenth of that, and one of 80 moves several times as many.
const WORTH_COUNTING: u64 = 10_000_000;

/// Most solutions that are kept when all are requested.
const MOST_KEPT: usize = 1_000_000;

impl PatternOracle {
    /// Returns an oracle for a goal of up to 25 cells with small patterns.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn new(goal: &Board) -> Result<PatternOracle, OracleError> {
        let small = SharedPatterns::up_to(SMALL, goal)?;
        Ok(PatternOracle::with(goal, small, larger(goal, SMALL)?))
    }

    /// Returns an oracle for a goal with these patterns. If they are small, it makes larger ones too, once the searches
    /// have cost as much as that does.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn from_patterns(
        patterns: impl Into<Arc<Patterns>>,
        goal: &Board,
    ) -> Result<PatternOracle, OracleError> {
        let patterns = patterns.into();
        let partition = patterns.partition().clone();
        partition.check_goal(goal)?;
        let largest = partition.sizes().into_iter().max().unwrap_or(0);
        let patterns = SharedPatterns::new(partition, patterns.into());
        Ok(PatternOracle::with(goal, patterns, larger(goal, largest)?))
    }

    /// Returns the file that the patterns are in, unless it is copied.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.patterns.made.get()?.file()
    }

    /// Returns whether larger patterns were made than those that the oracle began with.
    #[doc(hidden)]
    pub fn has_made_larger(&self) -> bool {
        let larger = self.larger.as_ref();
        larger.is_some_and(|larger| larger.made.get().is_some())
    }

    /// Returns these patterns, if the oracle searches with them and they are made.
    #[doc(hidden)]
    pub fn made(&self, partition: &Partition) -> Option<Arc<Patterns>> {
        let both = [Some(&self.patterns), self.larger.as_ref()];
        let made = both.into_iter().flatten().filter_map(|one| one.made.get());
        made.into_iter()
            .find(|patterns| patterns.partition() == partition)
            .cloned()
    }

    fn with(
        goal: &Board,
        patterns: SharedPatterns,
        larger: Option<SharedPatterns>,
    ) -> PatternOracle {
        PatternOracle {
            goal: *goal,
            patterns: Arc::new(patterns),
            larger: larger.map(Arc::new),
            one_thread: false,
            most_nodes: u64::MAX,
            most_for_count: WORTH_COUNTING,
            progress: None,
            cancel: Cancel::new(),
        }
    }

    /// Returns an oracle for another goal of the same class, with the same patterns.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn with_goal(&self, goal: &Board) -> Result<PatternOracle, OracleError> {
        self.patterns.partition.check_goal(goal)?;
        Ok(PatternOracle {
            goal: *goal,
            ..self.clone()
        })
    }

    /// Takes the limits, the flag and the counters of another oracle.
    pub(super) fn with_settings_of(self, other: &PatternOracle) -> PatternOracle {
        PatternOracle {
            goal: self.goal,
            patterns: self.patterns,
            larger: self.larger,
            ..other.clone()
        }
    }

    /// Makes no larger patterns, which take several hundred megabytes, however hard the boards are.
    #[must_use]
    pub fn with_small_patterns(self) -> PatternOracle {
        PatternOracle {
            larger: None,
            ..self
        }
    }

    /// Searches on the caller's thread alone.
    #[must_use]
    pub fn on_one_thread(self) -> PatternOracle {
        PatternOracle {
            one_thread: true,
            ..self
        }
    }

    /// Limits the boards that a search visits: beyond that it fails with [`QueryError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(self, boards: u64) -> PatternOracle {
        PatternOracle {
            most_nodes: boards,
            ..self
        }
    }

    /// Limits the boards that are visited to count the solutions of a board beside another answer, in addition to those
    /// that the first solution took. The default is 10 million. See [`PatternOracle::solve_and_count`].
    #[must_use]
    pub fn counting_at_most(self, boards: u64) -> PatternOracle {
        PatternOracle {
            most_for_count: boards,
            ..self
        }
    }

    /// Sets a flag that ends searches and the making of patterns with [`QueryError::Cancelled`].
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> PatternOracle {
        PatternOracle {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Returns the flag that ends its work.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Keeps counters up to date in each search.
    #[must_use]
    pub fn with_progress(self, progress: &Arc<Progress>) -> PatternOracle {
        PatternOracle {
            progress: Some(Arc::clone(progress)),
            ..self
        }
    }

    /// Returns the board at distance 0.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal.shape()
    }

    /// Returns one shortest solution.
    fn first(&self, board: &Board) -> Result<ShortestSolutions, QueryError> {
        if self.patterns.made.get().is_none()
            && let Some(found) = solve_easy(board, &self.goal, None, EASY)?
        {
            return Ok(found);
        }
        self.search(0, self.most_nodes, |solver| solver.solve(board))
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
        let easy = first.visited.saturating_add(EASY);
        if self.patterns.made.get().is_none()
            && let Some(found) = solve_all_easy(board, &self.goal, first, kept, easy)?
        {
            return Ok(found);
        }
        self.search(first.visited, most_nodes, |solver| {
            solver.solve_all_after(board, first, kept)
        })
    }

    /// Finds all shortest solutions and keeps the first `kept`.
    fn all(&self, board: &Board, kept: usize) -> Result<ShortestSolutions, QueryError> {
        self.all_after(board, &self.first(board)?, kept, self.most_nodes)
    }

    /// As [`PatternOracle::all_after`]; `None` if the solutions take too long to count beside another answer.
    fn counted(
        &self,
        board: &Board,
        first: &ShortestSolutions,
        kept: usize,
    ) -> Result<Option<ShortestSolutions>, QueryError> {
        let most = first.visited.saturating_add(self.most_for_count);
        unless_given_up(self.all_after(board, first, kept, most.min(self.most_nodes)))
    }

    /// Searches with the small patterns, or with the larger ones once they are worth making. The boards that are
    /// visited are counted on from `before`, up to `most_nodes`.
    fn search(
        &self,
        before: u64,
        most_nodes: u64,
        ask: impl Fn(&Solver) -> Result<ShortestSolutions, SolveError>,
    ) -> Result<ShortestSolutions, QueryError> {
        let small = |most| self.search_with(&self.patterns, before, most, &ask);
        let Some(larger) = &self.larger else {
            return small(most_nodes);
        };
        if larger.made.get().is_none() {
            let visited = self.patterns.visited.load(Ordering::Relaxed);
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

    /// As [`PatternOracle::search`], with these patterns.
    fn search_with(
        &self,
        patterns: &SharedPatterns,
        before: u64,
        most_nodes: u64,
        ask: impl Fn(&Solver) -> Result<ShortestSolutions, SolveError>,
    ) -> Result<ShortestSolutions, QueryError> {
        let solver = Solver::new(patterns.get(&self.cancel)?, &self.goal);
        let mut solver = solver
            .map_err(|_| QueryError::WrongTable)?
            .visiting_at_most(most_nodes)
            .with_cancel(&self.cancel)
            .with_progress(self.progress.clone());
        if self.one_thread {
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

    /// Returns the length of a shortest solution.
    ///
    /// # Errors
    /// [`QueryError::Space`] for an unsolvable board or one of another shape, [`QueryError::Memory`],
    /// [`QueryError::GaveUp`], [`QueryError::Cancelled`], and [`QueryError::WrongTable`] for patterns that are wrong.
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        Ok(self.first(board)?.distance as u8)
    }

    /// Returns a shortest solution: the first in the order of [`Move`].
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        Ok(self.first(board)?.solutions.pop().unwrap_or_default())
    }

    /// Returns the number of shortest solutions of a board, however long the count takes.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        Ok(self.all(board, 0)?.count)
    }

    /// Returns the first of the shortest solutions and the number of them; `None` if counting them takes
    /// [too long](PatternOracle::counting_at_most).
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, Option<u64>), QueryError> {
        let mut first = self.first(board)?;
        let counted = self.counted(board, &first, 0)?;
        let moves = first.solutions.pop().unwrap_or_default();
        Ok((moves, counted.map(|counted| counted.count)))
    }

    /// Returns all shortest solutions in the order of [`Move`], the first million if there are more.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solutions(&self, board: &Board) -> Result<Vec<Vec<Move>>, QueryError> {
        Ok(self.all(board, MOST_KEPT)?.solutions)
    }

    /// Returns the first `kept` shortest solutions in the order of [`Move`], and the number of all. If finding all is
    /// [given up](PatternOracle::visiting_at_most), it returns one solution and `None`.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        let first = self.first(board)?;
        let all = unless_given_up(self.all_after(board, &first, kept, self.most_nodes))?;
        Ok(match all {
            Some(found) => (found.solutions, Some(found.count)),
            None => (first.solutions, None),
        })
    }

    /// Returns every move that leads one step closer to the goal, in move order; none at the goal.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
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
            if known == Some(&mv) || self.search(0, self.most_nodes, solve)?.count > 0 {
                closer.push(mv);
            }
        }
        Ok(closer)
    }

    /// Returns the distance of a board and of every board one move away. A move that does not begin a shortest solution
    /// leads one step away. The solutions are not counted where that takes [too long](PatternOracle::counting_at_most).
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        let first = self.first(board)?;
        let distance = first.distance as u8;
        let (solutions, closer) = match self.counted(board, &first, 0)? {
            Some(counted) => (Some(counted.count), counted.first_moves),
            None => (None, self.moves_closer(board, &first)?),
        };
        Probe::new(board, distance, solutions, |mv, _| {
            Ok(if closer.contains(&mv) {
                distance - 1
            } else {
                distance + 1
            })
        })
    }
}

/// Returns larger patterns for a goal than those of `size` tiles, if any serve all its boards in time.
fn larger(goal: &Board, size: usize) -> Result<Option<SharedPatterns>, OracleError> {
    let shape = goal.shape();
    let is_larger = size < LARGE.min(shape.tiles()) && shape.cells() <= MAX_DATABASE_CELLS;
    is_larger
        .then(|| SharedPatterns::up_to(LARGE, goal))
        .transpose()
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
    use super::super::by_table::TableOracle;
    use super::*;
    use crate::space::StateIndex;

    #[test]
    fn larger_patterns_are_made_when_small_ones_have_cost_as_much() {
        let table = TableOracle::for_shape("2x5".parse().unwrap()).unwrap();
        let oracle = PatternOracle::new(table.goal()).unwrap();
        let boards: Vec<Board> = (0..40)
            .map(|i| table.unrank(StateIndex(45_000 * i)))
            .collect();
        let larger = Arc::clone(oracle.larger.as_ref().unwrap());
        for spent in [0, WORTH_LARGER - 1, WORTH_LARGER] {
            oracle.patterns.get(&Cancel::new()).unwrap();
            oracle.patterns.visited.store(spent, Ordering::Relaxed);
            for board in &boards {
                assert_eq!(oracle.distance(board), table.distance(board));
                assert_eq!(oracle.count_solutions(board), table.count_solutions(board));
            }
            assert_eq!(larger.made.get().is_some(), spent > 0);
        }
    }
}
