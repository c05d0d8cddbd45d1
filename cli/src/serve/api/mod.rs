//! The routes of the API, and its description for programs and for people.

mod asked;
mod questions;
mod site;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use puzzledb::ask::{Effort, Estimates, Generate, Probe, Search, Solutions, Solve};

use super::answer::{CHECKED, JSON, Problem, etag, kept};
use super::guard::guarded;
use super::page::{FILES, served_page};
use super::server::App;
use asked::Asked;
use questions::{Route, answer, record, stats};
use verify::verify;

/// The `Cache-Control` of files whose path has a digest of their content.
const LASTING: &str = "public, max-age=31536000, immutable";

/// The router with all routes, inside the layers of [`guarded`].
pub(super) fn router(app: &Arc<App>) -> Router {
    let route = |is_always_the_same, list, answer| Route {
        is_always_the_same,
        list,
        answer,
    };
    let tag = etag(site::DOCUMENT.as_bytes());
    let document = get(async move || kept(tag, site::DOCUMENT, JSON, CHECKED));
    let routes = site::routes();
    let served = get(async move |State(app): State<Arc<App>>| site::served(&app, routes));
    let html = served_page();
    let page = get(
        async move |State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap| {
            site::page(&app, &html, &uri, &headers)
        },
    );
    let mut router = Router::new()
        .route("/v1/", served.clone())
        .route("/v1", served)
        .route("/v1/{shape}/verify", get(verify).post(verify))
        .route("/v1/{shape}/database", get(site::database))
        .route("/healthz", get(site::healthz))
        .route("/readyz", get(site::readyz))
        .route("/metrics", get(site::metrics))
        .route("/openapi.json", document)
        .route("/", page);
    for (path, route) in [
        (
            "/v1/{shape}/probe",
            route(true, Some("probes"), record::<Probe>),
        ),
        (
            "/v1/{shape}/solve",
            route(true, Some("solutions"), record::<Solve>),
        ),
        (
            "/v1/{shape}/solutions",
            route(true, None, record::<Solutions>),
        ),
        ("/v1/{shape}/random", route(false, None, record::<Generate>)),
        ("/v1/{shape}/stats", route(true, None, stats)),
        ("/v1/{shape}/search", route(false, None, record::<Search>)),
        ("/v1/{shape}/effort", route(true, None, record::<Effort>)),
        (
            "/v1/{shape}/heuristics",
            route(true, None, record::<Estimates>),
        ),
    ] {
        let ask = move |asked: Asked| answer(route, asked);
        router = router.route(path, get(ask).post(ask));
    }
    // Former paths, which the document leaves out.
    for (path, route) in [
        ("/v1/{shape}/solution", route(true, None, record::<Solve>)),
        ("/v1/search", route(false, None, record::<Search>)),
        ("/v1/effort", route(true, None, record::<Effort>)),
        ("/v1/heuristics", route(true, None, record::<Estimates>)),
    ] {
        router = router.route(path, get(move |asked: Asked| answer(route, asked)));
    }
    for file in &FILES[1..] {
        router = router.route(&format!("/{}", file.path), site::file(file, CHECKED));
        if let Some(path) = file.lasting_path() {
            router = router.route(&format!("/{path}"), site::file(file, LASTING));
        }
    }
    let router = router
        .layer(DefaultBodyLimit::max(app.config.limits.body_bytes))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    guarded(router, app)
}

/// The answer for a path without a route.
async fn not_found(request: Request) -> Problem {
    let path = request.uri().path();
    let detail = format!("there is nothing at {path}: /v1/ lists the routes");
    Problem::new(StatusCode::NOT_FOUND, detail)
}

/// The answer to a method that a route does not have, and to OPTIONS. The router adds the methods that it has.
async fn method_not_allowed(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let detail =
        format!("{method} is not allowed here: the header Allow names the methods that are");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail).into_response()
}
