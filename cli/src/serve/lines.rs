//! Answers of many lines, each a JSON object (NDJSON), which are sent while the work continues.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use hyper::body::Frame;
use serde::Serialize;
use tokio::runtime::Handle;

use puzzledb::Cancel;

use super::app::{App, HEAVY_BUSY};
use super::client::Client;
use super::permits::Permit;
use super::problem::Problem;
use super::work::Work;

/// The media type of lines of JSON.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// Returns whether the body of a request is lines of JSON. Then the answer is, too.
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
    work: Work,
    /// Lines that are not sent yet.
    waiting: Vec<u8>,
    sender: Sender<Bytes, io::Error>,
    runtime: Handle,
    client: Client,
    /// The permit for heavy questions; `None` while the client is waited for.
    permit: Option<Permit>,
    /// Time at which the permit was granted.
    permit_since: Instant,
}

/// Fewest bytes of lines that are sent together, except the last.
const BYTES_TOGETHER: usize = 16 << 10;

/// Pieces of [`BYTES_TOGETHER`] bytes that may wait for the client.
const PIECES_WAITING: usize = 4;

/// Time after which other heavy questions that wait have their turn.
const TURN: Duration = Duration::from_millis(5);

impl Lines {
    /// An answer that `work` writes on a thread for blocking work, as soon as there is a permit for a heavy question.
    /// It has as much time as any other, the client's time for reading included. Between lines it gives the permit back
    /// while the client is waited for, and in turn to others.
    pub(super) async fn answer(
        app: &Arc<App>,
        work: impl FnOnce(&mut Lines) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let place = app.permit(&app.line_permits, HEAVY_BUSY).await?;
        let permit = app.permit(&app.heavy_permits, HEAVY_BUSY).await?;
        let (sender, body) = Channel::new(PIECES_WAITING);
        let mut lines = Lines {
            app: Arc::clone(app),
            work: Work::begin(app),
            waiting: Vec::new(),
            sender,
            runtime: Handle::current(),
            client: Client::current(),
            permit: Some(permit),
            permit_since: Instant::now(),
        };
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let end = work(&mut lines).and_then(|()| lines.send());
            if let Err(problem) = end
                && lines.write(&problem).and_then(|()| lines.send()).is_err()
            {
                // Aborted without an end, so that the client does not take the part for the whole.
                lines.sender.abort(io::Error::other(problem.to_string()));
            }
        });
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(NDJSON)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        Ok((headers, Body::new(body)).into_response())
    }

    /// The flag that is set once further lines are no longer awaited.
    pub(super) fn cancel(&self) -> &Cancel {
        self.work.cancel()
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`Problem`] if the time is over, or the client has gone: the work may end.
    pub(super) fn push(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        self.work.check(&self.app)?;
        self.write(line)?;
        if self.waiting.len() >= BYTES_TOGETHER {
            self.send()?;
        }
        self.take_turns()
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut self.waiting, line).map_err(Problem::internal)?;
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Sends the lines that wait, as soon as the client has read those before. Meanwhile there is no permit.
    fn send(&mut self) -> Result<(), Problem> {
        let piece = Frame::data(Bytes::from(std::mem::take(&mut self.waiting)));
        let Err(piece) = self.sender.try_send(piece) else {
            return Ok(());
        };
        self.permit = None;
        let sent = tokio::time::timeout_at(self.work.deadline.into(), self.sender.send(piece));
        match self.runtime.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Problem::internal("the client has gone")),
            Err(_) => Err(self.app.too_late()),
        }
    }

    /// Gives the permit back after its [`TURN`] if others wait, and waits for it if there is none.
    fn take_turns(&mut self) -> Result<(), Problem> {
        let permits = &self.app.heavy_permits;
        if self.permit_since.elapsed() >= TURN && permits.is_awaited() {
            self.permit = None;
        }
        if self.permit.is_none() {
            let permit = permits.acquire(self.client);
            let permit = tokio::time::timeout_at(self.work.deadline.into(), permit);
            let permit = self.runtime.block_on(permit);
            self.permit = Some(permit.map_err(|_| self.app.too_late())?);
            self.permit_since = Instant::now();
        }
        Ok(())
    }
}
