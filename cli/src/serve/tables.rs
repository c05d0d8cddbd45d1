//! The databases of a server: oracles for any goal, and the files to download.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use bytes::Bytes;

use puzzledb::oracle::{Oracle, PatternOracle, TableOracle};
use puzzledb::pattern::{Partition, PatternFile, Patterns};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, OpenError, Opener, Table, WatchedFile, build};

use super::answer::etag;
use super::database_file::DatabaseFile;
use super::figures::Figures;
use super::opening::Opening;
use super::pattern_place::{PatternOpener, PatternPlace};
use super::problem::Problem;

/// The databases of a server: one for each class of goals that it serves.
///
/// One that is mapped from a file is watched: before and after each answer the server looks whether the file was
/// changed, and opens the new one once all its checksums are right, so that half a file is never served. So it does with files
/// of patterns, and makes patterns in memory while such a file is not right.
#[derive(Debug)]
pub struct Tables {
    classes: HashMap<GoalClass, ServedClass>,
    /// Searches for classes that have no database.
    patterns: HashMap<GoalClass, PatternPlace>,
    /// Function that opens a file that has changed, and verifies every byte.
    open: Opener,
    /// Function that opens a file of patterns that has changed, and verifies every byte.
    open_patterns: PatternOpener,
}

/// The database of a class of goals as it is served, and a newer one in the making.
#[derive(Debug)]
struct ServedClass {
    served: RwLock<Arc<ServedTable>>,
    /// A changed file that is being opened.
    opening: Mutex<Option<Opening<Result<ServedTable, Problem>>>>,
}

/// The database of a class of goals.
#[derive(Debug)]
struct ServedTable {
    oracle: TableOracle,
    figures: Arc<Figures>,
    /// The file to download, by encoding: `full`, `bit`. Each is made, and its tag computed, at the first
    /// request for it.
    files: [OnceLock<DatabaseFile>; 2],
}

/// Lets [`Bytes`] own a table.
struct TableBytes(Arc<Table>);

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().whole().unwrap_or_default()
    }
}

impl Tables {
    /// Takes the databases to serve; of several for one class of goals the first is kept.
    pub fn new<T: Into<Arc<Table>>>(tables: impl IntoIterator<Item = T>) -> Tables {
        let mut classes = HashMap::new();
        for table in tables {
            let served = ServedTable::new(table.into());
            let class = served.table().header().class();
            classes.entry(class).or_insert_with(|| ServedClass {
                served: RwLock::new(Arc::new(served)),
                opening: Mutex::default(),
            });
        }
        Tables {
            classes,
            patterns: HashMap::new(),
            open: Table::open_verified,
            open_patterns: PatternFile::open_verified,
        }
    }

    /// Adds searches that solve boards of other classes of goals.
    #[must_use]
    pub fn with_patterns(self, oracles: impl IntoIterator<Item = PatternOracle>) -> Tables {
        let class = |goal: &Board| GoalClass::new(goal.shape(), goal.blank()).ok();
        let of_class =
            |oracle: PatternOracle| Some((class(oracle.goal())?, PatternPlace::new(oracle)));
        Tables {
            patterns: oracles.into_iter().filter_map(of_class).collect(),
            ..self
        }
    }

    /// Sets the function that opens files that have changed, which has to verify every byte; otherwise they are opened
    /// by [`Table::open`] and [`Table::verify`].
    #[must_use]
    pub fn opened_by(self, open: Opener) -> Tables {
        Tables { open, ..self }
    }

    /// Sets the function that opens files of patterns that have changed; otherwise they are opened by
    /// [`PatternFile::open`](puzzledb::pattern::PatternFile::open) and
    /// [`PatternFile::verify`](puzzledb::pattern::PatternFile::verify).
    #[must_use]
    pub fn patterns_opened_by(self, open: PatternOpener) -> Tables {
        Tables {
            open_patterns: open,
            ..self
        }
    }

    /// All shapes that are served, wider than high or square.
    pub(super) fn shapes(&self) -> BTreeSet<Shape> {
        let classes = self.classes.keys().chain(self.patterns.keys());
        classes.map(|class| landscape(class.shape())).collect()
    }

    /// The database for a goal, or a search that visits at most `visited` boards.
    pub(super) fn any_oracle(&self, goal: &Board, visited: u64) -> Result<Oracle, Problem> {
        let class = GoalClass::new(goal.shape(), goal.blank()).map_err(Problem::not_found)?;
        Ok(match self.patterns.get(&class) {
            Some(patterns) => {
                let patterns = patterns.oracle(self.open_patterns)?.with_goal(goal)?;
                Oracle::Patterns(patterns.visiting_at_most(visited))
            }
            None => Oracle::Table(self.oracle(goal)?),
        })
    }

    /// These patterns for a goal, if boards are solved with them.
    pub(super) fn patterns(&self, goal: &Board, partition: &Partition) -> Option<Arc<Patterns>> {
        let class = GoalClass::new(goal.shape(), goal.blank()).ok()?;
        let oracle = self.patterns.get(&class)?.oracle(self.open_patterns).ok()?;
        oracle.made(partition)
    }

