//! Parts of requests: the shape in the path, the parameters of the query, the body.

use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::Uri;
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use puzzledb::puzzle::Shape;

use super::super::app::App;
use super::super::bodies;
use super::super::problem::Problem;

/// A question: the parameters of the query, and the shape in the path. Unknown parameters and duplicates are refused.
pub(super) struct Asked<Q>(pub Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<Q>, Problem> {
        let shape = Option::<Path<String>>::from_request_parts(parts, state).await;
        let shape = shape.map_err(|_| Problem::bad("the path is not UTF-8"))?;
        let mut query = parts.uri.query().unwrap_or_default().to_owned();
        if let Some(Path(shape)) = shape {
            let shape: Shape = shape.parse().map_err(Problem::not_found)?;
            let joint = if query.is_empty() { "" } else { "&" };
            let _ = write!(query, "{joint}shape={shape}");
        }
        let uri = Uri::try_from(format!("/?{query}")).map_err(Problem::bad)?;
        match Query::try_from_uri(&uri) {
            Ok(Query(question)) => Ok(Asked(question)),
            Err(error) => Err(Problem::bad(error_text(&error))),
        }
    }
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
