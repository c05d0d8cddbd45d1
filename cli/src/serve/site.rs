//! Routes beside the questions: what is served, databases, health, metrics, and the files of the web page.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use puzzledb::Cancel;
use puzzledb::ask::{Oracles, RefusalCode, Stats, from_options};
use puzzledb::internals::goal_of;
use puzzledb::puzzle::{Shape, UsualGoal};
use puzzledb::table::{Encoding, Table, build};

use super::answer::{CACHEABLE, CHECKED, JSON, Problem, etag, json, kept, written};
use super::asked::{Asked, refused};
use super::page::{FILES, PageFile, served_page};
use super::server::App;

/// What the server answers questions about.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Listed {
    /// Its path, with `{shape}` for rows x columns.
    #[cfg_attr(test, schema(example = "/v1/{shape}/probe"))]
    pub path: String,
    /// Its methods.
    pub methods: Vec<String>,
    /// What it answers.
    pub summary: String,
}

/// A shape that is served.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct ServedShape {
    /// Rows x columns.
    #[cfg_attr(test, schema(example = "3x3"))]
    shape: String,
    /// Whether there is a database for the default goal. Without one boards are solved by searches, which may give up hard
    /// ones, and there are no statistics.
    database: bool,
}

/// The description of the routes for programs, which the tests make of the structs.
pub(super) const DOCUMENT: &str = include_str!("openapi.json");

/// The routes of the document.
static ROUTES: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(DOCUMENT).expect("JSON");
    let paths = document["paths"].as_object().into_iter().flatten();
    let listed = |(path, methods): (&String, &Value)| Listed {
        path: path.clone(),
        methods: (methods.as_object().into_iter().flatten())
            .map(|(name, _)| name.to_uppercase())
            .collect(),
        summary: methods["get"]["summary"]
            .as_str()
            .unwrap_or_default()
            .into(),
    };
    paths.map(listed).collect()
});

pub(super) async fn document() -> Response {
    kept(etag(DOCUMENT.as_bytes()), DOCUMENT, JSON, CHECKED)
}

/// What is served: shapes, limits and routes.
pub(super) async fn served(State(app): State<Arc<App>>) -> Response {
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
        routes: ROUTES.clone(),
    };
    json(written(&served), true)
}

/// Lets [`Bytes`] own a table.
struct TableBytes(Arc<Table>);

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().whole().unwrap_or_default()
    }
}

/// Bytes that have the header of a database, with the checksums of all the rest.
const HEADER: usize = 4096;

/// The database of a table, or one in another encoding, which is built if it is small.
fn bytes_of(table: &Arc<Table>, encoding: Option<Encoding>) -> Result<Bytes, Problem> {
    let (own, class) = (table.header().encoding(), table.header().class());
    let detail = match encoding.filter(|encoding| *encoding != own) {
        None if table.bytes().whole().is_some() => {
            return Ok(Bytes::from_owner(TableBytes(Arc::clone(table))));
        }
        None => {
            "this database is larger than this server has memory for: it gives out no file of it"
                .to_owned()
        }
        Some(encoding) if class.is_small() => {
            let built = build(class, encoding, 1, &Cancel::new());
            let built = built.map_err(|error| Problem::of(RefusalCode::Busy, error))?;
            return Ok(built.expect("the callback never stops the search").into());
        }
        Some(_) => format!(
            "this database is in the encoding `{own}`, and too large to be built in another one here"
        ),
    };
    Err(Problem::of(RefusalCode::NoDatabase, detail))
}

/// The database of a goal.
pub(super) async fn database(mut asked: Asked) -> Result<Response, Problem> {
    let encoding = asked.take("encoding").map(|name| name.parse::<Encoding>());
    let encoding = encoding.transpose().map_err(refused)?;
    let space: Stats = from_options(asked.options)?;
    let goal = goal_of(space.shape, space.goal.as_deref())?;
    let answer = asked.work.spawn(move |work| {
        let oracle = work.table(&goal)?;
        let table = oracle.table().expect("it is of a table");
        let bytes = bytes_of(table, encoding)?;
        let name = table.header().class().name();
        let name = format!("attachment; filename=\"{name}.pzdb\"");
        let tag = etag(&bytes[..bytes.len().min(HEADER)]);
        let file = kept(tag, bytes, "application/octet-stream", CACHEABLE);
        Ok(([(header::CONTENT_DISPOSITION, name)], file).into_response())
    });
    answer.await
}

/// Whether the server answers at once.
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    if app.tables.are_fresh() {
        return Ok("ready\n");
    }
    let detail = "a database has changed and is not verified yet";
    Err(Problem::of(RefusalCode::Busy, detail))
}

/// Counts of requests and of work, in the text format of Prometheus.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics()).into_response()
}

/// The page. Its picture for links from elsewhere has an absolute address, since those who show such links read no other.
pub(super) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    static PAGE: LazyLock<String> = LazyLock::new(served_page);
    let header = |name: &str| headers.get(name)?.to_str().ok();
    let is_secure = header("x-forwarded-proto") == Some("https");
    let scheme = if is_secure { "https" } else { "http" };
    let host = header("host").filter(|host| app.config.is_host(host));
    let root = host.map_or(String::new(), |host| format!("{scheme}://{host}/"));
    let html = PAGE.replace("content=\"page/", &format!("content=\"{root}page/"));
    let tag = etag(html.as_bytes());
    kept(tag, html, FILES[0].content_type, CHECKED)
}

/// A file of the page. A client that names a coding without a quality, as browsers do, gets the compressed form; for others
/// the answer is compressed as any other.
pub(super) fn file(file: &'static PageFile, cache_control: &'static str) -> MethodRouter<Arc<App>> {
    let tag = etag(file.bytes);
    get(async move |headers: HeaderMap| {
        let accepted = headers.get(header::ACCEPT_ENCODING);
        let accepted = accepted.map_or("", |it| it.to_str().unwrap_or_default());
        let accepts = |coding: &str| accepted.split(',').any(|one| one.trim() == coding);
        let packed = file.packed.iter().find(|(coding, _)| accepts(coding));
        let (coding, bytes) = packed.copied().unzip();
        let coding = coding.map(|coding| {
            [
                (header::CONTENT_ENCODING, coding),
                (header::VARY, "accept-encoding"),
            ]
        });
        let bytes = bytes.unwrap_or(file.bytes);
        (coding, kept(tag, bytes, file.content_type, cache_control)).into_response()
    })
}
