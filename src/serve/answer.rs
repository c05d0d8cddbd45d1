//! JSON answers, and how long clients may cache them.

use crate::basics::sha256;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The `Cache-Control` of answers that never change: a day, since another version of this program may
/// give them in another form.
pub(super) const CACHEABLE: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// An answer that is always the same for the same question: it may be cached and has an `ETag`.
pub(super) struct Cacheable<T>(pub T);

/// An answer that may differ the next time: it is not cached.
pub(super) struct NoStore<T>(pub T);

impl<T: Serialize> IntoResponse for Cacheable<T> {
    fn into_response(self) -> Response {
        let body = to_json(&self.0);
        let tag = etag(&body);
        let headers = [
            (header::CONTENT_TYPE, JSON),
            (header::CACHE_CONTROL, CACHEABLE),
            (header::ETAG, tag),
        ];
        (headers, body).into_response()
    }
}

impl<T: Serialize> IntoResponse for NoStore<T> {
    fn into_response(self) -> Response {
        let no_store = HeaderValue::from_static("no-store");
        let headers = [
            (header::CONTENT_TYPE, JSON),
            (header::CACHE_CONTROL, no_store),
        ];
        (headers, to_json(&self.0)).into_response()
    }
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("strings and numbers")
}

/// A strong entity tag: 32 hexadecimal digits of the SHA-256 of the bytes, in quotes.
pub(super) fn etag(bytes: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", &sha256(bytes)[..32]);
    HeaderValue::from_str(&tag).expect("hexadecimal digits")
}

/// Does a tag match an `If-None-Match`, which is a list of tags or `*`? Weak comparison: RFC 9110, 13.1.2.
pub(super) fn etag_matches(if_none_match: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(listed), Ok(tag)) = (if_none_match.to_str(), tag.to_str()) else {
        return false;
    };
    let matches = |one: &str| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag;
    listed.split(',').map(str::trim).any(matches)
}

/// 304 instead of an answer with these headers.
pub(super) fn not_modified(answered: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    for name in [header::ETAG, header::CACHE_CONTROL, header::VARY] {
        if let Some(value) = answered.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
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
