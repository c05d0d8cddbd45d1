//! Work on a thread of its own, without the interpreter's lock, which Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
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
    let (cancel, is_done, caller) = (&Cancel::new(), &AtomicBool::new(false), thread::current());
    thread::scope(|scope| {
        let work = scope.spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|why| Refusal::new(RefusalCode::Busy, why));
            let done = pool.and_then(|pool| pool.install(|| work(cancel).map_err(E::into)));
            is_done.store(true, Ordering::Release);
            caller.unpark();
            done
        });
        // A thread that panics sets no flag.
        while !is_done.load(Ordering::Acquire) && !work.is_finished() {
            py.detach(|| thread::park_timeout(INTERVAL));
            py.check_signals().inspect_err(|_| cancel.cancel())?;
        }
        work.join().expect("the work panicked").map_err(refusal)
    })
}
