//! Downloads of a database, whole or by ranges of bytes (RFC 9110, section 14).

use std::ops::Range;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use puzzledb::Cancel;
use puzzledb::ask::RefusalCode;
use puzzledb::table::{Encoding, Table, build};

use super::answer::{CACHEABLE, etag};
use super::problem::Problem;

/// Lets [`Bytes`] own a table.
struct TableBytes(Arc<Table>);

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().whole().unwrap_or_default()
    }
}

/// Bytes that have the header of a database, with the checksums of all the rest.
const HEADER: usize = 4096;

/// The database of a table, or one in another encoding, which is built if it is small.
pub(super) fn bytes_of(table: &Arc<Table>, encoding: Option<Encoding>) -> Result<Bytes, Problem> {
    let (own, class) = (table.header().encoding(), table.header().class());
    let encoding = encoding.unwrap_or(own);
    let refused = |detail| Err(Problem::of(RefusalCode::NoDatabase, detail));
    if encoding == own {
        return match table.bytes().whole() {
            Some(_) => Ok(Bytes::from_owner(TableBytes(Arc::clone(table)))),
            None => refused(
                "this database is larger than this server has memory for: it gives out no file of it".to_owned(),
            ),
        };
    }
    if !class.is_small() {
        return refused(format!(
            "this database is in the encoding `{own}`, and too large to be built in another one here"
        ));
    }
    let built = build(class, encoding, 1, &Cancel::new());
    let built = built.map_err(|error| Problem::of(RefusalCode::Busy, error))?;
    Ok(built.expect("the callback never stops the search").into())
}

/// The answer to a request with these headers; `name` is the file's name for the client. With an `If-Range` of another
/// version it is the whole file.
pub(super) fn response(bytes: Bytes, request: &HeaderMap, name: &str) -> Response {
    let length = bytes.len();
    let tag = etag(&bytes[..length.min(HEADER)]);
    let is_current = (request.get(header::IF_RANGE)).is_none_or(|known| *known == tag);
    let range = request.get(header::RANGE).filter(|_| is_current);
    let range = range.and_then(|range| parse_range(range.to_str().ok()?, length));
    if range.as_ref().is_some_and(Range::is_empty) {
        let detail = format!("the file has {length} bytes: none of them is in this range");
        let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, detail);
        let all = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
        return (all, problem).into_response();
    }
    let headers = (
        [(header::CACHE_CONTROL, CACHEABLE), (header::ETAG, tag)],
        [
            (header::ACCEPT_RANGES, "bytes"),
            (header::CONTENT_TYPE, "application/octet-stream"),
        ],
        [(
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        )],
    );
    let Some(part) = range else {
        return (headers, Body::from(bytes)).into_response();
    };
    let which = format!("bytes {}-{}/{length}", part.start, part.end - 1);
    let which = [(header::CONTENT_RANGE, which)];
    let body = Body::from(bytes.slice(part));
    (StatusCode::PARTIAL_CONTENT, headers, which, body).into_response()
}

/// Reads `bytes=0-99`, `bytes=100-` or `bytes=-100` (the last 100), for a file of `length` bytes. The range is empty if
/// none of the bytes is there. It is `None`, the whole file, if it cannot be read, or for several ranges, as the standard
/// allows.
fn parse_range(range: &str, length: usize) -> Option<Range<usize>> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that overflows is beyond the end as well.
        digits.then(|| text.parse().unwrap_or(usize::MAX).min(length))
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Some(first..length.min(last + 1)),
        (Some(first), None) if last.is_empty() => Some(first..length),
        (None, Some(last)) if first.is_empty() => Some(length - last..length),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_has_them() {
        for (range, expected) in [
            ("bytes=0-99", Some(0..100)),
            ("bytes=900-", Some(900..1000)),
            ("bytes=-1", Some(999..1000)),
            ("bytes=-5000", Some(0..1000)),
            ("bytes=990-99999999999999999999999", Some(990..1000)),
            ("bytes=1000-", Some(1000..1000)),
            ("bytes=99999999999999999999999-", Some(1000..1000)),
            ("bytes=-0", Some(1000..1000)),
            ("bytes=5-4", None),
            ("bytes=0-1,5-6", None),
            ("bytes=-", None),
            ("bytes=+1-2", None),
            ("lines=0-1", None),
            ("", None),
        ] {
            assert_eq!(parse_range(range, 1000), expected, "{range}");
        }
        assert_eq!(parse_range("bytes=0-", 0), Some(0..0));
    }
}
