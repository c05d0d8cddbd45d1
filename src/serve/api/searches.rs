//! Searches, held to limits.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::oracle::Oracle;
use crate::puzzle::{Board, Shape, parse_board};
use crate::search::{
    self, Algorithm, BoardHeuristic, EffortError, EffortRecord, HeuristicName, Pattern,
    SearchRecord, SettingError, Settings, TraceStep, parse_order, parse_weight,
};
use crate::space::{Frame, SpaceError};
use crate::table::Encoding;

use super::super::answer::{Fleeting, Lasting};
use super::super::app::{App, goal_of};
use super::super::limits::Limits;
use super::super::params::Params;
use super::super::problem::Problem;
use super::refusals::Refusals;

/// What to search, and how.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, up to 5x5, for boards that are not square
    shape: Option<String>,
    /// The algorithm [default: astar]
    #[param(example = "astar")]
    algorithm: Option<String>,
    /// The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]
    #[param(example = "manhattan")]
    heuristic: Option<String>,
    /// The heuristic's weight in weighted A* [default: 2]
    weight: Option<String>,
    /// Where draws begin; equal seeds search equally [default: 1]
    #[param(format = "uint64")]
    seed: Option<u64>,
    /// The order in which the blank's moves are tried [default: UDLR]
    order: Option<String>,
    /// Give up after so many expansions
    #[param(maximum = 1_000_000)]
    limit: Option<u64>,
    /// Give the first so many expansions too
    #[param(maximum = 10_000)]
    trace: Option<usize>,
}

/// A search, and its first expansions if they were asked for.
#[derive(Serialize, ToSchema)]
pub(super) struct Searched {
    #[serde(flatten)]
    record: SearchRecord,
    /// The first expansions.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<TraceStep>>,
}

/// A search of the textbooks, and what it costs
#[utoipa::path(get, path = "/v1/search", params(Asked),
    responses((status = 200, description = "What the search did", body = Searched), Refusals))]
pub(super) async fn search(
    State(app): State<Arc<App>>,
    Params(asked): Params<Asked>,
) -> Result<Fleeting<Searched>, Problem> {
    let (board, goal) = board_and_goal(&asked.board, asked.shape.as_deref(), &asked.goal)?;
    let settings = settings(&asked, &app.limits)?;
    let most = app.limits.trace;
    let trace = asked.trace.unwrap_or(0);
    if trace > most {
        return Err(Problem::bad(format!("trace is {most} at most")));
    }
    let optimal = app.distance(&board, &goal)?;
    let limits = app.limits;
    let found = app.heavy(move || {
        let heuristic = heuristic(&settings.heuristic, &goal, &limits)?;
        let mut steps = Vec::with_capacity(trace);
        let mut keep = |step: &TraceStep| {
            if steps.len() < trace {
                steps.push(*step);
            }
            ControlFlow::Continue(())
        };
        let report = search::search(&board, &goal, &settings, &heuristic, Some(&mut keep))?;
        Ok(Searched {
            record: SearchRecord::new(&board, &goal, &settings, &report, optimal),
            trace: (trace > 0).then_some(steps),
        })
    });
    found.await.map(Fleeting)
}

fn settings(asked: &Asked, limits: &Limits) -> Result<Settings, Problem> {
    let algorithm = named(asked.algorithm.as_deref())?;
    let most = limits.expansions;
    let expansions = asked.limit.unwrap_or(most);
    if expansions > most {
        return Err(Problem::bad(format!("limit is {most} at most")));
    }
    let usual = Settings::new(algorithm);
    let weight = asked.weight.as_deref().map(parse_weight).transpose();
    let order = asked.order.as_deref().map(parse_order).transpose();
    let bad = |error: SettingError| Problem::bad(error.to_string());
    Ok(Settings {
        heuristic: heuristic_name(asked.heuristic.as_deref(), algorithm)?,
        weight: weight.map_err(bad)?.unwrap_or(usual.weight),
        seed: asked.seed.unwrap_or(usual.seed),
        order: order.map_err(bad)?.unwrap_or(usual.order),
        limits: search::Limits {
            expansions,
            time: limits.search_time,
            memory: limits.search_memory,
        },
        ..usual
    })
}

fn named(algorithm: Option<&str>) -> Result<Algorithm, Problem> {
    let algorithm = algorithm.unwrap_or("astar").parse::<Algorithm>();
    algorithm.map_err(|error| Problem::bad(error.to_string()))
}

/// The heuristic that was named, if the algorithm asks one, or the algorithm's usual one.
fn heuristic_name(text: Option<&str>, algorithm: Algorithm) -> Result<HeuristicName, Problem> {
    let name = text.map(str::parse::<HeuristicName>).transpose();
    let name = name.map_err(|error| Problem::bad(error.to_string()))?;
    let asked = name.filter(|_| algorithm.is_informed());
    Ok(asked.unwrap_or_else(|| algorithm.usual_heuristic()))
}

