//! A board to solve by a search of the textbooks.

use std::borrow::Cow;
use std::num::NonZero;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run, distance_oracle, heuristic};
use super::text::{board_and_goal, order, weight};
#[cfg(feature = "cli")]
use super::text::{parse_order, parse_temperature, parse_weight};
use crate::basics::parallel::each;
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move, Shape, letters};
use crate::search::{
    Algorithm, Counters, ExpandedList, Failure, HeuristicName, Method, Report, Settings, Ties,
    TraceStep, Watch, search_watched,
};

use Algorithm as A;

/// The default limit of expansions for algorithms that may never end.
const ENDLESS_LIMIT: u64 = 1_000_000;

/// A board to solve by a search, and the search.
///
/// ```
/// use puzzledb::ask::{Library, Question, Run, Search};
///
/// let question = Search {
///     board: "704851632".to_owned(),
///     ..Search::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.length, record.distance), (Some(19), Some(19)));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Search {
    /// The board
    #[cfg_attr(feature = "cli", arg(skip))]
    pub board: String,
    /// The board at distance 0: a board, or last, first or spiral
    #[cfg_attr(feature = "cli", arg(skip))]
    pub goal: Option<String>,
    /// Rows x columns, up to 8x8, for boards that are not square
    #[cfg_attr(feature = "cli", arg(skip))]
    pub shape: Option<Shape>,
    /// The algorithm [default: astar]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub algorithm: Option<Algorithm>,
    /// The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub heuristic: Option<HeuristicName>,
    /// The heuristic's weight in weighted-astar [default: 2]
    #[serde(default, deserialize_with = "weight")]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "W", value_parser = parse_weight))]
    #[cfg_attr(feature = "schema", param(value_type = Option<String>))]
    pub weight: Option<f64>,
    /// Where draws begin; equal seeds search equally [default: 1]
    #[cfg_attr(feature = "cli", arg(long, value_name = "S"))]
    pub seed: Option<u64>,
    /// Give up after so many expansions [default: 1000000 for algorithms that draw, and with exhaust for dfs, ids, idastar
    /// and rbfs; for the others as many as are allowed]
    #[serde(rename = "limit")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub limit_expansions: Option<u64>,
    /// The order in which the blank's moves are tried, as in URDL [default: UDLR]
    #[serde(default, deserialize_with = "order")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "ORDER", value_parser = parse_order))]
    #[cfg_attr(feature = "schema", param(value_type = Option<String>))]
    pub order: Option<[Move; 4]>,
    /// What is done with boards that were expanded before [default: reopen for astar, weighted-astar and dfs, else strict]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "HOW", value_enum))]
    pub expanded: Option<ExpandedList>,
    /// Which of equals a best-first search expands first [default: deep]
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHICH", value_enum))]
    #[cfg_attr(feature = "schema", param(inline))]
    pub ties: Option<Ties>,
    /// How deep dfs and ids go [default: 50 for dfs]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "DEPTH"))]
    pub depth_limit: Option<u32>,
    /// Boards of each level that beam search keeps [default: 100]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N"))]
    #[cfg_attr(feature = "schema", param(value_type = Option<u32>, minimum = 1))]
    pub width: Option<NonZero<usize>>,
    /// Random moves of hill-climbing-restarts [default: 64]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N"))]
    pub restart_steps: Option<NonZero<u32>>,
    /// Temperature of annealing's start, in moves [default: 4]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "T", value_parser = parse_temperature))]
    pub temperature: Option<f64>,
    /// Steps of annealing until it is hot again [default: 20000]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N"))]
    pub cooling_steps: Option<NonZero<u32>>,
    /// Move sequences of genetic, to 100000 [default: 200]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N", value_parser = at_most::<100_000>))]
    pub population: Option<NonZero<usize>>,
    /// Moves in a sequence of genetic, to 1000 [default: 64]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N", value_parser = at_most::<1000>))]
    pub genes: Option<NonZero<usize>>,
    /// One in so many moves of genetic is changed [default: 32]
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true, value_name = "N"))]
    pub mutation: Option<NonZero<u32>>,
    /// Search a board that cannot be solved too, until nothing is left
    #[serde(skip)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub exhaust: bool,
    /// Give the first so many expansions too
    #[cfg_attr(feature = "cli", arg(skip))]
    pub trace: Option<usize>,
}

