//! Parts of requests: the shape in the path, the parameters of the query, the body.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use puzzledb::ask::from_options;
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
        let mut members = Vec::new();
        if parts.method == Method::POST {
            check_type(&parts.headers, &[JSON])?;
            members = texts(&bodies::read(body, app).await?)?;
        }
        read(&mut parts, members).await.map(Asked)
    }
}

/// As [`Asked`], for routes with a body of their own.
pub(super) struct Parameters<Q>(pub Q);

impl<Q: DeserializeOwned> FromRequestParts<Arc<App>> for Parameters<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        read(parts, Vec::new()).await.map(Parameters)
    }
}

/// Reads a question from the path, the query and the members of its body.
pub(super) async fn read<Q: DeserializeOwned>(
    parts: &mut Parts,
    members: Vec<(String, String)>,
) -> Result<Q, Problem> {
    let shape = Option::<Path<String>>::from_request_parts(parts, &()).await;
    let shape = shape.map_err(|_| Problem::bad("the path is not UTF-8"))?;
    let query = parts.uri.query().unwrap_or_default().as_bytes();
    let query = form_urlencoded::parse(query).into_owned();
    let mut options: Vec<(String, String)> = query.chain(members).collect();
    if let Some(Path(shape)) = shape {
        let not_found = |error| Problem::new(StatusCode::NOT_FOUND, error);
        let shape: Shape = shape.parse().map_err(not_found)?;
        options.push(("shape".to_owned(), shape.to_string()));
    }
    from_options(options).map_err(|refusal| Problem::bad(in_words(&refusal.sentence)))
}

/// Reads the members of a JSON object: texts as they are, numbers and lists as JSON.
pub(super) fn texts(body: &[u8]) -> Result<Vec<(String, String)>, Problem> {
    if body.len() > QUESTION_BYTES {
        let detail = format!("the body of one question is longer than {QUESTION_BYTES} bytes");
        return Err(Problem::too_large(detail));
    }
    if body.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let members: Map<String, Value> = serde_json::from_slice(body).map_err(|error| {
        Problem::bad(format!(
            "the body is not a JSON object of parameters: {error}"
        ))
    })?;
    let text = |(name, value)| match value {
        Value::Null | Value::Object(_) => {
            let detail = format!("the parameter {name} is neither a text, a number nor a list");
            Err(Problem::bad(detail))
        }
        Value::String(text) => Ok((name, text)),
        value => Ok((name, value.to_string())),
    };
    members.into_iter().map(text).collect()
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

/// The refusal of an option, with `parameter` for the word `field` of the library that reads it.
fn in_words(sentence: &str) -> String {
    for kind in ["missing", "unknown", "duplicate"] {
        if let Some((_, name)) = sentence.split_once(&format!("{kind} field ")) {
            return format!("{kind} parameter {name}");
        }
    }
    format!("the parameter {sentence}")
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
