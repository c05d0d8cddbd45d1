//! JSON answers, and the time for which clients may cache them.

use crate::digest::sha256;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The `Cache-Control` of answers that never change: a day, since another version of this program may
/// give them in another form.
pub(super) const CACHEABLE: HeaderValue = HeaderValue::from_static("public, max-age=86400");

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

/// An answer in JSON. One that is always the same for the same question may be cached and has an `ETag`.
pub(super) fn json(body: Vec<u8>, is_always_the_same: bool) -> Response {
    if !is_always_the_same {
        return unkept(body, JSON);
    }
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    let tag = (header::ETAG, etag(&body));
    ([kind, (header::CACHE_CONTROL, CACHEABLE), tag], body).into_response()
}

/// A strong entity tag: 32 hexadecimal digits of the SHA-256 of the bytes, in quotes.
pub(super) fn etag(bytes: &[u8]) -> HeaderValue {
    let digest = sha256(bytes).expect("memory can be read");
    let tag = format!("\"{}\"", &digest[..32]);
    HeaderValue::from_str(&tag).expect("hexadecimal digits")
}

/// The answer, or 304 if its tag is in this `If-None-Match`. The tag of a compressed answer is weak (RFC 9110, 8.8.1).
pub(super) fn unless_known(mut answer: Response, if_none_match: Option<&HeaderValue>) -> Response {
    let Some(tag) = answer.headers().get(header::ETAG).cloned() else {
        return answer;
    };
    let is_known = if_none_match.is_some_and(|listed| etag_matches(listed, &tag));
    let headers = answer.headers_mut();
    if headers.contains_key(header::CONTENT_ENCODING) {
        let weak = [b"W/", tag.as_bytes()].concat();
        let weak = HeaderValue::from_bytes(&weak).expect("a tag is visible characters");
        headers.insert(header::ETAG, weak);
    }
    if is_known && answer.status() == StatusCode::OK {
        for name in [
            header::CONTENT_ENCODING,
            header::CONTENT_LENGTH,
            header::CONTENT_TYPE,
        ] {
            answer.headers_mut().remove(name);
        }
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        *answer.body_mut() = Body::empty();
    }
    answer
}

/// Returns whether a tag matches an `If-None-Match`, which is a list of tags or `*`. Weak comparison: RFC 9110, 13.1.2.
fn etag_matches(if_none_match: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(listed), Ok(tag)) = (if_none_match.to_str(), tag.to_str()) else {
        return false;
    };
    let matches = |one: &str| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag;
    listed.split(',').map(str::trim).any(matches)
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
