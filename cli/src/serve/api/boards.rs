//! Routes about one board.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use puzzledb::oracle::generate::{GenerateError, Request};
use puzzledb::oracle::{DrawnRecord, Oracle, Probe, SolutionRecord, SolutionsRecord};
use puzzledb::puzzle::parse_board;

use super::super::answer::{Cacheable, NoStore};
use super::super::app::App;
use super::super::problem::Problem;
use super::params::{PathShape, QueryParams};
use super::schemas::ErrorResponses;

/// A board and a goal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BoardQuery {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
}

/// A board's distance, and what each of its moves is worth, best first
#[utoipa::path(get, path = "/v1/{shape}/probe", tag = "One board",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), BoardQuery),
    responses((status = 200, description = "The board's distance and moves", body = Probe), ErrorResponses))]
pub(super) async fn probe(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<BoardQuery>,
) -> Result<Cacheable<Probe>, Problem> {
    let oracle = app.oracle(shape, query.goal.as_deref()).await?;
    let board = parse_board(query.board.as_bytes(), Some(oracle.shape()))?;
    let probed = app.ask(oracle, move |oracle| Ok(oracle.probe(&board)?));
    probed.await.map(Cacheable)
}

/// A shortest solution
#[utoipa::path(get, path = "/v1/{shape}/solution", tag = "One board",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), BoardQuery),
    responses((status = 200, description = "The solution", body = SolutionRecord), ErrorResponses))]
pub(super) async fn solution(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<BoardQuery>,
) -> Result<Cacheable<SolutionRecord>, Problem> {
    let oracle = app.oracle(shape, query.goal.as_deref()).await?;
    let board = parse_board(query.board.as_bytes(), Some(oracle.shape()))?;
    let solved = app.ask(oracle, move |oracle| {
        Ok(SolutionRecord::solve(oracle, &board)?)
    });
    solved.await.map(Cacheable)
}

/// A board, a goal, and how many solutions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SolutionsQuery {
    /// The board
    #[param(example = "536407182")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// How many solutions at most
    #[param(maximum = 1000)]
    limit: Option<usize>,
}

/// All shortest solutions, or the first of them
#[utoipa::path(get, path = "/v1/{shape}/solutions", tag = "One board",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), SolutionsQuery),
    responses((status = 200, description = "The solutions", body = SolutionsRecord), ErrorResponses))]
pub(super) async fn solutions(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<SolutionsQuery>,
) -> Result<Cacheable<SolutionsRecord>, Problem> {
    let oracle = app.oracle(shape, query.goal.as_deref()).await?;
    let board = parse_board(query.board.as_bytes(), Some(oracle.shape()))?;
    let most = app.limits.solutions;
    let limit = query.limit.unwrap_or(most);
    if limit > most {
        return Err(Problem::bad(format!("limit is {most} at most")));
    }
    let solved = app.ask(oracle, move |oracle| {
        Ok(SolutionsRecord::find(oracle, &board, limit)?)
    });
    solved.await.map(Cacheable)
}

/// Which board to draw.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RandomQuery {
    /// Its distance; any if none is named
    distance: Option<u8>,
    /// Where the draw begins: equal seeds draw equal boards
    #[param(format = "uint64")]
    seed: Option<u64>,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
}

/// A board at random
#[utoipa::path(get, path = "/v1/{shape}/random", tag = "One board",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), RandomQuery),
    responses((status = 200, description = "The board", body = DrawnRecord), ErrorResponses))]
pub(super) async fn random(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<RandomQuery>,
) -> Result<NoStore<DrawnRecord>, Problem> {
    let oracle = app.oracle(shape, query.goal.as_deref()).await?;
    let distances = match query.distance {
        Some(distance) => distance..=distance,
        None => 0..=u8::MAX,
    };
    let seed = query.seed.unwrap_or_else(random_seed);
    let request = Request::new(distances, 1, seed);
    let drawn = app.ask(oracle, move |oracle| draw_board(oracle, &request));
    drawn.await.map(NoStore)
}

/// A random seed of 53 bits, which a number in JavaScript holds exactly.
fn random_seed() -> u64 {
    RandomState::new().hash_one(0) >> 11
}

/// Draws a board, unless that takes a search of the whole space.
fn draw_board(oracle: &Oracle, request: &Request) -> Result<DrawnRecord, Problem> {
    let (least, most) = request.distances.clone().into_inner();
    let (shape, goal) = (oracle.shape(), *oracle.goal());
    let farthest = oracle.table().map(|table| table.header().max_distance());
    if oracle.generate_needs_search(request) && farthest.is_some_and(|farthest| least <= farthest) {
        return Err(Problem::bad(format!(
            "{shape} boards at distance {least} are so rare that the whole space must be searched for them, which this \
             server does not do: the command `puzzledb generate` does"
        )));
    }
    let board = oracle
        .generate_soon(request)
        .map_err(|error| match (error, farthest) {
            (too_few @ GenerateError::TooFew { .. }, Some(farthest)) => {
                Problem::bad(format!("{too_few}: {shape} distances go up to {farthest}"))
            }
            (other, _) => other.into(),
        })?;
    let distance = match least == most {
        true => Some(least),
        false => oracle.optimum(&board)?.known(),
    };
    Ok(DrawnRecord::new(board, goal, distance, request.seed))
}
