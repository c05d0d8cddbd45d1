//! What is said to a client whose request is not answered (RFC 9457).

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::oracle::generate::GenerateError;
use crate::oracle::{OracleError, QueryError};
use crate::puzzle::{GoalError, ParseError};
use crate::search::{EffortError, HeuristicError};
use crate::space::SpaceError;

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
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
        }
    }

    pub(super) fn bad(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    pub(super) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    pub(super) fn too_large(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// There is too much to do at the moment.
    pub(super) fn busy(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
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
        let status = StatusCode::from_u16(self.status).expect("it was one");
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

impl From<SpaceError> for Problem {
    fn from(error: SpaceError) -> Problem {
        let status = match error {
            SpaceError::Unsolvable { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, error.to_string())
    }
}

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Problem {
        match error {
            QueryError::Space(error) => error.into(),
            QueryError::TooLittleMemory { .. } => Problem::busy(error.to_string()),
            QueryError::WrongTable => {
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
        }
    }
}

impl From<OracleError> for Problem {
    fn from(error: OracleError) -> Problem {
        match error {
            OracleError::Space(error) => error.into(),
            OracleError::Search(_) => Problem::busy(error.to_string()),
            OracleError::Query(error) => error.into(),
            OracleError::Open(_) | OracleError::OtherClass { .. } => {
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
        }
    }
}

impl From<GenerateError> for Problem {
    fn from(error: GenerateError) -> Problem {
        match error {
            GenerateError::Oracle(error) => error.into(),
            GenerateError::TooFew { .. } => Problem::bad(error.to_string()),
        }
    }
}

impl From<EffortError> for Problem {
    fn from(error: EffortError) -> Problem {
        match error {
            EffortError::Query(error) => error.into(),
            EffortError::Oracle(error) => error.into(),
            _ => Problem::bad(error.to_string()),
        }
    }
}

impl From<HeuristicError> for Problem {
    fn from(error: HeuristicError) -> Problem {
        match error {
            HeuristicError::Oracle(error) => error.into(),
            HeuristicError::Pattern(_) => Problem::bad(error.to_string()),
        }
    }
}

impl From<ParseError> for Problem {
    fn from(error: ParseError) -> Problem {
        Problem::bad(error.to_string())
    }
}

impl From<GoalError> for Problem {
    fn from(error: GoalError) -> Problem {
        Problem::bad(format!("goal {error}"))
    }
}
