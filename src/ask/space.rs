//! Questions about a whole space: its statistics, and boards drawn from it.

use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};

use super::refusal::{Refusal, RefusalCode};
use super::run::{Oracles, Question, Run, known_distance};
use super::text::goal_of;
use crate::oracle::generate::{GenerateError, Request, generate_unsolvable};
use crate::oracle::sources::is_made;
use crate::oracle::{Oracle, QueryError, StatsRecord};
use crate::puzzle::{Board, Shape, generate_by_shuffling, generate_by_walk};
use crate::search::Difficulty;
use crate::space::GoalClass;

/// A space whose boards are counted by distance.
///
/// ```
/// use puzzledb::ask::{Library, Question, Run, Stats};
///
/// let record = Stats::default().answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.states, record.max_distance), (181_440, 31));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Stats {
    /// Rows x columns [default: 3x3]
    #[cfg_attr(feature = "cli", arg(long, value_name = "RxC"))]
    pub shape: Option<Shape>,
    /// The board at distance 0: a board, or last, first or spiral
    #[cfg_attr(feature = "cli", arg(skip))]
    pub goal: Option<String>,
    /// Count optimal solutions and list the hardest boards of large spaces too
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub solutions: bool,
}

impl Stats {
    /// Returns the statistics of the space of an oracle: details of a large one, which take minutes, if they are asked for.
    ///
    /// # Errors
    /// As [`Oracle::stats`].
    pub fn measure(&self, oracle: &Oracle) -> Result<StatsRecord, QueryError> {
        match self.solutions || oracle.space()?.ranking().class().is_small() {
            true => oracle.detailed_stats(),
            false => oracle.stats(),
        }
    }
}

impl Question for Stats {
    type Record = StatsRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<StatsRecord, L::Error> {
        let goal = goal_of(self.shape, self.goal.as_deref())?;
        let oracle = library.table(&goal)?.with_cancel(&run.cancel);
        library.turn(true)?;
        Ok(self.measure(&oracle).map_err(Refusal::from)?)
    }
}

/// Boards to draw.
///
/// ```
/// use puzzledb::ask::{Generate, Library, Question, Run};
///
/// let question = Generate {
///     distance: Some(31),
///     seed: Some(1),
///     ..Generate::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.distance, record.seed), (Some(31), 1));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Generate {
    /// Boards at exactly this distance
    #[cfg_attr(feature = "cli", arg(skip))]
    pub distance: Option<u8>,
    /// Boards at this distance or more
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "D"))]
    pub min: Option<u8>,
    /// Boards at this distance or less
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "D"))]
    pub max: Option<u8>,
    /// How many boards [default: 1]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, short = 'n', value_name = "N"))]
    pub count: Option<usize>,
    /// Where the draw begins; equal seeds draw equal boards [default: a new one each time]
    #[cfg_attr(feature = "cli", arg(long, value_name = "S"))]
    pub seed: Option<u64>,
    /// Only boards with exactly one optimal solution
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub unique: bool,
    /// Beside each board how hard it is: shortest solutions (of a table), detours, traps, difficulty
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "unsolvable"))]
    pub rate: bool,
    /// Boards that cannot be solved (they can come twice)
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["distance", "min", "max", "unique"]))]
    pub unsolvable: bool,
    /// Boards that N random moves make of the goal, none of which takes back the one before
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N",
        conflicts_with_all = ["distance", "min", "max", "unique", "unsolvable"]))]
    pub walk: Option<u64>,
    /// Rows x columns [default: 3x3]
    #[cfg_attr(feature = "cli", arg(long, value_name = "RxC"))]
    pub shape: Option<Shape>,
    /// The board at distance 0: a board, or last, first or spiral
    #[cfg_attr(feature = "cli", arg(skip))]
    pub goal: Option<String>,
}

impl Generate {
    /// Returns whether boards at certain distances are drawn, or with one solution.
    pub fn is_at_distance(&self) -> bool {
        [self.distance, self.min, self.max] != [None; 3] || self.unique
    }

    /// Returns the seed: a new one of 53 bits, which a number in JavaScript holds, if none is given.
    pub fn seed(&self) -> u64 {
        self.seed
            .unwrap_or_else(|| RandomState::new().hash_one(0) >> 11)
    }

