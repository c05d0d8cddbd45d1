//! Oracles for any goal, from tables that are fetched once.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::puzzle::Board;
use crate::space::GoalClass;

use super::by_table::TableOracle;
use super::error::OracleError;
use super::front::Oracle;
use super::optimum::Distances;

/// Cache that has an oracle for any goal.
///
/// The first goal of a class fetches its oracle from a source, which is called once a class even if several threads need
/// it at the same time; the others of the class share its table. A source that fails is called again the next time.
pub struct Oracles<'a, E = OracleError, O = TableOracle> {
    source: Box<Source<'a, E, O>>,
    /// The first oracle of each class, once it is there. A class is locked while it is fetched.
    classes: Mutex<HashMap<GoalClass, OfClass<O>>>,
    /// Oracles of the last goals, newest first.
    recent: RwLock<VecDeque<O>>,
}

type Source<'a, E, O> = dyn Fn(&Board) -> Result<O, E> + Send + Sync + 'a;

type OfClass<O> = Arc<Mutex<Option<O>>>;

/// An oracle that serves all goals of a class.
pub trait ClassOracle: Distances + Clone {
    /// Returns the oracle for another goal of the class.
    ///
    /// # Errors
    /// [`OracleError`] if it does not serve the goal.
    fn with_goal(&self, goal: &Board) -> Result<Self, OracleError>;
}

impl ClassOracle for TableOracle {
    fn with_goal(&self, goal: &Board) -> Result<TableOracle, OracleError> {
        self.with_goal(goal)
    }
}

impl ClassOracle for Oracle {
    fn with_goal(&self, goal: &Board) -> Result<Oracle, OracleError> {
        self.with_goal(goal)
    }
}

/// Number of goals whose oracles are kept. The oracle of another goal is made anew from the table
/// of its class.
const RECENT_GOALS: usize = 32;

impl<'a, E: From<OracleError>, O: ClassOracle> Oracles<'a, E, O> {
    /// Makes an empty cache; `source` gives an oracle for a goal whose class has none.
    pub fn new(source: impl Fn(&Board) -> Result<O, E> + Send + Sync + 'a) -> Self {
        Oracles {
            source: Box::new(source),
            classes: Mutex::default(),
            recent: RwLock::default(),
        }
    }

    /// Returns the oracle for a goal.
    ///
    /// # Errors
    /// That of the source; [`OracleError::Space`] for a shape that is too large, and
    /// [`OracleError::OtherClass`] if the source gave an oracle of another class.
    pub fn oracle(&self, goal: &Board) -> Result<O, E> {
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

    fn class(&self, class: GoalClass) -> OfClass<O> {
        Arc::clone(lock(&self.classes).entry(class).or_default())
    }

    fn remember(&self, oracle: &O) {
        let mut recent = self.recent.write().unwrap_or_else(PoisonError::into_inner);
        if recent.iter().all(|other| other.goal() != oracle.goal()) {
            recent.truncate(RECENT_GOALS - 1);
            recent.push_front(oracle.clone());
        }
    }
}

impl<E, O> fmt::Debug for Oracles<'_, E, O> {
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
    use crate::puzzle::UsualGoal;
    use crate::space::{Space, StateIndex};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn small() -> Space {
        Space::new(&UsualGoal::Last.board("2x3".parse().unwrap())).unwrap()
    }

    #[test]
    fn the_source_is_asked_once_a_class_by_however_many_threads() {
        let (space, asked) = (small(), AtomicUsize::new(0));
        let oracles: Oracles<'_> = Oracles::new(|goal| {
            asked.fetch_add(1, Ordering::Relaxed);
            TableOracle::in_memory(goal)
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
        let oracles: Oracles<'_> = Oracles::new(|goal: &Board| {
            let table = goal.shape();
            match asked.fetch_add(1, Ordering::Relaxed) {
                0 => Err(OracleError::OtherClass { table, goal: *goal }),
                _ => TableOracle::in_memory(goal),
            }
        });
        assert!(oracles.oracle(&goal).is_err());
        assert_eq!(oracles.oracle(&goal).unwrap().distance(&goal), Ok(0));
    }

    #[test]
    fn an_oracle_of_another_class_is_refused() {
        let goal = *small().goal();
        let wrong: Oracles<'_> =
            Oracles::new(|_| TableOracle::in_memory(&"123456780".parse().unwrap()));
        let refused = wrong.oracle(&goal);
        assert!(matches!(refused, Err(OracleError::OtherClass { .. })));
    }
}
