//! Finding the goal and its database, from the global options.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use etcetera::BaseStrategy;

use puzzledb::ask::{Check, Library, Oracles};
use puzzledb::internals::{Kept, Made, Search, SearchOptions};
use puzzledb::oracle::{Database, Limits, Oracle, OracleError};
use puzzledb::pattern::{Partition, PatternNames};
use puzzledb::puzzle::{Board, Numbering, Shape, UsualGoal};
use puzzledb::space::{GoalClass, MAX_DATABASE_CELLS};
use puzzledb::table::{Bytes, FormatError, OpenError, Table};

use super::error::{CliError, Result, bail, print_note};
use super::interrupt::INTERRUPTED;
use super::waiting::PROGRESS;
use crate::text::quoted;

/// Options of every subcommand: the places of databases, and the goal.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Databases {
    /// Folder of the databases [env: PUZZLEDB_DIR] [default: puzzledb in the user's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Use this database file
    #[arg(long, global = true, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// The board at distance 0: a board, or last, first or spiral [default: last, 123456780 on 3x3]
    #[arg(long, global = true, value_name = "GOAL")]
    pub goal: Option<String>,
    /// How boards and goals are written.
    #[arg(skip)]
    pub numbering: Numbering,
    #[arg(skip)]
    shared: Arc<OnceLock<Library>>,
}

/// Boards that a search visits in a second or two; random boards of the 15-puzzle need less than a
/// million.
const VISITED_BOUNDED: u64 = 20_000_000;

/// Boards that a search visits in 0.1 s.
const VISITED_QUICK: u64 = 1_000_000;

/// Returns whether boards of a shape have an oracle: a proof for a larger board may take days.
pub(super) fn has_oracle(shape: Shape) -> bool {
    shape.cells() <= MAX_DATABASE_CELLS
}

impl Oracles for Databases {
    type Error = CliError;

    fn oracle(&self, goal: &Board) -> Result<Oracle> {
        let oracle = self.oracle_or_rules(goal)?;
        Ok(oracle.with_limits(Limits::visiting(VISITED_BOUNDED)))
    }

    /// The oracle for a distance beside another answer gives up after some 0.1 s.
    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>> {
        let oracle = Databases::oracle(self, goal)?;
        Ok(Some(oracle.with_limits(Limits::visiting(VISITED_QUICK))))
    }

    /// The oracle for a goal, which has a table. An error has the command that builds its database, if that is possible.
    fn table(&self, goal: &Board) -> Result<Oracle> {
        let class = GoalClass::of(goal)?;
        let oracle = Databases::oracle(self, goal)?;
        if oracle.table().is_some() {
            return Ok(oracle);
        }
        if let Some(patterns) = &self.db {
            return Err(self.unfit(patterns, None, Some(goal)));
        }
        if let Err(error) = Search::check_memory(class, Kept::BitOne, &SearchOptions::default()) {
            let build = self.build_command(goal, Some(usual_sizes(goal)));
            bail!(
                "{error}\n  boards of such shapes are solved with patterns, of a file that `{build}` makes, or in memory"
            );
        }
        let path = self.library().table_path(class).ok_or_else(no_folder)?;
        let (path, build) = (path.display(), self.build_command(goal, None));
        let missing = format!("there is no database at {path}: `{build}` makes it");
        Err(CliError::Database(missing))
    }
}

impl Databases {
    /// The library of all oracles: the folder, and `--db`.
    pub(super) fn library(&self) -> &Library {
        self.shared.get_or_init(|| {
            let base = etcetera::choose_base_strategy().ok();
            let usual = || Some(base?.data_dir().join("puzzledb"));
            let mut library = Library::new(self.dir.clone().or_else(usual));
            library.file.clone_from(&self.db);
            library.open = bytes;
            library
        })
    }

    /// The goal for boards of a shape, 3x3 where none is named: the one that was named, or the default.
    pub(super) fn goal(&self, shape: impl Into<Option<Shape>>) -> Result<Board> {
        let shape = shape.into().unwrap_or(Shape::EIGHT_PUZZLE);
        let Some(text) = &self.goal else {
            return Ok(UsualGoal::Last.board(shape));
        };
        let goal = self.numbering.goal(text, shape);
        goal.map_err(|error| CliError::Usage(format!("--goal {error}")))
    }

    /// Returns the same databases, with boards and goals written so.
    pub(super) fn read_with(&self, numbering: &Numbering) -> Databases {
        let mut databases = self.clone();
        (databases.numbering, databases.numbering.shape) = (*numbering, None);
        databases
    }

