//! Work on threads of its own, without the interpreter's lock, which Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use puzzledb::Cancel;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Time between two looks at the signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Waits for what a thread sends next, until a signal's handler raises an exception; `None` once the thread has ended.
pub fn next<T: Send>(py: Python<'_>, receiver: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    let wait = || {
        let receiver = receiver.lock().expect("nothing panics with it");
        receiver.recv_timeout(INTERVAL)
    };
    loop {
        match py.detach(wait) {
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            sent => return Ok(sent.ok()),
        }
    }
}

/// Does work on a thread of its own, in a pool of its own, until a signal's handler raises an exception.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&Cancel) -> T + Send) -> PyResult<T> {
    let (cancel, (sender, receiver)) = (&Cancel::new(), sync_channel(1));
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().build();
            sender.send(pool.map(|pool| pool.install(|| work(cancel))))
        });
        let done = next(py, &Mutex::new(receiver)).inspect_err(|_| cancel.cancel())?;
        let done =
            done.unwrap_or_else(|| resume_unwind(worker.join().expect_err("it sent nothing")));
        done.map_err(|why| PyMemoryError::new_err(why.to_string()))
    })
}

/// Returns a time from seconds, without end if there are none or they are beyond the clock.
pub fn time(seconds: Option<f64>) -> Duration {
    let time = Duration::try_from_secs_f64(seconds.unwrap_or(f64::INFINITY));
    time.unwrap_or(Duration::MAX)
}
