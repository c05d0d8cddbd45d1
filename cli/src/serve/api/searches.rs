//! Routes about searches and heuristics.

use std::num::NonZero;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::values::{TIES, find};
use puzzledb::oracle::{Oracle, QueryError};
use puzzledb::pattern::Partition;
use puzzledb::puzzle::{Board, Shape, parse_board};
use puzzledb::search::{
    self, Algorithm, BoardHeuristic, EffortError, EffortRecord, EstimatesRecord, Failure, GoalTest,
    HeuristicName, Pattern, SettingError, Settings, Ties, TracedRecord, parse_order, parse_weight,
};
use puzzledb::space::{Frame, check_solvable};

use super::super::answer::{Cacheable, NoStore};
use super::super::app::{App, goal_or_default};
use super::super::config::Limits;
use super::super::figures::EffortQuestion;
use super::super::problem::Problem;
use super::super::tables::unless_changed;
use super::params::QueryParams;
use super::schemas::{self, ErrorResponses};

/// A board to solve by a search, and the search.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SearchQuery {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, up to 8x8, for boards that are not square
    shape: Option<String>,
    /// The algorithm [default: astar]
    #[param(example = "astar", schema_with = schemas::algorithms)]
    algorithm: Option<String>,
    /// The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]
    #[param(example = "manhattan", schema_with = schemas::heuristics)]
    heuristic: Option<String>,
    /// The heuristic's weight in weighted A* [default: 2]
    weight: Option<String>,
    /// Where draws begin; equal seeds search equally [default: 1]
    #[param(format = "uint64")]
    seed: Option<u64>,
    /// Boards of each level that beam search keeps [default: 100]
    #[param(value_type = Option<u32>, minimum = 1)]
    width: Option<NonZero<usize>>,
    /// Which of equals a best-first search expands first [default: deep]
    #[param(schema_with = schemas::ties)]
    ties: Option<String>,
    /// The order in which the blank's moves are tried [default: UDLR]
    order: Option<String>,
    /// Give up after so many expansions
    #[param(maximum = 1_000_000)]
    limit: Option<u64>,
    /// Give the first so many expansions too
    #[param(maximum = 10_000)]
    trace: Option<usize>,
}

/// A search of the textbooks, and what it costs
#[utoipa::path(get, path = "/v1/search", tag = "Searches", params(SearchQuery),
    responses((status = 200, description = "What the search did", body = TracedRecord), ErrorResponses))]
pub(super) async fn search(
    State(app): State<Arc<App>>,
    QueryParams(query): QueryParams<SearchQuery>,
) -> Result<NoStore<TracedRecord>, Problem> {
    let (board, goal) = board_and_goal(&query.board, query.shape.as_deref(), &query.goal)?;
    let settings = settings(&query, &app.limits)?;
    let most = app.limits.trace;
    let trace = query.trace.unwrap_or(0);
    if trace > most {
        return Err(Problem::bad(format!("trace is {most} at most")));
    }
    let optimal = app.distance(board, &goal).await?;
    let shared = Arc::clone(&app);
    let found = app.heavy(move |cancel| {
        let heuristic = make_heuristic(&settings.heuristic, &goal, &shared)?;
        let (boards, kept) = ((&board, &goal), (optimal, trace));
        let searched = TracedRecord::search(boards, &settings, &heuristic, kept, cancel)?;
        if searched.record.failure == Some(Failure::Cancelled) {
            return Err(QueryError::Cancelled.into());
        }
        Ok(searched)
    });
    found.await.map(NoStore)
}

/// The settings of a search, within the limits of this server.
fn settings(query: &SearchQuery, limits: &Limits) -> Result<Settings, Problem> {
    let algorithm = parse_algorithm(query.algorithm.as_deref())?;
    let most = limits.expansions;
    let expansions = query.limit.unwrap_or(most);
    if expansions > most {
        return Err(Problem::bad(format!("limit is {most} at most")));
    }
    let bad = |error: SettingError| Problem::bad(error.to_string());
    let mut settings = Settings::new(algorithm);
    settings.heuristic = heuristic_name(query.heuristic.as_deref(), algorithm)?;
    if let Some(weight) = query.weight.as_deref() {
        settings.weight = parse_weight(weight).map_err(bad)?;
    }
    settings.seed = query.seed.unwrap_or(settings.seed);
    if let Some(order) = query.order.as_deref() {
        settings.order = parse_order(order).map_err(bad)?;
    }
    settings.width = query.width.map_or(settings.width, NonZero::get);
    settings.ties = (query.ties.as_deref()).map_or(Ok(settings.ties), parse_ties)?;
    settings.limits.expansions = expansions;
    settings.limits.time = limits.search_time;
    settings.limits.memory = limits.search_memory;
    Ok(settings)
}

/// The algorithm that is named, or A*.
fn parse_algorithm(algorithm: Option<&str>) -> Result<Algorithm, Problem> {
    let algorithm = algorithm.unwrap_or("astar").parse::<Algorithm>();
    algorithm.map_err(Problem::bad)
}

fn parse_ties(text: &str) -> Result<Ties, Problem> {
    find(TIES, text).ok_or_else(|| {
        let names = "ties are deep, shallow, lifo, fifo or random";
        Problem::bad(format!("{text:?} is not a way to break ties: {names}"))
    })
}

/// The heuristic that is named, if the algorithm uses one, or else the algorithm's default.
fn heuristic_name(text: Option<&str>, algorithm: Algorithm) -> Result<HeuristicName, Problem> {
    let name = text.map(str::parse::<HeuristicName>).transpose();
    let name = name.map_err(Problem::bad)?;
    let used = name.filter(|_| algorithm.is_informed());
    Ok(used.unwrap_or_else(|| algorithm.usual_heuristic()))
}

