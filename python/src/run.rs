//! Work on a thread of its own, without the interpreter's lock, which Ctrl-C ends.

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use puzzledb::Cancel;
use puzzledb::ask::{Refusal, RefusalCode};
use pyo3::prelude::*;

use crate::refusal;

/// Time between two looks at the signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does work on a thread of its own, in a pool of its own, until a signal's handler raises an exception.
pub fn run<T: Send, E: Into<Refusal>>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> Result<T, E> + Send,
) -> PyResult<T> {
    let (cancel, (sender, receiver)) = (&Cancel::new(), sync_channel(1));
    let receiver = &Mutex::new(receiver); // so that it can be lent to a closure that is sent
    thread::scope(|scope| {
        scope.spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|why| Refusal::new(RefusalCode::Busy, why));
            sender.send(pool.and_then(|pool| pool.install(|| work(cancel).map_err(E::into))))
        });
        let wait = || {
            receiver
                .lock()
                .expect("it is locked here alone")
                .recv_timeout(INTERVAL)
        };
        loop {
            match py.detach(wait) {
                Ok(done) => return done.map_err(refusal),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| cancel.cancel())?
                }
                Err(RecvTimeoutError::Disconnected) => panic!("the work panicked"),
            }
        }
    })
}