    /// The database for a goal, from its file as it is now.
    fn table_for(&self, goal: &Board) -> Result<Arc<ServedTable>, Problem> {
        let class = GoalClass::new(goal.shape(), goal.blank()).map_err(Problem::not_found)?;
        let place = self.classes.get(&class);
        place.ok_or_else(|| self.not_served(goal))?.table(self.open)
    }

    /// The refusal of a goal without a database, with what is served instead.
    fn not_served(&self, goal: &Board) -> Problem {
        let shape = goal.shape();
        let shapes = self.shapes();
        if (self.patterns.keys()).any(|class| landscape(class.shape()) == landscape(shape)) {
            return Problem::not_found(format!(
                "this server has no database of {shape} boards: it solves them by searches, and has neither \
                 statistics nor a file of them"
            ));
        }
        if shapes.contains(&landscape(shape)) {
            return Problem::not_found(format!(
                "this server has databases of {shape} boards, but none for goals with the blank \
                 where {goal} has it"
            ));
        }
        let shapes: Vec<_> = shapes.iter().map(Shape::to_string).collect();
        let shapes = shapes.join(", ");
        Problem::not_found(format!(
            "this server has no database of {shape} boards: it serves {shapes}"
        ))
    }

    /// The oracle for a goal.
    pub(super) fn oracle(&self, goal: &Board) -> Result<TableOracle, Problem> {
        self.table_for(goal)?.oracle(goal)
    }

    /// The oracle for a goal, and the figures of its database.
    pub(super) fn oracle_and_figures(
        &self,
        goal: &Board,
    ) -> Result<(TableOracle, Arc<Figures>), Problem> {
        let served = self.table_for(goal)?;
        Ok((served.oracle(goal)?, Arc::clone(&served.figures)))
    }

    /// The file for a goal, if it was requested before. Without an encoding it is the database as it is.
    pub(super) fn cached_file(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
    ) -> Option<DatabaseFile> {
        let served = self.table_for(goal).ok()?;
        let place = &served.files[encoding.unwrap_or(served.encoding()) as usize];
        place.get().cloned()
    }

    /// The file for a goal, as [`Tables::cached_file`]. At the first time that takes a while: the tag is a
    /// digest of all bytes, and in another encoding the database is built anew.
    pub(super) fn file(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
    ) -> Result<DatabaseFile, Problem> {
        let served = self.table_for(goal)?;
        let encoding = encoding.unwrap_or(served.encoding());
        let place = &served.files[encoding as usize];
        if let Some(file) = place.get() {
            return Ok(file.clone());
        }
        let bytes = if encoding == served.encoding() {
            Bytes::from_owner(TableBytes(served.oracle.clone().into_table()))
        } else {
            served.build_as(encoding)?
        };
        let tag = etag(&bytes);
        Ok(place.get_or_init(|| DatabaseFile { bytes, tag }).clone())
    }
}

/// Returns the answer, unless the table's file was changed since it was opened: then the answer may be wrong.
pub(super) fn unless_changed<T>(
    table: Option<&TableOracle>,
    answer: Result<T, Problem>,
) -> Result<T, Problem> {
    let file = table.and_then(|oracle| oracle.table().file());
    if file.is_some_and(WatchedFile::has_changed) {
        return Err(Problem::busy(
            "the database was changed meanwhile: ask again in a moment",
        ));
    }
    answer
}

/// A shape or its transposed one, whichever is wider.
fn landscape(shape: Shape) -> Shape {
    shape.min(shape.transposed())
}

impl ServedClass {
    /// The database from its file as it is now.
    fn table(&self, open: Opener) -> Result<Arc<ServedTable>, Problem> {
        let served = self.served();
        if !served.has_changed() {
            return Ok(served);
        }
        let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let served = self.served();
        if !served.has_changed() {
            return Ok(served); // another request has waited for it meanwhile
        }
        let begun = match &mut *opening {
            Some(begun) => begun,
            none => none.insert(Opening::begin(move || served.open_again(open))?),
        };
        let opened = match begun.wait() {
            Ok(opened) => opened.map(Arc::new),
            Err(RecvTimeoutError::Timeout) => {
                let detail = "the database has changed and is being checked: ask again in a moment";
                return Err(Problem::busy(detail));
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(Problem::internal("the database could not be opened"))
            }
        };
        *opening = None;
        let opened = opened?;
        if opened.has_changed() {
            return Err(Problem::busy(
                "the database is being changed: ask again in a moment",
            ));
        }
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        *served = Arc::clone(&opened);
        Ok(opened)
    }

