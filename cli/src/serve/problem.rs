//! Problem details (RFC 9457): the answer to a request that fails.
//!
//! Refusals of questions state facts; this module adds their status, and the names of parameters.

use std::fmt;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::judge::ClaimError;

use super::answer::{unkept, written};

/// Why a request is not answered.
#[derive(Clone, Debug, Serialize, thiserror::Error, ToSchema)]
#[error("{detail}")]
pub(super) struct Problem {
    /// The kind of the refusal as a URI, such as `urn:puzzledb:bad-board`; `about:blank` if the status says it all.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<RefusalCode>,
    /// The status in words.
    title: &'static str,
    /// The status.
    status: u16,
    /// What is wrong and what to do about it.
    detail: String,
}

/// The status of a refusal.
fn status_of(code: RefusalCode) -> StatusCode {
    use RefusalCode as Code;
    match code {
        Code::Unsolvable => StatusCode::UNPROCESSABLE_ENTITY,
        Code::NoDatabase => StatusCode::NOT_FOUND,
        Code::Damaged | Code::Busy | Code::Cancelled | Code::TimedOut => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::BAD_REQUEST,
    }
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
    pub(super) fn of(code: RefusalCode, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: format!("urn:puzzledb:{}", json!(code).as_str().unwrap_or_default()),
            code: Some(code),
            ..Problem::new(status_of(code), detail)
        }
    }

    /// 413: the body is too long.
    pub(super) fn too_large(detail: impl fmt::Display) -> Problem {
        Problem {
            title: "Payload Too Large",
            status: 413,
            ..Problem::of(RefusalCode::TooLarge, detail)
        }
    }

    /// 500: the work for the answer has panicked.
    pub(super) fn panicked() -> Problem {
        let detail = "this is a mistake in the server, and none in the request";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }
}

/// Returns whether a refusal is about the server: then it is of all boards of a list, and not of one.
pub(super) fn is_of_server(code: Option<RefusalCode>) -> bool {
    matches!(code, Some(RefusalCode::Busy | RefusalCode::Damaged))
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).expect("it was made of one");
        let is_busy = status == StatusCode::SERVICE_UNAVAILABLE;
        let retry = is_busy.then_some([(header::RETRY_AFTER, "1")]);
        let answer = unkept(written(&self), "application/problem+json");
        (status, retry, answer).into_response()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let sentence = match refusal.cause {
            Some(Cause::Claim(ClaimError::NoBoardInText)) => {
                "no board was found in this text: name it in the parameter board, as in ?board=704851632".to_owned()
            }
            Some(Cause::Claim(ClaimError::Notation { text, only })) => {
                format!("{text:?} is not written as moves={only} asks")
            }
            _ => refusal.sentence,
        };
        Problem::of(refusal.code, sentence)
    }
}
