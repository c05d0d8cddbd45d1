//! An oracle that searches with pattern databases, where there is no table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::basics::Progress;
use crate::pattern::{Optimal, Partition, Patterns, SolveError, Solver, solve_easy};
use crate::puzzle::{Board, Move, Shape};
use crate::space::MAX_DATABASE_CELLS;
use crate::table::WatchedFile;

use super::error::{OracleError, QueryError, unless_given_up};
use super::probe::Probe;

/// Optimal distances and solutions of all boards for one goal, by IDA* over pattern databases.
///
/// A board that a search without patterns solves at once needs none; small patterns are made in
/// memory when the first other board is asked for. When the searches with them have cost as much as
/// larger patterns do, those are made and used from then on, so that the time is never much more than twice
/// that of the better choice. All clones share the patterns.
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
    /// The patterns for hard boards and for many.
    larger: Option<Arc<SharedPatterns>>,
    one_thread: bool,
    most_nodes: u64,
    progress: Option<Arc<Progress>>,
}

#[derive(Debug)]
struct SharedPatterns {
    partition: Partition,
    made: OnceLock<Arc<Patterns>>,
    /// Held while they are made.
    making: Mutex<()>,
    /// Boards that all searches with them have visited.
    visited: AtomicU64,
}

/// Tiles of the patterns that are made in memory: three for 4x4 take 30 ms and 3 MB.
const SMALL: usize = 6;

/// Tiles of the larger ones: two for 4x4 take 3 CPU seconds and 400 MB.
const LARGE: usize = 8;

/// The boards that a search with small patterns visits in the time that larger ones take to make.
const WORTH_LARGER: u64 = 40_000_000;

/// Boards that are visited without patterns, in some milliseconds.
const EASY: u64 = 200_000;

/// Solutions that are kept at most when all are asked for.
const MOST_KEPT: usize = 1_000_000;

impl PatternOracle {
    /// An oracle for a goal of up to 25 cells with small patterns.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] for larger shapes.
    pub fn new(goal: &Board) -> Result<PatternOracle, OracleError> {
        let small = SharedPatterns::up_to(SMALL, goal)?;
        Ok(PatternOracle::with(goal, small, larger(goal, SMALL)?))
    }

    /// An oracle for a goal with these patterns. Where they are small it makes larger ones too, once the searches
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
        partition.serve(goal)?;
        let largest = partition.sizes().into_iter().max().unwrap_or(0);
        let patterns = SharedPatterns::new(partition, patterns.into());
        Ok(PatternOracle::with(goal, patterns, larger(goal, largest)?))
    }

    /// The file that the patterns are in, unless it is copied.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.patterns.made.get()?.file()
    }

    /// Were larger patterns made than those that the oracle began with?
    #[cfg(feature = "cli")]
    pub(crate) fn has_made_larger(&self) -> bool {
        let larger = self.larger.as_ref();
        larger.is_some_and(|larger| larger.made.get().is_some())
    }

    /// These patterns, if the oracle searches with them and they are made.
    #[cfg(feature = "serve")]
    pub(crate) fn made(&self, partition: &Partition) -> Option<Arc<Patterns>> {
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
            progress: None,
        }
    }

    /// An oracle for another goal of the same class, with the same patterns.
    ///
    /// # Errors
    /// [`OracleError::Pattern`] if they do not serve the goal.
    pub fn for_goal(&self, goal: &Board) -> Result<PatternOracle, OracleError> {
        self.patterns.partition.serve(goal)?;
        Ok(PatternOracle {
            goal: *goal,
            ..self.clone()
        })
    }

    /// The same, searching on the thread of the caller alone.
    #[must_use]
    pub fn on_one_thread(self) -> PatternOracle {
        PatternOracle {
            one_thread: true,
            ..self
        }
    }

    /// The same, giving up a board after so many that a search visits: [`QueryError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(self, boards: u64) -> PatternOracle {
        PatternOracle {
            most_nodes: boards,
            ..self
        }
    }

    /// The same, telling how far each search has come.
    #[cfg(feature = "cli")]
    pub(crate) fn telling(self, progress: &Arc<Progress>) -> PatternOracle {
        PatternOracle {
            progress: Some(Arc::clone(progress)),
            ..self
        }
    }

    /// The board at distance 0.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal.shape()
    }

    /// One shortest solution, or all of them with so many kept.
    fn find(&self, board: &Board, all: Option<usize>) -> Result<Optimal, QueryError> {
        if self.patterns.made.get().is_none()
            && let Some(found) = solve_easy(board, &self.goal, all, EASY)?
        {
            return Ok(found);
        }
        let Some(larger) = &self.larger else {
            return self.search(&self.patterns, board, all, self.most_nodes);
        };
        if larger.made.get().is_none() {
            let left =
                || WORTH_LARGER.saturating_sub(self.patterns.visited.load(Ordering::Relaxed));
            let most = left().min(self.most_nodes);
            match self.search(&self.patterns, board, all, most) {
                Err(QueryError::GaveUp { .. }) if left() == 0 => {}
                answer => return answer,
            }
        }
        match self.search(larger, board, all, self.most_nodes) {
            Err(QueryError::Memory { .. }) => {
                self.search(&self.patterns, board, all, self.most_nodes)
            }
            answer => answer,
        }
    }

    /// As [`PatternOracle::find`], by a search with these patterns that visits so many boards at most.
    fn search(
        &self,
        patterns: &SharedPatterns,
        board: &Board,
        all: Option<usize>,
        most_nodes: u64,
    ) -> Result<Optimal, QueryError> {
        let solver = Solver::new(patterns.get()?, &self.goal);
        let mut solver = solver
            .map_err(|_| QueryError::WrongTable)?
            .visiting_at_most(most_nodes)
            .telling(self.progress.clone());
        if self.one_thread {
            solver = solver.on_one_thread();
        }
        let answer = match all {
            None => solver.solve(board),
            Some(kept) => solver.solve_all(board, kept),
        };
        if let Ok(Optimal { visited, .. }) | Err(SolveError::GaveUp { visited, .. }) = &answer {
            patterns.visited.fetch_add(*visited, Ordering::Relaxed);
        }
        Ok(answer?)
    }

    /// The length of a shortest solution.
    ///
    /// # Errors
    /// [`QueryError::Space`] for an unsolvable board or one of another shape, [`QueryError::Memory`],
    /// and [`QueryError::WrongTable`] for patterns that are wrong.
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        Ok(self.find(board, None)?.distance as u8)
    }

    /// A shortest solution: the first in the order of [`Move`].
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        Ok(self.find(board, None)?.solutions.pop().unwrap_or_default())
    }

    /// How many shortest solutions a board has.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        Ok(self.find(board, Some(0))?.count)
    }

    /// The first of the shortest solutions, and how many there are.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, u64), QueryError> {
        let mut found = self.find(board, Some(1))?;
        Ok((found.solutions.pop().unwrap_or_default(), found.count))
    }

    /// All shortest solutions in the order of [`Move`], the first million if there are more.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn solutions(&self, board: &Board) -> Result<Vec<Vec<Move>>, QueryError> {
        Ok(self.find(board, Some(MOST_KEPT))?.solutions)
    }

    /// The first `kept` shortest solutions in the order of [`Move`], and how many there are; only one, and `None`,
    /// where counting them is [given up](PatternOracle::visiting_at_most).
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        Ok(match unless_given_up(self.find(board, Some(kept)))? {
            Some(found) => (found.solutions, Some(found.count)),
            None => (self.find(board, None)?.solutions, None),
        })
    }

    /// Every move that leads one step closer to the goal, in move order; none at the goal.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        Ok(self.find(board, Some(0))?.first_moves)
    }

    /// The distance of a board and of every board one move away, by one search: a move that begins no
    /// shortest solution leads one step away. Where that search is [given up](PatternOracle::visiting_at_most), each
    /// board's distance is searched for, and the solutions are not counted.
    ///
    /// # Errors
    /// As [`PatternOracle::distance`].
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        let Some(found) = unless_given_up(self.find(board, Some(0)))? else {
            let distance = self.distance(board)?;
            return Probe::new(board, distance, None, |_, next| self.distance(next));
        };
        let distance = found.distance as u8;
        Probe::new(board, distance, Some(found.count), |mv, _| {
            Ok(match found.first_moves.contains(&mv) {
                true => distance - 1,
                false => distance + 1,
            })
        })
    }
}