/// Makes the heuristic for a goal, unless that takes too much memory.
fn make_heuristic(
    name: &HeuristicName,
    goal: &Board,
    app: &App,
) -> Result<BoardHeuristic, Problem> {
    let (shape, limits) = (goal.shape(), &app.limits);
    if let HeuristicName::Pattern(tiles) = name
        && Pattern::memory(shape, tiles.len()) > limits.pattern_memory
    {
        return Err(Problem::bad(format!(
            "a pattern of {} tiles of a {shape} board is too large for this server: name fewer tiles",
            tiles.len()
        )));
    }
    if let HeuristicName::Patterns(names) = name {
        let partition = Partition::new(goal, names).map_err(Problem::bad)?;
        if let Some(patterns) = app.tables.patterns(goal, &partition) {
            return BoardHeuristic::from_patterns(patterns, goal).map_err(Problem::bad);
        }
        if partition.memory() > limits.pattern_memory {
            return Err(Problem::bad(format!(
                "the patterns {names} of a {shape} board are too large for this server: name fewer tiles"
            )));
        }
    }
    BoardHeuristic::with_oracle(name, goal, |goal| {
        let class = Frame::new(goal)?.class();
        if class.is_small() {
            Ok(Oracle::for_goal(goal)?)
        } else {
            Err(Problem::bad(format!(
                "perfect makes a database in memory, and one of {shape} boards is too large for that"
            )))
        }
    })
}

/// A board, and the kind of search whose expansions are bounded.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EffortQuery {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, for boards that are not square
    shape: Option<String>,
    /// The algorithm [default: astar]
    #[param(schema_with = schemas::bounded)]
    algorithm: Option<String>,
    /// When the goal is looked for: early, among the successors, or late, when a board is taken from
    /// the queue [default: early for bfs, late for the others]
    #[param(schema_with = schemas::goal_tests)]
    goal_test: Option<String>,
    /// A consistent heuristic [default: manhattan]
    #[param(schema_with = schemas::heuristics)]
    heuristic: Option<String>,
    /// The number of expansions that is to be judged
    #[param(format = "uint64")]
    expanded: Option<u64>,
}

/// How many boards a correct search expands
#[utoipa::path(get, path = "/v1/effort", tag = "Searches", params(EffortQuery),
    responses((status = 200, description = "The bounds", body = EffortRecord), ErrorResponses))]
pub(super) async fn effort(
    State(app): State<Arc<App>>,
    QueryParams(query): QueryParams<EffortQuery>,
) -> Result<Cacheable<EffortRecord>, Problem> {
    let (board, goal) = board_and_goal(&query.board, query.shape.as_deref(), &query.goal)?;
    let (oracle, figures) = app.tables.oracle_and_figures(&goal)?;
    let states = oracle.space()?.ranking().states();
    if states > app.limits.effort_states {
        return Err(EffortError::TooLarge { states }.into());
    }
    let algorithm = parse_algorithm(query.algorithm.as_deref())?;
    let goal_test = query.goal_test.as_deref().map(str::parse::<GoalTest>);
    let goal_test = goal_test.transpose().map_err(Problem::bad)?;
    let goal_test = goal_test.unwrap_or(GoalTest::usual(algorithm));
    let name = heuristic_name(query.heuristic.as_deref(), algorithm)?;
    let question = EffortQuestion {
        board,
        goal,
        algorithm,
        goal_test,
        heuristic: name.clone(),
    };
    let (shared, named) = (Arc::clone(&app), name.clone());
    let measured = app.heavy(move |cancel| {
        let oracle = oracle.with_cancel(cancel);
        let heuristic = make_heuristic(&named, &goal, &shared)?;
        let effort = search::effort(&oracle, &board, algorithm, goal_test, &heuristic);
        unless_changed(&oracle, effort.map_err(Problem::from))
    });
    let effort = app.in_time(figures.efforts.get(question, measured)).await?;
    let record = EffortRecord::new(&board, algorithm, &name, effort, query.expanded);
    Ok(Cacheable(record))
}

/// A board and a goal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct HeuristicsQuery {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, up to 8x8, for boards that are not square
    shape: Option<String>,
}

/// What each heuristic says of a board
#[utoipa::path(get, path = "/v1/heuristics", tag = "Searches", params(HeuristicsQuery),
    responses((status = 200, description = "The estimates", body = EstimatesRecord), ErrorResponses))]
pub(super) async fn heuristics(
    State(app): State<Arc<App>>,
    QueryParams(query): QueryParams<HeuristicsQuery>,
) -> Result<Cacheable<EstimatesRecord>, Problem> {
    let (board, goal) = board_and_goal(&query.board, query.shape.as_deref(), &query.goal)?;
    let distance = app.distance(board, &goal).await?;
    Ok(Cacheable(EstimatesRecord::new(&board, &goal, distance)?))
}

/// The board and the goal of a request, if the board can be solved to that goal.
fn board_and_goal(
    board: &str,
    shape: Option<&str>,
    goal: &Option<String>,
) -> Result<(Board, Board), Problem> {
    let shape = shape.map(str::parse::<Shape>).transpose();
    let shape = shape.map_err(Problem::bad)?;
    let board = parse_board(board.as_bytes(), shape)?;
    let goal = goal_or_default(board.shape(), goal.as_deref())?;
    check_solvable(&board, &goal)?;
    Ok((board, goal))
}
