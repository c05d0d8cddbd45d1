//! The routes, and the OpenAPI document of those for programs.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use utoipa::openapi::path::{ParameterBuilder, ParameterIn};
use utoipa::openapi::{RefOr, Required};
use utoipa::{OpenApi, PartialSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::app::App;
use super::super::guard::guarded;
use super::super::problem::Problem;

use super::{batch, boards, searches, site, space, verify};

#[derive(OpenApi)]
#[openapi(info(
    title = "puzzledb",
    description = "The truth about sliding-tile puzzles. Boards are written row by row with 0 for the \
                   blank: 704851632, or 704/851/632; letters from a = 10 to o = 24 on larger boards. A goal is \
                   a board or a name, last, first or spiral; it is last (123456780 on 3x3) unless it \
                   is named. Moves are the way the blank goes: U, D, L, R."
), tags(
    (name = "One board", description = "A board's distance, its moves and its solutions, and boards at random"),
    (name = "Many boards", description = "Lists of boards, and the judgement of other solvers' answers"),
    (name = "Searches", description = "The searches and heuristics of the textbooks, beside the truth"),
    (name = "Spaces", description = "What is served, statistics, and databases to download"),
    (name = "Server", description = "Health and figures of the server itself")
))]
struct Api;

/// The router with all routes, inside the layers of [`guarded`].
pub(in crate::serve) fn router(app: &Arc<App>) -> Router {
    let (router, mut document) = OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(space::served))
        .routes(routes!(boards::probe, batch::probe_boards))
        .routes(routes!(boards::solution))
        .routes(routes!(boards::solutions))
        .routes(routes!(boards::random))
        .routes(routes!(batch::solve))
        .routes(routes!(verify::verify))
        .routes(routes!(space::stats))
        .routes(routes!(space::database))
        .routes(routes!(searches::search))
        .routes(routes!(searches::effort))
        .routes(routes!(searches::heuristics))
        .routes(routes!(site::healthz))
        .routes(routes!(site::metrics))
        .split_for_parts();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    put_shapes_into_paths(&mut document);
    let router = site::with_files(router, &document)
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    guarded(router, app)
}

/// Describes the shape of a question as a part of the path, where it is one.
fn put_shapes_into_paths(document: &mut utoipa::openapi::OpenApi) {
    let paths = document.paths.paths.iter_mut();
    for (_, item) in paths.filter(|(path, _)| path.contains("{shape}")) {
        let operations = [&mut item.get, &mut item.post].into_iter().flatten();
        for parameter in operations
            .filter_map(|operation| operation.parameters.as_mut())
            .flatten()
        {
            if let RefOr::T(shape) = parameter
                && shape.name == "shape"
            {
                *shape = ParameterBuilder::from(shape.clone())
                    .parameter_in(ParameterIn::Path)
                    .required(Required::True)
                    .schema(Some(String::schema()))
                    .example(Some("3x3".into()))
                    .build();
            }
        }
    }
}

/// The answer for a path without a route.
async fn not_found(request: Request) -> Problem {
    let path = request.uri().path();
    Problem::not_found(format!(
        "there is nothing at {path}: /openapi.json says what there is"
    ))
}

/// The answer to a method that a route does not have. The router adds the header.
async fn method_not_allowed(method: Method) -> Problem {
    let detail =
        format!("{method} is not allowed here: the header Allow names the methods that are");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}
