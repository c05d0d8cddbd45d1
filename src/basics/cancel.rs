//! Flag that ends long work from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::clock::Instant;

/// Flag that ends long work. Clones share the flag: one side sets it, the other polls it.
///
/// A [child](Cancel::child) is cancelled with its parent, or alone; it may have a
/// [deadline](Cancel::until). Cancelled work returns an error that names the cancellation.
///
/// ```
/// use puzzledb::Cancel;
/// use puzzledb::oracle::{Oracle, QueryError};
/// use puzzledb::puzzle::{Shape, UsualGoal, parse_board};
///
/// let cancel = Cancel::new();
/// let oracle = Oracle::for_goal(&UsualGoal::First.board(Shape::new(4, 4)?))?.with_cancel(&cancel);
/// cancel.cancel(); // as a rule from another thread
/// let board = parse_board(b"15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", None)?; // 80 moves
/// assert_eq!(oracle.distance(&board), Err(QueryError::Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    deadline: Option<Instant>,
    parent: Option<Cancel>,
}

/// The work was cancelled before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Cancel {
    /// Creates a flag that is not set.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Sets the flag. It cannot be reset.
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Returns whether the flag is set, its deadline has passed, or a parent is cancelled.
    pub fn is_cancelled(&self) -> bool {
        let flag = &*self.0;
        flag.is_set.load(Ordering::Relaxed)
            || flag.parent.as_ref().is_some_and(Cancel::is_cancelled)
            || flag.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns [`Cancel::is_cancelled`] as a result.
    ///
    /// # Errors
    /// [`Cancelled`]
    pub fn check(&self) -> Result<(), Cancelled> {
        match self.is_cancelled() {
            true => Err(Cancelled),
            false => Ok(()),
        }
    }

    /// Creates a flag that is cancelled with this one, and can be set alone.
    #[must_use]
    pub fn child(&self) -> Cancel {
        self.with_deadline(None)
    }

    /// Creates a child that is cancelled from `deadline` on.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Cancel {
        self.with_deadline(Some(deadline))
    }

    /// Creates a child that is cancelled after `time`. A time beyond the range of the clock sets no
    /// deadline.
    #[must_use]
    pub fn within(&self, time: Duration) -> Cancel {
        self.with_deadline(Instant::now().checked_add(time))
    }

    fn with_deadline(&self, deadline: Option<Instant>) -> Cancel {
        Cancel(Arc::new(Flag {
            is_set: AtomicBool::new(false),
            deadline,
            parent: Some(self.clone()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_ends_with_its_parent_and_by_itself() {
        let parent = Cancel::new();
        let (one, other) = (parent.child(), parent.clone().child());
        one.cancel();
        assert!(one.is_cancelled() && !other.is_cancelled() && !parent.is_cancelled());
        parent.clone().cancel();
        assert_eq!(
            (other.check(), parent.check()),
            (Err(Cancelled), Err(Cancelled))
        );
        assert!(parent.child().is_cancelled());
    }

    #[test]
    fn a_deadline_ends_the_child_alone() {
        let parent = Cancel::new();
        let far = parent
            .within(Duration::MAX)
            .within(Duration::from_secs(3600));
        let over = far.until(Instant::now());
        assert!(over.child().is_cancelled() && over.is_cancelled());
        assert_eq!(far.check(), Ok(()));
        parent.cancel();
        assert!(far.is_cancelled());
    }
}
