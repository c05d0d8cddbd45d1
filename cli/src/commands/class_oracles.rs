//! Oracles for any goal, each fetched once a class.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use puzzledb::oracle::{Oracle, OracleError};
use puzzledb::puzzle::Board;
use puzzledb::space::GoalClass;

use super::error::CliError;

/// Cache that has an oracle for any goal.
///
/// The first goal of a class fetches its oracle from a source, which is called once a class even if several threads need
/// it at the same time; the others of the class share its table. A source that fails is called again the next time.
pub(super) struct Oracles<'a> {
    source: Box<Source<'a>>,
    /// The first oracle of each class, once it is there. A class is locked while it is fetched.
    classes: Mutex<HashMap<GoalClass, OfClass>>,
    /// Oracles of the last goals, newest first.
    recent: RwLock<VecDeque<Oracle>>,
}

type Source<'a> = dyn Fn(&Board) -> Result<Oracle, CliError> + Send + Sync + 'a;

type OfClass = Arc<Mutex<Option<Oracle>>>;

/// Number of goals whose oracles are kept. The oracle of another goal is made anew from the table
/// of its class.
const RECENT_GOALS: usize = 32;

impl<'a> Oracles<'a> {
    /// Makes an empty cache; `source` gives an oracle for a goal whose class has none.
    pub(super) fn new(
        source: impl Fn(&Board) -> Result<Oracle, CliError> + Send + Sync + 'a,
    ) -> Oracles<'a> {
        Oracles {
            source: Box::new(source),
            classes: Mutex::default(),
            recent: RwLock::default(),
        }
    }

    /// Returns the oracle for a goal, or the error of the source.
    pub(super) fn oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        let recent = self.recent.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(oracle) = recent.iter().find(|oracle| oracle.goal() == goal) {
            return Ok(oracle.clone());
        }
        drop(recent);
        let class = GoalClass::new(goal.shape(), goal.blank()).map_err(OracleError::from)?;
        let oracle = match &mut *lock(&self.class(class)) {
            Some(first) => first.with_goal(goal)?,
            none => none.insert((self.source)(goal)?.with_goal(goal)?).clone(),
        };
        self.remember(&oracle);
        Ok(oracle)
    }

    fn class(&self, class: GoalClass) -> OfClass {
        Arc::clone(lock(&self.classes).entry(class).or_default())
    }

    fn remember(&self, oracle: &Oracle) {
        let mut recent = self.recent.write().unwrap_or_else(PoisonError::into_inner);
        if recent.iter().all(|other| other.goal() != oracle.goal()) {
            recent.truncate(RECENT_GOALS - 1);
            recent.push_front(oracle.clone());
        }
    }
}

impl fmt::Debug for Oracles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracles")
            .field("classes", &lock(&self.classes).keys())
            .finish_non_exhaustive()
    }
}

/// Locks a mutex. A source that panicked has left its class empty, so a poisoned lock can be used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzledb::puzzle::UsualGoal;
    use puzzledb::space::{Space, StateIndex};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn small() -> Space {
        Space::new(&UsualGoal::Last.board("2x3".parse().unwrap())).unwrap()
    }

    #[test]
    fn the_source_is_asked_once_a_class_by_however_many_threads() {
        let (space, asked) = (small(), AtomicUsize::new(0));
        let oracles = Oracles::new(|goal| {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(Oracle::for_goal(goal)?)
        });
        std::thread::scope(|scope| {
            for first in 0..8 {
                let (oracles, space) = (&oracles, &space);
                scope.spawn(move || {
                    for index in (first..360).step_by(5).map(StateIndex) {
                        let goal = space.unrank(index);
                        assert_eq!(oracles.oracle(&goal).unwrap().goal(), &goal);
                    }
                });
            }
        });
        let classes = GoalClass::all(space.goal().shape()).unwrap().len();
        assert_eq!(asked.load(Ordering::Relaxed), classes);
        assert!(oracles.recent.into_inner().unwrap().len() <= RECENT_GOALS);
    }

    #[test]
    fn a_source_that_fails_is_asked_again() {
        let goal = *small().goal();
        let asked = AtomicUsize::new(0);
        let oracles = Oracles::new(|goal: &Board| match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Err(CliError::Database("no file".to_owned())),
            _ => Ok(Oracle::for_goal(goal)?),
        });
        assert!(oracles.oracle(&goal).is_err());
        assert_eq!(oracles.oracle(&goal).unwrap().distance(&goal), Ok(0));
    }

    #[test]
    fn an_oracle_of_another_shape_is_refused() {
        let wrong = Oracles::new(|_| Ok(Oracle::for_goal(&"123456780".parse().unwrap())?));
        assert!(wrong.oracle(small().goal()).is_err());
    }
}
