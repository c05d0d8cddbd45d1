//! The databases of a server: an oracle for each class of goals, and the files to download.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use quick_cache::sync::Cache;

use puzzledb::oracle::{Limits, Oracle, OracleError, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, OpenError, Table, WatchedFile, build};

use super::answer::etag;
use super::database_file::DatabaseFile;
use super::problem::Problem;

/// The databases of a server: an oracle for each class of goals that it serves.
///
/// Before and after each answer the server looks whether the file of a large database was changed, and opens the new one
/// once all its checksums are right. While a changed file of patterns is not right, patterns are made in memory.
#[derive(Debug)]
pub struct Tables {
    classes: HashMap<GoalClass, Place>,
}

/// The oracle of a class of goals.
#[derive(Debug)]
struct Place {
    goal: Board,
    /// `None` until it is made, at the first request.
    served: RwLock<Option<Arc<Served>>>,
    /// Locked while an oracle is made.
    opening: Mutex<()>,
}

/// An oracle as it is served.
#[derive(Debug)]
struct Served {
    oracle: Oracle,
    /// The statistics by the goal, some kilobytes each, which are computed once.
    stats: Arc<Cache<Board, StatsRecord>>,
    /// The file to download, by encoding: `full`, `bit`. Each is made, and its tag computed, at the first
    /// request for it.
    files: [OnceLock<DatabaseFile>; 2],
    /// The file that the oracle comes from, or should come from.
    path: Option<PathBuf>,
    /// Time at which a file that was not right is opened again; until then another oracle is used.
    again: Option<Instant>,
}

/// Time after which a file of patterns that was not right is opened again.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Lets [`Bytes`] own a table.
struct TableBytes(Arc<Table>);

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().whole().unwrap_or_default()
    }
}

impl Tables {
    /// Takes the oracles to serve; of several for one class of goals the first is kept.
    pub fn new(oracles: impl IntoIterator<Item = Oracle>) -> Tables {
        let none = Tables {
            classes: HashMap::new(),
        };
        oracles.into_iter().fold(none, |tables, oracle| {
            tables.with_place(*oracle.goal(), Some(Arc::new(Served::new(oracle))))
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
                opening: Mutex::default(),
            });
        }
        self
    }

    /// All shapes that are served, wider than high or square.
    pub(super) fn shapes(&self) -> BTreeSet<Shape> {
        let classes = self.classes.keys();
        classes.map(|class| landscape(class.shape())).collect()
    }

    fn place(&self, goal: &Board) -> Option<&Place> {
        let class = GoalClass::new(goal.shape(), goal.blank()).ok()?;
        self.classes.get(&class)
    }

    /// Returns whether no file has changed since it was opened.
    pub(super) fn are_fresh(&self) -> bool {
        let is_fresh = |place: &Place| place.last().is_none_or(|served| !served.is_stale());
        self.classes.values().all(is_fresh)
    }

    /// Returns whether a goal's oracle is there, and none has to be made.
    pub(super) fn is_open(&self, goal: &Board) -> bool {
        self.place(goal).is_none_or(|place| place.fresh().is_some())
    }

    /// The oracle for a goal, whose searches visit at most `visited` boards.
    pub(super) fn any_oracle(&self, goal: &Board, visited: u64) -> Result<Oracle, Problem> {
        let oracle = self.served(goal)?.oracle.with_goal(goal)?;
        Ok(oracle.with_limits(Limits::visiting(visited)))
    }

    /// The oracle of a goal's class, from its file as it is now.
    fn served(&self, goal: &Board) -> Result<Arc<Served>, Problem> {
        match self.place(goal) {
            Some(place) => place.current(),
            None => Err(self.not_served(goal)),
        }
    }

    /// As [`Tables::served`], with a table.
    fn served_table(&self, goal: &Board) -> Result<(Arc<Served>, Arc<Table>), Problem> {
        let served = self.served(goal)?;
        match served.oracle.table().cloned() {
            Some(table) => Ok((served, table)),
            None => Err(no_table(goal.shape())),
        }
    }

    /// The refusal of a goal that is not served, with what is served instead.
    fn not_served(&self, goal: &Board) -> Problem {
        let shape = goal.shape();
        if let Err(error) = GoalClass::new(shape, goal.blank()) {
            return Problem::no_database(error);
        }
        let shapes = self.shapes();
        if shapes.contains(&landscape(shape)) {
            return Problem::no_database(format!(
                "this server has databases of {shape} boards, but none for goals with the blank \
                 where {goal} has it"
            ));
        }
        let shapes: Vec<_> = shapes.iter().map(Shape::to_string).collect();
        let shapes = shapes.join(", ");
        Problem::no_database(format!(
            "this server has no database of {shape} boards: it serves {shapes}"
        ))
    }

    /// Returns whether there is a table for a goal, or one is made at the first request.
    pub(super) fn has_table(&self, goal: &Board) -> bool {
        let has_table = |served: Arc<Served>| served.oracle.table().is_some();
        self.place(goal)
            .is_some_and(|place| place.last().is_none_or(has_table))
    }

    /// The statistics that were computed for goals of a class.
    pub(super) fn stats(&self, goal: &Board) -> Result<Arc<Cache<Board, StatsRecord>>, Problem> {
        Ok(Arc::clone(&self.served_table(goal)?.0.stats))
    }

    /// The file for a goal. Without an encoding it is the database as it is. At the first time that takes a while: the
    /// tag is a digest of all bytes, and in another encoding the database is built anew.
    pub(super) fn file(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
    ) -> Result<DatabaseFile, Problem> {
        let (served, table) = self.served_table(goal)?;
        let own = table.header().encoding();
        let encoding = encoding.unwrap_or(own);
        let place = &served.files[usize::from(encoding == Encoding::Bit)];
        if let Some(file) = place.get() {
            return Ok(file.clone());
        }
        let bytes = if encoding == own && table.bytes().whole().is_none() {
            return Err(Problem::no_database(
                "this database is larger than this server has memory for: it gives out no file of it",
            ));
        } else if encoding == own {
            Bytes::from_owner(TableBytes(table))
        } else {
            build_as(&table, encoding)?
        };
        let tag = etag(&bytes);
        Ok(place.get_or_init(|| DatabaseFile { bytes, tag }).clone())
    }
}

