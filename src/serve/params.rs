//! The parameters and the body of a request.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;
use serde::de::DeserializeOwned;

use crate::puzzle::{Shape, ShapeError};

use super::app::App;
use super::problem::Problem;

/// The shape in the address.
pub(super) struct OfShape(pub Shape);

impl<S: Send + Sync> FromRequestParts<S> for OfShape {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<OfShape, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|error| Problem::bad(error.body_text()))?;
        let shape = text.parse();
        let shape = shape.map_err(|error: ShapeError| Problem::not_found(error.to_string()))?;
        Ok(OfShape(shape))
    }
}

/// The parameters after the `?`; one that is not known or there twice is refused.
pub(super) struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params<T>, Problem> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Params(params)),
            Err(error) => Err(Problem::bad(error.body_text())),
        }
    }
}

/// The body, read whole within the limits of size and time.
pub(super) struct Whole(pub Bytes);

impl FromRequest<Arc<App>> for Whole {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Whole, Problem> {
        let (most, time) = (app.limits.body_bytes, app.limits.body_time);
        let too_large = || Problem::too_large(format!("the body is longer than {most} bytes"));
        let body = request.into_body();
        if body.size_hint().lower() > most as u64 {
            return Err(too_large()); // it says so itself: nothing of it need be read
        }
        match tokio::time::timeout(time, Limited::new(body, most).collect()).await {
            Ok(Ok(body)) => Ok(Whole(body.to_bytes())),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(_)) => Err(Problem::bad("the body ended before its end")),
            Err(_) => Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                format!("the body took longer than {} s", time.as_secs()),
            )),
        }
    }
}
