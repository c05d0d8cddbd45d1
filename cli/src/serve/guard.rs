//! The layers around all routes: limits, origins, compression, headers, counts and log.

use std::any::Any;
use std::io::{Write, stderr};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower::timeout::error::Elapsed;
use tower::{BoxError, ServiceBuilder};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::CorsLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

use puzzledb::ask::RefusalCode;

use super::answer::{self, Problem};
use super::server::App;

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
pub(super) fn guarded(router: Router<Arc<App>>, app: &Arc<App>) -> Router {
    let cors = || CorsLayer::permissive().max_age(Duration::from_secs(86_400));
    // A browser sends `text/plain` without asking first.
    let foreign = || {
        CsrfLayer::new().with_rejection_response(|_| {
            let detail = "this server takes no requests with a body from pages of other origins";
            Problem::new(StatusCode::FORBIDDEN, detail).into_response()
        })
    };
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
        .layer(
            CompressionLayer::new()
                .quality(LEVEL)
                .compress_when(compressed),
        )
        .option_layer((!app.config.cors).then(foreign));
    router.layer(layers).with_state(Arc::clone(app))
}

/// The refusal of a request that the limits leave no room or no time for.
async fn put_off(error: BoxError) -> Problem {
    if error.is::<Elapsed>() {
        let detail = "this takes too long: ask for less at once, or again in a moment";
        Problem::of(RefusalCode::TimedOut, detail)
    } else {
        let detail = "too many questions are being answered: ask again in a moment";
        Problem::of(RefusalCode::Busy, detail)
    }
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
    let mut response = match check(&app, &request) {
        Err(problem) => problem.into_response(),
        Ok(()) => next.run(request).await,
    };
    response = answer::unless_known(response, if_none_match.as_ref());
    let sites = ["same-origin", "cross-origin"][usize::from(app.config.cors)];
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", sites),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
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
