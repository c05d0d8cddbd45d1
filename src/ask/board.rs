//! Questions about one board: its distance and moves, a shortest solution, and all of them.

use std::time::Duration;

use serde::Deserialize;

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run};
use super::text::board_and_goal;
use crate::oracle::{self, Oracle, QueryError, SolutionRecord, SolutionsRecord};
use crate::puzzle::{Board, Shape};
use crate::search::AnytimeSettings;

/// A board whose distance is asked for, and what each of its moves is worth.
///
/// ```
/// use puzzledb::ask::{Library, Probe, Question, Run};
///
/// let question = Probe {
///     board: "704851632".to_owned(),
///     ..Probe::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.distance, record.steps[0].distance), (19, 18));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Probe {
    /// The board
    #[cfg_attr(feature = "schema", param(example = "704851632"))]
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    #[cfg_attr(feature = "schema", param(value_type = Option<String>))]
    pub shape: Option<Shape>,
}

/// A board to solve with as few moves as possible.
///
/// ```
/// use puzzledb::ask::{Library, Question, Run, Solve};
///
/// let question = Solve {
///     board: "123456708".to_owned(),
///     ..Solve::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!(record.moves.as_deref(), Some("R"));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Solve {
    /// The board
    #[cfg_attr(feature = "schema", param(example = "704851632"))]
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    #[cfg_attr(feature = "schema", param(value_type = Option<String>))]
    pub shape: Option<Shape>,
}

/// A board all of whose shortest solutions are asked for, or the first of them.
///
/// ```
/// use puzzledb::ask::{Library, Question, Run, Solutions};
///
/// let question = Solutions {
///     board: "536407182".to_owned(),
///     limit: Some(2),
///     ..Solutions::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.solution_count, record.solutions.len()), (Some(7), 2));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Solutions {
    /// The board
    #[cfg_attr(feature = "schema", param(example = "536407182"))]
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    #[cfg_attr(feature = "schema", param(value_type = Option<String>))]
    pub shape: Option<Shape>,
    /// How many solutions at most
    #[cfg_attr(feature = "schema", param(maximum = 1000))]
    pub limit: Option<usize>,
}

/// Time for a good solution and a lower bound where a search for a shortest solution gave up.
const BOUNDS_TIME: Duration = Duration::from_secs(1);

/// Solves a board; where the distance is not proved in the time given, the record has what is proved of it.
///
/// # Errors
/// As [`SolutionRecord::solve`].
#[doc(hidden)]
pub fn solve(oracle: &Oracle, board: &Board, run: &Run) -> Result<SolutionRecord, QueryError> {
    let proved = match SolutionRecord::solve(oracle, board) {
        Err(QueryError::GaveUp { at_least }) => at_least as usize,
        solved => return solved,
    };
    let mut settings = AnytimeSettings::new(Some(run.time.min(BOUNDS_TIME)));
    settings.cancel = run.cancel.clone();
    let mut found = oracle.solve_within(board, &settings)?;
    found.at_least = found.at_least.max(proved).min(found.at_most);
    found.distance = (found.at_least == found.at_most).then_some(found.at_most);
    Ok(SolutionRecord::within(board, oracle.goal(), &found))
}

/// Asks the oracle for the goal of a board.
fn ask<L: Oracles, T>(
    (board, goal): (Board, Board),
    library: &L,
    run: &Run,
    answer: impl FnOnce(&Oracle, &Board) -> Result<T, QueryError>,
) -> Result<T, L::Error> {
    let oracle = library.oracle(&goal)?.with_cancel(&run.cancel);
    Ok(answer(&oracle, &board).map_err(Refusal::from)?)
}

impl Question for Probe {
    type Record = oracle::Probe;

    fn goal(&self, _: &Run) -> Result<Board, Refusal> {
        Ok(board_and_goal(&self.board, self.goal.as_deref(), self.shape)?.1)
    }

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<oracle::Probe, L::Error> {
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        ask(named, library, run, Oracle::probe)
    }
}

impl Question for Solve {
    type Record = SolutionRecord;

    fn goal(&self, _: &Run) -> Result<Board, Refusal> {
        Ok(board_and_goal(&self.board, self.goal.as_deref(), self.shape)?.1)
    }

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<SolutionRecord, L::Error> {
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        let solve = |oracle: &Oracle, board: &Board| solve(oracle, board, run);
        ask(named, library, run, solve)
    }
}

impl Question for Solutions {
    type Record = SolutionsRecord;

    fn goal(&self, run: &Run) -> Result<Board, Refusal> {
        Run::check("limit", self.limit, run.solutions)?;
        Ok(board_and_goal(&self.board, self.goal.as_deref(), self.shape)?.1)
    }

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<SolutionsRecord, L::Error> {
        self.goal(run)?;
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        let limit = self.limit.unwrap_or(run.solutions);
        let find = |oracle: &Oracle, board: &Board| SolutionsRecord::find(oracle, board, limit);
        ask(named, library, run, find)
    }
}
