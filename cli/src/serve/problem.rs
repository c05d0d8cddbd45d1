//! Problem details (RFC 9457): the answer to a request that fails.
//!
//! Refusals of questions state facts; this module adds their status, and the names of parameters.

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::judge::reading::ClaimError;
use puzzledb::oracle::{OracleError, QueryError};
use puzzledb::puzzle::{GoalError, ParseError};
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
            Some(Cause::Claim(ClaimError::NoBoardInText)) => Problem::bad(
                "no board was found in this text: name it in the parameter board, as in \
                 ?board=704851632",
            ),
            Some(Cause::Claim(ClaimError::Notation { text, only })) => {
                Problem::bad(format!("{text:?} is not written as moves={only} asks"))
            }
            _ => Problem::new(status, refusal.sentence),
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

by_refusal!(ParseError, GoalError, SpaceError, QueryError, OracleError);
