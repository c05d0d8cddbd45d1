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
struct Pieces {
    full: Vec<Bytes>,
    last: Vec<u8>,
}

/// Bytes of a piece.
const PIECE: usize = 48 << 10;

impl Pieces {
    fn write(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut self.last, value).expect("strings and numbers");
        if self.last.len() >= PIECE {
            let next = Vec::with_capacity(PIECE + PIECE / 4);
            self.full
                .push(std::mem::replace(&mut self.last, next).into());
        }
    }

    fn append(&mut self, other: Pieces) {
        self.full
            .push(std::mem::replace(&mut self.last, other.last).into());
        self.full.extend(other.full);
    }

    fn is_empty(&self) -> bool {
        self.full.is_empty() && self.last.is_empty()
    }
}

/// A JSON object that is written field by field.
pub(super) struct JsonObject(Pieces);

/// The items of a JSON list, written one by one.
#[derive(Default)]
pub(super) struct JsonList(Pieces);

impl JsonList {
    pub(super) fn push(&mut self, item: &impl Serialize) {
        if !self.0.is_empty() {
            self.0.last.push(b',');
        }
        self.0.write(item);
    }
}

impl JsonObject {
    pub(super) fn new() -> JsonObject {
        JsonObject(Pieces::default())
    }

    /// Appends a field.
    pub(super) fn field(&mut self, name: &str, value: &impl Serialize) {
        self.name(name);
        self.0.write(value);
    }

    /// Appends a field that is a list.
    pub(super) fn list(&mut self, name: &str, list: JsonList) {
        self.name(name);
        self.0.last.push(b'[');
        self.0.append(list.0);
        self.0.last.push(b']');
    }

    fn name(&mut self, name: &str) {
        let before = if self.0.is_empty() { b'{' } else { b',' };
        self.0.last.push(before);
        self.0.write(&name);
        self.0.last.push(b':');
    }

    /// The answer to a request with this body. A long list is sent slowly: until it is sent the body is kept, and with
    /// it the permit of a large one, so that such answers are few.
    pub(super) fn finish(self, asked: Bytes) -> Response {
        let pieces = stream::iter(self.pieces()).map(move |piece| {
            let _asked = &asked;
            Ok::<_, Infallible>(piece)
        });
        no_store(Body::from_stream(pieces))
    }

    fn pieces(mut self) -> Vec<Bytes> {
        if self.0.is_empty() {
            self.0.last.push(b'{');
        }
        self.0.last.push(b'}');
        self.0.full.push(self.0.last.into());
        self.0.full
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
    fn an_object_is_written_field_by_field() {
        let mut object = JsonObject::new();
        let (mut full, empty) = (JsonList::default(), JsonList::default());
        full.push(&"a\"b");
        full.push(&[1, 2]);
        object.list("full", full);
        object.list("empty", empty);
        object.field("three", &3);
        let json = r#"{"full":["a\"b",[1,2]],"empty":[],"three":3}"#;
        assert_eq!(object.pieces().concat(), json.as_bytes());
        assert_eq!(JsonObject::new().pieces().concat(), b"{}");
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
