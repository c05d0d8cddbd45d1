//! Ranks that are threads, for the tests of all crates and the benches.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use puzzledb::internals::Exchange;

/// A rank that is a thread, with a channel to each of the others.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Threads {
    /// Runs `run` on `ranks` ranks, and returns the results by rank.
    ///
    /// # Panics
    /// If `run` panics on any of them.
    pub fn run<T: Send>(ranks: usize, run: impl Fn(Arc<dyn Exchange>) -> T + Sync) -> Vec<T> {
        let mut threads: Vec<Threads> = (0..ranks)
            .map(|rank| Threads {
                rank,
                to: Vec::new(),
                from: Vec::new(),
            })
            .collect();
        for sender in 0..ranks {
            for receiver in 0..ranks {
                let (to, from) = channel();
                threads[sender].to.push(to);
                threads[receiver].from.push(Mutex::new(from));
            }
        }
        thread::scope(|scope| {
            let start = |threads| scope.spawn(|| run(Arc::new(threads)));
            let started: Vec<_> = threads.into_iter().map(start).collect();
            let end = |thread: thread::ScopedJoinHandle<'_, T>| thread.join();
            let ended = started.into_iter().map(end);
            ended
                .map(|result| result.expect("no rank panics"))
                .collect()
        })
    }
}

impl Exchange for Threads {
    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn swap(&self, messages: Vec<Vec<u8>>, meanwhile: &mut (dyn FnMut() + Send)) -> Vec<Vec<u8>> {
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).expect("all ranks take the same steps");
        }
        meanwhile();
        let receive = |from: &Mutex<Receiver<_>>| {
            let from = from.lock().unwrap_or_else(PoisonError::into_inner);
            from.recv().expect("all ranks take the same steps")
        };
        self.from.iter().map(receive).collect()
    }
}
