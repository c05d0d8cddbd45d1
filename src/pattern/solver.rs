//! Shortest solutions of boards by patterns.

use std::sync::Arc;

use crate::basics::{Cancel, Progress};
use crate::puzzle::Board;
use crate::space::{GoalClass, check_solvable};
use crate::table::WatchedFile;

use super::estimate::{Additive, Estimate, Manhattan, View, views};
use super::ida_star::{IdaStar, Question, ShortestSolutions, SolveError};
use super::partition::PartitionError;
use super::patterns::Patterns;

/// Solves boards of one goal.
///
/// ```
/// use puzzledb::pattern::{Partition, Patterns};
/// use puzzledb::internals::pattern::Solver;
/// use puzzledb::puzzle::{Move, Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
/// let patterns = Patterns::build(&Partition::up_to(&goal, 5)?)?;
/// let solver = Solver::new(patterns.into(), &goal)?;
/// let board = goal.slide(Move::Up).and_then(|board| board.slide(Move::Left)).unwrap();
/// let solved = solver.solve(&board)?;
/// assert_eq!(solved.distance, 2);
/// assert_eq!(board.replay(&solved.solutions[0]), Ok(goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    patterns: Arc<Patterns>,
    views: Arc<Vec<View>>,
    search: IdaStar,
}

impl Solver {
    /// Makes a solver for a goal that the patterns serve, on the threads of rayon.
    ///
    /// # Errors
    /// [`PartitionError::OtherClass`]
    pub fn new(patterns: Arc<Patterns>, goal: &Board) -> Result<Solver, PartitionError> {
        patterns.partition().check_goal(goal)?;
        let views = Arc::new(views(&patterns, goal));
        let search = IdaStar::new(*goal);
        Ok(Solver {
            patterns,
            views,
            search,
        })
    }

    /// Searches on the caller's thread alone.
    #[must_use]
    pub fn on_one_thread(mut self) -> Solver {
        self.search.parallel = false;
        self
    }

    /// Limits the boards that a search visits: beyond that it fails with [`SolveError::GaveUp`].
    #[must_use]
    pub fn visiting_at_most(mut self, boards: u64) -> Solver {
        self.search.most_nodes = boards;
        self
    }

    /// Sets a flag that ends the searches with [`SolveError::Cancelled`].
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Solver {
        self.search.cancel = cancel.clone();
        self
    }

