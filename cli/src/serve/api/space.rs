//! Routes about a whole space: its database and its statistics.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use puzzledb::Cancel;
use puzzledb::ask::{Question, Stats};
use puzzledb::oracle::StatsRecord;
use puzzledb::puzzle::{Shape, UsualGoal};
use puzzledb::space::Frame;
use puzzledb::table::Encoding;

use super::super::answer::Cacheable;
use super::super::app::{App, Weight};
use super::super::problem::Problem;
use super::params::{Asked, Parameters};
use super::schemas::{self, ErrorResponses};

/// What the server answers questions about.
#[derive(Serialize, ToSchema)]
pub(super) struct Served {
    /// The shapes, each for boards that are as wide as high or wider; the transposed ones are served, too.
    shapes: Vec<ServedShape>,
    /// Bytes of the body of a request, at most.
    most_body_bytes: usize,
    /// Seconds of work for a request, at most: what takes longer is refused, and lines end with an error.
    most_seconds: f64,
    /// Solutions in an answer, at most.
    most_solutions: usize,
    /// Expansions of a search, at most.
    most_expansions: u64,
    /// The routes of the API.
    routes: Vec<Route>,
}

/// A route of the API.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(in crate::serve) struct Route {
    /// Its path, with `{shape}` for rows x columns.
    #[schema(example = "/v1/{shape}/probe")]
    pub path: String,
    /// Its methods.
    pub methods: Vec<String>,
    /// What it answers.
    pub summary: String,
}

/// A shape that is served.
#[derive(Serialize, ToSchema)]
struct ServedShape {
    /// Rows x columns.
    #[schema(example = "3x3")]
    shape: String,
    /// Is there a database for the default goal? If not, boards are solved by searches, which may give up hard
    /// ones, and there are no statistics.
    database: bool,
}

/// What is served: shapes, limits and routes
#[utoipa::path(get, path = "/v1/", tag = "Spaces",
    responses((status = 200, description = "Shapes, limits and routes", body = Served), ErrorResponses))]
pub(super) async fn served(State(app): State<Arc<App>>) -> Cacheable<Served> {
    let served = |shape: Shape| ServedShape {
        shape: shape.to_string(),
        database: app.tables.has_table(&UsualGoal::Last.board(shape)),
    };
    Cacheable(Served {
        shapes: app.tables.shapes().into_iter().map(served).collect(),
        most_body_bytes: app.limits.body_bytes,
        most_seconds: app.limits.work_time.as_secs_f64(),
        most_solutions: app.limits.run.solutions,
        most_expansions: app.limits.run.expansions.unwrap_or(u64::MAX),
        routes: app.routes.get().cloned().unwrap_or_default(),
    })
}

/// The database of which goal, and in which encoding.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DatabaseQuery {
    /// Rows x columns
    #[param(value_type = Option<String>)]
    shape: Option<Shape>,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// What the file has for a state
    #[param(schema_with = schemas::encodings)]
    encoding: Option<String>,
}

/// The database itself, whole or in part
#[utoipa::path(get, path = "/v1/{shape}/database", tag = "Spaces",
    params(DatabaseQuery),
    responses(
        (status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 206, description = "Part of the file", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 416, description = "No byte is in the range", body = Problem, content_type = "application/problem+json"),
        ErrorResponses))]
pub(super) async fn database(
    State(app): State<Arc<App>>,
    Parameters(query): Parameters<DatabaseQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let space = Stats {
        shape: query.shape,
        goal: query.goal,
        ..Stats::default()
    };
    let goal = space.goal(&app.run(&Cancel::new()))?;
    let encoding = query.encoding.map(|name| name.parse::<Encoding>());
    let encoding = encoding.transpose().map_err(Problem::bad)?;
    app.oracle_for(goal).await?; // opens the database
    let shared = Arc::clone(&app);
    let file = app.light(move |_| shared.tables.file(&goal, encoding));
    let file = file.await?;
    let name = Frame::new(&goal)?.class().name();
    Ok(file.response(&headers, &format!("{name}.pzdb")))
}

/// Boards and solutions by distance, and the hardest boards
#[utoipa::path(method(get, post), path = "/v1/{shape}/stats", tag = "Spaces", params(Stats),
    responses((status = 200, description = "The figures", body = StatsRecord), ErrorResponses))]
pub(super) async fn stats(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Stats>,
) -> Result<Cacheable<StatsRecord>, Problem> {
    let goal = question.goal(&app.run(&Cancel::new()))?;
    let known = app.find(goal, move |tables| tables.stats(&goal)).await?;
    let counted = app.answer(question, Weight::Search);
    known
        .get_or_insert_async(&goal, counted)
        .await
        .map(Cacheable)
}
