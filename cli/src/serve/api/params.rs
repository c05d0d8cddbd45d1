//! Parts of requests: the shape in the path, the parameters of the query, the body.

use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use puzzledb::puzzle::Shape;

use super::super::app::App;
use super::super::bodies;
use super::super::lines::media_type;
use super::super::problem::Problem;

/// The media type of JSON.
pub(super) const JSON: &str = "application/json";

/// Most bytes of the body of one question.
const QUESTION_BYTES: usize = 16 << 10;

/// A question: the shape in the path, the parameters of the query, and of a POST the members of a JSON object, which are
/// other parameters. Unknown parameters and duplicates are refused.
pub(super) struct Asked<Q>(pub Q);

impl<Q: DeserializeOwned> FromRequest<Arc<App>> for Asked<Q> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Asked<Q>, Problem> {
        let (mut parts, body) = request.into_parts();
        let mut members = String::new();
        if parts.method == Method::POST {
            check_type(&parts.headers, &[JSON])?;
            members = as_query(&bodies::read(body, app).await?)?;
        }
        read(&mut parts, &members).await.map(Asked)
    }
}

/// As [`Asked`], for routes with a body of their own.
pub(super) struct Parameters<Q>(pub Q);

impl<Q: DeserializeOwned> FromRequestParts<Arc<App>> for Parameters<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        read(parts, "").await.map(Parameters)
    }
}

/// Reads a question from the path, the query and `members`, further parameters in the form of a query.
pub(super) async fn read<Q: DeserializeOwned>(
    parts: &mut Parts,
    members: &str,
) -> Result<Q, Problem> {
    let shape = Option::<Path<String>>::from_request_parts(parts, &()).await;
    let shape = shape.map_err(|_| Problem::bad("the path is not UTF-8"))?;
    let mut query = parts.uri.query().unwrap_or_default().to_owned();
    let joint = |query: &str| if query.is_empty() { "" } else { "&" };
    if let Some(Path(shape)) = shape {
        let not_found = |error| Problem::new(StatusCode::NOT_FOUND, error);
        let shape: Shape = shape.parse().map_err(not_found)?;
        let _ = write!(query, "{}shape={shape}", joint(&query));
    }
    if !members.is_empty() {
        query = format!("{query}{}{members}", joint(&query));
    }
    let uri = Uri::try_from(format!("/?{query}")).map_err(Problem::bad)?;
    match Query::try_from_uri(&uri) {
        Ok(Query(question)) => Ok(question),
        Err(error) => Err(Problem::bad(error_text(&error))),
    }
}

/// Writes the members of a JSON object as a query: texts as they are, numbers and lists as JSON.
pub(super) fn as_query(body: &[u8]) -> Result<String, Problem> {
    if body.len() > QUESTION_BYTES {
        let detail = format!("the body of one question is longer than {QUESTION_BYTES} bytes");
        return Err(Problem::too_large(detail));
    }
    let mut query = form_urlencoded::Serializer::new(String::new());
    if body.trim_ascii().is_empty() {
        return Ok(query.finish());
    }
    let members: Map<String, Value> = serde_json::from_slice(body).map_err(|error| {
        Problem::bad(format!(
            "the body is not a JSON object of parameters: {error}"
        ))
    })?;
    for (name, value) in members {
        match value {
            Value::Null | Value::Object(_) => {
                let detail = format!("the parameter {name} is neither a text, a number nor a list");
                return Err(Problem::bad(detail));
            }
            Value::String(text) => query.append_pair(&name, &text),
            value => query.append_pair(&name, &value.to_string()),
        };
    }
    Ok(query.finish())
}

/// Checks that a body that names its media type has one of these.
pub(super) fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), Problem> {
    let Some(named) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    let kind = media_type(headers).unwrap_or_default();
    if types.iter().any(|one| one.eq_ignore_ascii_case(kind)) {
        return Ok(());
    }
    let types = types.join(" or ");
    let detail = format!("the content-type of the body is {named:?}: it must be {types}");
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
}

/// Error in a query string, with `parameter` for the word `field` of the library that reads it.
fn error_text(error: &QueryRejection) -> String {
    let cause = error.source().map_or_else(String::new, ToString::to_string);
    for kind in ["missing", "unknown", "duplicate"] {
        if let Some((_, name)) = cause.split_once(&format!("{kind} field ")) {
            return format!("{kind} parameter {name}");
        }
    }
    format!("the parameter {cause}")
}

/// The whole body, read within the limits of size and time.
pub(super) struct RequestBody(pub Bytes);

impl FromRequest<Arc<App>> for RequestBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<RequestBody, Problem> {
        let body = bodies::read(request.into_body(), app).await?;
        Ok(RequestBody(body))
    }
}
