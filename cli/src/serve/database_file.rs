//! Downloads of a database, whole or by ranges of bytes (RFC 9110, section 14).

use std::ops::Range;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::answer::CACHEABLE;
use super::problem::Problem;

/// The bytes of a database and their strong entity tag.
#[derive(Clone, Debug)]
pub(super) struct DatabaseFile {
    pub bytes: Bytes,
    pub tag: HeaderValue,
}

impl DatabaseFile {
    /// The answer to a request with these headers; `name` is the file's name for the client.
    pub(super) fn response(&self, request: &HeaderMap, name: &str) -> Response {
        let length = self.bytes.len();
        let range = match self.range(request) {
            RequestedRange::All => None,
            RequestedRange::Part(range) => Some(range),
            RequestedRange::Unsatisfiable => {
                let detail = format!("the file has {length} bytes: none of them is in this range");
                let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, detail);
                let mut response = problem.into_response();
                let all = header_value(format!("bytes */{length}"));
                response.headers_mut().insert(header::CONTENT_RANGE, all);
                return response;
            }
        };
        let part = range.clone().unwrap_or(0..length);
        let mut response = Response::new(Body::from(self.bytes.slice(part.clone())));
        let headers = response.headers_mut();
        let binary = HeaderValue::from_static("application/octet-stream");
        headers.insert(header::CONTENT_TYPE, binary);
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        headers.insert(header::CACHE_CONTROL, CACHEABLE);
        headers.insert(header::ETAG, self.tag.clone());
        let name = header_value(format!("attachment; filename=\"{name}\""));
        headers.insert(header::CONTENT_DISPOSITION, name);
        if range.is_some() {
            let last = part.end - 1;
            let which = header_value(format!("bytes {}-{last}/{length}", part.start));
            headers.insert(header::CONTENT_RANGE, which);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        }
        response
    }

    /// The range that a request asks for. With an `If-Range` of another version it is the whole file.
    fn range(&self, request: &HeaderMap) -> RequestedRange {
        let if_range = request.get(header::IF_RANGE);
        let current = if_range.is_none_or(|tag| *tag == self.tag);
        match request.get(header::RANGE).map(HeaderValue::to_str) {
            Some(Ok(range)) if current => parse_range(range, self.bytes.len()),
            _ => RequestedRange::All,
        }
    }
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("names and numbers")
}

/// Range of bytes in a `Range` header.
#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    /// The whole file; also for several ranges and those that cannot be read, as the standard allows.
    All,
    /// Some bytes, at least one.
    Part(Range<usize>),
    /// Only bytes beyond the end.
    Unsatisfiable,
}

/// Reads `bytes=0-99`, `bytes=100-` or `bytes=-100` (the last 100), for a file of `length` bytes.
fn parse_range(range: &str, length: usize) -> RequestedRange {
    let range = range.strip_prefix("bytes=");
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return RequestedRange::All;
    };
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that overflows is beyond the end as well.
        digits.then(|| text.parse().unwrap_or(usize::MAX))
    };
    let part = match (number(first), number(last)) {
        (Some(first), Some(last)) if first > last => return RequestedRange::All,
        (Some(first), Some(last)) => first..last.saturating_add(1).min(length),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(last)) if first.is_empty() => length - last.min(length)..length,
        _ => return RequestedRange::All,
    };
    if part.is_empty() {
        RequestedRange::Unsatisfiable
    } else {
        RequestedRange::Part(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_has_them() {
        for (range, expected) in [
            ("bytes=0-99", RequestedRange::Part(0..100)),
            ("bytes=900-", RequestedRange::Part(900..1000)),
            ("bytes=-1", RequestedRange::Part(999..1000)),
            ("bytes=-5000", RequestedRange::Part(0..1000)),
            (
                "bytes=990-99999999999999999999999",
                RequestedRange::Part(990..1000),
            ),
            ("bytes=1000-", RequestedRange::Unsatisfiable),
            (
                "bytes=99999999999999999999999-",
                RequestedRange::Unsatisfiable,
            ),
            ("bytes=-0", RequestedRange::Unsatisfiable),
            ("bytes=5-4", RequestedRange::All),
            ("bytes=0-1,5-6", RequestedRange::All),
            ("bytes=-", RequestedRange::All),
            ("bytes=+1-2", RequestedRange::All),
            ("lines=0-1", RequestedRange::All),
            ("", RequestedRange::All),
        ] {
            assert_eq!(parse_range(range, 1000), expected, "{range}");
        }
        assert_eq!(parse_range("bytes=0-", 0), RequestedRange::Unsatisfiable);
    }
}