    /// The oracle for a goal. It shows the progress of its searches and ends with Ctrl-C.
    pub(super) fn oracle(&self, goal: &Board) -> Result<Oracle> {
        let oracle = match self.library().oracle(goal) {
            Ok(oracle) => oracle,
            Err(error) if has_oracle(goal.shape()) || matches!(error, OracleError::Open(_)) => {
                return Err(self.advised(error, goal));
            }
            Err(_) => Oracle::for_goal(goal)?, // --db is of other goals
        };
        Ok(oracle.with_progress(&PROGRESS).with_cancel(&INTERRUPTED))
    }

    /// As [`Databases::oracle`], for a goal of up to 16 cells.
    pub(super) fn exact_oracle(&self, goal: &Board) -> Result<Oracle> {
        GoalClass::of(goal)?;
        self.oracle(goal)
    }

    /// The oracle for a goal, which knows the rules alone above 16 cells.
    pub(super) fn oracle_or_rules(&self, goal: &Board) -> Result<Oracle> {
        match has_oracle(goal.shape()) {
            true => self.oracle(goal),
            false => Ok(Oracle::of_rules(goal)),
        }
    }

    /// The oracle for a goal, with every byte of its file verified, which is copied or read by position. If `--db` is of
    /// other goals, it is made in memory.
    #[cfg(feature = "serve")]
    pub(super) fn served_oracle(&self, goal: &Board) -> Result<Oracle> {
        let mut library = self.library().clone();
        library.open = Bytes::open;
        let oracle = match library.oracle(goal) {
            Err(OracleError::OtherClass { .. } | OracleError::Pattern(_)) => Oracle::for_goal(goal),
            oracle => oracle.and_then(Oracle::verified),
        };
        oracle.map_err(|error| self.advised(error, goal))
    }

    /// The database of a file, or that of a shape, and its path; none of one in memory.
    pub(super) fn database(&self, asked: &Check) -> Result<(Option<PathBuf>, Database)> {
        let (file, shape) = (&asked.file, asked.shape);
        if file.is_some() && self.db.is_some() {
            bail!("FILE and --db both name the database: give one of them");
        }
        if let Some(text) = file.as_ref().and_then(|file| file.to_str())
            && text.parse::<Shape>().is_ok()
            && !Path::new(text).exists()
        {
            bail!("{text} is a shape: write --shape {text}");
        }
        let (library, goal) = (self.library(), self.goal(shape)?);
        let Some(path) = file.clone().or_else(|| library.find(&goal)) else {
            let table = self.table(&goal)?.table().cloned();
            return Ok((None, Database::Table(table.expect("it has a table"))));
        };
        let unfit = |goal| self.unfit(&path, None, goal);
        let database = Database::open(&path, library.open);
        let database = database.map_err(|_| unfit(file.is_none().then_some(&goal)))?;
        let is_named = file.is_some() || self.db.is_some();
        let may_differ = is_named && shape.is_none() && self.goal.is_none();
        let is_table = matches!(database, Database::Table(_));
        if is_table && !may_differ && database.class() != GoalClass::of(&goal)? {
            return Err(unfit(Some(&goal)));
        }
        Ok((Some(path), database))
    }

    /// Prints what was made in memory for the answers, and the commands that keep it in a file.
    pub(super) fn note_made(&self) {
        for made in self.shared.get().iter().flat_map(|library| library.made()) {
            print_note(match made {
                Made::Table(goal, time) => {
                    let name = GoalClass::of(&goal).expect("it has a table").name();
                    let (build, time) = (self.build_command(&goal, None), time.as_secs_f64() * 1e3);
                    format!(
                        "no {name} database yet: made one in memory in {time:.1} ms (`{build}` keeps it)"
                    )
                }
                Made::LargerPatterns(class) => {
                    let goal = goal_of(class);
                    let build = self.build_command(&goal, Some(usual_sizes(&goal)));
                    let shape = goal.shape();
                    format!(
                        "the {shape} boards were worth larger patterns, which were made in memory: `{build}` keeps \
                         them in a file"
                    )
                }
            });
        }
    }

    /// The error of a missing oracle, with the command that makes its database anew.
    fn advised(&self, error: OracleError, goal: &Board) -> CliError {
        use OracleError as E;
        match (error, self.library().find(goal)) {
            (E::Open(why), Some(path)) => self.unfit(&path, Some(why.to_string()), Some(goal)),
            (E::OtherClass { .. } | E::Pattern(_), Some(path)) => {
                self.unfit(&path, None, Some(goal))
            }
            (error, _) => error.into(),
        }
    }

