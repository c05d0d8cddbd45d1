//! Routes beside the questions: what is served, databases, health, metrics, and the files of the web page.

use std::sync::Arc;

use axum::extract::State;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde::Serialize;
use utoipa::ToSchema;

use puzzledb::ask::{Oracles, Question, RefusalCode, Stats, from_options};
use puzzledb::puzzle::{Shape, UsualGoal};
use puzzledb::space::Frame;
use puzzledb::table::Encoding;

use super::super::answer::{etag, json, written};
use super::super::database_file::{bytes_of, response};
use super::super::page::PageFile;
use super::super::problem::Problem;
use super::super::server::App;
use super::super::tables::no_table;
use super::asked::{Asked, refused};

/// What the server answers questions about.
#[derive(Serialize, ToSchema)]
pub(super) struct Served {
    /// The shapes, each for boards that are as wide as high or wider; the transposed ones are served, too.
    shapes: Vec<ServedShape>,
    /// Bytes of the body of a request, at most.
    most_body_bytes: usize,
    /// Seconds of work for a request, at most: what takes longer is refused, and lines end with an error.
    most_seconds: f64,
    /// Solutions in an answer, at most.
    most_solutions: usize,
    /// Expansions of a search, at most.
    most_expansions: u64,
    /// The routes of the API.
    routes: Vec<Listed>,
}

/// A route of the API.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Listed {
    /// Its path, with `{shape}` for rows x columns.
    #[schema(example = "/v1/{shape}/probe")]
    pub path: String,
    /// Its methods.
    pub methods: Vec<String>,
    /// What it answers.
    pub summary: String,
}

/// A shape that is served.
#[derive(Serialize, ToSchema)]
struct ServedShape {
    /// Rows x columns.
    #[schema(example = "3x3")]
    shape: String,
    /// Is there a database for the default goal? If not, boards are solved by searches, which may give up hard
    /// ones, and there are no statistics.
    database: bool,
}

/// What is served: shapes, limits and routes.
pub(super) fn served(app: &App, routes: Vec<Listed>) -> Response {
    let served = |shape: Shape| ServedShape {
        shape: shape.to_string(),
        database: app.tables.has_table(&UsualGoal::Last.board(shape)),
    };
    let served = Served {
        shapes: app.tables.shapes().into_iter().map(served).collect(),
        most_body_bytes: app.config.limits.body_bytes,
        most_seconds: app.config.limits.work_time.as_secs_f64(),
        most_solutions: app.config.limits.run.solutions.unwrap_or(usize::MAX),
        most_expansions: app.config.limits.run.expansions.unwrap_or(u64::MAX),
        routes,
    };
    json(written(&served), true)
}

/// The database of a goal, whole or in part.
pub(super) async fn database(mut asked: Asked) -> Result<Response, Problem> {
    let encoding = asked.take("encoding").map(|name| name.parse::<Encoding>());
    let encoding = encoding.transpose().map_err(refused)?;
    let space: Stats = from_options(asked.options)?;
    let goal = space.goal(&asked.work.run())?;
    let built = asked.work.spawn(move |work| {
        let oracle = work.table(&goal)?;
        let table = oracle.table().ok_or_else(|| no_table(goal.shape()))?;
        bytes_of(table, encoding)
    });
    let bytes = built.await?;
    let class = Frame::new(&goal).map(|frame| frame.class().name());
    let name = format!("{}.pzdb", class.unwrap_or_default());
    Ok(response(bytes, &asked.headers, &name))
}

pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server answers at once.
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    match !app.stopped.is_cancelled() && app.tables.are_fresh() {
        true => Ok("ready\n"),
        false => {
            let detail = "a database is being checked, or the server stops";
            Err(Problem::of(RefusalCode::Busy, detail))
        }
    }
}

/// Counts of requests, times and connections, in the text format of Prometheus.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics()).into_response()
}

/// The headers of bytes that are the same for this version of the program.
fn headers_of(
    bytes: &[u8],
    content_type: &'static str,
    cache_control: &'static str,
) -> [(HeaderName, HeaderValue); 3] {
    [
        (header::ETAG, etag(bytes)),
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static(cache_control),
        ),
    ]
}

/// A text that is the same for this version of the program: clients ask each time whether it has changed.
pub(super) fn text(text: String, content_type: &'static str) -> Response {
    let headers = headers_of(text.as_bytes(), content_type, "no-cache");
    (headers, text).into_response()
}

/// The page. Its picture for links from elsewhere has an absolute address, since those who show such links read no other.
pub(super) fn page(app: &App, html: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let header = |name: &str| headers.get(name)?.to_str().ok();
    let host = uri.authority().map(Authority::as_str);
    let host = host.or_else(|| header("host"));
    let is_secure = header("x-forwarded-proto") == Some("https");
    let scheme = if is_secure { "https" } else { "http" };
    let html = match host.filter(|host| app.config.is_host(host)) {
        Some(host) => html.replace(
            "content=\"page/",
            &format!("content=\"{scheme}://{host}/page/"),
        ),
        None => html.to_owned(),
    };
    text(html, "text/html; charset=utf-8")
}

/// A file of the page, in a compressed form if the client reads one.
pub(super) fn file(file: &'static PageFile, cache_control: &'static str) -> MethodRouter<Arc<App>> {
    let plain = headers_of(file.bytes, file.content_type, cache_control);
    get(async move |headers: HeaderMap| {
        let mut packed = file.packed.iter();
        match packed.find(|(coding, _)| accepts(&headers, coding)) {
            None => (plain.clone(), file.bytes).into_response(),
            Some(&(coding, bytes)) => {
                let packed = [
                    (header::CONTENT_ENCODING, coding),
                    (header::VARY, "accept-encoding"),
                ];
                (plain.clone(), packed, bytes).into_response()
            }
        }
    })
}

/// Returns whether a client names a coding in `Accept-Encoding`, with a quality that is not 0.
fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut listed = listed.flat_map(|list| list.to_str().unwrap_or_default().split(','));
    listed.any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        let quality = quality.trim().strip_prefix("q=");
        let is_refused = quality.is_some_and(|quality| quality.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(coding) && !is_refused
    })
}
