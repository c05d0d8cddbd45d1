//! Shortest solutions of boards by patterns.

use std::sync::Arc;

use crate::puzzle::Board;
use crate::space::GoalClass;

use super::estimate::{Additive, Estimate, View, views};
use super::ida_star::{IdaStar, Question, ShortestSolutions};
use super::partition::PartitionError;
use super::patterns::Patterns;

/// Solves boards of one goal. There is no answer for a board that cannot be solved, nor if the databases contradict
/// themselves or damage was met in their file.
///
/// ```
/// use puzzledb::pattern::{Partition, Patterns};
/// use puzzledb::internals::Solver;
/// use puzzledb::puzzle::{Move, Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
/// let patterns = Patterns::build(&Partition::up_to(&goal, 5)?)?;
/// let solver = Solver::new(patterns.into(), &goal)?;
/// let board = goal.slide(Move::Up).and_then(|board| board.slide(Move::Left)).unwrap();
/// let solved = solver.solve(&board).expect("the patterns are right");
/// assert_eq!(solved.distance, 2);
/// assert_eq!(board.replay(&solved.solutions[0]), Ok(goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    /// The patterns.
    pub patterns: Arc<Patterns>,
    views: Arc<Vec<View>>,
    /// Limits, flag and counters of the searches.
    pub search: IdaStar,
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

    /// Returns a lower bound of a board's distance: the largest sum of the patterns' distances.
    pub fn bound(&self, board: &Board) -> Option<u32> {
        if !board.is_solvable_to(&self.search.goal) {
            return None;
        }
        let sums = self.views.iter().map(|view| self.sum(view, board));
        let bound = sums.collect::<Option<Vec<u32>>>()?.into_iter().max()?;
        let is_possible = bound <= self.largest_bound() as u32;
        (is_possible && self.patterns.damage().is_none()).then_some(bound)
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
    pub fn solve(&self, board: &Board) -> Option<ShortestSolutions> {
        self.run(&Question::new(board))
    }

    /// Searches for the solutions of a question.
    ///
    /// ```
    /// use puzzledb::Cancel;
    /// use puzzledb::pattern::{Partition, Patterns};
    /// use puzzledb::internals::{Question, Solver};
    /// use puzzledb::puzzle::{Shape, UsualGoal, parse_board};
    ///
    /// let goal = UsualGoal::First.board(Shape::new(4, 4)?);
    /// let patterns = Patterns::build(&Partition::up_to(&goal, 3)?)?;
    /// let cancel = Cancel::new();
    /// let mut solver = Solver::new(patterns.into(), &goal)?;
    /// solver.search.cancel = cancel.clone();
    /// let board = parse_board(b"15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", None)?; // 80 moves
    /// let observe = |_bound, visited| {
    ///     if visited >= 10_000 {
    ///         cancel.cancel();
    ///     }
    /// };
    /// let ended = solver.run(&Question { observe: &observe, ..Question::new(&board) }).unwrap();
    /// assert!(ended.count == 0 && (40..80).contains(&ended.distance)); // moves at least
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, question: &Question<'_>) -> Option<ShortestSolutions> {
        if !question.board.is_solvable_to(&self.search.goal) {
            return None;
        }
        let found = match self.views.as_slice() {
            [one] => self.run_by(std::array::from_ref(one), question),
            views => {
                let views: &[View; 2] = views.try_into().expect("a goal has one view or two");
                self.run_by(views, question)
            }
        };
        found.filter(|_| self.patterns.damage().is_none())
    }

    fn run_by<const V: usize>(
        &self,
        views: &[View; V],
        question: &Question<'_>,
    ) -> Option<ShortestSolutions> {
        let estimate = Additive::new(&self.patterns, views, question.board)?;
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
        let found = search.run(&question, estimate);
        // Every board has a solution of so many moves.
        let is_wrong = (first..last).contains(&largest) && found.count == 0;
        (!is_wrong || question.is_open_after(&found)).then_some(found)
    }

    /// Returns the largest distance of a board, as far as it is known: no bound is above it.
    fn largest_bound(&self) -> i32 {
        let goal = &self.search.goal;
        let class = GoalClass::of_any_shape(goal.shape(), goal.blank());
        let largest = class.largest_known_distance();
        largest.map_or(i32::MAX, i32::from)
    }
}
