//! The threads of a search.

use std::io;

use rayon::prelude::*;

use crate::space::GoalClass;

use super::error::SearchError;

/// Threads that share the tasks of a level; none for small spaces.
#[derive(Debug)]
pub struct Workers(Option<rayon::ThreadPool>);

/// Below this many states a second thread takes more time than it saves.
const WORTH_THREADS: u64 = 1_000_000;

impl Workers {
    /// Starts at most `threads` threads.
    ///
    /// # Errors
    /// [`SearchError::Threads`].
    pub fn new(class: GoalClass, threads: usize) -> Result<Workers, SearchError> {
        if threads < 2 || class.states() < WORTH_THREADS {
            return Ok(Workers(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| {
            let cause = io::Error::other(error);
            SearchError::Threads { threads, cause }
        });
        pool.map(|pool| Workers(Some(pool)))
    }

    /// Runs `run` on every task, and returns the results in the order of the tasks.
    pub fn each<T: Send, R: Send>(
        &self,
        mut tasks: Vec<T>,
        run: impl Fn(&mut T) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.0 {
            Some(pool) => pool.install(|| tasks.par_iter_mut().map(&run).collect()),
            None => tasks.iter_mut().map(run).collect(),
        }
    }
}
