//! Routes beside the API: health, metrics, the documentation, and the files of the web page.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use super::super::answer::etag;
use super::super::app::App;
use super::super::page::FILES;
use super::docs;

/// Is the server there?
#[utoipa::path(get, path = "/healthz", tag = "Server",
    responses((status = 200, description = "It is", body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Counts of requests, times and connections, in the text format of Prometheus
#[utoipa::path(get, path = "/metrics", tag = "Server",
    responses((status = 200, description = "The counts", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let text = app.metrics.text(app.started);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Adds the routes of the web page's files, and of the OpenAPI document as JSON and as a page, with the answers of
/// these routes.
pub(super) fn with_files(
    mut router: Router<Arc<App>>,
    document: &OpenApi,
    app: &Arc<App>,
) -> Router<Arc<App>> {
    let json = document
        .to_json()
        .expect("a document is strings and numbers");
    let docs = Docs {
        document: serde_json::from_str(&json).expect("it was just written"),
        routes: router.clone().with_state(Arc::clone(app)),
        page: OnceLock::new(),
    };
    let docs = Arc::new(docs);
    let json_type = HeaderValue::from_static("application/json");
    let js_type = HeaderValue::from_static("text/javascript; charset=utf-8");
    let css_type = HeaderValue::from_static("text/css; charset=utf-8");
    router = router
        .route("/openapi.json", file(json.into(), json_type))
        .route(
            "/docs",
            get(move |State(app): State<Arc<App>>| Arc::clone(&docs).page(app.reach.url())),
        )
        .route("/docs.js", file(docs::SCRIPT.into(), js_type))
        .route("/docs.css", file(docs::STYLE.into(), css_type));
    for (i, page) in FILES.iter().enumerate() {
        let path = match i {
            0 => "/".to_owned(),
            _ => format!("/{}", page.path()),
        };
        router = router.route(&path, file(page.bytes.into(), page.content_type()));
    }
    router
}

/// The documentation for people.
struct Docs {
    document: Value,
    /// Routes of the API, for the answers to the examples.
    routes: Router,
    /// The page, once all its examples were answered.
    page: OnceLock<Bytes>,
}

impl Docs {
    async fn page(self: Arc<Docs>, url: String) -> Response {
        let page = match self.page.get() {
            Some(page) => page.clone(),
            None => {
                let (page, complete) = docs::page(&self.document, &url, &self.routes).await;
                let page = Bytes::from(page);
                if complete {
                    self.page.get_or_init(|| page).clone()
                } else {
                    page
                }
            }
        };
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        (headers(&page, html), page).into_response()
    }
}

/// A file of this version of the program.
fn file(bytes: Bytes, kind: HeaderValue) -> axum::routing::MethodRouter<Arc<App>> {
    let headers = headers(&bytes, kind);
    get(async move || (headers.clone(), bytes.clone()))
}

/// The headers of a file: clients check each time whether it has changed.
fn headers(bytes: &[u8], kind: HeaderValue) -> [(HeaderName, HeaderValue); 3] {
    [
        (header::ETAG, etag(bytes)),
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ]
}
