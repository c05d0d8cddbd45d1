//! The router: all routes, and the layers around them, which hold requests to the limits, check where they come from, compress
//! answers, add headers, and count and log.

use std::any::Any;
use std::io::{Write, stderr};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{Method, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower::{BoxError, ServiceBuilder};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::CorsLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

use puzzledb::ask::{Effort, Estimates, Generate, Probe, RefusalCode, Search, Solutions, Solve};

use super::answer::{CHECKED, Problem, unless_known};
use super::asked::Asked;
use super::page::FILES;
use super::questions::{Answer, answer, record, stats, verify};
use super::server::App;
use super::site;

/// The `Cache-Control` of files whose path has a digest of their content.
const LASTING: &str = "public, max-age=31536000, immutable";

/// The router with all routes, inside the layers of [`guarded`].
pub(super) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/v1/", get(site::served))
        .route("/v1", get(site::served))
        .route("/v1/{shape}/verify", get(verify).post(verify))
        .route("/v1/{shape}/database", get(site::database))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(site::readyz))
        .route("/metrics", get(site::metrics))
        .route("/openapi.json", get(site::document))
        .route("/", get(site::page));
    let ask = |is_always_the_same, list, record: Answer| {
        move |asked: Asked| answer(asked, is_always_the_same, list, record)
    };
    for (name, ask) in [
        ("probe", ask(true, Some("probes"), record::<Probe>)),
        ("solve", ask(true, Some("solutions"), record::<Solve>)),
        ("solutions", ask(true, None, record::<Solutions>)),
        ("random", ask(false, None, record::<Generate>)),
        ("stats", ask(true, None, stats)),
        ("search", ask(false, None, record::<Search>)),
        ("effort", ask(true, None, record::<Effort>)),
        ("heuristics", ask(true, None, record::<Estimates>)),
    ] {
        router = router.route(&format!("/v1/{{shape}}/{name}"), get(ask).post(ask));
    }
    // Former paths, which the document leaves out.
    for (path, ask) in [
        ("/v1/{shape}/solution", ask(true, None, record::<Solve>)),
        ("/v1/search", ask(false, None, record::<Search>)),
        ("/v1/effort", ask(true, None, record::<Effort>)),
        ("/v1/heuristics", ask(true, None, record::<Estimates>)),
    ] {
        router = router.route(path, get(ask));
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

/// Level of compression, of 9 for gzip and 11 for Brotli.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// Most bytes of an answer that fits into one packet, which compression would not make less.
const SMALL: u64 = 1200;

/// The page loads nothing from elsewhere. `blob:` and `data:` are for the user's own picture on the tiles, for the typeface
/// in the style sheet, and for the worker with the module, which can be started again when the server is gone.
const POLICY: &str = "default-src 'self'; img-src 'self' blob: data:; font-src data:; script-src 'self' 'wasm-unsafe-eval'; \
                      worker-src 'self' blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Puts the layers around all routes; the first is the outermost.
fn guarded(router: Router<Arc<App>>, app: &Arc<App>) -> Router {
    let cors = || CorsLayer::permissive().max_age(Duration::from_secs(86_400));
    // A browser sends `text/plain` without asking first.
    let foreign = || {
        CsrfLayer::new().with_rejection_response(|_| {
            let detail = "this server takes no requests with a body from pages of other origins";
            Problem::new(StatusCode::FORBIDDEN, detail).into_response()
        })
    };
    let compression = CompressionLayer::new().quality(LEVEL);
    let compressed = SizeAbove::new(SMALL)
        .and(NotForContentType::const_new("application/x-ndjson")) // whose lines are sent as they come
        .and(NotForContentType::const_new("application/octet-stream"))
        .and(NotForContentType::const_new("application/gzip"));
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(PropagateRequestIdLayer::x_request_id())
        .option_layer(app.config.cors.then(cors))
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| {
            Problem::panicked().into_response()
        }))
        .layer(HandleErrorLayer::new(put_off))
        .load_shed()
        .layer(GlobalConcurrencyLimitLayer::with_semaphore(Arc::clone(
            &app.in_flight,
        )))
        .timeout(app.config.limits.request_time())
        .layer(compression.compress_when(compressed))
        .option_layer((!app.config.cors).then(foreign));
    router.layer(layers).with_state(Arc::clone(app))
}

/// The refusal of a request that the limits leave no room or no time for.
async fn put_off(_error: BoxError) -> Problem {
    let detail = "too many questions are being answered: ask again in a moment";
    Problem::of(RefusalCode::Busy, detail)
}

/// Checks a request and answers it; counts and logs the answer.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let (extensions, headers) = (request.extensions(), request.headers());
    let route = extensions.get::<MatchedPath>().cloned();
    let peer = extensions.get::<SocketAddr>().copied();
    let id = headers.get("x-request-id").cloned();
    let may_be_kept = method == Method::GET || method == Method::HEAD;
    let if_none_match = headers.get(header::IF_NONE_MATCH).cloned();
    let if_none_match = if_none_match.filter(|_| may_be_kept);
    let response = match check(&app, &request) {
        Err(problem) => problem.into_response(),
        Ok(()) => next.run(request).await,
    };
    let sites = ["same-origin", "cross-origin"][usize::from(app.config.cors)];
    let headers = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", sites),
    ];
    let response = unless_known(response, if_none_match.as_ref());
    let response = (headers, response).into_response();
    let status = response.status();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    app.count(route, status);
    if app.config.log {
        let line = json!({
            "time": SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs_f64(),
            "id": id.as_ref().and_then(|id| id.to_str().ok()),
            "peer": peer,
            "method": method.as_str(),
            "uri": uri.to_string(),
            "status": status.as_u16(),
            "seconds": begun.elapsed().as_secs_f64(),
        });
        let _ = writeln!(stderr(), "{line}"); // there is nowhere to report an error
    }
    response
}

/// Checks that the `Host` is a name of this server. Otherwise a page on the web could let its own
/// domain name resolve to this address and use the API from a browser that reaches it (DNS rebinding).
fn check(app: &App, request: &Request) -> Result<(), Problem> {
    let hosts: Vec<_> = request.headers().get_all(header::HOST).iter().collect();
    let host = hosts.first().map(|host| host.to_str().unwrap_or(""));
    match (request.uri().host().or(host), hosts.len()) {
        (Some(host), ..=1) if app.config.is_host(host) => Ok(()),
        (Some(host), ..=1) => {
            let detail = format!(
                "this server answers only to its addresses, localhost and names that it was given: {host:?} is none"
            );
            Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
        }
        (None, _) if request.version() == Version::HTTP_10 => Ok(()),
        _ => {
            let detail = "the request has no Host header, or more than one";
            Err(Problem::of(RefusalCode::BadOption, detail))
        }
    }
}
