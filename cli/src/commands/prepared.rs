//! Values that are made once for the goal of several boards.

use std::sync::{Arc, Mutex, PoisonError};

use puzzledb::puzzle::Board;

use super::error::CliError;

/// A value that is made once for the goal of several boards in a row, and shared by threads.
pub(super) struct Prepared<T>(Mutex<Option<(Board, Arc<T>)>>);

impl<T> Default for Prepared<T> {
    fn default() -> Prepared<T> {
        Prepared(Mutex::default())
    }
}

impl<T> Prepared<T> {
    /// The value for a goal: that of the last, or a new one.
    pub(super) fn get(
        &self,
        goal: &Board,
        make: impl Fn(&Board) -> Result<T, CliError>,
    ) -> Result<Arc<T>, CliError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((its, value)) if its == goal => Ok(Arc::clone(value)),
            _ => {
                let (_, value) = last.insert((*goal, Arc::new(make(goal)?)));
                Ok(Arc::clone(value))
            }
        }
    }
}
