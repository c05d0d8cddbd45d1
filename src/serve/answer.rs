//! Answers, and how long they stay true.

use crate::basics::sha256;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// How long an answer that never changes may be kept without asking again: a day, in case that
/// another version of this program gives it in another form.
pub(super) const CACHEABLE: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// An answer that is the same for the same question for ever.
pub(super) struct Cacheable<T>(pub T);

/// An answer of this moment.
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

/// A strong tag: the beginning of the digest of the bytes.
pub(super) fn etag(bytes: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", &sha256(bytes)[..32]);
    HeaderValue::from_str(&tag).expect("hexadecimal digits")
}

/// Does a client that asks with `If-None-Match` have the bytes with this tag?
pub(super) fn etag_matches(asked: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(asked), Ok(tag)) = (asked.to_str(), tag.to_str()) else {
        return false;
    };
    let each = |one: &str| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag;
    asked.split(',').map(str::trim).any(each)
}

/// Tells a client that what it has is still good.
pub(super) fn not_modified(of: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    for name in [header::ETAG, header::CACHE_CONTROL, header::VARY] {
        if let Some(value) = of.get(&name) {
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
