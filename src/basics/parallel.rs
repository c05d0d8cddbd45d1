//! Tasks on threads: those of rayon if the library is compiled with them, or else the caller's.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does tasks on the threads of the calling pool, and returns their results in the order of the tasks.
///
/// All kinds of tasks share the code that distributes them, so each should take some microseconds.
pub fn each<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    run: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    #[cfg(not(feature = "threads"))]
    {
        tasks.into_iter().map(run).collect()
    }
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        let place = |task| std::sync::Mutex::new((Some(task), None));
        let places = Vec::from_iter(tasks.into_iter().map(place));
        let work: &(dyn Fn(usize) + Sync) = &|i| {
            let mut place = places[i].lock().expect("no other thread has the task");
            place.1 = place.0.take().map(&run);
        };
        (0..places.len())
            .into_par_iter()
            .with_max_len(1)
            .for_each(work);
        let done = places.into_iter().map(|place| place.into_inner().ok()?.1);
        done.flatten().collect()
    }
}

/// Does tasks on the threads of the calling pool until one finds something. Returns the first thing that is found, in the
/// order of the tasks.
pub fn first<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    find: impl Fn(T) -> Option<R> + Sync,
) -> Option<R> {
    let least = AtomicUsize::new(usize::MAX);
    let found = each(tasks.into_iter().enumerate(), |(i, task)| {
        let is_needed = i < least.load(Ordering::Relaxed);
        let found = is_needed.then(|| find(task)).flatten()?;
        least.fetch_min(i, Ordering::Relaxed);
        Some(found)
    });
    found.into_iter().flatten().next()
}

/// Cuts the numbers below `count` into runs that are worth a task.
pub fn runs(count: u64) -> impl Iterator<Item = Range<u64>> {
    const RUN: u64 = 1 << 8;
    let starts = (0..count).step_by(RUN as usize);
    starts.map(move |start| start..count.min(start + RUN))
}

/// A pool of threads.
#[derive(Debug)]
pub struct Threads(Pool);

#[cfg(feature = "threads")]
type Pool = rayon::ThreadPool;
#[cfg(not(feature = "threads"))]
type Pool = std::convert::Infallible;

impl Threads {
    /// Starts so many threads.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::Unsupported`] if the library is compiled without threads.
    #[cfg(feature = "threads")]
    pub fn new(count: usize) -> io::Result<Threads> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(Threads).map_err(io::Error::other)
    }

    #[cfg(not(feature = "threads"))]
    pub fn new(_: usize) -> io::Result<Threads> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Does some work on a thread of the pool, and `help` on `helpers` others. Returns when all have ended.
    #[cfg(feature = "threads")]
    pub fn work<R: Send>(
        &self,
        helpers: usize,
        help: impl Fn() + Sync,
        work: impl FnOnce() -> R + Send,
    ) -> R {
        self.0.scope(|scope| {
            (0..helpers).for_each(|_| scope.spawn(|_| help()));
            work()
        })
    }

    /// Does some work on the calling thread, and jobs beside it on those of the pool. Returns when all have ended.
    #[cfg(feature = "threads")]
    pub fn beside<'a, R>(
        &self,
        jobs: [Box<dyn FnOnce() + Send + 'a>; 2],
        work: impl FnOnce() -> R,
    ) -> R {
        self.0.in_place_scope(|scope| {
            jobs.into_iter().for_each(|job| scope.spawn(|_| job()));
            work()
        })
    }

    #[cfg(not(feature = "threads"))]
    pub fn beside<R, J>(&self, _: [J; 2], _: impl FnOnce() -> R) -> R {
        match self.0 {}
    }

    #[cfg(not(feature = "threads"))]
    pub fn work<R>(&self, _: usize, _: impl Fn(), _: impl FnOnce() -> R) -> R {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let squares = each(0..1000u64, |i| i * i);
        assert_eq!(squares, Vec::from_iter((0..1000).map(|i| i * i)));
        for least in [0, 1, 500, 999] {
            let found = first(0..1000, |i| (i >= least && i % 3 != 2).then_some(i));
            assert_eq!(found, (least..1000).find(|i| i % 3 != 2));
        }
        assert_eq!(first(0..10, |_| None::<u8>), None);
        assert_eq!(first(None::<u8>, Some), None);
    }

    #[test]
    fn runs_are_all_numbers_once() {
        for count in [0, 1, 4095, 4096, 4097, 10_000] {
            assert!(runs(count).flatten().eq(0..count));
        }
    }
}
