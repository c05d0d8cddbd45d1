//! JSON answers, and the time for which clients may cache them.

use std::convert::Infallible;

use crate::digest::sha256;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
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
        no_store(to_json(&self.0).into())
    }
}

/// JSON that may differ the next time.
fn no_store(json: Body) -> Response {
    let no_store = HeaderValue::from_static("no-store");
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, no_store),
    ];
    (headers, json).into_response()
}

/// Text of JSON in pieces. An answer of many megabytes in one would be in memory three times while it grows, and leave
/// holes that the system does not get back.
#[derive(Default)]
pub(super) struct Pieces {
    full: Vec<Bytes>,
    last: Vec<u8>,
}

/// Bytes of a piece.
const PIECE: usize = 48 << 10;

impl Pieces {
    /// Begins with a text.
    pub(super) fn new(json: &str) -> Pieces {
        let (full, last) = (Vec::new(), json.into());
        Pieces { full, last }
    }

    /// Appends a text.
    pub(super) fn text(&mut self, json: &str) {
        self.last.extend_from_slice(json.as_bytes());
    }

    /// Appends an item of a list, after a comma unless it is the first.
    pub(super) fn item(&mut self, item: &impl Serialize) {
        if self.last.last() != Some(&b'[') {
            self.last.push(b',');
        }
        serde_json::to_writer(&mut self.last, item).expect("strings and numbers");
        if self.last.len() >= PIECE {
            self.append(Pieces::new(""));
        }
    }

    pub(super) fn append(&mut self, other: Pieces) {
        let next = match other.last.is_empty() {
            true => Vec::with_capacity(PIECE + PIECE / 4),
            false => other.last,
        };
        let last = std::mem::replace(&mut self.last, next);
        self.full.push(last.into());
        self.full.extend(other.full);
    }

    /// The answer to a request with this body. A long list is sent slowly: until it is sent the body is kept, and with
    /// it the permit of a large one, so that such answers are few.
    pub(super) fn answer(mut self, asked: Bytes) -> Response {
        self.full.push(self.last.into());
        let pieces = stream::iter(self.full).map(move |piece| {
            let _asked = &asked;
            Ok::<_, Infallible>(piece)
        });
        no_store(Body::from_stream(pieces))
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
        let headers = answer.headers_mut();
        for name in [
            header::CONTENT_ENCODING,
            header::CONTENT_LENGTH,
            header::CONTENT_TYPE,
        ] {
            headers.remove(name);
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
    fn a_list_is_written_item_by_item() {
        let (mut list, mut more) = (Pieces::new("{\"a\":["), Pieces::new("],\"b\":["));
        list.item(&"a\"b");
        list.item(&"x".repeat(PIECE));
        list.item(&[1, 2]);
        more.item(&3);
        list.append(more);
        list.text("]}");
        let json = [list.full.concat(), list.last].concat();
        let read: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(
            read,
            serde_json::json!({"a": ["a\"b", "x".repeat(PIECE), [1, 2]], "b": [3]})
        );
    }

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