    /// The error of a file that does not serve: that of opening it, or that it holds something else, unless `what` is wrong
    /// with it. It has the command that makes a good one: for a goal, or else like the file, if it can be opened.
    pub(super) fn unfit(
        &self,
        path: &Path,
        what: Option<String>,
        goal: Option<&Board>,
    ) -> CliError {
        let (library, name) = (self.library(), path.to_string_lossy());
        let opened = Database::open(path, library.open);
        let (holds, patterns) = match &opened {
            Ok(Database::Patterns(its)) => ("pattern databases", Some(its.partition().to_string())),
            _ => ("a table", None),
        };
        let class = opened.as_ref().map(Database::class);
        let build = match (goal, class) {
            (Some(goal), _) => {
                let table = || Table::open_by(path, library.open);
                let are_patterns = self.db.is_none() && name.ends_with("-patterns.pzdb")
                    || class.is_err() && table().is_err_and(|why| why.is_of_other_kind());
                self.build_command(goal, are_patterns.then(|| usual_sizes(goal)))
            }
            (None, Ok(class)) => self.build_command(&class.goal(), patterns),
            (None, Err(_)) => "puzzledb build --shape RxC".to_owned(),
        };
        let what = what.unwrap_or_else(|| match class {
            Ok(class) => format!("{name} does not fit: it holds {holds} of {}", class.name()),
            Err(why) => why.to_string(),
        });
        // A good database of another shape, which is not in the place of one that is missing.
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let is_another = |(wanted, its): (GoalClass, GoalClass)| {
            let is_other = its.is_corner() && its.shape() != wanted.shape();
            is_other && !file.starts_with(&wanted.name())
        };
        let wanted = goal.and_then(|goal| GoalClass::of(goal).ok());
        let advice = match &opened {
            Err(OpenError::Io { cause, .. }) if cause.kind() != ErrorKind::NotFound => {
                String::new()
            }
            Err(OpenError::Format {
                cause: FormatError::NotADatabase,
                ..
            }) => match path.parent() == library.dir.as_deref() {
                true => format!("\n  move it away, and `{build}` makes a database there"),
                false => format!("\n  `{build}` makes one in the databases' folder"),
            },
            Ok(its) if wanted.zip(class.ok()).is_some_and(is_another) => {
                let shape = its.class().shape().transposed();
                format!("\n  --shape {shape} asks about its boards")
            }
            _ => format!(
                "\n  `{build} --force --output {}` makes a good one there",
                quoted(&name)
            ),
        };
        CliError::Database(format!("{what}{advice}"))
    }

    /// The command that builds the database of a goal: a table, or patterns.
    fn build_command(&self, goal: &Board, patterns: Option<String>) -> String {
        let (shape, is_usual) = (goal.shape(), *goal == UsualGoal::Last.board(goal.shape()));
        let dir = self.dir.as_ref().map(|dir| quoted(&dir.to_string_lossy()));
        let options = [
            (shape != Shape::EIGHT_PUZZLE).then(|| format!(" --shape {shape}")),
            (!is_usual).then(|| format!(" --goal {goal}")),
            dir.map(|dir| format!(" --dir {dir}")),
            patterns.map(|patterns| format!(" --patterns {patterns}")),
        ];
        let options: String = options.into_iter().flatten().collect();
        format!("puzzledb build{options}")
    }
}

/// Error of a user without a home folder.
pub(super) fn no_folder() -> CliError {
    let why = "there is no home folder to keep databases in: name one with --dir";
    CliError::Database(why.to_owned())
}

/// The goal that names a class in a command, of boards that are wider than high: tiles in reading order, and the blank in
/// the last of the class's cells.
pub(super) fn goal_of(class: GoalClass) -> Board {
    let shape = class.shape().transposed();
    let is_its = |&blank: &usize| GoalClass::new(shape, blank) == Ok(class);
    let blank = (0..shape.cells()).rev().find(is_its);
    Board::in_order(shape, blank.expect("a class has a cell"))
}

/// The numbers of tiles of the patterns that are usually built for a goal, as in `7-8`; empty where none serve it.
fn usual_sizes(goal: &Board) -> String {
    let most = if has_oracle(goal.shape()) { 8 } else { 6 };
    let partition = Partition::up_to(goal, most.min(goal.shape().tiles()));
    let mut sizes = partition.map_or(Vec::new(), |partition| partition.sizes());
    sizes.sort_unstable();
    PatternNames::Sizes(sizes).to_string()
}

/// Copies a small file, so that later changes to it do not change an answer; maps a larger one, under the program's guard.
///
/// The guard makes mapping sound enough for a program that cannot keep others from its files: builders rename new files
/// over old ones, a file that is cut short ends the process with a message ([`super::watch::listen`]), and
/// [`super::watch::check_files`] must be called before answers are given out.
#[allow(unsafe_code)]
pub(super) fn bytes(path: &Path) -> io::Result<Bytes> {
    // SAFETY: the program's guard, as above.
    unsafe { Bytes::map(path) }
}

/// The error of a file that is damaged, with the command that makes it anew.
pub(super) fn damaged(path: &Path, what: String) -> CliError {
    Databases::default().unfit(path, Some(what), None)
}
