//! What can be asked, and the document that says so.

mod boards;
mod many;
mod own;
mod searches;
mod space;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::oracle::SolutionRecord;
use crate::puzzle::Board;

use super::app::App;
use super::guard::{guard, nothing_here};
use super::problem::Problem;
use super::tables::Shared;

/// Why a question is not answered.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only its description is used")]
enum Refusals {
    /// A board or a parameter is wrong
    #[response(status = 400, content_type = "application/problem+json")]
    Bad(#[to_schema] Problem),
    /// There is no such shape here
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(#[to_schema] Problem),
    /// The address is too long
    #[response(status = 414, content_type = "application/problem+json")]
    TooLong(#[to_schema] Problem),
    /// The board cannot be solved
    #[response(status = 422, content_type = "application/problem+json")]
    Unsolvable(#[to_schema] Problem),
    /// There is too much to do: ask again later
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(#[to_schema] Problem),
}

/// Why a body is not read.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only its description is used")]
enum BodyRefusals {
    /// The body took too long
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(#[to_schema] Problem),
    /// The body is too long, or has too many boards in it
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(#[to_schema] Problem),
}

#[derive(OpenApi)]
#[openapi(info(
    title = "puzzledb",
    description = "The truth about sliding-tile puzzles. Boards are written row by row with 0 for the \
                   blank: 704851632, or 704/851/632; letters from a = 10 on larger boards. A goal is \
                   a board or a name, last, first or spiral; it is last (123456780 on 3x3) unless it \
                   is named. Moves are the way the blank goes: U, D, L, R."
))]
struct Api;

/// All routes.
pub(super) fn router(app: &Arc<App>) -> Router {
    let (router, mut document) = OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(boards::probe))
        .routes(routes!(boards::solution))
        .routes(routes!(boards::solutions))
        .routes(routes!(boards::random))
        .routes(routes!(many::solve))
        .routes(routes!(many::verify))
        .routes(routes!(space::stats))
        .routes(routes!(space::database))
        .routes(routes!(searches::search))
        .routes(routes!(searches::effort))
        .routes(routes!(searches::heuristics))
        .routes(routes!(own::healthz))
        .routes(routes!(own::metrics))
        .split_for_parts();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    own::with_files(router, &document)
        .fallback(nothing_here)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), guard))
        .layer(DefaultBodyLimit::disable()) // bodies are read by ourselves
        .with_state(Arc::clone(app))
}

/// A board's solution.
fn solved(oracle: &Shared, board: &Board) -> Result<SolutionRecord, Problem> {
    let moves = oracle.solve(board)?;
    let solutions = oracle.count_solutions(board)?;
    Ok(SolutionRecord::new(board, oracle.goal(), &moves, solutions))
}
