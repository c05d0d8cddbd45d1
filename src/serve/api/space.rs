//! Questions about a whole space.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::oracle::{SMALL_SPACE, StatsRecord};
use crate::space::Frame;
use crate::table::Encoding;

use super::super::answer::Lasting;
use super::super::app::{App, goal_of};
use super::super::params::{OfShape, Params};
use super::super::problem::Problem;
use super::refusals::Refusals;

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
    OfShape(shape): OfShape,
    Params(asked): Params<OfFile>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let goal = goal_of(shape, asked.goal.as_deref())?;
    let encoding = asked.encoding.map(|name| name.parse::<Encoding>());
    let encoding = encoding
        .transpose()
        .map_err(|e| Problem::bad(e.to_string()))?;
    let file = match app.tables.ready(&goal, encoding) {
        Some(file) => file.clone(),
        None => {
            let all = Arc::clone(&app);
            let made = app.heavy(move || all.tables.file(&goal, encoding).cloned());
            made.await?
        }
    };
    let name = Frame::new(&goal)?.class().name();
    Ok(file.answer(&headers, &format!("{name}.pzdb")))
}

/// A goal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfSpace {
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
}

/// Boards and solutions by distance, and the hardest boards
#[utoipa::path(get, path = "/v1/{shape}/stats",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), OfSpace),
    responses((status = 200, description = "The figures", body = StatsRecord), Refusals))]
pub(super) async fn stats(
    State(app): State<Arc<App>>,
    OfShape(shape): OfShape,
    Params(asked): Params<OfSpace>,
) -> Result<Lasting<StatsRecord>, Problem> {
    let oracle = app.oracle(shape, asked.goal.as_deref())?;
    let stats = app.heavy(move || {
        let stats = match oracle.table().header().states() <= SMALL_SPACE {
            true => oracle.detailed_stats()?,
            false => oracle.stats(),
        };
        Ok(StatsRecord::from(&stats))
    });
    stats.await.map(Lasting)
}