/// The heuristic for a goal, if making it is not too much.
fn heuristic(
    name: &HeuristicName,
    goal: &Board,
    limits: &Limits,
) -> Result<BoardHeuristic, Problem> {
    let shape = goal.shape();
    if let HeuristicName::Pattern(tiles) = name
        && Pattern::memory(shape, tiles.len()) > limits.pattern_memory
    {
        return Err(Problem::bad(format!(
            "a pattern of {} tiles of a {shape} board is too large for this server: name fewer tiles",
            tiles.len()
        )));
    }
    BoardHeuristic::with_oracle(name, goal, |goal| {
        let class = Frame::new(goal)?.class();
        match Encoding::default_for(class) {
            Encoding::Full => Ok(Oracle::in_memory(goal)?),
            Encoding::Bit => Err(Problem::bad(format!(
                "perfect makes a database in memory, and one of {shape} boards is too large for that"
            ))),
        }
    })
}

/// What a search is to be measured against.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfEffort {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, for boards that are not square
    shape: Option<String>,
    /// ucs, astar, idastar or bfs [default: astar]
    algorithm: Option<String>,
    /// A consistent heuristic [default: manhattan]
    heuristic: Option<String>,
    /// The number of expansions that is to be judged
    #[param(format = "uint64")]
    expanded: Option<u64>,
}

/// How many boards a correct search expands
#[utoipa::path(get, path = "/v1/effort", params(OfEffort),
    responses((status = 200, description = "The bounds", body = EffortRecord), Refusals))]
pub(super) async fn effort(
    State(app): State<Arc<App>>,
    Params(asked): Params<OfEffort>,
) -> Result<Lasting<EffortRecord>, Problem> {
    let (board, goal) = board_and_goal(&asked.board, asked.shape.as_deref(), &asked.goal)?;
    let oracle = app.tables.oracle(&goal)?;
    let states = oracle.table().header().states();
    if states > app.limits.effort_states {
        return Err(EffortError::TooLarge { states }.into());
    }
    let algorithm = named(asked.algorithm.as_deref())?;
    let name = heuristic_name(asked.heuristic.as_deref(), algorithm)?;
    let limits = app.limits;
    let measured = app.heavy(move || {
        let heuristic = heuristic(&name, &goal, &limits)?;
        let effort = search::effort(&oracle, &board, algorithm, &heuristic)?;
        Ok(EffortRecord::new(
            &board,
            algorithm,
            &name,
            effort,
            asked.expanded,
        ))
    });
    measured.await.map(Lasting)
}

/// A board and a goal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfHeuristics {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// Rows x columns, up to 5x5, for boards that are not square
    shape: Option<String>,
}

/// What every heuristic says of a board.
#[derive(Serialize, ToSchema)]
pub(super) struct Estimates {
    /// The board.
    #[schema(value_type = String)]
    board: Board,
    /// The board at distance 0.
    #[schema(value_type = String)]
    goal: Board,
    /// Its distance; null if no database here tells.
    distance: Option<u8>,
    /// The estimates.
    values: Vec<Estimate>,
}

/// What a heuristic says.
#[derive(Serialize, ToSchema)]
struct Estimate {
    /// Its name.
    heuristic: String,
    /// Its estimate, in moves.
    value: f64,
}

/// What each heuristic says of a board
#[utoipa::path(get, path = "/v1/heuristics", params(OfHeuristics),
    responses((status = 200, description = "The estimates", body = Estimates), Refusals))]
pub(super) async fn heuristics(
    State(app): State<Arc<App>>,
    Params(asked): Params<OfHeuristics>,
) -> Result<Lasting<Estimates>, Problem> {
    let (board, goal) = board_and_goal(&asked.board, asked.shape.as_deref(), &asked.goal)?;
    let distance = app.distance(&board, &goal)?;
    let mut values = Vec::new();
    for name in HeuristicName::all() {
        let value = match (&name, distance) {
            (HeuristicName::Perfect, Some(distance)) => f64::from(distance),
            (HeuristicName::Perfect, None) => continue,
            _ => BoardHeuristic::new(&name, &goal)?.value(&board),
        };
        let heuristic = name.to_string();
        values.push(Estimate { heuristic, value });
    }
    Ok(Lasting(Estimates {
        board,
        goal,
        distance,
        values,
    }))
}

/// The board and the goal of a request, if one can be brought to the other.
fn board_and_goal(
    board: &str,
    shape: Option<&str>,
    goal: &Option<String>,
) -> Result<(Board, Board), Problem> {
    let shape = shape.map(str::parse::<Shape>).transpose();
    let shape = shape.map_err(|error| Problem::bad(error.to_string()))?;
    let board = parse_board(board.as_bytes(), shape)?;
    let goal = goal_of(board.shape(), goal.as_deref())?;
    match board.is_solvable_to(&goal) {
        true => Ok((board, goal)),
        false => Err(SpaceError::Unsolvable { board, goal }.into()),
    }
}
