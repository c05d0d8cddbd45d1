//! Pattern databases that several oracles share, and that are made when they are needed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::Duration;

use crate::basics::{Cancel, Cancelled};
use crate::pattern::{
    Partition, PatternBuildError, Patterns, ShortestSolutions, SolveError, Solver,
};
use crate::puzzle::Board;

use super::error::{OracleError, QueryError};
use super::front::Oracle;

/// Patterns of a partition, which are made once, when a search needs them.
#[derive(Debug)]
pub(super) struct SharedPatterns {
    pub partition: Partition,
    pub made: OnceLock<Arc<Patterns>>,
    /// Lock that is held while the patterns are made.
    making: Mutex<()>,
    /// Boards that all searches with them have visited.
    pub visited: AtomicU64,
}

impl SharedPatterns {
    /// Returns patterns of at most `most` tiles, which are not made yet.
    pub fn up_to(most: usize, goal: &Board) -> Result<SharedPatterns, OracleError> {
        let partition = Partition::up_to(goal, most.min(goal.shape().tiles()))?;
        Ok(SharedPatterns::new(partition, OnceLock::new()))
    }

    pub fn new(partition: Partition, made: OnceLock<Arc<Patterns>>) -> SharedPatterns {
        SharedPatterns {
            partition,
            made,
            making: Mutex::default(),
            visited: AtomicU64::new(0),
        }
    }

    /// Returns the patterns, and makes them if there are none.
    pub fn get(&self, cancel: &Cancel) -> Result<Arc<Patterns>, QueryError> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let _making = self.lock(cancel)?;
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = Patterns::build_observed(&self.partition, cancel, |_| ());
        let made = made.map_err(|error| match error {
            PatternBuildError::Cancelled => QueryError::Cancelled,
            error => QueryError::Memory {
                cause: error.to_string().into(),
            },
        })?;
        Ok(Arc::clone(self.made.get_or_init(|| made.into())))
    }

    /// Searches with these patterns. The boards that are visited are counted on from `before`, up to `most`.
    pub fn search(
        &self,
        oracle: &Oracle,
        (before, most): (u64, u64),
        ask: impl Fn(&Solver) -> Result<ShortestSolutions, SolveError>,
    ) -> Result<ShortestSolutions, QueryError> {
        let solver = Solver::new(self.get(&oracle.cancel)?, oracle.goal());
        let mut solver = solver
            .map_err(|_| QueryError::WrongTable)?
            .visiting_at_most(most)
            .with_cancel(&oracle.cancel)
            .with_progress(oracle.progress.clone());
        if oracle.limits.one_thread {
            solver = solver.on_one_thread();
        }
        let answer = ask(&solver);
        if let Ok(ShortestSolutions { visited, .. })
        | Err(SolveError::GaveUp { visited, .. } | SolveError::Cancelled { visited, .. }) =
            &answer
        {
            let visited = visited.saturating_sub(before);
            self.visited.fetch_add(visited, Ordering::Relaxed);
        }
        Ok(answer?)
    }

    /// Waits until no other thread makes the patterns.
    fn lock(&self, cancel: &Cancel) -> Result<MutexGuard<'_, ()>, Cancelled> {
        loop {
            match self.making.try_lock() {
                Ok(making) => return Ok(making),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    cancel.check()?;
                    std::thread::sleep(WAIT);
                }
            }
        }
    }
}

/// Time that a thread sleeps between two checks whether another has made the patterns.
const WAIT: Duration = Duration::from_millis(2);