/// Larger patterns for a goal than those of `size` tiles, if there are any that serve all its boards in time.
fn larger(goal: &Board, size: usize) -> Result<Option<SharedPatterns>, OracleError> {
    let shape = goal.shape();
    let is_larger = size < LARGE.min(shape.tiles()) && shape.cells() <= MAX_DATABASE_CELLS;
    is_larger
        .then(|| SharedPatterns::up_to(LARGE, goal))
        .transpose()
}

impl SharedPatterns {
    /// Patterns of at most so many tiles, which are not made yet.
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

    /// The patterns, which are made if there are none.
    fn get(&self) -> Result<Arc<Patterns>, QueryError> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = Patterns::build(&self.partition);
        let made = made.map_err(|cause| QueryError::Memory {
            cause: cause.to_string(),
        })?;
        Ok(Arc::clone(self.made.get_or_init(|| made.into())))
    }
}

impl From<SolveError> for QueryError {
    fn from(error: SolveError) -> QueryError {
        match error {
            SolveError::Space(error) => error.into(),
            SolveError::GaveUp { at_least, .. } => QueryError::GaveUp { at_least },
            SolveError::WrongPatterns => QueryError::WrongTable,
            SolveError::Damaged { path, cause } => QueryError::Damaged { path, cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::open::Oracle;
    use super::*;
    use crate::space::StateIndex;

    #[test]
    fn larger_patterns_are_made_when_small_ones_have_cost_as_much() {
        let table = Oracle::for_shape("2x5".parse().unwrap()).unwrap();
        let oracle = PatternOracle::new(table.goal()).unwrap();
        let boards: Vec<Board> = (0..40)
            .map(|i| table.unrank(StateIndex(45_000 * i)))
            .collect();
        let larger = Arc::clone(oracle.larger.as_ref().unwrap());
        for spent in [0, WORTH_LARGER - 1, WORTH_LARGER] {
            oracle.patterns.get().unwrap();
            oracle.patterns.visited.store(spent, Ordering::Relaxed);
            for board in &boards {
                assert_eq!(oracle.distance(board), table.distance(board));
                assert_eq!(oracle.count_solutions(board), table.count_solutions(board));
            }
            assert_eq!(larger.made.get().is_some(), spent > 0);
        }
    }
}
