//! Work without the interpreter's lock, which Ctrl-C ends.

use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use puzzledb::Cancel;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

/// Time between two looks at the signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does work on a thread of its own, in a pool of its own, until a signal's handler raises an exception.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&Cancel) -> T + Send) -> PyResult<T> {
    let cancel = Cancel::new();
    let caller = thread::current();
    py.detach(|| {
        thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let pool = rayon::ThreadPoolBuilder::new().build();
                let done = pool.map(|pool| pool.install(|| work(&cancel)));
                caller.unpark();
                done
            });
            let mut raised = Ok(());
            while !worker.is_finished() {
                thread::park_timeout(INTERVAL);
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals());
                    if raised.is_err() {
                        cancel.cancel();
                    }
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised?;
            done.map_err(|why| PyMemoryError::new_err(why.to_string()))
        })
    })
}

/// Returns a time from seconds.
pub fn time(seconds: Option<f64>) -> PyResult<Duration> {
    let Some(seconds) = seconds else {
        return Ok(Duration::MAX);
    };
    if seconds.is_nan() || seconds < 0.0 {
        return Err(PyValueError::new_err("timeout is a number of seconds"));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
