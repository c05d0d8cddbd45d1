//! What heuristics say of a board.

use serde::{Deserialize, Serialize};

use super::run::{Oracles, Question, Run, heuristic, known_distance};
use super::text::board_and_goal;
use crate::puzzle::{Board, Shape};
use crate::search::{BoardHeuristic, HeuristicName};

/// A board and a goal, for the estimates of heuristics.
///
/// ```
/// use puzzledb::ask::{Estimates, Library, Question, Run};
///
/// let question = Estimates {
///     board: "870654321".to_owned(),
///     heuristics: vec!["manhattan".parse()?, "perfect".parse()?],
///     ..Estimates::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.values[0].value, record.values[1].value), (20.0, 26.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Estimates {
    /// The board
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, up to 8x8, for boards that are not square
    pub shape: Option<Shape>,
    /// The heuristics [default: those without parameters that are made at once]
    #[serde(skip)]
    pub heuristics: Vec<HeuristicName>,
}

impl Estimates {
    /// Returns the heuristics for a goal; none for the perfect one, which is the distance.
    ///
    /// # Errors
    /// [`Refusal`], or why the library has no oracle.
    pub fn prepare<L: Oracles>(
        &self,
        goal: &Board,
        library: &L,
        run: &Run,
    ) -> Result<Vec<(HeuristicName, Option<BoardHeuristic>)>, L::Error> {
        let shape = goal.shape();
        // Larger tables than those of 4x4 take too long for this.
        let is_soon = |name: &HeuristicName| {
            *name != HeuristicName::WalkingDistance || shape.rows().max(shape.cols()) <= 4
        };
        let names = match &self.heuristics[..] {
            [] => HeuristicName::all().filter(is_soon).collect(),
            names => names.to_vec(),
        };
        let make = |name: HeuristicName| {
            let is_made = name != HeuristicName::Perfect;
            let made = is_made.then(|| heuristic(&name, goal, library, run));
            Ok((name, made.transpose()?))
        };
        names.into_iter().map(make).collect()
    }
}

impl Question for Estimates {
    type Record = EstimatesRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<EstimatesRecord, L::Error> {
        let (board, goal) = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        let distance = known_distance(library, run, (&board, &goal))?;
        let made = self.prepare(&goal, library, run)?;
        Ok(EstimatesRecord::new(&board, &goal, distance, &made))
    }
}

/// What every heuristic says of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Estimates))]
#[non_exhaustive]
pub struct EstimatesRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Its distance; null if no table has it and a search would take too long.
    pub distance: Option<u8>,
    /// The estimates.
    pub values: Vec<Estimate>,
}

/// What a heuristic says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Estimate {
    /// Its name.
    pub heuristic: String,
    /// Its estimate, in moves.
    pub value: f64,
}

impl EstimatesRecord {
    /// Returns the estimates of some heuristics; without one it is the distance, and left out where that is not known.
    pub fn new(
        board: &Board,
        goal: &Board,
        distance: Option<u8>,
        heuristics: &[(HeuristicName, Option<BoardHeuristic>)],
    ) -> EstimatesRecord {
        let estimate = |(name, heuristic): &(HeuristicName, Option<BoardHeuristic>)| {
            let value = match heuristic {
                Some(heuristic) => heuristic.value(board),
                None => f64::from(distance?),
            };
            let heuristic = name.to_string();
            Some(Estimate { heuristic, value })
        };
        EstimatesRecord {
            board: *board,
            goal: *goal,
            distance,
            values: heuristics.iter().filter_map(estimate).collect(),
        }
    }
}
