//! The log of requests: a line of JSON for each, on standard error.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Lines that may wait to be written. While the queue is full, further lines are dropped.
const QUEUE_LINES: usize = 4096;

/// Writes lines on a thread of its own, so that no request waits for a slow reader of standard error.
#[derive(Debug)]
pub(super) struct Log {
    /// `None` once the log ends, so that the writer ends too.
    lines: Option<SyncSender<Vec<u8>>>,
    writer: JoinHandle<()>,
}

/// Longest time that dropping the log waits for the last lines to be written.
const FLUSH_TIME: Duration = Duration::from_secs(1);

/// A request and the status of its answer.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    /// Seconds since the Unix epoch.
    pub time: f64,
    /// The client.
    pub peer: Option<SocketAddr>,
    pub method: &'a str,
    /// Path and query.
    pub uri: &'a str,
    pub status: u16,
    /// Seconds until the answer began.
    pub seconds: f64,
}

impl Log {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Log> {
        let (lines, written) = sync_channel::<Vec<u8>>(QUEUE_LINES);
        let writer = std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                for line in written {
                    let _ = io::stderr().write_all(&line); // there is nowhere to report an error
                }
            })?;
        Ok(Log {
            lines: Some(lines),
            writer,
        })
    }

    /// Queues a line.
    pub(super) fn write(&self, line: &Line<'_>) {
        let mut json = serde_json::to_vec(line).expect("strings and numbers");
        json.push(b'\n');
        if let Some(lines) = &self.lines {
            let _ = lines.try_send(json);
        }
    }
}

impl Drop for Log {
    /// Waits until the last lines are written, or [`FLUSH_TIME`].
    fn drop(&mut self) {
        self.lines = None;
        let begun = Instant::now();
        while !self.writer.is_finished() && begun.elapsed() < FLUSH_TIME {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The time in seconds since the Unix epoch.
pub(super) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs_f64()
}
