//! Questions about one board: its distance and moves, a shortest solution, and all of them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run};
use super::text::board_and_goal;
use crate::oracle::{self, Bounds, Oracle, QueryError, SolutionRecord, SolutionsRecord};
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
/// let record = question.answer(&Library::new(None), &Run::default())?.proved().unwrap();
/// assert_eq!((record.distance, record.steps[0].distance), (19, 18));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Probe {
    /// The board
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
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
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
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
/// let record = question.answer(&Library::new(None), &Run::default())?.proved().unwrap();
/// assert_eq!((record.solution_count, record.solutions.len()), (Some(7), 2));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Solutions {
    /// The board
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    pub shape: Option<Shape>,
    /// How many solutions at most
    pub limit: Option<usize>,
}

/// The record of a board whose distance is proved, or what is proved of its distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum OrBounds<R> {
    /// The record
    Proved(R),
    /// A solution with bounds of the distance, which is null
    Bounds(SolutionRecord),
}

impl<R> OrBounds<R> {
    /// Returns the record, if the distance is proved.
    pub fn proved(self) -> Option<R> {
        match self {
            OrBounds::Proved(record) => Some(record),
            OrBounds::Bounds(_) => None,
        }
    }
}

/// Time for a good solution and a lower bound where a search for a shortest solution gave up.
const BOUNDS_TIME: Duration = Duration::from_secs(1);

/// Returns the record of the oracle for the goal of a board, or the bounds of a distance whose search gave up.
fn ask<L: Oracles, R>(
    (board, goal): (Board, Board),
    library: &L,
    run: &Run,
    record: impl FnOnce(&Oracle, &Board) -> Result<R, QueryError>,
) -> Result<OrBounds<R>, L::Error> {
    let oracle = library.oracle(&goal)?.with_cancel(&run.cancel);
    library.turn(oracle.table().is_none())?;
    let proved = match record(&oracle, &board) {
        Err(QueryError::GaveUp { at_least }) => at_least as usize,
        record => return Ok(record.map(OrBounds::Proved).map_err(Refusal::from)?),
    };
    let mut settings = AnytimeSettings::new(Some(run.time.unwrap_or(BOUNDS_TIME).min(BOUNDS_TIME)));
    settings.cancel = run.cancel.clone();
    let found = oracle.solve_within(&board, &settings);
    let found = found.map_err(Refusal::from)?;
    let found = Bounds::new(found.moves, found.at_least.max(proved));
    let bounds = SolutionRecord::within(&board, &goal, &found);
    Ok(OrBounds::Bounds(bounds))
}

impl Question for Probe {
    type Record = OrBounds<oracle::Probe>;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<Self::Record, L::Error> {
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        ask(named, library, run, Oracle::probe)
    }
}

impl Question for Solve {
    type Record = SolutionRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<SolutionRecord, L::Error> {
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        match ask(named, library, run, SolutionRecord::solve)? {
            OrBounds::Proved(record) | OrBounds::Bounds(record) => Ok(record),
        }
    }
}

impl Question for Solutions {
    type Record = OrBounds<SolutionsRecord>;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<Self::Record, L::Error> {
        Run::check("limit", self.limit, run.solutions)?;
        let named = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        let limit = self.limit.or(run.solutions).unwrap_or(usize::MAX);
        let find = |oracle: &Oracle, board: &Board| SolutionsRecord::find(oracle, board, limit);
        ask(named, library, run, find)
    }
}
