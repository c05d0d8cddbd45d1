//! Parts of requests: the shape in the path, the parameters of the query, the body.

use std::error::Error;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use puzzledb::puzzle::Shape;

use super::super::app::App;
use super::super::bodies;
use super::super::problem::Problem;

/// The shape in the path.
pub(super) struct PathShape(pub Shape);

impl<S: Send + Sync> FromRequestParts<S> for PathShape {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathShape, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::bad("the path is not UTF-8"))?;
        let shape = text.parse::<Shape>().map_err(Problem::not_found)?;
        Ok(PathShape(shape))
    }
}

/// The parameters of the query. Unknown ones and duplicates are refused.
pub(super) struct QueryParams<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<QueryParams<T>, Problem> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(QueryParams(params)),
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

/// A goal as the only parameter.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct GoalQuery {
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
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