/// Reads a number from 1 to `MOST`.
#[cfg(feature = "cli")]
fn at_most<const MOST: usize>(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse::<NonZero<usize>>().ok();
    let number = number.filter(|number| number.get() <= MOST);
    number.ok_or_else(|| format!("not a number from 1 to {MOST}"))
}

impl Search {
    /// Returns the settings, and the heuristic for a goal.
    ///
    /// # Errors
    /// As [`heuristic`].
    pub fn method<L: Oracles>(
        &self,
        goal: &Board,
        library: &L,
        run: &Run,
    ) -> Result<Method, L::Error> {
        let settings = self.settings(run);
        let made = heuristic(&settings.heuristic, goal, library, run)?;
        Ok((settings, made))
    }

    /// The settings, within limits.
    fn settings(&self, run: &Run) -> Settings {
        let algorithm = self.algorithm.unwrap_or(A::AStar);
        let mut settings = Settings::new(algorithm);
        // Where there is no solution these expand boards again and again.
        let repeats = matches!(
            algorithm,
            A::DepthFirst | A::IterativeDeepening | A::IdaStar | A::Rbfs
        );
        let is_endless = algorithm.is_stochastic() || self.exhaust && repeats;
        let limit = is_endless.then_some(ENDLESS_LIMIT);
        settings.heuristic = algorithm.heuristic_or_usual(self.heuristic.as_ref());
        settings.weight = self.weight.unwrap_or(settings.weight);
        settings.seed = self.seed();
        let limits = &mut settings.limits;
        let expansions = self.limit_expansions.or(run.expansions);
        limits.expansions = expansions.or(limit).unwrap_or(u64::MAX);
        limits.time = run.time.unwrap_or(limits.time);
        limits.memory = run.memory.unwrap_or(limits.memory);
        settings.order = self.order.unwrap_or(Move::ALL);
        settings.expanded = self.expanded;
        settings.ties = self.ties.unwrap_or(settings.ties);
        settings.depth_limit = self.depth_limit;
        settings.width = self.width.map_or(settings.width, NonZero::get);
        settings.restart_steps = self.restart_steps.unwrap_or(settings.restart_steps);
        let (cooling, population) = (&mut settings.cooling, &mut settings.population);
        cooling.start = self.temperature.unwrap_or(cooling.start);
        cooling.steps = self.cooling_steps.unwrap_or(cooling.steps);
        population.size = self.population.unwrap_or(population.size);
        population.genes = self.genes.unwrap_or(population.genes);
        population.mutation = self.mutation.unwrap_or(population.mutation);
        settings
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

impl Question for Search {
    type Record = SearchRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<SearchRecord, L::Error> {
        Run::check("limit", self.limit_expansions, run.expansions)?;
        Run::check("trace", self.trace, run.trace)?;
        let (board, goal) = board_and_goal(&self.board, self.goal.as_deref(), self.shape)?;
        let most = self.trace.unwrap_or(0);
        let mut steps = Vec::new();
        let mut keep = |step: &TraceStep| {
            if steps.len() < most {
                steps.push(*step);
            }
            std::ops::ControlFlow::Continue(())
        };
        let watch = Watch {
            observer: Some(&mut keep),
            ..Watch::with_cancel(&run.cancel)
        };
        let oracle = distance_oracle(library, &goal)?;
        let oracle = oracle.map(|oracle| oracle.with_cancel(&run.cancel));
        library.turn(true)?;
        let method = self.method(&goal, library, run)?;
        let mut record = search_by(&method, (&board, &goal), oracle.as_ref(), watch)?;
        if record.failure == Some(Failure::Cancelled) {
            return Err(Refusal::from(QueryError::Cancelled).into());
        }
        record.trace = (most > 0).then_some(steps);
        Ok(record)
    }
}

/// Searches one board by a method, beside the length of a shortest solution if that is soon known to the oracle.
///
/// # Errors
/// [`Refusal`]
pub fn search_by(
    (settings, heuristic): &Method,
    (board, goal): (&Board, &Board),
    oracle: Option<&Oracle>,
    watch: Watch<'_>,
) -> Result<SearchRecord, Refusal> {
    let report = search_watched(board, goal, settings, heuristic, watch)?;
    let optimal = optimal(oracle, (board, goal), [(settings, &report)])?;
    Ok(SearchRecord::new(board, goal, settings, &report, optimal))
}

/// Searches one board by some methods, several on the threads of the calling rayon pool. The length of a shortest solution is
/// looked for once. `watch` makes what watches a search.
///
/// # Errors
/// [`Refusal`]
pub fn search_by_each(
    methods: &[Method],
    (board, goal): (&Board, &Board),
    oracle: Option<&Oracle>,
    watch: impl Fn() -> Watch<'static> + Sync,
) -> Result<Vec<SearchRecord>, Refusal> {
    let search =
        |(settings, heuristic): &Method| search_watched(board, goal, settings, heuristic, watch());
    let reports = each(methods, search).into_iter();
    let reports: Vec<Report> = reports.collect::<Result<_, _>>()?;
    let searches = || methods.iter().map(|(settings, _)| settings).zip(&reports);
    let optimal = optimal(oracle, (board, goal), searches())?;
    let record = |(settings, report)| SearchRecord::new(board, goal, settings, report, optimal);
    Ok(searches().map(record).collect())
}

/// The length of a shortest solution: looked up, or by another search unless these prove it or were cancelled.
fn optimal<'a>(
    oracle: Option<&Oracle>,
    (board, goal): (&Board, &Board),
    searches: impl IntoIterator<Item = (&'a Settings, &'a Report)>,
) -> Result<Option<u8>, QueryError> {
    let is_needed = |(settings, report): (&Settings, &Report)| match report.result {
        Ok(_) => !settings.is_optimal(),
        Err(failure) => failure != Failure::Cancelled,
    };
    match oracle.filter(|_| board.is_solvable_to(goal)) {
        Some(oracle) if oracle.table().is_some() || searches.into_iter().any(is_needed) => {
            Ok(oracle.optimum(board)?.known())
        }
        _ => Ok(None),
    }
}

/// One search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Searched))]
#[non_exhaustive]
pub struct SearchRecord {
    /// The board that it started from.
    pub board: Board,
    /// The goal.
    pub goal: Board,
    /// The algorithm's name.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub algorithm: Cow<'static, str>,
    /// The heuristic's name; `None` for uninformed algorithms.
    pub heuristic: Option<String>,
    /// Whether it found a solution.
    pub solved: bool,
    /// Why it found none.
    pub failure: Option<Failure>,
    /// Moves of the solution.
    pub length: Option<usize>,
    /// Length of a shortest solution; `None` if no oracle has it.
    pub distance: Option<u8>,
    /// Moves beyond the optimum.
    pub gap: Option<usize>,
    /// The solution: the directions in which the blank travels, a letter for each move.
    pub moves: Option<String>,
    /// The counters of the search.
    #[serde(flatten)]
    pub figures: Counters,
    /// The time that it took.
    pub seconds: f64,
    /// The first expansions, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceStep>>,
}

impl SearchRecord {
    /// Returns the record of a search from `board` to `goal` by the heuristic that the settings name. `distance` is the
    /// length of a shortest solution, if it is known; if not, it is taken from a solution whose search
    /// [finds a shortest one](Settings::is_optimal).
    pub fn new(
        board: &Board,
        goal: &Board,
        settings: &Settings,
        report: &Report,
        distance: Option<u8>,
    ) -> SearchRecord {
        let solution = report.result.as_ref().ok();
        let length = solution.map(Vec::len);
        let proven = length.filter(|_| settings.is_optimal());
        let distance = distance.or(proven.and_then(|length| u8::try_from(length).ok()));
        let gap = length.zip(distance);
        let informed = settings.algorithm.is_informed();
        SearchRecord {
            board: *board,
            goal: *goal,
            algorithm: Cow::Borrowed(settings.algorithm.name()),
            heuristic: informed.then(|| settings.heuristic.to_string()),
            solved: solution.is_some(),
            failure: report.result.as_ref().err().copied(),
            length,
            distance,
            gap: gap.map(|(length, distance)| length.saturating_sub(usize::from(distance))),
            moves: solution.map(|moves| letters(moves)),
            figures: report.figures,
            seconds: report.time.as_secs_f64(),
            trace: None,
        }
    }

    /// Returns the names of the algorithm and its heuristic, for display.
    pub fn method(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.to_string(),
        }
    }
}
