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
    /// The kind of the refusal as a URI, such as `urn:puzzledb:bad-board`; `about:blank` if the status says it all.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<RefusalCode>,
    /// The status in words.
    title: &'static str,
    /// The status.
    status: u16,
    /// What is wrong and what to do about it.
    detail: String,
}

impl Problem {
    /// A problem of the protocol, which its status names.
    pub(super) fn new(status: StatusCode, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: "about:blank".to_owned(),
            code: None,
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.to_string(),
        }
    }

    /// A refusal of a question.
    fn refused(status: StatusCode, code: RefusalCode, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: format!("urn:puzzledb:{}", code.name()),
            code: Some(code),
            ..Problem::new(status, detail)
        }
    }

    /// Kind of the refusal; `None` if it is a problem of the protocol.
    pub(super) fn code(&self) -> Option<RefusalCode> {
        self.code
    }

    /// 400: an option is wrong.
    pub(super) fn bad(detail: impl fmt::Display) -> Problem {
        Problem::refused(StatusCode::BAD_REQUEST, RefusalCode::BadOption, detail)
    }

    /// 404: this server has no database for it.
    pub(super) fn no_database(detail: impl fmt::Display) -> Problem {
        Problem::refused(StatusCode::NOT_FOUND, RefusalCode::NoDatabase, detail)
    }

    /// 413: the body is too long.
    pub(super) fn too_large(detail: impl fmt::Display) -> Problem {
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        Problem::refused(status, RefusalCode::TooLarge, detail)
    }

    /// 503: the server has too much to do at the moment.
    pub(super) fn busy(detail: impl fmt::Display) -> Problem {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Problem::refused(status, RefusalCode::Busy, detail)
    }

    /// 503: a database is damaged.
    pub(super) fn damaged(detail: impl fmt::Display) -> Problem {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Problem::refused(status, RefusalCode::Damaged, detail)
    }

    /// 503: the time was over before there was an answer.
    pub(super) fn timed_out(detail: impl fmt::Display) -> Problem {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Problem::refused(status, RefusalCode::TimedOut, detail)
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
        let sentence = match refusal.cause {
            Some(Cause::Claim(ClaimError::NoBoardInText)) => {
                "no board was found in this text: name it in the parameter board, as in ?board=704851632".to_owned()
            }
            Some(Cause::Claim(ClaimError::Notation { text, only })) => {
                format!("{text:?} is not written as moves={only} asks")
            }
            _ => refusal.sentence,
        };
        Problem::refused(status, refusal.code, sentence)
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
