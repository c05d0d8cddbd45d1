//! Oracles for a goal: its table, or searches with patterns.

use std::sync::{Arc, Mutex, PoisonError};

use puzzledb::oracle::{Oracle, OracleError, PatternOracle};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::{Frame, MAX_DATABASE_CELLS};

use super::anytime::Anytime;
use super::class_oracles::Oracles;
use super::database::{Databases, usual_sizes};
use super::error::{CliError, print_note};
use super::interrupt;
use super::waiting::progress;

/// Boards that a search visits in a second or two; random boards of the 15-puzzle need less than a
/// million.
const VISITED_BOUNDED: u64 = 20_000_000;

/// Boards that a search visits in 0.1 s.
const VISITED_QUICK: u64 = 1_000_000;

/// Returns whether boards of a shape have an oracle: a proof for a larger board may take days.
pub(super) fn has_oracle(shape: Shape) -> bool {
    shape.cells() <= MAX_DATABASE_CELLS
}

impl Databases {
    /// Oracles for any goal, each fetched once a class as [`Databases::oracle`] does.
    pub(super) fn oracles(&self) -> Oracles<'_> {
        Oracles::new(|goal| self.oracle(goal))
    }

    /// Returns the oracles of [`Databases::oracles`], which give up boards that a search with patterns does not solve
    /// soon.
    pub(super) fn bounded_oracles(&self) -> Oracles<'_> {
        Oracles::new(|goal| Ok(self.oracle(goal)?.visiting_at_most(VISITED_BOUNDED)))
    }

    /// Returns the oracle for the optimum of boards that other searches solve. It gives up after some 0.1 s; `None` for
    /// goals of more than 16 cells.
    pub(super) fn quick_oracle(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let oracle = self.oracle_if_possible(goal)?;
        Ok(oracle.map(|oracle| oracle.visiting_at_most(VISITED_QUICK)))
    }

    /// Returns the oracle for a goal; `None` for goals of more than 16 cells.
    pub(super) fn oracle_if_possible(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let oracle = has_oracle(goal.shape()).then(|| self.oracle(goal));
        oracle.transpose()
    }

    /// Returns the oracle for a goal: a table if there is one or it is small, and else a search with patterns.
    pub(super) fn oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        Frame::new(goal)?; // of at most 16 cells
        if let Some((file, path)) = self.patterns(None, goal)? {
            let patterns = Arc::clone(file.patterns());
            let oracle = PatternOracle::from_patterns(patterns, goal);
            let misfit = |error: OracleError| {
                CliError::Database(format!("{} does not fit: {error}", path.display()))
            };
            return Ok(self.searching(oracle.map_err(misfit)?));
        }
        Ok(match self.table_oracle_if_available(goal)? {
            Some(oracle) => Oracle::Table(oracle),
            None => self.searching(PatternOracle::new(goal)?),
        })
    }

    /// Makes the oracle show the progress of its searches and end with Ctrl-C, and keeps it for
    /// [`Databases::note_larger_patterns`].
    fn searching(&self, oracle: PatternOracle) -> Oracle {
        let oracle = oracle.with_progress(progress());
        let oracle = oracle.with_cancel(interrupt::flag());
        let searching = self.searching.lock();
        let mut searching = searching.unwrap_or_else(PoisonError::into_inner);
        searching.push(oracle.clone());
        Oracle::Patterns(oracle)
    }

    /// Prints a note if searches made larger patterns than there were.
    pub(super) fn note_larger_patterns(&self) {
        let searching = self.searching.lock();
        let searching = searching.unwrap_or_else(PoisonError::into_inner);
        for oracle in searching.iter().filter(|oracle| oracle.has_made_larger()) {
            let (goal, shape) = (oracle.goal(), oracle.shape());
            if let Ok(sizes) = usual_sizes(goal) {
                let build = self.build_command(goal);
                print_note(format!(
                    "the {shape} boards were worth larger patterns, which were made in memory: `{build} --patterns \
                     {sizes}` keeps them in a file"
                ));
            }
        }
    }
}

/// Gives the solver for each board, and keeps the last: boards of one goal in a row use the shared cache once, so that
/// threads do not wait for each other.
pub(super) struct LastSolver<'a> {
    databases: &'a Databases,
    oracles: &'a Oracles<'a>,
    /// The goal of boards that name none, by the shape of the last.
    usual_goal: Option<Board>,
    oracle: Option<Oracle>,
    /// The last search for a goal without an oracle.
    anytime: Option<Anytime>,
}

impl<'a> LastSolver<'a> {
    pub(super) fn new(databases: &'a Databases, oracles: &'a Oracles<'a>) -> Self {
        LastSolver {
            databases,
            oracles,
            usual_goal: None,
            oracle: None,
            anytime: None,
        }
    }

    /// The goal of boards of a shape that name none.
    pub(super) fn goal(&mut self, shape: Shape) -> Result<Board, CliError> {
        match self.usual_goal {
            Some(goal) if goal.shape() == shape => Ok(goal),
            _ => Ok(*self.usual_goal.insert(self.databases.goal(shape)?)),
        }
    }

    /// The oracle for a goal.
    pub(super) fn oracle(&mut self, goal: &Board) -> Result<&Oracle, CliError> {
        if self.oracle.as_ref().is_none_or(|last| last.goal() != goal) {
            self.oracle = Some(self.oracles.oracle(goal)?);
        }
        Ok(self.oracle.as_ref().expect("it was just set"))
    }

    /// The search for a goal without an oracle. Patterns are made in memory for a new one if that is worth while and
    /// there is no file of them.
    pub(super) fn anytime(
        &mut self,
        goal: &Board,
        makes_patterns: bool,
    ) -> Result<Anytime, CliError> {
        match &self.anytime {
            Some(last) if last.goal == *goal => Ok(last.clone()),
            _ => {
                let new = Anytime::new(*goal, makes_patterns, self.databases)?;
                Ok(self.anytime.insert(new).clone())
            }
        }
    }
}

/// A value that is made once for the goal of several boards in a row, and shared by threads.
pub(super) struct OfGoal<T>(Mutex<Option<(Board, Arc<T>)>>);

impl<T> Default for OfGoal<T> {
    fn default() -> OfGoal<T> {
        OfGoal(Mutex::default())
    }
}

impl<T> OfGoal<T> {
    /// The value for a goal: that of the last, or a new one.
    pub(super) fn get(
        &self,
        goal: &Board,
        make: impl Fn(&Board) -> Result<T, CliError>,
    ) -> Result<Arc<T>, CliError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((its, value)) if its == goal => Ok(Arc::clone(value)),
            _ => {
                let (_, value) = last.insert((*goal, Arc::new(make(goal)?)));
                Ok(Arc::clone(value))
            }
        }
    }
}