    /// Draws the boards. An oracle is needed for boards at certain distances; one with a table draws each board once.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn draw<'a>(
        &self,
        goal: &Board,
        seed: u64,
        oracle: Option<&'a Oracle>,
    ) -> Result<Box<dyn Iterator<Item = Board> + 'a>, Refusal> {
        let (goal, count) = (*goal, self.count.unwrap_or(1));
        if let Some(moves) = self.walk {
            return Ok(Box::new(generate_by_walk(&goal, moves, count, seed)));
        }
        let has_table = oracle.is_some_and(|oracle| oracle.table().is_some());
        let shuffled = generate_by_shuffling(&goal, count, seed);
        Ok(match oracle {
            Some(oracle) if has_table && self.unsolvable => {
                Box::new(generate_unsolvable(oracle.space()?, count, seed))
            }
            Some(oracle) if has_table || self.is_at_distance() => {
                let drawn = oracle.generate(&self.request(oracle, seed)?);
                let drawn = drawn.map_err(|error| too_few(error, oracle))?;
                Box::new(drawn.into_iter())
            }
            _ if self.unsolvable => Box::new(shuffled.map(|it| it.with_two_tiles_exchanged())),
            _ => Box::new(shuffled),
        })
    }

    /// The request of these options, with distances that an oracle's table has.
    fn request(&self, oracle: &Oracle, seed: u64) -> Result<Request, Refusal> {
        let farthest = farthest(oracle).unwrap_or(u8::MAX);
        let min = self.distance.or(self.min).unwrap_or(0);
        let max = self.distance.or(self.max).unwrap_or(farthest);
        if min > max {
            let sentence = format!("no distance is {min} or more and {max} or less");
            return Err(Refusal::new(RefusalCode::BadOption, sentence));
        }
        Ok(Request {
            unique: self.unique,
            ..Request::new(min..=max, self.count.unwrap_or(1), seed)
        })
    }
}

/// The largest distance in an oracle's table.
fn farthest(oracle: &Oracle) -> Option<u8> {
    oracle.table().map(|table| table.header().max_distance())
}

/// The refusal of a draw, with the largest distance where too few boards fit.
fn too_few(error: GenerateError, oracle: &Oracle) -> Refusal {
    let (shape, farthest) = (oracle.shape(), farthest(oracle));
    match (&error, farthest) {
        (GenerateError::TooFew { .. }, Some(farthest)) => {
            let sentence = format!("{error}: {shape} distances go up to {farthest}");
            Refusal::new(RefusalCode::BadOption, sentence)
        }
        _ => error.into(),
    }
}

impl Question for Generate {
    /// The first board.
    type Record = DrawnRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<DrawnRecord, L::Error> {
        let (goal, seed) = (goal_of(self.shape, self.goal.as_deref())?, self.seed());
        let oracle = library.oracle(&goal)?.with_cancel(&run.cancel);
        library.turn(oracle.table().is_none())?;
        let request = self.request(&oracle, seed)?;
        let (least, most) = (*request.distances.start(), *request.distances.end());
        if oracle.generate_needs_search(&request) {
            let is_large = !GoalClass::of(&goal).is_ok_and(is_made);
            if is_large && farthest(&oracle) >= Some(least) {
                let sentence = format!(
                    "{} boards at distance {least} are so rare that the whole space must be searched for them, which is \
                     not done here: the command `puzzledb generate` does it",
                    goal.shape()
                );
                return Err(Refusal::new(RefusalCode::TooLarge, sentence).into());
            }
            library.turn(true)?;
        }
        let drawn = oracle.generate_soon(&request);
        let board = drawn.map_err(|error| too_few(error, &oracle))?;
        let distance = match least == most {
            true => Some(least),
            false => known_distance(library, run, (&board, &goal))?,
        };
        let rating = self.rate.then(|| Difficulty::of(&oracle, &board));
        let rating = rating.transpose().map_err(Refusal::from)?;
        Ok(DrawnRecord::new(board, goal, distance, seed, rating))
    }
}

/// A board that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct DrawnRecord {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Its distance; `None` if it is not known soon.
    pub distance: Option<u8>,
    /// The seed that draws it again.
    pub seed: u64,
    /// Number of shortest solutions, if the board is rated and a table has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution_count: Option<u64>,
    /// Moves of a shortest solution that seem to lead away, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detours: Option<u32>,
    /// Moves on the way that seem to lead closer and do not, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traps: Option<u32>,
    /// Distance and detours together, if the board is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<u32>,
}

impl DrawnRecord {
    /// Returns the record of a board that a seed has drawn.
    pub fn new(
        board: Board,
        goal: Board,
        distance: Option<u8>,
        seed: u64,
        rating: Option<Difficulty>,
    ) -> DrawnRecord {
        DrawnRecord {
            board,
            goal,
            distance,
            seed,
            solution_count: rating.and_then(|rating| rating.solution_count),
            detours: rating.map(|rating| rating.detours),
            traps: rating.map(|rating| rating.traps),
            difficulty: rating.map(|rating| rating.difficulty),
        }
    }
}
