//! Finding the goal and its database, from the global options.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use etcetera::BaseStrategy;

use puzzledb::ask::{Library, Oracles};
use puzzledb::bfs::{Alone, Kept, Search};
use puzzledb::judge::OtherReading;
use puzzledb::judge::reading::ClaimError;
use puzzledb::oracle::{Limits, Made, Oracle, OracleError, is_made};
use puzzledb::pattern::{Partition, PatternFile};
use puzzledb::puzzle::{Board, Numbering, Shape, UsualGoal};
use puzzledb::space::{Frame, GoalClass, MAX_DATABASE_CELLS, SpaceError};
use puzzledb::table::{Bytes, FormatError, OpenError, Opener, Table};

use super::args::{DatabaseArgs, NumberingArgs};
use super::error::{CliError, bail, print_note};
use super::interrupt;
use super::verify::advised;
use super::waiting::progress;
use crate::text::quoted;

/// A database that was found, with its path; a table without one was made in memory.
pub(super) enum Database {
    Patterns(PatternFile, PathBuf),
    Table(Arc<Table>, Option<PathBuf>),
}

impl Database {
    /// Opens a file of either kind.
    pub(super) fn open(path: &Path, open: Opener) -> Result<Database, OpenError> {
        match Table::open_by(path, open) {
            Err(error) if error.is_of_other_kind() => {
                let patterns = PatternFile::open_by(path, open)?;
                Ok(Database::Patterns(patterns, path.to_owned()))
            }
            table => Ok(Database::Table(table?.into(), Some(path.to_owned()))),
        }
    }

    /// The path; `None` for a table in memory.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Database::Patterns(_, path) => Some(path),
            Database::Table(_, path) => path.as_deref(),
        }
    }

    /// The path, for messages.
    pub(super) fn name(&self) -> String {
        let path = self.path().map(|path| path.display().to_string());
        path.unwrap_or_else(|| "the table in memory".to_owned())
    }

    pub(super) fn bytes(&self) -> &Bytes {
        match self {
            Database::Patterns(file, _) => file.bytes(),
            Database::Table(table, _) => table.bytes(),
        }
    }
}

/// Global options for the places of databases and for the goal.
#[derive(Clone, Debug)]
pub(super) struct Databases {
    /// The folder, and `--db`.
    pub library: Library,
    /// `--dir`, also set by `PUZZLEDB_DIR`.
    dir: Option<PathBuf>,
    /// `--goal`.
    pub goal: Option<String>,
    /// The number that stands for the blank in boards and goals: `--blank`, of the commands that have it.
    pub blank: u8,
    /// The first oracle, with whose sources all others are made.
    first: Arc<Mutex<Option<Oracle>>>,
}

/// Boards that a search visits in a second or two; random boards of the 15-puzzle need less than a
/// million.
pub(super) const VISITED_BOUNDED: u64 = 20_000_000;

/// Boards that a search visits in 0.1 s.
const VISITED_QUICK: u64 = 1_000_000;

/// Returns whether boards of a shape have an oracle: a proof for a larger board may take days.
pub(super) fn has_oracle(shape: Shape) -> bool {
    shape.cells() <= MAX_DATABASE_CELLS
}

impl Oracles for Databases {
    type Error = CliError;

    fn oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        let oracle = self.oracle_or_rules(goal)?;
        Ok(oracle.with_limits(Limits::visiting(VISITED_BOUNDED)))
    }

    /// The oracle for a distance beside another answer gives up after some 0.1 s.
    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let oracle = self.oracle_of_any_shape(goal)?;
        Ok(Some(oracle.with_limits(Limits::visiting(VISITED_QUICK))))
    }

    fn table(&self, goal: &Board) -> Result<Oracle, CliError> {
        self.table_oracle(goal)
    }

    fn unreadable(error: ClaimError, readings: &[OtherReading]) -> CliError {
        CliError::Usage(advised(&error, readings))
    }
}

