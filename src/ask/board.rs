//! Questions about one board: its distance and moves, a shortest solution, and all of them.

use serde::Deserialize;

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run};
use super::text::board_and_goal;
use crate::oracle::{self, Oracle, QueryError, SolutionRecord, SolutionsRecord};
use crate::puzzle::{Board, Shape};

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
/// assert_eq!((record.distance, record.moves[0].distance), (19, 18));
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
/// assert_eq!((record.solutions, record.moves.len()), (Some(7), 2));
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

/// Asks the oracle for the goal of a board.
fn ask<L: Oracles, T>(
    (board, goal): (&str, Option<&str>),
    shape: Option<Shape>,
    library: &L,
    run: &Run,
    answer: impl FnOnce(&Oracle, &Board) -> Result<T, QueryError>,
) -> Result<T, L::Error> {
    let (board, goal) = board_and_goal(board, goal, shape)?;
    let oracle = library.oracle(&goal)?.with_cancel(&run.cancel);
    Ok(answer(&oracle, &board).map_err(Refusal::from)?)
}

impl Question for Probe {
    type Record = oracle::Probe;

    fn goal(&self, _: &Run) -> Result<Board, Refusal> {
        Ok(board_and_goal(&self.board, self.goal.as_deref(), self.shape)?.1)
    }

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<oracle::Probe, L::Error> {
        let named = (&*self.board, self.goal.as_deref());
        ask(named, self.shape, library, run, Oracle::probe)
    }
}

impl Question for Solve {
    type Record = SolutionRecord;

    fn goal(&self, _: &Run) -> Result<Board, Refusal> {
        Ok(board_and_goal(&self.board, self.goal.as_deref(), self.shape)?.1)
    }

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<SolutionRecord, L::Error> {
        let named = (&*self.board, self.goal.as_deref());
        ask(named, self.shape, library, run, SolutionRecord::solve)
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
        let named = (&*self.board, self.goal.as_deref());
        let limit = self.limit.unwrap_or(run.solutions);
        let find = |oracle: &Oracle, board: &Board| SolutionsRecord::find(oracle, board, limit);
        ask(named, self.shape, library, run, find)
    }
}
