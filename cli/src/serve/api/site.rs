//! Routes beside the API: health, metrics, the OpenAPI document, and the files of the web page.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use utoipa::openapi::OpenApi;

use super::super::answer::etag;
use super::super::app::App;
use super::super::page::FILES;
use super::super::problem::Problem;

/// Whether the server is there
#[utoipa::path(get, path = "/healthz", tag = "Server",
    responses((status = 200, description = "It is", body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server answers at once
#[utoipa::path(get, path = "/readyz", tag = "Server",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"),
        (status = 503, description = "It stops, or checks a database that has changed", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    match !app.stopped.is_cancelled() && app.tables.are_fresh() {
        true => Ok("ready\n"),
        false => Err(Problem::busy(
            "a database is being checked, or the server stops",
        )),
    }
}

/// Counts of requests, times and connections, in the text format of Prometheus
#[utoipa::path(get, path = "/metrics", tag = "Server",
    responses((status = 200, description = "The counts", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let text = app.metrics.text(&app);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Adds the routes of the OpenAPI document and of the web page's files.
pub(super) fn with_files(mut router: Router<Arc<App>>, document: &OpenApi) -> Router<Arc<App>> {
    let json = document
        .to_json()
        .expect("a document is strings and numbers");
    let json_type = HeaderValue::from_static("application/json");
    router = router.route("/openapi.json", file(json.into(), json_type));
    for (i, page) in FILES.iter().enumerate() {
        let path = match i {
            0 => "/".to_owned(),
            _ => format!("/{}", page.path()),
        };
        router = router.route(&path, file(page.bytes.into(), page.content_type()));
    }
    router
}

/// A file of this version of the program: clients check each time whether it has changed.
fn file(bytes: Bytes, kind: HeaderValue) -> axum::routing::MethodRouter<Arc<App>> {
    let headers = [
        (header::ETAG, etag(&bytes)),
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    get(async move || (headers.clone(), bytes.clone()))
}