impl Databases {
    /// The databases for `--dir`, `--db` and `--goal`, opened in this way.
    pub(super) fn new(
        dir: Option<PathBuf>,
        db: Option<PathBuf>,
        goal: Option<String>,
        open: Opener,
    ) -> Databases {
        let base = etcetera::choose_base_strategy().ok();
        let usual = || Some(base?.data_dir().join("puzzledb"));
        let mut library = Library::new(dir.clone().or_else(usual));
        library.file = db;
        library.open = open;
        Databases {
            library,
            dir,
            goal,
            blank: 0,
            first: Arc::default(),
        }
    }

    /// The goal for boards of a shape: the one that was named, or the default.
    pub(super) fn goal(&self, shape: Shape) -> Result<Board, CliError> {
        let Some(text) = &self.goal else {
            return Ok(UsualGoal::Last.board(shape));
        };
        let goal = self.numbering(None).goal(text, shape);
        goal.map_err(|error| CliError::Usage(format!("--goal {error}")))
    }

    /// Returns the same databases, with boards and goals written as these options say.
    pub(super) fn read_with(&self, args: &NumberingArgs) -> Databases {
        Databases {
            blank: args.blank,
            ..self.clone()
        }
    }

    /// Numbering of boards, of this shape if it is known.
    pub(super) fn numbering(&self, shape: Option<Shape>) -> Numbering {
        Numbering {
            shape,
            blank: self.blank,
        }
    }

    /// The path of the database of a class, whether it exists or not.
    pub(super) fn path(&self, class: GoalClass) -> Result<PathBuf, CliError> {
        self.library.table_path(class).ok_or_else(no_folder)
    }

    /// The path of the patterns for a class, whether they exist or not.
    pub(super) fn pattern_path(&self, partition: &Partition) -> Result<PathBuf, CliError> {
        self.library.pattern_path(partition).ok_or_else(no_folder)
    }

