//! How many boards a correct search of a board expands.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run, heuristic};
use super::text::board_and_goal;
use crate::puzzle::{Board, Shape};
use crate::search::{Algorithm, EffortError, Efforts, GoalTest, HeuristicName};

/// A board, and the kind of search whose expansions are bounded.
///
/// ```
/// use puzzledb::ask::{Effort, Library, Question, Run};
///
/// let question = Effort {
///     board: "638541720".to_owned(),
///     expanded: Some(3_010_477),
///     ..Effort::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.certain, record.most, record.possible), (3902, 9788, Some(false)));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Effort {
    /// The board
    #[cfg_attr(feature = "cli", arg(skip))]
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    #[cfg_attr(feature = "cli", arg(skip))]
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    #[cfg_attr(feature = "cli", arg(skip))]
    pub shape: Option<Shape>,
    /// ucs (dijkstra), astar, idastar or bfs [default: astar]
    #[cfg_attr(feature = "cli", arg(long, value_name = "A"))]
    pub algorithm: Option<Algorithm>,
    /// A consistent heuristic [default: manhattan]
    #[cfg_attr(feature = "cli", arg(long, value_name = "H"))]
    pub heuristic: Option<HeuristicName>,
    /// When the goal is looked for: early, among the successors, or late, when a board is taken from
    /// the queue [default: early for bfs, late for the others]
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHEN"))]
    #[cfg_attr(feature = "schema", param(inline))]
    pub goal_test: Option<GoalTest>,
    /// The number of expansions that is to be judged
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub expanded: Option<u64>,
}

impl Effort {
    /// Returns the algorithm, its goal test and its heuristic.
    pub fn method(&self) -> (Algorithm, GoalTest, HeuristicName) {
        let algorithm = self.algorithm.unwrap_or(Algorithm::AStar);
        let goal_test = self.goal_test.unwrap_or(GoalTest::usual(algorithm));
        let name = algorithm.heuristic_or_usual(self.heuristic.as_ref());
        (algorithm, goal_test, name)
    }

    /// Returns what the boards of a goal share.
    ///
    /// # Errors
    /// [`Refusal`], or why the library has no table.
    pub fn prepare<L: Oracles>(
        &self,
        goal: &Board,
        library: &L,
        run: &Run,
    ) -> Result<Efforts, L::Error> {
        let oracle = library.table(goal)?.with_cancel(&run.cancel);
        let states = oracle.space().map_err(Refusal::from)?.ranking().states();
        if run.states.is_some_and(|most| states > most) {
            return Err(Refusal::from(EffortError::TooLarge { states }).into());
        }
        let (algorithm, _, name) = self.method();
        let heuristic = heuristic(&name, goal, library, run)?;
        let efforts = Efforts::new(&oracle, algorithm, &heuristic);
        Ok(efforts.map_err(Refusal::from)?)
    }

    /// Returns the record of a board.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn record(&self, board: &Board, efforts: &Efforts) -> Result<EffortRecord, Refusal> {
        let (algorithm, goal_test, name) = self.method();
        let effort = efforts.of(board, goal_test)?;
        let judged = self.expanded.map(|expanded| effort.judge(expanded));
        Ok(EffortRecord {
            board: *board,
            algorithm: algorithm.name().to_owned(),
            heuristic: name.to_string(),
            distance: effort.distance,
            states: effort.states,
            certain: effort.certain,
            least: effort.least,
            most: effort.most,
            goal_test: effort.goal_test,
            expanded: self.expanded,
            possible: judged.as_ref().map(Result::is_ok),
            why: judged.and_then(Result::err),
        })
    }
}

impl Question for Effort {
    type Record = EffortRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<EffortRecord, L::Error> {
        let (board, goal) = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        Ok(self.record(&board, &self.prepare(&goal, library, run)?)?)
    }
}

/// The bounds for a board, and the verdict on a reported number of expansions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct EffortRecord {
    /// The board.
    pub board: Board,
    /// The algorithm's name.
    pub algorithm: String,
    /// The heuristic's name.
    pub heuristic: String,
    /// The board's distance.
    pub distance: u8,
    /// States that there are.
    pub states: u64,
    /// Expansions that every order of ties makes.
    pub certain: u64,
    /// The fewest expansions.
    pub least: u64,
    /// The most expansions.
    pub most: u64,
    /// When the goal is tested.
    pub goal_test: GoalTest,
    /// The number that was reported.
    pub expanded: Option<u64>,
    /// Whether it is possible.
    pub possible: Option<bool>,
    /// Why it is not.
    pub why: Option<String>,
}
