//! A thread that does one job after another, beside the thread that gives them.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// A thread with at most one job at a time. It ends when it is dropped.
#[derive(Debug)]
pub struct Worker<J, R> {
    jobs: Option<Sender<J>>,
    results: Mutex<Receiver<R>>,
    thread: Option<JoinHandle<()>>,
    is_busy: bool,
}

impl<J: Send + 'static, R: Send + 'static> Worker<J, R> {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system does not start it.
    pub fn start(mut work: impl FnMut(J) -> R + Send + 'static) -> io::Result<Worker<J, R>> {
        let (jobs, to_do) = channel();
        let (done, results) = channel();
        let run = move || {
            let results = to_do.iter().map(&mut work);
            results.for_each(|result| drop(done.send(result)));
        };
        Ok(Worker {
            jobs: Some(jobs),
            results: results.into(),
            thread: Some(thread::Builder::new().spawn(run)?),
            is_busy: false,
        })
    }

    /// Begins a job. The one before must be done.
    pub fn begin(&mut self, job: J) {
        let jobs = self.jobs.as_ref().filter(|_| !self.is_busy);
        let begun = jobs.is_some_and(|jobs| jobs.send(job).is_ok());
        assert!(begun, "no thread of the search panics");
        self.is_busy = true;
    }

    /// Waits for the result of the job, if one was begun.
    pub fn result(&mut self) -> Option<R> {
        let is_busy = std::mem::take(&mut self.is_busy);
        let mut result = || self.results.get_mut().ok()?.recv().ok();
        is_busy.then(|| result().expect("no thread of the search panics"))
    }
}

impl<J, R> Drop for Worker<J, R> {
    fn drop(&mut self) {
        self.jobs = None;
        self.thread.take().map(JoinHandle::join);
    }
}