/// Returns the answer, unless the oracle's file was changed since it was opened: then the answer may be wrong.
pub(super) fn unless_changed<T>(oracle: &Oracle, answer: Result<T, Problem>) -> Result<T, Problem> {
    if oracle.file().is_some_and(WatchedFile::has_changed) {
        return Err(Problem::busy(
            "the database was changed meanwhile: ask again in a moment",
        ));
    }
    answer
}

/// The refusal of a question that needs a table, about a shape that is served without one.
pub(super) fn no_table(shape: Shape) -> Problem {
    Problem::no_database(format!(
        "this server has no database of {shape} boards: it solves them by searches, and has neither statistics nor a \
         file of them"
    ))
}

/// A shape or its transposed one, whichever is wider.
fn landscape(shape: Shape) -> Shape {
    shape.min(shape.transposed())
}

/// Builds a database in another encoding than its own; only small ones are built.
fn build_as(table: &Table, encoding: Encoding) -> Result<Bytes, Problem> {
    let class = table.header().class();
    if !class.is_small() {
        return Err(Problem::no_database(format!(
            "this database is in the encoding `{}`, and too large to be built in another one here",
            table.header().encoding()
        )));
    }
    let built = build(class, encoding, 1, |_| ControlFlow::Continue(()));
    let bytes = built.map_err(Problem::busy)?;
    Ok(Bytes::from(
        bytes.expect("the callback never stops the search"),
    ))
}

