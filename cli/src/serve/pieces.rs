//! Answers of many records, as lines of JSON (NDJSON) or in an object, which are sent while the work continues.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, TryFutureExt, stream};
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::answer::{JSON, NDJSON, Problem, unkept, written};
use super::work::{Work, too_late};

/// The records of an answer on their way to the client.
pub(super) struct Pieces<'a> {
    pub work: &'a Work,
    in_lines: bool,
    /// Whether the next record is not the first of its list.
    goes_on: bool,
    /// Bytes that are not sent yet, and how many of them are sent together.
    waiting: Vec<u8>,
    piece: usize,
    sender: mpsc::Sender<Bytes>,
}

/// Fewest bytes that are sent together, except the last.
const PIECE: usize = 16 << 10;

/// Pieces that may wait for the client.
const PIECES_WAITING: usize = 4;

/// Bytes of the first piece of an object, whose status is sent with it. If a longer answer fails it is broken off.
const FIRST_PIECE: usize = 4 << 20;

impl Pieces<'_> {
    /// An answer that `write` writes. It has as much time as any other, the client's time for reading included.
    pub(super) async fn answer(
        work: Work,
        in_lines: bool,
        write: impl FnOnce(&mut Pieces<'_>) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let (sender, mut receiver) = mpsc::channel(PIECES_WAITING);
        let last = work.spawn(move |work| {
            let mut pieces = Pieces {
                work,
                in_lines,
                goes_on: false,
                waiting: Vec::new(),
                piece: if in_lines { PIECE } else { FIRST_PIECE },
                sender,
            };
            match write(&mut pieces) {
                Err(problem) if in_lines => pieces.write(&written(&problem)),
                written => written?,
            }
            Ok(pieces.waiting)
        });
        let first = match in_lines {
            true => None,
            false => match receiver.recv().await {
                None => return Ok(unkept(last.await?, JSON)),
                first => first,
            },
        };
        // The work is dropped with the body, when the client leaves. If it failed the body ends with an error, so that the
        // client does not take the part for the whole.
        let sent = stream::poll_fn(move |context| receiver.poll_recv(context));
        let sent = stream::iter(first).chain(sent).map(Ok);
        let body = Body::from_stream(sent.chain(stream::once(last.map_ok(Bytes::from))));
        Ok(unkept(body, if in_lines { NDJSON } else { JSON }))
    }

    /// Appends text around the records of an object.
    pub(super) fn text(&mut self, json: &str) {
        if !self.in_lines {
            self.waiting.extend_from_slice(json.as_bytes());
        }
        self.goes_on = false;
    }

    /// Appends a record: a line, or an item of a list.
    ///
    /// # Errors
    /// [`Problem`] if the time is over, or the client has gone: the work may end.
    pub(super) fn item(&mut self, item: &impl Serialize) -> Result<(), Problem> {
        self.json(&written(item))
    }

    /// Appends a record that is written.
    ///
    /// # Errors
    /// As [`Pieces::item`].
    pub(super) fn json(&mut self, item: &[u8]) -> Result<(), Problem> {
        self.work.check()?;
        if self.goes_on {
            self.text(",");
        }
        self.write(item);
        self.goes_on = true;
        if self.waiting.len() < self.piece {
            return Ok(());
        }
        self.piece = PIECE;
        // A client has its time to read what was sent before.
        let piece = Bytes::from(std::mem::take(&mut self.waiting));
        let time = self.work.app.config.limits.client_time;
        let sent = Handle::current().block_on(self.sender.send_timeout(piece, time));
        sent.map_err(|_| too_late(&self.work.app))
    }

    fn write(&mut self, item: &[u8]) {
        self.waiting.extend_from_slice(item);
        if self.in_lines {
            self.waiting.push(b'\n');
        }
    }
}
