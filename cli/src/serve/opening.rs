//! Files that are opened on a thread of their own: reading all of a large one takes seconds.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::problem::Problem;

/// Time from its beginning for which requests wait for the opening of a file; later ones are refused.
pub(super) const WORTH_WAITING: Duration = Duration::from_millis(250);

/// A file that is being opened.
#[derive(Debug)]
pub(super) struct Opening<T> {
    pub begun: Instant,
    pub opened: Receiver<T>,
}

impl<T: Send + 'static> Opening<T> {
    /// Begins to open a file.
    pub(super) fn begin(open: impl FnOnce() -> T + Send + 'static) -> Result<Opening<T>, Problem> {
        let (send, opened) = channel();
        let open = move || drop(send.send(open())); // an error: the place is gone
        let thread = std::thread::Builder::new().name("opening".to_owned());
        thread.spawn(open).map_err(Problem::busy)?;
        let begun = Instant::now();
        Ok(Opening { begun, opened })
    }

    /// Waits for the file, up to [`WORTH_WAITING`] from the beginning.
    pub(super) fn wait(&self) -> Result<T, RecvTimeoutError> {
        let left = WORTH_WAITING.saturating_sub(self.begun.elapsed());
        self.opened.recv_timeout(left)
    }
}
