//! The databases of a server: an oracle for each class of goals.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use quick_cache::sync::Cache;

use puzzledb::ask::{Refusal, RefusalCode};
use puzzledb::oracle::{Oracle, OracleError, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::{OpenError, WatchedFile};

use super::problem::Problem;

/// The databases of a server: an oracle for each class of goals that it serves.
///
/// Before and after each answer the server looks whether the file of a large database was changed, and opens the new one
/// once all its checksums are right. Until then its questions are refused.
#[derive(Debug)]
pub struct Tables {
    classes: HashMap<GoalClass, Place>,
}

/// The oracle of a class of goals.
#[derive(Debug)]
struct Place {
    goal: Board,
    /// `None` until it is made, at the first request. Locked for writing while it is made or opened again.
    served: RwLock<Option<Arc<Served>>>,
}

/// An oracle as it is served.
#[derive(Debug)]
pub(super) struct Served {
    pub oracle: Oracle,
    /// The statistics by the goal, some kilobytes each, which are computed once.
    pub stats: Cache<Board, StatsRecord>,
}

impl Tables {
    /// Takes the oracles to serve; of several for one class of goals the first is kept.
    pub fn new(oracles: impl IntoIterator<Item = Oracle>) -> Tables {
        let classes = HashMap::new();
        let oracles = oracles.into_iter();
        oracles.fold(Tables { classes }, |tables, oracle| {
            tables.with_place(*oracle.goal(), Some(Served::new(oracle)))
        })
    }

    /// Adds goals whose oracles are made at the first request for their class.
    #[must_use]
    pub fn with_goals(self, goals: impl IntoIterator<Item = Board>) -> Tables {
        (goals.into_iter()).fold(self, |tables, goal| tables.with_place(goal, None))
    }

    fn with_place(mut self, goal: Board, served: Option<Arc<Served>>) -> Tables {
        if let Ok(class) = GoalClass::new(goal.shape(), goal.blank()) {
            self.classes.entry(class).or_insert_with(|| Place {
                goal,
                served: RwLock::new(served),
            });
        }
        self
    }

    /// All shapes that are served, wider than high or square.
    pub(super) fn shapes(&self) -> BTreeSet<Shape> {
        let classes = self.classes.keys();
        classes.map(|class| landscape(class.shape())).collect()
    }

    /// The place of a goal, or the refusal of one that is not served.
    fn place(&self, goal: &Board) -> Result<&Place, Problem> {
        let shape = goal.shape();
        let refused = |detail| Problem::of(RefusalCode::NoDatabase, detail);
        let class = GoalClass::new(shape, goal.blank());
        let class = class.map_err(|error| refused(error.to_string()))?;
        self.classes.get(&class).ok_or_else(|| {
            let shapes = self.shapes();
            if shapes.contains(&landscape(shape)) {
                return refused(format!(
                    "this server has databases of {shape} boards, but none for goals with the blank where {goal} has it"
                ));
            }
            let shapes: Vec<_> = shapes.iter().map(Shape::to_string).collect();
            let shapes = shapes.join(", ");
            refused(format!(
                "this server has no database of {shape} boards: it serves {shapes}"
            ))
        })
    }

    /// Returns whether no file has changed since it was opened.
    pub(super) fn are_fresh(&self) -> bool {
        let mut served = self.classes.values().filter_map(Place::last);
        served.all(|served| !is_changed(&served.oracle))
    }

    /// The oracle of a goal's class, if it is open; `None` if it has to be made or opened again. A goal that is not served
    /// is refused.
    pub(super) fn open(&self, goal: &Board) -> Result<Option<Arc<Served>>, Problem> {
        Ok(self.place(goal)?.fresh())
    }

    /// The oracle of a goal's class, from its file as it is now.
    pub(super) fn served(&self, goal: &Board) -> Result<Arc<Served>, Problem> {
        self.place(goal)?.current()
    }

    /// Returns whether there is a table for a goal, or one is made at the first request.
    pub(super) fn has_table(&self, goal: &Board) -> bool {
        let has_table = |served: Arc<Served>| served.oracle.table().is_some();
        (self.place(goal)).is_ok_and(|place| place.last().is_none_or(has_table))
    }
}

fn is_changed(oracle: &Oracle) -> bool {
    oracle.file().is_some_and(WatchedFile::has_changed)
}

/// Returns the answer, unless the oracle's file was changed since it was opened: then the answer may be wrong.
pub(super) fn unless_changed<T>(oracle: &Oracle, answer: Result<T, Problem>) -> Result<T, Problem> {
    match is_changed(oracle) {
        false => answer,
        true => Err(changing("was changed meanwhile")),
    }
}

fn changing(how: &str) -> Problem {
    let detail = format!("the database {how}: ask again in a moment");
    Problem::of(RefusalCode::Busy, detail)
}

/// The refusal of a question that needs a table, about a shape that is served without one.
pub(super) fn no_table(shape: Shape) -> Problem {
    let detail = format!(
        "this server has no database of {shape} boards: it solves them by searches, and has neither statistics nor a \
         file of them"
    );
    Problem::of(RefusalCode::NoDatabase, detail)
}

/// A shape or its transposed one, whichever is wider.
fn landscape(shape: Shape) -> Shape {
    shape.min(shape.transposed())
}

impl Place {
    /// The oracle from its file as it is now. It is made or opened by one request, for which the others wait.
    fn current(&self) -> Result<Arc<Served>, Problem> {
        if let Some(served) = self.fresh() {
            return Ok(served);
        }
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        let oracle = match &*served {
            None => Oracle::for_goal(&self.goal).map_err(Refusal::from)?,
            Some(served) if !is_changed(&served.oracle) => return Ok(Arc::clone(served)),
            Some(stale) => opened_again(&stale.oracle)?,
        };
        Ok(Arc::clone(served.insert(Served::new(oracle))))
    }

    /// The oracle as it was opened last; `None` while it is being opened.
    fn last(&self) -> Option<Arc<Served>> {
        self.served.try_read().ok()?.clone()
    }

    fn fresh(&self) -> Option<Arc<Served>> {
        self.last().filter(|served| !is_changed(&served.oracle))
    }
}

impl Served {
    fn new(oracle: Oracle) -> Arc<Served> {
        Arc::new(Served {
            oracle,
            stats: Cache::new(16),
        })
    }
}

/// Opens a file as it is now, and verifies all of it: that of a large one takes seconds.
fn opened_again(stale: &Oracle) -> Result<Oracle, Problem> {
    let path = stale.file().map_or(Path::new(""), WatchedFile::path);
    let opened = Oracle::open_for(path, stale.goal()).and_then(|oracle| {
        oracle.verify()?;
        Ok(oracle)
    });
    let name = path.file_name().unwrap_or_default().display();
    match opened {
        Ok(oracle) if is_changed(&oracle) => Err(changing("is being changed")),
        Ok(oracle) => Ok(oracle),
        Err(error) => Err(Problem::of(
            RefusalCode::Damaged,
            match error {
                OracleError::Open(OpenError::Format { cause, .. }) => format!("{name} {cause}"),
                OracleError::Open(OpenError::Io { cause, .. }) => {
                    format!("{name} cannot be read: {cause}")
                }
                error => format!("{name} does not fit any more: {error}"),
            },
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use axum::response::IntoResponse;
    use puzzledb::oracle::QueryError;
    use puzzledb::table::{Encoding, build};

    use super::*;

    #[test]
    fn a_goal_without_a_database_is_told_what_is_served() {
        let corner = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
        let tables = Tables::new([corner]);
        for goal in ["012345678", "123456780"] {
            assert!(tables.served(&goal.parse().unwrap()).is_ok(), "{goal}");
        }
        for (goal, words) in [
            (
                "123405678",
                "none for goals with the blank where 123405678 has it",
            ),
            ("123/450", "no database of 2x3 boards: it serves 3x3"),
        ] {
            let problem = tables.served(&goal.parse().unwrap()).unwrap_err();
            assert!(problem.to_string().ends_with(words), "{problem}");
        }
    }

    #[test]
    fn an_answer_from_a_file_that_was_changed_meanwhile_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("4x3.pzdb");
        let class = GoalClass::new("4x3".parse().unwrap(), 11).unwrap();
        let bytes = build(class, Encoding::Bit, 2, |_| ControlFlow::Continue(()));
        std::fs::write(&path, bytes.unwrap().unwrap()).unwrap();
        let oracle = Oracle::open_for(&path, &class.goal()).unwrap();
        let wrong = || Err::<(), Problem>(Refusal::from(QueryError::WrongTable).into());
        assert!(unless_changed(&oracle, Ok(())).is_ok());
        let damaged = unless_changed(&oracle, wrong()).unwrap_err();
        assert_eq!(damaged.into_response().status(), 503);
        std::fs::remove_file(&path).unwrap();
        for answer in [Ok(()), wrong()] {
            let refused = unless_changed(&oracle, answer).unwrap_err();
            assert!(refused.to_string().contains("changed meanwhile"));
            assert_eq!(refused.into_response().status(), 503);
        }
    }

    #[test]
    fn a_file_that_has_changed_is_opened_by_one_request() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("4x3.pzdb");
        // 30 MB: smaller files are copied, and later changes to them are not seen.
        let class = GoalClass::new("4x3".parse().unwrap(), 11).unwrap();
        let bytes = build(class, Encoding::Bit, 2, |_| ControlFlow::Continue(()));
        let bytes = bytes.unwrap().unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let oracle = Oracle::open_for(&path, &class.goal()).unwrap();
        let tables = Tables::new([oracle]);
        let place = tables.place(&class.goal()).unwrap();
        let before = place.current().unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert!(tables.open(&class.goal()).unwrap().is_none() && !tables.are_fresh());
        let opened = std::thread::scope(|threads| {
            let opened = [0; 3].map(|_| threads.spawn(|| place.current().unwrap()));
            opened.map(|thread| thread.join().unwrap())
        });
        assert!(opened.iter().all(|one| Arc::ptr_eq(one, &opened[0])));
        let now = tables.open(&class.goal()).unwrap().unwrap();
        assert!(Arc::ptr_eq(&now, &opened[0]) && tables.are_fresh());
        let same_figures = Arc::ptr_eq(&now, &before);
        assert!(!same_figures, "the new one has its own figures");
    }
}