    /// Keeps counters up to date in each search.
    #[must_use]
    pub fn with_progress(mut self, progress: Option<Arc<Progress>>) -> Solver {
        self.search.progress = progress;
        self
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Board {
        &self.search.goal
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> &Arc<Patterns> {
        &self.patterns
    }

    /// Returns a lower bound of a board's distance: the largest sum of the patterns' distances.
    ///
    /// # Errors
    /// [`SolveError`]
    pub fn bound(&self, board: &Board) -> Result<u32, SolveError> {
        check_solvable(board, &self.search.goal)?;
        let sums: Option<Vec<u32>> = (self.views.iter())
            .map(|view| self.sum(view, board))
            .collect();
        let bound = sums.and_then(|sums| sums.into_iter().max());
        self.undamaged()?;
        let possible = bound.filter(|&bound| bound_of(bound) <= self.largest_bound());
        possible.ok_or(SolveError::WrongPatterns)
    }

    /// Fails if damage was met in the file of the patterns. Must be called after the work for an answer and before it
    /// is returned.
    ///
    /// # Errors
    /// [`SolveError::Damaged`]
    pub(crate) fn undamaged(&self) -> Result<(), SolveError> {
        self.patterns
            .file()
            .map_or(Ok(()), WatchedFile::undamaged)?;
        Ok(())
    }

    /// Returns the sum of the patterns' distances in a view; `None` if a database is wrong.
    fn sum(&self, view: &View, board: &Board) -> Option<u32> {
        let view = std::array::from_ref(view);
        let sum = Additive::new(&self.patterns, view, board)?.bound();
        Some(sum as u32)
    }

    /// Returns the bound of a board one move after another whose bound is known, by two look-ups for each view. If one
    /// view gains what the other loses, the larger one decides: mostly their sums modulo 4 show which one that is.
    /// `None` if these look-ups do not give the bound.
    pub(crate) fn bound_after(&self, bound: u32, before: &Board, after: &Board) -> Option<u32> {
        let tile = after.tiles()[before.blank()];
        let change = |view: &View| view.change(&self.patterns, tile, before, after);
        let change = match self.views.as_slice() {
            [one] => change(one)?,
            [first, second] => match (change(first)?, change(second)?) {
                (1, -1) => self.larger_of(bound, first, second, before)?,
                (-1, 1) => self.larger_of(bound, second, first, before)?,
                (change, other) => (change == other).then_some(change)?,
            },
            _ => return None,
        };
        bound.checked_add_signed(change)
    }

    /// Returns the change of the bound of a board in a move by which the sum of one view rises and that of the other
    /// falls.
    fn larger_of(&self, bound: u32, rising: &View, falling: &View, board: &Board) -> Option<i32> {
        let below = |view: &View| bound.wrapping_sub(view.sum_mod_4(&self.patterns, board)) & 3;
        let rises = match below(rising) {
            0 => below(falling) != 0 || self.sum(rising, board)? == bound,
            1 => return None, // only where the patterns leave tiles out
            _ => false,
        };
        Some(if rises { 1 } else { -1 })
    }

    /// Returns a shortest solution.
    ///
    /// # Errors
    /// [`SolveError`]
    pub fn solve(&self, board: &Board) -> Result<ShortestSolutions, SolveError> {
        self.run(&Question::new(board, None))
    }

    /// As [`Solver::solve`], where no solution has fewer than `at_least` moves. `observe` is called each few thousand
    /// boards with the proved lower bound and the boards that were visited.
    ///
    /// ```
    /// use puzzledb::Cancel;
    /// use puzzledb::pattern::{Partition, Patterns};
    /// use puzzledb::internals::pattern::{SolveError, Solver};
    /// use puzzledb::puzzle::{Shape, UsualGoal, parse_board};
    ///
    /// let goal = UsualGoal::First.board(Shape::new(4, 4)?);
    /// let patterns = Patterns::build(&Partition::up_to(&goal, 3)?)?;
    /// let cancel = Cancel::new();
    /// let solver = Solver::new(patterns.into(), &goal)?.with_cancel(&cancel);
    /// let board = parse_board(b"15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", None)?; // 80 moves
    /// let ended = solver.solve_observed(&board, 0, &|_bound, visited| {
    ///     if visited >= 10_000 {
    ///         cancel.cancel();
    ///     }
    /// });
    /// assert!(matches!(ended, Err(SolveError::Cancelled { at_least: 40..80, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError`]
    pub fn solve_observed(
        &self,
        board: &Board,
        at_least: u32,
        observe: &(dyn Fn(u32, u64) + Sync),
    ) -> Result<ShortestSolutions, SolveError> {
        self.run(&Question {
            bounds: bound_of(at_least)..=i32::MAX,
            observe,
            ..Question::new(board, None)
        })
    }

    /// Finds all shortest solutions of a board one of whose is known: their number, and the first `kept` of them. Only
    /// paths of its length are searched. The boards that were visited for that one count too.
    ///
    /// # Errors
    /// [`SolveError`]
    pub fn solve_all_after(
        &self,
        board: &Board,
        first: &ShortestSolutions,
        kept: usize,
    ) -> Result<ShortestSolutions, SolveError> {
        match self.run(&after(board, first, kept))? {
            all if all.count > 0 => Ok(all),
            _ => Err(SolveError::WrongPatterns),
        }
    }

    /// Searches for a solution of exactly `moves` moves, where no solution may be shorter; the count is 0 if there is
    /// none.
    pub(crate) fn solve_in(
        &self,
        board: &Board,
        moves: u32,
    ) -> Result<ShortestSolutions, SolveError> {
        self.run(&Question {
            bounds: bound_of(moves)..=bound_of(moves),
            ..Question::new(board, None)
        })
    }

    fn run(&self, question: &Question<'_>) -> Result<ShortestSolutions, SolveError> {
        let board = question.board;
        check_solvable(board, &self.search.goal)?;
        let found = match self.views.as_slice() {
            [one] => self.run_by(std::array::from_ref(one), question),
            views => {
                let views: &[View; 2] = views.try_into().expect("a goal has one view or two");
                self.run_by(views, question)
            }
        };
        self.undamaged()?;
        found
    }

    fn run_by<const V: usize>(
        &self,
        views: &[View; V],
        question: &Question<'_>,
    ) -> Result<ShortestSolutions, SolveError> {
        let estimate = Additive::new(&self.patterns, views, question.board);
        let estimate = estimate.ok_or(SolveError::WrongPatterns)?;
        let search = IdaStar {
            cancel: self.search.cancel.child(),
            ..self.search.clone()
        };
        // Damaged patterns prove nothing.
        let observe = |bound, visited| match self.patterns.damage() {
            None => (question.observe)(bound, visited),
            Some(_) => search.cancel.cancel(),
        };
        let (first, last) = (*question.bounds.start(), *question.bounds.end());
        let largest = self.largest_bound();
        let question = Question {
            observe: &observe,
            bounds: first..=last.min(largest),
            ..*question
        };
        let found = search.run(&question, estimate)?;
        if found.count == 0 && (first..last).contains(&largest) {
            return Err(SolveError::WrongPatterns); // every board has a solution of so many moves
        }
        Ok(found)
    }

    /// Returns the largest distance of a board, as far as it is known: no bound is above it.
    fn largest_bound(&self) -> i32 {
        let goal = &self.search.goal;
        let class = GoalClass::of_any_shape(goal.shape(), goal.blank());
        let largest = class.largest_known_distance();
        largest.map_or(i32::MAX, i32::from)
    }
}

/// Converts a length to a bound of the search.
fn bound_of(moves: u32) -> i32 {
    i32::try_from(moves).unwrap_or(i32::MAX)
}

/// Returns the question for all shortest solutions of a board, one of which is known.
fn after<'a>(board: &'a Board, first: &ShortestSolutions, kept: usize) -> Question<'a> {
    let length = bound_of(first.distance);
    Question {
        bounds: length..=length,
        visited: first.visited,
        ..Question::new(board, Some(kept))
    }
}

/// Finds a shortest solution of a board that is solved before patterns would be made: with the sum of the tiles'
/// distances alone, visiting at most `most_nodes` boards. Given a shortest solution, it finds all, and keeps so many of
/// them. `None` if it is not solved by then.
///
/// ```
/// use puzzledb::internals::pattern::solve_easy;
/// use puzzledb::puzzle::{Shape, UsualGoal, parse_board};
///
/// let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
/// let board = parse_board(b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", None)?;
/// assert_eq!(solve_easy(&board, &goal, None, 1_000)?.unwrap().distance, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::Space`]
pub fn solve_easy(
    board: &Board,
    goal: &Board,
    all_after: Option<(&ShortestSolutions, usize)>,
    most_nodes: u64,
) -> Result<Option<ShortestSolutions>, SolveError> {
    check_solvable(board, goal)?;
    let question = match all_after {
        Some((first, kept)) => after(board, first, kept),
        None => Question::new(board, None),
    };
    let search = IdaStar {
        most_nodes,
        parallel: false,
        ..IdaStar::new(*goal)
    };
    Ok(search.run(&question, Manhattan::new(goal, board)).ok())
}