    /// The oracle for a goal of up to 16 cells.
    pub(super) fn oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        Frame::new(goal)?;
        self.oracle_of_any_shape(goal)
    }

    /// The oracle for a goal. It shows the progress of its searches and ends with Ctrl-C.
    pub(super) fn oracle_of_any_shape(&self, goal: &Board) -> Result<Oracle, CliError> {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let oracle = match &*first {
            Some(first) => Ok(first.clone()),
            None => self.library.oracle(goal).map(|oracle| {
                let oracle = oracle.with_progress(progress());
                first.insert(oracle.with_cancel(interrupt::flag())).clone()
            }),
        };
        drop(first);
        let oracle = oracle.and_then(|oracle| oracle.with_goal(goal));
        if !has_oracle(goal.shape()) && !matches!(oracle, Ok(_) | Err(OracleError::Open(_))) {
            return Ok(Oracle::for_goal(goal)?); // --db is of other goals
        }
        oracle.map_err(|error| self.advised(error, goal))
    }

    /// The oracle for the goal of boards of a shape: `last`, if that is of this shape.
    pub(super) fn usual_oracle<'a>(
        &self,
        last: &'a mut Option<Oracle>,
        shape: Shape,
    ) -> Result<&'a Oracle, CliError> {
        if last.as_ref().is_none_or(|last| last.shape() != shape) {
            *last = Some(self.oracle_of_any_shape(&self.goal(shape)?)?);
        }
        Ok(last.as_ref().expect("it was just set"))
    }

    /// As [`Databases::usual_oracle`], of up to 16 cells.
    pub(super) fn exact_oracle<'a>(
        &self,
        last: &'a mut Option<Oracle>,
        shape: Shape,
    ) -> Result<&'a Oracle, CliError> {
        if shape.cells() > MAX_DATABASE_CELLS {
            return Err(SpaceError::TooManyCells { shape }.into());
        }
        self.usual_oracle(last, shape)
    }

    /// The oracle for a goal, which knows the rules alone above 16 cells.
    pub(super) fn oracle_or_rules(&self, goal: &Board) -> Result<Oracle, CliError> {
        let oracle = self.oracle_if_possible(goal)?;
        Ok(oracle.unwrap_or_else(|| Oracle::of_rules(goal)))
    }

    /// The oracle for a goal; `None` for goals of more than 16 cells.
    pub(super) fn oracle_if_possible(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let oracle = has_oracle(goal.shape()).then(|| self.oracle(goal));
        oracle.transpose()
    }

    /// The oracle for a goal of up to 16 cells, unless it is a table that takes long to make.
    pub(super) fn oracle_at_once(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let class = Frame::new(goal).map(|frame| frame.class());
        let is_quick = class.is_ok_and(|class| class.is_small() || !is_made(class));
        match is_quick || self.library.find(goal).is_some() {
            true => self.oracle_if_possible(goal),
            false => Ok(None),
        }
    }

    /// The oracle for a goal, which has a table.
    pub(super) fn table_oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        let class = Frame::new(goal)?.class();
        let oracle = self.oracle(goal)?;
        match (oracle.table(), &self.library.file) {
            (Some(_), _) => Ok(oracle),
            (None, None) => Err(self.missing(goal, class)),
            (None, Some(patterns)) => Err(self.misfit(patterns, "it has no table", goal)),
        }
    }

    /// The oracle for a goal, with every byte of its file verified. If `--db` is of other goals, it is made in memory.
    #[cfg(feature = "serve")]
    pub(super) fn served_oracle(&self, goal: &Board) -> Result<Oracle, CliError> {
        let oracle = match self.library.oracle(goal) {
            Err(OracleError::OtherClass { .. } | OracleError::Pattern(_)) => {
                Oracle::for_goal(goal)?
            }
            oracle => oracle.map_err(|error| self.advised(error, goal))?,
        };
        let verified = oracle.verify();
        verified.map_err(|error| self.not_opened(&error, Some(goal)))?;
        Ok(oracle)
    }

    /// The database of a file, or that of a shape.
    pub(super) fn database(&self, args: &DatabaseArgs) -> Result<Database, CliError> {
        let &DatabaseArgs { ref file, shape } = args;
        if file.is_some() && self.library.file.is_some() {
            bail!(
                Usage,
                "FILE and --db both name the database: give one of them"
            );
        }
        if let Some(text) = file.as_ref().and_then(|file| file.to_str())
            && text.parse::<Shape>().is_ok()
            && !Path::new(text).exists()
        {
            bail!(Usage, "{text} is a shape: write --shape {text}");
        }
        let goal = self.goal(shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
        let Some(path) = file.clone().or_else(|| self.library.find(&goal)) else {
            let oracle = self.table_oracle(&goal)?;
            let table = oracle.table().expect("it has a table");
            return Ok(Database::Table(Arc::clone(table), None));
        };
        let database = Database::open(&path, self.library.open).map_err(|error| {
            let is_meant = file.is_none() || error.is_of_other_kind();
            self.not_opened(&error, is_meant.then_some(&goal))
        })?;
        let Database::Table(table, _) = &database else {
            return Ok(database);
        };
        let (class, found) = (Frame::new(&goal)?.class(), table.header().class());
        let is_named = file.is_some() || self.library.file.is_some();
        if found != class && !(shape.is_none() && self.goal.is_none() && is_named) {
            let what = format!("it is of {}, not of {}", found.name(), class.name());
            return Err(self.misfit(&path, &what, &goal));
        }
        Ok(database)
    }

    /// The table of a file, or that of a shape.
    pub(super) fn table(&self, args: &DatabaseArgs) -> Result<Database, CliError> {
        match self.database(args)? {
            Database::Patterns(file, path) => {
                let goal = file.patterns().partition().goal();
                Err(self.misfit(&path, "it has no table", &goal))
            }
            table => Ok(table),
        }
    }

    /// Prints what was made in memory for the answers, and the commands that keep it in a file.
    pub(super) fn note_made(&self) {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        for made in first.iter().flat_map(Oracle::made) {
            match made {
                Made::Table(goal, time) => {
                    let class = GoalClass::new(goal.shape(), goal.blank());
                    let name = class.map_or(goal.shape().to_string(), GoalClass::name);
                    let build = self.build_command(&goal);
                    let time = time.as_secs_f64() * 1e3;
                    print_note(format!(
                        "no {name} database yet: made one in memory in {time:.1} ms (`{build}` keeps it)"
                    ));
                }
                Made::LargerPatterns(goal) => {
                    let goal = named_goal(goal);
                    let (shape, build) = (goal.shape(), self.build_command(&goal));
                    if let Ok(sizes) = usual_sizes(&goal) {
                        print_note(format!(
                            "the {shape} boards were worth larger patterns, which were made in memory: `{build} \
                             --patterns {sizes}` keeps them in a file"
                        ));
                    }
                }
            }
        }
    }

    /// The error of a missing oracle, with the command that makes its database anew.
    fn advised(&self, error: OracleError, goal: &Board) -> CliError {
        match (&error, self.library.find(goal)) {
            (OracleError::Open(error), _) => self.not_opened(error, Some(goal)),
            (OracleError::Pattern(_), Some(path)) if self.library.file.is_some() => {
                CliError::Database(format!("{} does not fit: {error}", path.display()))
            }
            (OracleError::OtherClass { .. } | OracleError::Pattern(_), Some(path)) => {
                self.misfit(&path, &error.to_string(), goal)
            }
            _ => error.into(),
        }
    }

    /// Error for a missing database, with the command that builds it, if that is possible.
    fn missing(&self, goal: &Board, class: GoalClass) -> CliError {
        let build = self.build_command(goal);
        if let Err(error) = Search::check_memory(class, Kept::BitOne, None, &Alone) {
            return match usual_sizes(goal) {
                Ok(sizes) => CliError::Usage(format!(
                    "{error}\n  boards of such shapes are solved with patterns, of a file that `{build} \
                     --patterns {sizes}` makes, or in memory"
                )),
                Err(_) => error.into(),
            };
        }
        match self.path(class) {
            Ok(path) => CliError::Database(format!(
                "there is no database at {}: `{build}` makes it",
                path.display()
            )),
            Err(error) => error,
        }
    }

    /// Returns whether a path is that of the patterns for a goal in the folder.
    fn is_pattern_path(&self, path: &Path, goal: &Board) -> bool {
        let any_patterns = Partition::up_to(goal, 3).ok(); // all of the class have its name
        let patterns = any_patterns.and_then(|one| self.library.pattern_path(&one));
        self.library.file.is_none() && patterns.as_deref() == Some(path)
    }

    /// The error of a file that cannot be opened, with the command that builds a good one, for a goal if that is known.
    fn not_opened(&self, error: &OpenError, goal: Option<&Board>) -> CliError {
        let (path, fault) = match error {
            OpenError::Format { path, cause } => (path, Some(cause)),
            OpenError::Io { path, cause } if cause.kind() == ErrorKind::NotFound => (path, None),
            _ => return CliError::Database(error.to_string()),
        };
        let usual = || "puzzledb build --shape RxC".to_owned();
        let mut build = goal.map_or_else(usual, |goal| self.build_command(goal));
        let opened = Table::open_by(path, self.library.open);
        let holds_patterns = opened.is_err_and(|error| error.is_of_other_kind());
        let is_patterns = holds_patterns && !error.is_of_other_kind()
            || goal.is_some_and(|goal| self.is_pattern_path(path, goal));
        if is_patterns {
            let sizes = goal.and_then(|goal| usual_sizes(goal).ok());
            build += &format!(" --patterns {}", sizes.unwrap_or_default());
        }
        let output = quoted(&path.display().to_string());
        let mend = match fault {
            None => format!("`{build} --output {output}` makes one there"),
            Some(FormatError::NotADatabase) if path.parent() == self.library.dir.as_deref() => {
                format!("move it away, and `{build}` makes a database there")
            }
            Some(FormatError::NotADatabase) => {
                format!("`{build}` makes one in the databases' folder")
            }
            Some(fault) => {
                let is_newer = matches!(fault, FormatError::NewerVersion { .. });
                let force = if is_newer || is_patterns {
                    " --force"
                } else {
                    ""
                };
                format!("`{build}{force} --output {output}` makes it anew")
            }
        };
        CliError::Database(format!("{error}\n  {mend}"))
    }

    /// The command that builds the database of a goal.
    pub(super) fn build_command(&self, goal: &Board) -> String {
        let shape = goal.shape();
        let mut command = "puzzledb build".to_owned();
        if shape != Shape::EIGHT_PUZZLE {
            command += &format!(" --shape {shape}");
        }
        let usual = self.goal(shape).is_ok_and(|usual| usual == *goal);
        match &self.goal {
            None if usual => {}
            Some(named) if usual && self.blank == 0 => {
                command += &format!(" --goal {}", quoted(named));
            }
            _ => command += &format!(" --goal {goal}"),
        }
        if let Some(dir) = &self.dir {
            command += &format!(" --dir {}", quoted(&dir.display().to_string()));
        }
        command
    }

    /// The command that builds a database like this one.
    pub(super) fn command_for(&self, database: &Database) -> String {
        match database {
            Database::Table(table, _) => self.build_command(&goal_of(table.header().class())),
            Database::Patterns(file, _) => {
                let partition = file.patterns().partition();
                let build = self.build_command(&named_goal(partition.goal()));
                format!("{build} --patterns {partition}")
            }
        }
    }

    /// The error for a file that is not of the kind, shape or class that is needed for `goal`.
    fn misfit(&self, path: &Path, what: &str, goal: &Board) -> CliError {
        let (patterns, open) = (self.is_pattern_path(path, goal), self.library.open);
        // A file in the folder is of the kind that its name says.
        let opened = match patterns {
            true => PatternFile::open_by(path, open).err(),
            false => Table::open_by(path, open).err(),
        };
        if let Some(error) = opened {
            return self.not_opened(&error, Some(goal));
        }
        let command = self.build_command(goal);
        let (name, output) = (path.display(), quoted(&path.display().to_string()));
        CliError::Database(format!(
            "{name} does not fit: {what}\n  `{command} --output {output} --force` replaces it"
        ))
    }
}

/// The error of a user without a home folder.
fn no_folder() -> CliError {
    let what = "there is no home folder to keep databases in: name one with --dir";
    CliError::Database(what.to_owned())
}

/// The goal that names a class in a command: the default goal, of boards that are wider than high,
/// or else the canonical one.
pub(super) fn goal_of(class: GoalClass) -> Board {
    if class.is_corner() {
        UsualGoal::Last.board(class.shape().transposed())
    } else {
        class.goal()
    }
}

/// The goal that names the class of a goal, if that is of up to 16 cells.
fn named_goal(goal: Board) -> Board {
    GoalClass::new(goal.shape(), goal.blank()).map_or(goal, goal_of)
}

/// The numbers of tiles of the patterns that are usually built for a goal, as in `7-8`.
pub(super) fn usual_sizes(goal: &Board) -> Result<String, CliError> {
    let most = match goal.shape().cells() {
        ..=MAX_DATABASE_CELLS => 8,
        _ => 6,
    };
    let partition = Partition::up_to(goal, most.min(goal.shape().tiles()));
    let mut sizes = partition.map_err(OracleError::from)?.sizes();
    sizes.sort_unstable();
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    Ok(sizes.join("-"))
}
