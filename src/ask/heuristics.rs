//! Questions about heuristics: what they say of a board, whether they ever say too much, and how many boards a correct search
//! by one expands.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run, heuristic, known_distance};
use super::text::{board_and_goal, goal_of};
use crate::oracle::Oracle;
use crate::puzzle::{Board, Shape};
use crate::search::{
    self, Algorithm, BoardHeuristic, EffortError, Efforts, GoalTest, HeuristicName,
};

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

/// A heuristic that is audited over all boards of a space.
///
/// ```
/// use puzzledb::ask::{Audit, Library, Question, Run};
///
/// let question = Audit {
///     heuristic: Some("misplaced-with-blank".parse()?),
///     ..Audit::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.audit.admissible, record.audit.overestimates), (false, 78));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// The heuristic [default: manhattan]
    pub heuristic: Option<HeuristicName>,
    /// Rows x columns [default: 3x3]
    pub shape: Option<Shape>,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
}

/// The audit of a heuristic.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// The heuristic, or the table or program that gave the values.
    pub heuristic: String,
    /// The board at distance 0.
    pub goal: Board,
    /// What was found over all boards.
    #[serde(flatten)]
    pub audit: search::Audit,
}

impl AuditRecord {
    /// Returns the record of an audit over the boards of an oracle.
    pub fn new(heuristic: impl ToString, oracle: &Oracle, audit: search::Audit) -> AuditRecord {
        AuditRecord {
            heuristic: heuristic.to_string(),
            goal: *oracle.goal(),
            audit,
        }
    }
}

impl Question for Audit {
    type Record = AuditRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<AuditRecord, L::Error> {
        let goal = goal_of(self.shape, self.goal.as_deref())?;
        let name = self.heuristic.clone().unwrap_or(HeuristicName::Manhattan);
        let oracle = library.table(&goal)?.with_cancel(&run.cancel);
        let states = oracle.space().map_err(Refusal::from)?.ranking().states();
        Run::check("the number of boards", Some(states), run.states)?;
        let heuristic = heuristic(&name, &goal, library, run)?;
        let audit = search::audit(&oracle, |board| heuristic.value(board));
        let audit = audit.map_err(Refusal::from)?;
        Ok(AuditRecord::new(name, &oracle, audit))
    }
}

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