impl Place {
    /// The oracle from its file as it is now. One that has changed is opened by one request; the others are refused
    /// meanwhile, or get the patterns made instead.
    fn current(&self) -> Result<Arc<Served>, Problem> {
        if let Some(served) = self.fresh() {
            return Ok(served);
        }
        let last = self.last();
        let _opening = match (self.opening.try_lock(), last) {
            (Ok(opening), _) => opening,
            (Err(TryLockError::WouldBlock), Some(last)) if last.again.is_some() => return Ok(last),
            (Err(TryLockError::WouldBlock), Some(_)) => {
                let detail = "the database has changed and is being checked: ask again in a moment";
                return Err(Problem::busy(detail));
            }
            _ => self.opening.lock().unwrap_or_else(PoisonError::into_inner),
        };
        let served = match self.last() {
            None => Served::new(Oracle::for_goal(&self.goal)?),
            Some(served) if !served.is_stale() => return Ok(served), // another request has opened it meanwhile
            Some(stale) => stale.opened_again(&self.goal)?,
        };
        let mut place = self.served.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(place.insert(Arc::new(served))))
    }

    fn last(&self) -> Option<Arc<Served>> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        served.clone()
    }

    fn fresh(&self) -> Option<Arc<Served>> {
        self.last().filter(|served| !served.is_stale())
    }
}

impl Served {
    fn new(oracle: Oracle) -> Served {
        Served {
            path: oracle.file().map(|file| file.path().to_owned()),
            oracle,
            stats: Arc::new(Cache::new(16)),
            files: Default::default(),
            again: None,
        }
    }

    /// Returns whether its file should be opened again.
    fn is_stale(&self) -> bool {
        match self.again {
            Some(again) => Instant::now() >= again,
            None => self.oracle.file().is_some_and(WatchedFile::has_changed),
        }
    }

    /// Opens the file as it is now, and verifies all of it: that of a large one takes seconds. Searches with a file of
    /// patterns that is not right go on with patterns made in memory.
    fn opened_again(&self, goal: &Board) -> Result<Served, Problem> {
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        let opened = Oracle::open_for(path, goal).and_then(|oracle| {
            oracle.verify()?;
            Ok(oracle)
        });
        let being_changed = |oracle: &Oracle| oracle.file().is_some_and(WatchedFile::has_changed);
        match opened {
            Ok(oracle) if !being_changed(&oracle) => Ok(Served::new(oracle)),
            _ if self.oracle.table().is_none() => {
                let oracle = match self.again {
                    Some(_) => self.oracle.clone(),
                    None => Oracle::by_search(goal)?,
                };
                Ok(Served {
                    path: Some(path.to_owned()),
                    again: Some(Instant::now() + LOOK_AGAIN),
                    ..Served::new(oracle)
                })
            }
            Ok(_) => Err(Problem::busy(
                "the database is being changed: ask again in a moment",
            )),
            Err(error) => Err(not_opened(path, &error)),
        }
    }
}

/// The refusal while a changed file is not right.
fn not_opened(path: &Path, error: &OracleError) -> Problem {
    let name = path.file_name().unwrap_or_default().display();
    Problem::damaged(match error {
        OracleError::Open(OpenError::Format { cause, .. }) => format!("{name} {cause}"),
        OracleError::Open(OpenError::Io { cause, .. }) => {
            format!("{name} cannot be read: {cause}")
        }
        error => format!("{name} does not fit any more: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use puzzledb::oracle::QueryError;

    use super::*;

    #[test]
    fn a_goal_without_a_database_is_told_what_is_served() {
        let corner = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
        let tables = Tables::new([corner]);
        for goal in ["012345678", "123456780"] {
            assert!(
                tables.any_oracle(&goal.parse().unwrap(), 0).is_ok(),
                "{goal}"
            );
        }
        for (goal, words) in [
            (
                "123405678",
                "none for goals with the blank where 123405678 has it",
            ),
            ("123/450", "no database of 2x3 boards: it serves 3x3"),
        ] {
            let problem = tables.any_oracle(&goal.parse().unwrap(), 0).unwrap_err();
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
        let wrong = || Err::<(), Problem>(QueryError::WrongTable.into());
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
    fn a_file_that_is_being_checked_is_opened_by_one_request() {
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
        assert!(!tables.is_open(&class.goal()));
        let opening = place.opening.lock().unwrap();
        let refused = place.current().unwrap_err();
        assert!(refused.to_string().contains("being checked"), "{refused}");
        drop(opening);
        let now = place.current().unwrap();
        assert!(!now.is_stale() && tables.is_open(&class.goal()));
        let same_figures = Arc::ptr_eq(&now.stats, &before.stats);
        assert!(!same_figures, "the new one has its own figures");
    }
}
