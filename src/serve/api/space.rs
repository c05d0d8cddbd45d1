//! Questions about a whole space.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::puzzle::Shape;
use crate::space::Frame;
use crate::table::Encoding;

use super::super::app::{App, goal_of};
use super::super::params::Params;
use super::super::problem::Problem;
use super::Refusals;

/// Which file.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfFile {
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// What the file has for a state: full or bit
    encoding: Option<String>,
}

/// The database itself, whole or in part
#[utoipa::path(get, path = "/v1/{shape}/database",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), OfFile),
    responses(
        (status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 206, description = "Part of the file", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 416, description = "No byte is in the range", body = Problem, content_type = "application/problem+json"),
        Refusals))]
pub(super) async fn database(
    State(app): State<Arc<App>>,
    Path(shape): Path<String>,
    Params(asked): Params<OfFile>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shape: Result<Shape, _> = shape.parse();
    let shape = shape.map_err(|error| Problem::not_found(error.to_string()))?;
    let goal = goal_of(shape, asked.goal.as_deref())?;
    let encoding = asked.encoding.map(|name| name.parse::<Encoding>());
    let encoding = encoding.transpose().map_err(Problem::bad)?;
    let tables = Arc::clone(&app);
    let file = app.heavy(move || tables.tables.file(&goal, encoding).cloned());
    let name = Frame::new(&goal)?.class().name();
    Ok(file.await?.answer(&headers, &format!("{name}.pzdb")))
}
