//! Answers of many lines, each a JSON object (NDJSON), which are sent while the work continues.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use puzzledb::Cancel;

use super::app::{App, Work};
use super::problem::Problem;

/// The media type of lines of JSON.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// Returns whether the body of a request is lines of JSON. Then the answer is, too.
pub(super) fn are_lines(headers: &HeaderMap) -> bool {
    media_type(headers).is_some_and(|kind| kind.eq_ignore_ascii_case(NDJSON))
}

/// The media type of a request's body, without its parameters.
pub(super) fn media_type(headers: &HeaderMap) -> Option<&str> {
    let kind = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(kind.split(';').next().unwrap_or(kind).trim())
}

/// The lines of an answer on their way to the client.
pub(super) struct Lines {
    app: Arc<App>,
    cancel: Cancel,
    deadline: Instant,
    /// Lines that are not sent yet.
    waiting: Vec<u8>,
    /// Takes pieces of the answer, and `None` at its end.
    sender: mpsc::Sender<Option<Bytes>>,
}

/// Fewest bytes of lines that are sent together, except the last.
const BYTES_TOGETHER: usize = 16 << 10;

/// Pieces of [`BYTES_TOGETHER`] bytes that may wait for the client.
const PIECES_WAITING: usize = 4;

impl Lines {
    /// An answer that `write` writes on a thread for blocking work. It has as much time as any other, the client's time
    /// for reading included.
    pub(super) fn answer(
        app: &Arc<App>,
        write: impl FnOnce(&mut Lines) -> Result<(), Problem> + Send + 'static,
    ) -> Response {
        let (sender, receiver) = mpsc::channel(PIECES_WAITING);
        let work = Work::begin(app);
        let mut lines = Lines {
            app: Arc::clone(app),
            cancel: work.cancel.clone(),
            deadline: work.deadline,
            waiting: Vec::new(),
            sender,
        };
        tokio::task::spawn_blocking(move || {
            let written = write(&mut lines).or_else(|problem| lines.write(&problem));
            let sent = written.and_then(|()| lines.send());
            if sent.is_ok() {
                let _ = lines.put(None); // the client may be gone
            }
        });
        // The work is dropped with the body, when the client leaves. Without the piece `None` the body ends with an
        // error, so that the client does not take the part for the whole.
        let pieces = stream::unfold((receiver, work), |(mut receiver, work)| async {
            let piece = match receiver.recv().await {
                Some(piece) => Ok(piece?),
                None => Err(io::Error::from(io::ErrorKind::TimedOut)),
            };
            Some((piece, (receiver, work)))
        });
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(NDJSON)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (headers, Body::from_stream(pieces)).into_response()
    }

    /// The flag that is set once further lines are no longer awaited.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`Problem`] if the time is over, or the client has gone: the work may end.
    pub(super) fn push(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        if self.cancel.is_cancelled() {
            return Err(self.app.too_late());
        }
        self.write(line)?;
        if self.waiting.len() >= BYTES_TOGETHER {
            self.send()?;
        }
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut self.waiting, line).map_err(Problem::internal)?;
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Sends the lines that wait.
    fn send(&mut self) -> Result<(), Problem> {
        let piece = Bytes::from(std::mem::take(&mut self.waiting));
        self.put(Some(piece))
    }

    /// Sends a piece as soon as the client has read those before.
    fn put(&mut self, piece: Option<Bytes>) -> Result<(), Problem> {
        let Err(mpsc::error::TrySendError::Full(piece)) = self.sender.try_send(piece) else {
            return Ok(());
        };
        let sent = tokio::time::timeout_at(self.deadline.into(), self.sender.send(piece));
        match Handle::current().block_on(sent) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.app.too_late()),
        }
    }
}
