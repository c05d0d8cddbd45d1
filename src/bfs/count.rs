//! The numbers of states at each distance.

use std::sync::Arc;

use crate::basics::all_cores;
use crate::space::GoalClass;

use super::{Alone, Kept, Search, SearchError, go_on};

/// Counts the states at each distance from the goals of a class, on all cores, at one bit a state and without a table.
///
/// ```
/// use puzzledb::bfs::count_levels;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
///
/// let levels = count_levels(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?)?; // the blank's cell at the goal
/// assert_eq!((levels.len(), levels[31]), (32, 2));
/// assert_eq!(levels.iter().sum::<u64>(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SearchError`] if the space is too large for this machine, or the system gives no memory or no threads.
pub fn count_levels(class: GoalClass) -> Result<Vec<u64>, SearchError> {
    let mut search = Search::shared(class, Kept::Nothing, all_cores(), Arc::new(Alone))?;
    let Ok(()) = search.run(&mut go_on);
    Ok(search.levels().to_vec())
}
