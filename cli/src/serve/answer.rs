//! Answers: records in JSON, files, and refusals as problem details (RFC 9457). Refusals of questions state facts; this module
//! adds their status, and the names of parameters.

use std::convert::Infallible;
use std::fmt;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::judge::ClaimError;

use crate::digest::sha256;

/// The `Cache-Control` of answers that never change: a day, since another version of this program may
/// give them in another form.
pub(super) const CACHEABLE: &str = "public, max-age=86400";

/// The `Cache-Control` of files that clients keep, and ask for each time whether they have changed.
pub(super) const CHECKED: &str = "no-cache";

/// The media type of JSON.
pub(super) const JSON: &str = "application/json";

/// The media type of lines of JSON.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// A record in JSON.
pub(super) fn written(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).expect("strings and numbers")
}

/// An answer that clients do not keep.
pub(super) fn unkept(body: impl Into<Body>, kind: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, body.into()).into_response()
}

/// An answer that is always the same, with its tag, which clients keep as `Cache-Control` has it.
pub(super) fn kept(
    tag: HeaderValue,
    body: impl Into<Body>,
    kind: &'static str,
    cache_control: &'static str,
) -> Response {
    let kept = [(header::CACHE_CONTROL, cache_control)];
    ([(header::ETAG, tag)], kept, unkept(body, kind)).into_response()
}

/// An answer in JSON. One that is always the same for the same question may be cached and has an `ETag`.
pub(super) fn json(body: Vec<u8>, is_always_the_same: bool) -> Response {
    match is_always_the_same {
        true => kept(etag(&body), body, JSON, CACHEABLE),
        false => unkept(body, JSON),
    }
}

/// A strong entity tag: 32 hexadecimal digits of the SHA-256 of the bytes, in quotes.
pub(super) fn etag(bytes: &[u8]) -> HeaderValue {
    let Ok(digest) = sha256([Ok::<_, Infallible>(bytes)]);
    let tag = format!("\"{}\"", &digest[..32]);
    HeaderValue::from_str(&tag).expect("hexadecimal digits")
}

/// The answer, or 304 if its tag is in this `If-None-Match`. The tag of a compressed answer is weak (RFC 9110, 8.8.1).
pub(super) fn unless_known(mut answer: Response, if_none_match: Option<&HeaderValue>) -> Response {
    let Some(tag) = answer.headers().get(header::ETAG).cloned() else {
        return answer;
    };
    let is_known = if_none_match.is_some_and(|listed| etag_matches(listed, &tag));
    let is_known = is_known && answer.status() == StatusCode::OK;
    let headers = answer.headers_mut();
    if headers.contains_key(header::CONTENT_ENCODING) {
        let weak = [b"W/", tag.as_bytes()].concat();
        let weak = HeaderValue::from_bytes(&weak).expect("a tag is visible characters");
        headers.insert(header::ETAG, weak);
    }
    if is_known {
        headers.remove(header::CONTENT_ENCODING);
        headers.remove(header::CONTENT_LENGTH);
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        *answer.body_mut() = Body::empty();
    }
    answer
}

/// Returns whether a tag matches an `If-None-Match`, which is a list of tags or `*`. Weak comparison: RFC 9110, 13.1.2.
fn etag_matches(if_none_match: &HeaderValue, tag: &HeaderValue) -> bool {
    let listed = if_none_match.to_str().unwrap_or_default();
    let matches = |one: &str| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag;
    listed.split(',').map(str::trim).any(matches)
}

/// Why a request is not answered.
#[derive(Clone, Debug, Serialize, thiserror::Error)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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
    fn with(status: StatusCode, code: Option<RefusalCode>, detail: impl fmt::Display) -> Problem {
        let name = serde_json::json!(code);
        let kind = name.as_str().map(|name| format!("urn:puzzledb:{name}"));
        Problem {
            kind: kind.unwrap_or_else(|| "about:blank".to_owned()),
            code,
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.to_string(),
        }
    }

    /// A problem of the protocol, which its status names.
    pub(super) fn new(status: StatusCode, detail: impl fmt::Display) -> Problem {
        Problem::with(status, None, detail)
    }

    /// A refusal of a question.
    pub(super) fn of(code: RefusalCode, detail: impl fmt::Display) -> Problem {
        Problem::with(status_of(code), Some(code), detail)
    }

    /// 413: the body is too long.
    pub(super) fn too_large(detail: impl fmt::Display) -> Problem {
        let code = Some(RefusalCode::TooLarge);
        Problem::with(StatusCode::PAYLOAD_TOO_LARGE, code, detail)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_lists() {
        let tag = etag(b"abc");
        assert_eq!(tag, "\"ba7816bf8f01cfea414140de5dae2223\"");
        let own = tag.to_str().unwrap();
        for (asked, same) in [
            (own.to_owned(), true),
            (format!("W/{own}"), true),
            (format!("\"x\", {own}"), true),
            ("*".to_owned(), true),
            ("\"x\"".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(
                etag_matches(&HeaderValue::from_str(&asked).unwrap(), &tag),
                same,
                "{asked}"
            );
        }
    }
}
