//! The log of requests: a line of JSON each, on standard error.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Lines that wait to be written; if whoever reads them is slower, lines are left out.
const QUEUE_LINES: usize = 4096;

/// Writes lines on a thread of its own, so that no request waits for whoever reads them.
#[derive(Debug)]
pub(super) struct Log {
    /// There as long as the log is.
    lines: Option<SyncSender<Vec<u8>>>,
    writer: JoinHandle<()>,
}

/// How long the end of a log waits for whoever reads it.
const FLUSH_TIME: Duration = Duration::from_secs(1);

/// A request and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    /// Seconds since 1970.
    pub time: f64,
    pub peer: SocketAddr,
    pub method: &'a str,
    /// Path and parameters.
    pub uri: &'a str,
    pub status: u16,
    /// Until the answer began.
    pub seconds: f64,
}

impl Log {
    pub(super) fn start() -> io::Result<Log> {
        let (lines, written) = sync_channel::<Vec<u8>>(QUEUE_LINES);
        let writer = std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                for line in written {
                    let _ = io::stderr().write_all(&line); // if it fails there is nobody to tell
                }
            })?;
        Ok(Log {
            lines: Some(lines),
            writer,
        })
    }

    pub(super) fn write(&self, line: &Line<'_>) {
        let mut json = serde_json::to_vec(line).expect("strings and numbers");
        json.push(b'\n');
        if let Some(lines) = &self.lines {
            let _ = lines.try_send(json);
        }
    }
}

impl Drop for Log {
    /// Lets the last lines be written.
    fn drop(&mut self) {
        self.lines = None;
        let begun = Instant::now();
        while !self.writer.is_finished() && begun.elapsed() < FLUSH_TIME {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Now, in seconds since 1970.
pub(super) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs_f64()
}
