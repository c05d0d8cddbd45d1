//! Answers of many lines, each a JSON object (NDJSON), which are sent while the work goes on.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use serde::Serialize;
use tokio::runtime::Handle;

use super::app::App;
use super::problem::Problem;

/// The media type of lines of JSON.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// Is the body of a request lines of JSON? Then the answer is, too.
pub(super) fn are_lines(headers: &HeaderMap) -> bool {
    media_type(headers) == Some(NDJSON)
}

/// The media type of a request's body, without its parameters.
pub(super) fn media_type(headers: &HeaderMap) -> Option<&str> {
    let kind = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(kind.split(';').next().unwrap_or(kind).trim())
}

/// The lines of an answer on their way to the client.
pub(super) struct Lines {
    app: Arc<App>,
    deadline: Instant,
    /// Lines that are not sent yet.
    waiting: Vec<u8>,
    sender: Sender<Bytes, io::Error>,
    runtime: Handle,
}

/// Lines are sent together from so many bytes on.
const BYTES_TOGETHER: usize = 16 << 10;

/// Pieces of so many bytes may wait for the client.
const PIECES_WAITING: usize = 4;

impl Lines {
    /// An answer that `work` writes on a thread for blocking work, as soon as there is a permit for a heavy
    /// question. It has as much time as any other, that of the client for reading included.
    pub(super) async fn answer(
        app: &Arc<App>,
        work: impl FnOnce(&mut Lines) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let permit = app.heavy_permit().await?;
        let (sender, body) = Channel::new(PIECES_WAITING);
        let mut lines = Lines {
            app: Arc::clone(app),
            deadline: app.deadline(),
            waiting: Vec::new(),
            sender,
            runtime: Handle::current(),
        };
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let end = work(&mut lines).and_then(|()| lines.send());
            if let Err(problem) = end
                && lines.write(&problem).and_then(|()| lines.send()).is_err()
            {
                // Without an end, so that the client does not take what it has for the whole.
                lines.sender.abort(io::Error::other(problem.to_string()));
            }
        });
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(NDJSON)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        Ok((headers, Body::new(body)).into_response())
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`Problem`] if the time is over, or the client has gone: the work may end.
    pub(super) fn push(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        if Instant::now() >= self.deadline {
            return Err(self.app.too_late());
        }
        self.write(line)?;
        match self.waiting.len() {
            BYTES_TOGETHER.. => self.send(),
            _ => Ok(()),
        }
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut self.waiting, line).map_err(Problem::internal)?;
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Sends the lines that wait, as soon as the client has read those before.
    fn send(&mut self) -> Result<(), Problem> {
        let piece = Bytes::from(std::mem::take(&mut self.waiting));
        let sent = tokio::time::timeout_at(self.deadline.into(), self.sender.send_data(piece));
        match self.runtime.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Problem::internal("the client has gone")),
            Err(_) => Err(self.app.too_late()),
        }
    }
}
