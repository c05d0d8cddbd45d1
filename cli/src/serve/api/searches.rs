//! Routes about searches and heuristics.

use std::sync::Arc;

use axum::extract::State;

use puzzledb::Cancel;
use puzzledb::ask::{Effort, Estimates, Question, Search};
use puzzledb::search::{EffortRecord, EstimatesRecord, TracedRecord};

use super::super::answer::{Cacheable, NoStore};
use super::super::app::App;
use super::super::problem::Problem;
use super::super::tables::unless_changed;
use super::params::QueryParams;
use super::schemas::ErrorResponses;

/// A search of the textbooks, and what it costs
#[utoipa::path(get, path = "/v1/search", tag = "Searches", params(Search),
    responses((status = 200, description = "What the search did", body = TracedRecord), ErrorResponses))]
pub(super) async fn search(
    State(app): State<Arc<App>>,
    QueryParams(question): QueryParams<Search>,
) -> Result<NoStore<TracedRecord>, Problem> {
    let (_, goal) = question.check(&app.run(&Cancel::new()))?;
    let oracle = app.oracle_for(goal).await.ok();
    let shared = Arc::clone(&app);
    let found = app.heavy(move |cancel| {
        let answer = question.answer(&*shared, &shared.run(cancel));
        match &oracle {
            Some(oracle) => unless_changed(oracle, answer),
            None => answer,
        }
    });
    found.await.map(NoStore)
}

/// How many boards a correct search expands
#[utoipa::path(get, path = "/v1/effort", tag = "Searches", params(Effort),
    responses((status = 200, description = "The bounds", body = EffortRecord), ErrorResponses))]
pub(super) async fn effort(
    State(app): State<Arc<App>>,
    QueryParams(question): QueryParams<Effort>,
) -> Result<Cacheable<EffortRecord>, Problem> {
    let (board, goal) = question.check()?;
    let found = app.find(goal, move |tables| tables.oracle_and_figures(&goal));
    let (oracle, figures) = found.await?;
    let key = (board, goal, question.method());
    let (shared, asked) = (Arc::clone(&app), question.clone());
    let measured = app.heavy(move |cancel| {
        let prepared = asked.prepare(&goal, &*shared, &shared.run(cancel))?;
        let effort = asked.measure(&board, &prepared);
        unless_changed(&oracle, effort.map_err(Problem::from))
    });
    let effort = (figures.efforts)
        .get_or_insert_async(&key, measured)
        .await?;
    Ok(Cacheable(question.record(&board, effort)))
}

/// What each heuristic says of a board
#[utoipa::path(get, path = "/v1/heuristics", tag = "Searches", params(Estimates),
    responses((status = 200, description = "The estimates", body = EstimatesRecord), ErrorResponses))]
pub(super) async fn heuristics(
    State(app): State<Arc<App>>,
    QueryParams(question): QueryParams<Estimates>,
) -> Result<Cacheable<EstimatesRecord>, Problem> {
    let (board, goal) = question.check()?;
    let distance = app.distance(board, &goal).await?;
    let made = question.prepare(&goal, &*app, &app.run(&Cancel::new()))?;
    Ok(Cacheable(EstimatesRecord::new(
        &board, &goal, distance, &made,
    )))
}