    fn served(&self) -> Arc<ServedTable> {
        Arc::clone(&self.served.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ServedTable {
    fn new(table: Arc<Table>) -> ServedTable {
        let goal = table.header().class().goal();
        let oracle = TableOracle::new(table, &goal).expect("its own class's goal");
        ServedTable {
            oracle,
            figures: Arc::new(Figures::new()),
            files: Default::default(),
        }
    }

    fn table(&self) -> &Table {
        self.oracle.table()
    }

    /// Returns the oracle for a goal of its class.
    fn oracle(&self, goal: &Board) -> Result<TableOracle, Problem> {
        Ok(self.oracle.with_goal(goal)?)
    }

    fn has_changed(&self) -> bool {
        self.table().file().is_some_and(WatchedFile::has_changed)
    }

    /// Returns the same database from its file as it is now.
    fn open_again(&self, open: Opener) -> Result<ServedTable, Problem> {
        let path = self.table().file().map_or(Path::new(""), WatchedFile::path);
        let name = path.file_name().unwrap_or_default().display();
        let table = open(path).map_err(|error| match error {
            OpenError::Format { cause, .. } => Problem::busy(format!("{name} {cause}")),
            OpenError::Io { cause, .. } => Problem::busy(format!("{name} cannot be read: {cause}")),
            _ => Problem::busy(error.to_string()),
        })?;
        let class = self.table().header().class();
        if table.header().class() != class {
            let other = format!("{name} is not a database of {} any more", class.name());
            return Err(Problem::busy(other));
        }
        Ok(ServedTable::new(Arc::new(table)))
    }

    fn encoding(&self) -> Encoding {
        self.table().header().encoding()
    }

    /// Builds the database in another encoding than its own; only small ones are built.
    fn build_as(&self, encoding: Encoding) -> Result<Bytes, Problem> {
        let class = self.table().header().class();
        if !class.is_small() {
            return Err(Problem::not_found(format!(
                "this database is in the encoding `{}`, and too large to be built in another one here",
                self.encoding()
            )));
        }
        let built = build(class, encoding, 1, |_| ControlFlow::Continue(()));
        let bytes = built.map_err(Problem::busy)?;
        Ok(Bytes::from(
            bytes.expect("the callback never stops the search"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use axum::response::IntoResponse;
    use puzzledb::oracle::QueryError;

    use super::super::opening::WORTH_WAITING;
    use super::*;

    #[test]
    fn a_goal_without_a_database_is_told_what_is_served() {
        let corner = TableOracle::in_memory(&"123456780".parse().unwrap()).unwrap();
        let tables = Tables::new([corner.into_table()]);
        for goal in ["012345678", "123456780"] {
            assert!(tables.oracle(&goal.parse().unwrap()).is_ok(), "{goal}");
        }
        for (goal, words) in [
            (
                "123405678",
                "none for goals with the blank where 123405678 has it",
            ),
            ("123/450", "no database of 2x3 boards: it serves 3x3"),
        ] {
            let problem = tables.oracle(&goal.parse().unwrap()).unwrap_err();
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
        let table = Arc::new(Table::open(&path).unwrap());
        let oracle = TableOracle::new(table, &class.goal()).unwrap();
        let wrong = || Err::<(), Problem>(QueryError::WrongTable.into());
        assert!(unless_changed(Some(&oracle), Ok(())).is_ok());
        assert_eq!(wrong().unwrap_err().into_response().status(), 500);
        std::fs::remove_file(&path).unwrap();
        for answer in [Ok(()), wrong()] {
            let refused = unless_changed(Some(&oracle), answer).unwrap_err();
            assert_eq!(refused.into_response().status(), 503);
        }
    }

    #[test]
    fn no_request_waits_long_for_a_file_that_is_being_checked() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("4x3.pzdb");
        // 30 MB: smaller files are copied, and later changes to them are not seen.
        let class = GoalClass::new("4x3".parse().unwrap(), 11).unwrap();
        let bytes = build(class, Encoding::Bit, 2, |_| ControlFlow::Continue(()));
        let bytes = bytes.unwrap().unwrap();
        let write = || std::fs::write(&path, &bytes).unwrap();
        write();
        let place = ServedClass {
            served: RwLock::new(Arc::new(ServedTable::new(Arc::new(
                Table::open(&path).unwrap(),
            )))),
            opening: Mutex::default(),
        };
        assert!(place.table(Table::open_verified).is_ok());
        std::thread::sleep(Duration::from_millis(20)); // the system's clock of files has ticks
        write();
        let (send, opened) = channel();
        let begun = Instant::now() - WORTH_WAITING;
        *place.opening.lock().unwrap() = Some(Opening { begun, opened });
        for _ in 0..3 {
            let refused = place.table(Table::open_verified).unwrap_err();
            assert!(refused.to_string().contains("being checked"), "{refused}");
        }
        let before = place.served();
        send.send(before.open_again(Table::open_verified)).unwrap();
        let now = place.table(Table::open_verified).unwrap();
        assert!(!now.has_changed(), "the new one");
        assert!(
            !Arc::ptr_eq(&now.figures, &before.figures),
            "with its own figures"
        );
        assert!(place.opening.lock().unwrap().is_none());
    }
}
