//! The databases of a server: an oracle for each class of goals.

use std::collections::BTreeSet;
use std::collections::hash_map::{Entry, HashMap};
use std::path::{Path, PathBuf};

use quick_cache::sync::Cache;

use puzzledb::ask::{Refusal, RefusalCode};
use puzzledb::oracle::{Oracle, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::WatchedFile;

use super::answer::Problem;

/// The databases of a server: an oracle for each class of goals that it serves.
///
/// Before and after each answer the server looks whether the file of a large database was changed, and opens the new one
/// once all its checksums are right. Until then its questions are refused.
#[derive(Debug)]
pub struct Tables {
    /// A goal of each class, and the file that its oracle is opened from again.
    classes: HashMap<GoalClass, (Board, Option<PathBuf>)>,
    /// The oracles that are open. Each is opened by one request, for which the others wait.
    open: Cache<GoalClass, Oracle>,
    /// The statistics by the goal, some kilobytes each, which are computed once.
    pub(super) stats: Cache<Board, StatsRecord>,
}

/// More classes of goals than there are, so that no oracle is ever given up for another.
const CLASSES: usize = 4096;

impl Tables {
    /// Takes the oracles to serve; of several for one class of goals the first is kept.
    pub fn new(oracles: impl IntoIterator<Item = Oracle>) -> Tables {
        let tables = Tables {
            classes: HashMap::new(),
            open: Cache::new(CLASSES),
            stats: Cache::new(64),
        };
        oracles.into_iter().fold(tables, |tables, oracle| {
            tables.with(*oracle.goal(), Some(oracle))
        })
    }

    /// Adds goals whose oracles are made at the first request for their class.
    #[must_use]
    pub fn with_goals(self, goals: impl IntoIterator<Item = Board>) -> Tables {
        (goals.into_iter()).fold(self, |tables, goal| tables.with(goal, None))
    }

    fn with(mut self, goal: Board, oracle: Option<Oracle>) -> Tables {
        if let Ok(class) = GoalClass::new(goal.shape(), goal.blank())
            && let Entry::Vacant(place) = self.classes.entry(class)
        {
            let file = oracle.as_ref().and_then(Oracle::file);
            place.insert((goal, file.map(|file| file.path().to_owned())));
            if let Some(oracle) = oracle {
                self.open.insert(class, oracle);
            }
        }
        self
    }

    /// All shapes that are served, wider than high or square.
    pub(super) fn shapes(&self) -> BTreeSet<Shape> {
        let classes = self.classes.keys();
        classes.map(|class| landscape(class.shape())).collect()
    }

    /// The class of a goal, or the refusal of one that is not served.
    pub(super) fn class(&self, goal: &Board) -> Result<GoalClass, Problem> {
        let shape = goal.shape();
        let detail = match GoalClass::new(shape, goal.blank()) {
            Ok(class) if self.classes.contains_key(&class) => return Ok(class),
            Err(error) => error.to_string(),
            Ok(_) if self.shapes().contains(&landscape(shape)) => format!(
                "this server has databases of {shape} boards, but none for goals with the blank where {goal} has it"
            ),
            Ok(_) => {
                let shapes: Vec<_> = self.shapes().iter().map(Shape::to_string).collect();
                let shapes = shapes.join(", ");
                format!("this server has no database of {shape} boards: it serves {shapes}")
            }
        };
        Err(Problem::of(RefusalCode::NoDatabase, detail))
    }

    /// Returns whether all files are open and none has changed since.
    pub(super) fn are_fresh(&self) -> bool {
        let mut classes = self.classes.iter();
        classes.all(|(class, (_, file))| file.is_none() || self.fresh(*class).is_some())
    }

    fn fresh(&self, class: GoalClass) -> Option<Oracle> {
        let oracle = self.open.get(&class);
        oracle.filter(|oracle| !is_changed(oracle))
    }

    /// The oracle of a goal's class, from its file as it is now. The one request that makes or opens it takes its turn
    /// before. A goal that is not served is refused.
    pub(super) fn oracle(
        &self,
        goal: &Board,
        turn: impl FnOnce() -> Result<(), Problem>,
    ) -> Result<Oracle, Problem> {
        let class = self.class(goal)?;
        if let Some(oracle) = self.fresh(class) {
            return Ok(oracle); // without the lock that an entry is removed by
        }
        self.open.remove_if(&class, is_changed);
        self.open.get_or_insert_with(&class, || {
            turn()?;
            self.stats.clear(); // a new file has its own
            match &self.classes[&class] {
                (goal, Some(path)) => opened_again(path, goal),
                (goal, None) => Ok(Oracle::for_goal(goal).map_err(Refusal::from)?),
            }
        })
    }

    /// Returns whether there is a table for a goal, or one is made at the first request.
    pub(super) fn has_table(&self, goal: &Board) -> bool {
        self.class(goal).is_ok_and(|class| {
            let oracle = self.open.get(&class);
            oracle.is_none_or(|oracle| oracle.table().is_some())
        })
    }
}

fn is_changed(oracle: &Oracle) -> bool {
    oracle.file().is_some_and(WatchedFile::has_changed)
}

/// Returns the answer, unless the oracle's file was changed since it was opened: then the answer may be wrong.
pub(super) fn unless_changed<T>(
    oracle: Option<&Oracle>,
    answer: Result<T, Problem>,
) -> Result<T, Problem> {
    match oracle.is_some_and(is_changed) {
        false => answer,
        true => Err(changing("was changed meanwhile")),
    }
}

fn changing(how: &str) -> Problem {
    let detail = format!("the database {how}: ask again in a moment");
    Problem::of(RefusalCode::Busy, detail)
}

/// A shape or its transposed one, whichever is wider.
fn landscape(shape: Shape) -> Shape {
    shape.min(shape.transposed())
}

/// Opens a file as it is now, and verifies all of it: that of a large one takes seconds.
fn opened_again(path: &Path, goal: &Board) -> Result<Oracle, Problem> {
    match Oracle::open_for(path, goal).and_then(Oracle::verified) {
        Ok(oracle) if is_changed(&oracle) => Err(changing("is being changed")),
        Ok(oracle) => Ok(oracle),
        Err(error) => {
            let folder = path.with_file_name(""); // which is not for clients to know
            let error = error.to_string().replace(&*folder.to_string_lossy(), "");
            Err(Problem::of(RefusalCode::Damaged, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::response::IntoResponse;
    use puzzledb::Cancel;
    use puzzledb::oracle::QueryError;
    use puzzledb::table::{Encoding, build};

    use super::*;

    fn served(tables: &Tables, goal: &str) -> Result<Oracle, Problem> {
        tables.oracle(&goal.parse().unwrap(), || Ok(()))
    }

    #[test]
    fn a_goal_without_a_database_is_told_what_is_served() {
        let corner = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
        let tables = Tables::new([corner]);
        for goal in ["012345678", "123456780"] {
            assert!(served(&tables, goal).is_ok(), "{goal}");
        }
        for (goal, words) in [
            (
                "123405678",
                "none for goals with the blank where 123405678 has it",
            ),
            ("123/450", "no database of 2x3 boards: it serves 3x3"),
        ] {
            let problem = served(&tables, goal).unwrap_err();
            assert!(problem.to_string().ends_with(words), "{problem}");
        }
    }

    #[test]
    fn an_answer_from_a_file_that_was_changed_meanwhile_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("4x3.pzdb");
        let class = GoalClass::new("4x3".parse().unwrap(), 11).unwrap();
        let bytes = build(class, Encoding::Bit, 2, &Cancel::new());
        std::fs::write(&path, bytes.unwrap().unwrap()).unwrap();
        let oracle = Oracle::open_for(&path, &class.goal()).unwrap();
        let wrong = || Err::<(), Problem>(Refusal::from(QueryError::WrongTable).into());
        assert!(unless_changed(Some(&oracle), Ok(())).is_ok());
        let damaged = unless_changed(Some(&oracle), wrong()).unwrap_err();
        assert_eq!(damaged.into_response().status(), 503);
        std::fs::remove_file(&path).unwrap();
        for answer in [Ok(()), wrong()] {
            let refused = unless_changed(Some(&oracle), answer).unwrap_err();
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
        let bytes = build(class, Encoding::Bit, 2, &Cancel::new());
        let bytes = bytes.unwrap().unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let oracle = Oracle::open_for(&path, &class.goal()).unwrap();
        let figures = oracle.stats().unwrap();
        let tables = Tables::new([oracle]);
        let current = || {
            let oracle = tables.oracle(&class.goal(), || Ok(())).unwrap();
            Arc::clone(oracle.table().unwrap())
        };
        let before = current();
        let goal = class.goal();
        tables.stats.insert(goal, figures);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert!(!tables.are_fresh());
        let opened = std::thread::scope(|threads| {
            let opened = [0; 3].map(|_| threads.spawn(current));
            opened.map(|thread| thread.join().unwrap())
        });
        assert!(opened.iter().all(|one| Arc::ptr_eq(one, &opened[0])));
        let now = current();
        assert!(Arc::ptr_eq(&now, &opened[0]) && tables.are_fresh());
        let has_figures = tables.stats.get(&goal).is_some();
        assert!(
            !Arc::ptr_eq(&now, &before) && !has_figures,
            "the new one has its own figures"
        );
    }
}
