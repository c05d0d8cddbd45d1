//! Questions about one board: its distance and moves, a shortest solution, all of them, and the board after some moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run};
use super::solutions::{SolutionRecord, SolutionsRecord};
use super::text::board_and_goal;
use super::verify::Moves;
use crate::judge::records::Reader;
use crate::oracle::{self, Oracle, QueryError};
use crate::puzzle::{Board, Numbering, Shape, letters};
use crate::search::{AnytimeSettings, Bounds};

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

/// A board and moves to make on it.
///
/// ```
/// use puzzledb::ask::Apply;
///
/// let question = Apply {
///     board: "123405786".to_owned(),
///     path: "right, down".to_owned(),
///     ..Apply::default()
/// };
/// let record = question.answer()?;
/// assert_eq!((record.moves.as_str(), record.end.to_string()), ("RD", "123456780".to_owned()));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The board
    pub board: String,
    /// The moves: directions, also with counts, words, arrows, the numbers of the tiles, or boards
    pub path: String,
    /// How the moves are written [default: directions are the blank's, numbers are tiles]
    #[serde(default)]
    pub moves: Moves,
    /// What a direction over the edge of the board is [default: an error]
    #[serde(default)]
    pub edges: Edges,
    /// Rows x columns, for boards that are not square
    pub shape: Option<Shape>,
    /// The number that stands for the blank [default: 0]
    #[serde(default)]
    pub blank: u8,
}

/// What a direction over the edge of the board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Edges {
    /// An error
    #[default]
    Refuse,
    /// No move: the board stays as it is
    Stay,
}

/// A path that was made on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PathRecord {
    /// The board.
    pub board: Board,
    /// The blank's moves, a letter each.
    pub moves: String,
    /// The tile that slides in each move.
    pub tiles: Vec<u8>,
    /// Number of moves.
    pub length: usize,
    /// The board after the moves.
    pub end: Board,
}

impl Apply {
    /// Makes the moves.
    ///
    /// # Errors
    /// [`Refusal`] if the board or the moves cannot be read, or a move is impossible.
    pub fn answer(&self) -> Result<PathRecord, Refusal> {
        let &Apply { shape, blank, .. } = self;
        let reader = Reader {
            numbering: Numbering { shape, blank },
            only: self.moves.only(),
            ..Reader::default()
        };
        let board = reader.numbering.board(self.board.as_bytes())?;
        let moves = reader.moves(&board, self.path.as_bytes(), self.edges == Edges::Stay)?;
        let end = board.replay(&moves).expect("the reader made these moves");
        Ok(PathRecord {
            board,
            moves: letters(&moves),
            tiles: board.tiles_slid(&moves).collect(),
            length: moves.len(),
            end,
        })
    }
}
