//! The middleware of every request: limits before the handler, headers, counts and log after it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;

use super::admission::{Admission, Admitted};
use super::answer;
use super::app::App;
use super::client::Client;
use super::client_stream::ClientSide;
use super::connections::Peer;
use super::log::{Line, now};
use super::problem::Problem;
use super::work::for_client;

/// Answers a request within the limits, and counts and logs it.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let unknown = IpAddr::from(Ipv4Addr::UNSPECIFIED);
    let client = Client::at(peer.map_or(unknown, |peer| peer.ip()));
    let side = request.extensions().get::<ClientSide>();
    let side = side.cloned().unwrap_or_default();
    let if_none_match = request.headers().get(header::IF_NONE_MATCH).cloned();
    let has_body = !request.body().is_end_stream();
    let mut response = match admit(&app, &request, client) {
        Err(problem) => problem.into_response(),
        Ok(_) if app.cors && is_preflight(&request) => preflight(),
        Ok(_in_flight) => {
            let answer = for_client(side, next.run(request));
            client.scope(answer).await
        }
    };
    if let (Some(listed), Some(tag)) = (&if_none_match, response.headers().get(header::ETAG))
        && response.status() == StatusCode::OK
        && answer::etag_matches(listed, tag)
    {
        response = answer::not_modified(response.headers());
    }
    add_headers(response.headers_mut(), app.cors);
    if has_body && !response.status().is_success() {
        // Part of the body may not have been read: no further request is read on this connection.
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    let (status, took) = (response.status(), begun.elapsed());
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    app.metrics.count(route, status, took);
    if let Some(log) = &app.log {
        log.write(&Line {
            time: now(),
            peer,
            method: method.as_str(),
            uri: &uri.to_string(),
            status: status.as_u16(),
            seconds: took.as_secs_f64(),
        });
    }
    response
}

/// Admits a request, or returns the reason for a refusal. The request counts as in flight until the result is dropped.
fn admit<'a>(app: &'a App, request: &Request, client: Client) -> Result<Admitted<'a>, Problem> {
    let in_flight = Admission::enter(app, client).ok_or_else(|| {
        Problem::busy("too many questions are being answered: ask again in a moment")
    })?;
    let asked = request.uri().path_and_query();
    let most = app.limits.uri_bytes;
    if asked.is_some_and(|asked| asked.as_str().len() > most) {
        let detail = format!("the address is longer than {most} bytes");
        return Err(Problem::new(StatusCode::URI_TOO_LONG, detail));
    }
    check_host(app, request)?;
    check_origin(app, request)?;
    Ok(in_flight)
}

/// Checks that the `Host` is a name of this server. Otherwise a page on the web could let its own domain name resolve
/// to this address and use the API from a browser that reaches it (DNS rebinding).
fn check_host(app: &App, request: &Request) -> Result<(), Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return Err(Problem::bad("the request has more than one Host header"));
    }
    let host = match (host, request.uri().host()) {
        (_, Some(host)) => host,
        (Some(host), None) => host.to_str().unwrap_or(""),
        (None, None) if request.version() == Version::HTTP_10 => return Ok(()),
        (None, None) => return Err(Problem::bad("the request has no Host header")),
    };
    if !app.reach.is_host(host) {
        let names = if app.reach.is_local() {
            "names of its own machine, such as localhost,"
        } else {
            "its addresses, localhost"
        };
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            format!(
                "this server answers only to {names} and names that it was given: {host:?} is none"
            ),
        ));
    }
    Ok(())
}

/// Refuses a POST from a page of another origin, unless CORS is on: a browser sends a preflight before most such
/// requests (CORS), but not before a POST of `text/plain`.
fn check_origin(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let Some(origin) = headers.get(header::ORIGIN) else {
        return Ok(()); // no page, or a plain GET
    };
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    // The scheme may be that of a proxy before this server.
    let named = origin.as_bytes().splitn(2, |&byte| byte == b'/').last();
    let named = named.and_then(|name| name.strip_prefix(b"/"));
    let is_same = host
        .zip(named)
        .is_some_and(|(host, named)| named.eq_ignore_ascii_case(host));
    if app.cors || request.method() != Method::POST || is_same {
        return Ok(());
    }
    let detail = "this server takes no requests with a body from pages of other origins";
    Err(Problem::new(StatusCode::FORBIDDEN, detail))
}

fn is_preflight(request: &Request) -> bool {
    let method = header::ACCESS_CONTROL_REQUEST_METHOD;
    request.method() == Method::OPTIONS && request.headers().contains_key(method)
}

/// The answer to a CORS preflight, which a browser sends before a request from another origin.
fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "content-type, if-none-match, range",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// The page loads nothing from elsewhere. `blob:` and `data:` are for the user's own picture on the tiles, and for the
/// worker with the module, which can be started again when the server is gone.
const POLICY: &str = "default-src 'self'; img-src 'self' blob: data:; script-src 'self' 'wasm-unsafe-eval'; \
                      worker-src 'self' blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

fn add_headers(headers: &mut HeaderMap, cors: bool) {
    let mut add = |name: HeaderName, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    add(header::CONTENT_SECURITY_POLICY, POLICY);
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(header::REFERRER_POLICY, "no-referrer");
    let resources = HeaderName::from_static("cross-origin-resource-policy");
    if cors {
        add(resources, "cross-origin");
        add(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        add(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            "etag, content-range, retry-after",
        );
    } else {
        add(resources, "same-origin");
    }
}
