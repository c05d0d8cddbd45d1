//! Routes about searches and heuristics.

use std::sync::Arc;

use axum::extract::State;

use puzzledb::ask::{Effort, EffortRecord, Estimates, EstimatesRecord, Search, TracedRecord};

use super::super::answer::{Cacheable, NoStore};
use super::super::app::{App, Weight};
use super::super::problem::Problem;
use super::params::Asked;
use super::schemas::ErrorResponses;

/// A search of the textbooks, and what it costs
#[utoipa::path(method(get, post), path = "/v1/{shape}/search", tag = "Searches", params(Search),
    responses((status = 200, description = "What the search did", body = TracedRecord), ErrorResponses))]
pub(super) async fn search(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Search>,
) -> Result<NoStore<TracedRecord>, Problem> {
    app.answer(question, Weight::Search).await.map(NoStore)
}

/// How many boards a correct search expands
#[utoipa::path(method(get, post), path = "/v1/{shape}/effort", tag = "Searches", params(Effort),
    responses((status = 200, description = "The bounds", body = EffortRecord), ErrorResponses))]
pub(super) async fn effort(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Effort>,
) -> Result<Cacheable<EffortRecord>, Problem> {
    app.answer(question, Weight::Beside).await.map(Cacheable)
}

/// What each heuristic says of a board
#[utoipa::path(method(get, post), path = "/v1/{shape}/heuristics", tag = "Searches", params(Estimates),
    responses((status = 200, description = "The estimates", body = EstimatesRecord), ErrorResponses))]
pub(super) async fn heuristics(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Estimates>,
) -> Result<Cacheable<EstimatesRecord>, Problem> {
    app.answer(question, Weight::Beside).await.map(Cacheable)
}
