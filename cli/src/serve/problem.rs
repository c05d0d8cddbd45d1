//! Problem details (RFC 9457): the answer to a request that fails.
//!
//! Errors of the library state facts. This module adds the advice for clients, in the words of the API:
//! paths and parameters.

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::text::plural;
use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::judge::reading::ClaimError;
use puzzledb::oracle::{OracleError, QueryError};
use puzzledb::puzzle::{BoardError, GoalError, ParseError, Shape};
use puzzledb::space::SpaceError;

/// Why a request is not answered.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Problem {
    /// Always `about:blank`: the status says of what kind it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The status.
    status: u16,
    /// What is wrong and what to do about it.
    detail: String,
}

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.to_string(),
        }
    }

    /// 400: the request is wrong.
    pub(super) fn bad(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 404: there is no such thing on this server.
    pub(super) fn not_found(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// 413: the body is too long.
    pub(super) fn too_large(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// 503: the server has too much to do at the moment.
    pub(super) fn busy(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// 500: the work for the answer has panicked.
    pub(super) fn panicked() -> Problem {
        Problem::internal("this is a mistake in the server, and none in the request")
    }

    /// 500: no fault of the client.
    pub(super) fn internal(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).expect("strings and numbers");
        let status = StatusCode::from_u16(self.status).expect("it was made of one");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, json);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<ParseError> for Problem {
    fn from(error: ParseError) -> Problem {
        let (wrong, found) = (error_text(&error), wrong_count(&error));
        match found.and_then(shape_with_cells) {
            Some(shape) => Problem::bad(format!(
                "{wrong}; another shape is named in the path, as in /v1/{shape}/probe, or in the \
                 parameter shape, as in /v1/search?shape={shape}"
            )),
            None => Problem::bad(wrong),
        }
    }
}

impl From<GoalError> for Problem {
    fn from(error: GoalError) -> Problem {
        let GoalError {
            text, shape, cause, ..
        } = error;
        let wrong = error_text(&cause);
        Problem::bad(format!(
            "the goal {text:?} is not a {shape} board ({wrong}) and none of the names last, first or spiral"
        ))
    }
}

/// The message of an error about a board, without advice.
fn error_text(error: &ParseError) -> String {
    match error {
        ParseError::NotSquare { found } => {
            let cells = plural(*found as u64, "cell");
            format!("{cells}: square boards have 4, 9, 16, 25, 36, 49 or 64")
        }
        ParseError::Board(BoardError::WrongCount { shape, found }) => {
            let cells = plural(*found as u64, "cell");
            format!("{cells} where a {shape} board has {}", shape.cells())
        }
        other => other.to_string(),
    }
}

/// The number of cells, if the error is in that number.
fn wrong_count(error: &ParseError) -> Option<usize> {
    match error {
        ParseError::NotSquare { found }
        | ParseError::Board(BoardError::WrongCount { found, .. }) => Some(*found),
        _ => None,
    }
}

/// The shape with this number of cells that is the most nearly square, in landscape format.
fn shape_with_cells(cells: usize) -> Option<Shape> {
    let rows = (2..=cells.isqrt())
        .rev()
        .find(|&rows| cells.is_multiple_of(rows))?;
    Shape::new(rows, cells / rows).ok()
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        use RefusalCode as Code;
        let status = match refusal.code {
            Code::Unsolvable => StatusCode::UNPROCESSABLE_ENTITY,
            Code::NoDatabase => StatusCode::NOT_FOUND,
            Code::Damaged | Code::Busy | Code::Cancelled | Code::TimedOut => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            _ => StatusCode::BAD_REQUEST,
        };
        match refusal.cause {
            Some(Cause::Board(error)) => error.into(),
            Some(Cause::Goal(error)) => error.into(),
            Some(Cause::Claim(error)) => error.into(),
            _ => Problem::new(status, refusal.sentence),
        }
    }
}

impl From<ClaimError> for Problem {
    fn from(error: ClaimError) -> Problem {
        match error {
            ClaimError::Board(error) => error.into(),
            ClaimError::NoBoardInText => Problem::bad(
                "no board was found in this text: name it in the parameter board, as in \
                 ?board=704851632",
            ),
            ClaimError::Notation { text, only } => {
                Problem::bad(format!("{text:?} is not written as moves={only} asks"))
            }
            other => Problem::bad(other),
        }
    }
}

macro_rules! by_refusal {
    ($($error:ty),*) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Problem {
                Refusal::from(error).into()
            }
        }
    )*};
}

by_refusal!(SpaceError, QueryError, OracleError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_cells_says_where_a_shape_is_named() {
        for (cells, shape) in [
            (6, Some("2x3")),
            (10, Some("2x5")),
            (12, Some("3x4")),
            (16, Some("4x4")),
            (1, None),
            (7, None),
            (1_000_003, None),
        ] {
            let found = shape_with_cells(cells).map(|shape| shape.to_string());
            assert_eq!(found.as_deref(), shape, "{cells}");
        }
    }
}
