//! Routes about one board.

use std::sync::Arc;

use axum::extract::State;

use puzzledb::ask::{DrawnRecord, Generate, Probe, Solutions, Solve};
use puzzledb::oracle::{self, SolutionRecord, SolutionsRecord};

use super::super::answer::{Cacheable, NoStore};
use super::super::app::{App, Weight};
use super::super::problem::Problem;
use super::params::Asked;
use super::schemas::ErrorResponses;

/// A board's distance, and what each of its moves is worth, best first
#[utoipa::path(get, path = "/v1/{shape}/probe", tag = "One board", params(Probe),
    responses((status = 200, description = "The board's distance and moves", body = oracle::Probe), ErrorResponses))]
pub(super) async fn probe(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Probe>,
) -> Result<Cacheable<oracle::Probe>, Problem> {
    app.answer(question, Weight::LookUp).await.map(Cacheable)
}

/// A shortest solution
#[utoipa::path(get, path = "/v1/{shape}/solve", tag = "One board", params(Solve),
    responses((status = 200, description = "The solution", body = SolutionRecord), ErrorResponses))]
pub(super) async fn solve(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Solve>,
) -> Result<Cacheable<SolutionRecord>, Problem> {
    app.answer(question, Weight::LookUp).await.map(Cacheable)
}

/// All shortest solutions, or the first of them
#[utoipa::path(method(get, post), path = "/v1/{shape}/solutions", tag = "One board", params(Solutions),
    responses((status = 200, description = "The solutions", body = SolutionsRecord), ErrorResponses))]
pub(super) async fn solutions(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Solutions>,
) -> Result<Cacheable<SolutionsRecord>, Problem> {
    app.answer(question, Weight::LookUp).await.map(Cacheable)
}

/// A board at random
#[utoipa::path(method(get, post), path = "/v1/{shape}/random", tag = "One board", params(Generate),
    responses((status = 200, description = "The board", body = DrawnRecord), ErrorResponses))]
pub(super) async fn random(
    State(app): State<Arc<App>>,
    Asked(question): Asked<Generate>,
) -> Result<NoStore<DrawnRecord>, Problem> {
    app.answer(question, Weight::LookUp).await.map(NoStore)
}
