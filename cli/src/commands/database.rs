//! Finding the goal and its database, from the global options.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use etcetera::BaseStrategy;

use puzzledb::bfs::{Alone, Kept, Search};
use puzzledb::oracle::{OracleError, PatternOracle, TableOracle};
use puzzledb::pattern::{Partition, PatternFile};
use puzzledb::puzzle::{Board, Numbering, Shape, UsualGoal};
use puzzledb::space::{Frame, GoalClass, MAX_DATABASE_CELLS};
use puzzledb::table::{FormatError, OpenError, Opener, Table};

use super::args::{DatabaseArgs, NumberingArgs};
use super::error::{CliError, bail, note_at_the_end};
use super::open;
use crate::text::quoted;

/// A database that was found, with its path; a table without one was made in memory.
pub(super) enum Database {
    Patterns(PatternFile, PathBuf),
    Table(Arc<Table>, Option<PathBuf>),
}

/// Global options for the places of databases and for the goal.
#[derive(Clone, Debug)]
pub(super) struct Databases {
    /// `--dir`, also set by `PUZZLEDB_DIR`.
    pub dir: Option<PathBuf>,
    /// `--db`.
    pub db: Option<PathBuf>,
    /// `--goal`.
    pub goal: Option<String>,
    /// The number that stands for the blank in boards and goals: `--blank`, of the commands that have it.
    pub blank: u8,
    /// Function that opens a database.
    pub open: Opener,
    /// The oracles that search with patterns; see [`Databases::note_larger_patterns`].
    pub searching: Arc<Mutex<Vec<PatternOracle>>>,
}

impl Databases {
    /// The databases for `--dir`, `--db` and `--goal`, opened in this way.
    pub(super) fn new(
        dir: Option<PathBuf>,
        db: Option<PathBuf>,
        goal: Option<String>,
        open: Opener,
    ) -> Databases {
        Databases {
            dir,
            db,
            goal,
            blank: 0,
            open,
            searching: Arc::default(),
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
        Ok(self.folder()?.join(format!("{}.pzdb", class.name())))
    }

    /// The folder of the databases.
    fn folder(&self) -> Result<PathBuf, CliError> {
        if let Some(dir) = &self.dir {
            return Ok(dir.clone());
        }
        match etcetera::choose_base_strategy() {
            Ok(base) => Ok(base.data_dir().join("puzzledb")),
            Err(_) => bail!(
                Database,
                "there is no home folder to keep databases in: name one with --dir"
            ),
        }
    }

    /// The path of the patterns for a class, whether they exist or not.
    pub(super) fn pattern_path(&self, partition: &Partition) -> Result<PathBuf, CliError> {
        Ok(self
            .folder()?
            .join(format!("{}-patterns.pzdb", partition.name())))
    }

    /// The patterns in the file that is named, `file` or else `--db`, if it holds patterns; if none is
    /// named, those in the folder for a goal that has no table.
    pub(super) fn patterns(
        &self,
        file: Option<&Path>,
        goal: &Board,
    ) -> Result<Option<(PatternFile, PathBuf)>, CliError> {
        let (path, named) = match file.or(self.db.as_deref()) {
            Some(path) => (path.to_owned(), true),
            None => {
                let class = Partition::up_to(goal, 3); // any patterns of the class have its name
                match class.map(|partition| self.pattern_path(&partition)) {
                    Ok(Ok(path)) if path.exists() && !self.is_available(goal)? => (path, false),
                    _ => return Ok(None),
                }
            }
        };
        let holds_patterns = || open::table(&path).is_err_and(|error| error.is_of_other_kind());
        match open::patterns(&path) {
            Ok(file) => Ok(Some((file, path))),
            Err(error) if !named || holds_patterns() => {
                let (build, sizes) = (self.build_command(goal), usual_sizes(goal)?);
                let output = quoted(&path.display().to_string());
                bail!(
                    Database,
                    "{error}\n  `{build} --patterns {sizes} --force --output {output}` makes it anew"
                )
            }
            Err(_) => Ok(None),
        }
    }

    /// The oracle for a goal: from the file that was named, or the one in the folder, or, for a
    /// small shape, made in memory.
    pub(super) fn table_oracle(&self, goal: &Board) -> Result<TableOracle, CliError> {
        let class = Frame::new(goal)?.class();
        let oracle = self.table_oracle_if_available(goal)?;
        oracle.ok_or_else(|| self.missing(goal, class))
    }

    /// Returns whether the database for a goal exists or is made in a few milliseconds.
    pub(super) fn is_available(&self, goal: &Board) -> Result<bool, CliError> {
        match Frame::new(goal).map(|frame| frame.class()) {
            Ok(class) => Ok(class.is_small() || self.existing(class, goal)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// The oracle for a goal, if its database exists or is made in a few milliseconds.
    pub(super) fn table_oracle_if_available(
        &self,
        goal: &Board,
    ) -> Result<Option<TableOracle>, CliError> {
        let Ok(frame) = Frame::new(goal) else {
            return Ok(None);
        };
        let class = frame.class();
        match self.existing(class, goal)? {
            Some((table, path)) => match TableOracle::new(table, goal) {
                Err(error @ OracleError::OtherClass { .. }) => {
                    Err(self.misfit(&path, &error.to_string(), goal))
                }
                oracle => Ok(Some(oracle?)),
            },
            None if class.is_small() => self.in_memory(goal, class).map(Some),
            None => Ok(None),
        }
    }

    /// The table of a class, if it exists or is made in a few milliseconds.
    #[cfg(feature = "serve")]
    pub(super) fn table_if_available(
        &self,
        class: GoalClass,
    ) -> Result<Option<Arc<Table>>, CliError> {
        let goal = goal_of(class);
        match self.existing(class, &goal)? {
            Some((table, _)) => Ok((table.header().class() == class).then(|| Arc::new(table))),
            None if class.is_small() => Ok(Some(TableOracle::in_memory(&goal)?.into_table())),
            None => Ok(None),
        }
    }

    /// The database of a file, or that of a shape.
    pub(super) fn database(&self, args: &DatabaseArgs) -> Result<Database, CliError> {
        let goal = self.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
        match self.patterns(args.file.as_deref(), &goal)? {
            Some((file, path)) => Ok(Database::Patterns(file, path)),
            None => self.table(args),
        }
    }

    /// The table of a file, or that of a shape.
    pub(super) fn table(&self, args: &DatabaseArgs) -> Result<Database, CliError> {
        let &DatabaseArgs { ref file, shape } = args;
        if file.is_some() && self.db.is_some() {
            bail!(
                Usage,
                "FILE and --db both name the database: give one of them"
            );
        }
        let goal = self.goal(shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
        let class = Frame::new(&goal)?.class();
        let found = match file {
            Some(path) => Some((self.open(path, None)?, path.clone())),
            None => self.existing(class, &goal)?,
        };
        let Some((table, path)) = found else {
            if !class.is_small() {
                return Err(self.missing(&goal, class));
            }
            let table = self.in_memory(&goal, class)?.into_table();
            return Ok(Database::Table(table, None));
        };
        let found = table.header().class();
        let any = shape.is_none() && self.goal.is_none() && (file.is_some() || self.db.is_some());
        if found != class && !any {
            let what = format!("it is of {}, not of {}", found.name(), class.name());
            return Err(self.misfit(&path, &what, &goal));
        }
        Ok(Database::Table(table.into(), Some(path)))
    }

    /// The table in the file that was named, or the one of the class in the folder, if it exists.
    /// `goal` is one of the class, for the advice in an error.
    fn existing(
        &self,
        class: GoalClass,
        goal: &Board,
    ) -> Result<Option<(Table, PathBuf)>, CliError> {
        if let Some(path) = &self.db {
            return Ok(Some((self.open(path, Some(goal))?, path.clone())));
        }
        match self.path(class) {
            Ok(path) if path.symlink_metadata().is_ok() => {
                Ok(Some((self.open(&path, Some(goal))?, path)))
            }
            Ok(_) => Ok(None),
            Err(_) if class.is_small() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes the table of a small class in memory.
    fn in_memory(&self, goal: &Board, class: GoalClass) -> Result<TableOracle, CliError> {
        let start = Instant::now();
        let oracle = TableOracle::in_memory(goal)?;
        let made = start.elapsed().as_secs_f64() * 1e3;
        let (name, build) = (class.name(), self.build_command(goal));
        note_at_the_end(format!(
            "no {name} database yet: made one in memory in {made:.1} ms (`{build}` keeps it)"
        ));
        Ok(oracle)
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

    /// Opens a file. An error has the command that builds a good one, for a goal if that is known.
    fn open(&self, path: &Path, goal: Option<&Board>) -> Result<Table, CliError> {
        (self.open)(path).map_err(|error| {
            let command = match goal {
                Some(goal) => self.build_command(goal),
                None => "puzzledb build --shape RxC".to_owned(),
            };
            let output = quoted(&path.display().to_string());
            use FormatError::{NewerVersion, NotADatabase};
            let mend = match &error {
                OpenError::Io { cause, .. } if cause.kind() == std::io::ErrorKind::NotFound => {
                    format!("\n  `{command} --output {output}` makes one there")
                }
                OpenError::Format { cause, .. } => {
                    let is_foreign = matches!(cause, NotADatabase | NewerVersion { .. });
                    let force = if is_foreign { " --force" } else { "" };
                    format!("\n  `{command} --output {output}{force}` makes it anew")
                }
                _ => String::new(),
            };
            CliError::Database(format!("{error}{mend}"))
        })
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

    /// The command that builds a table's database.
    pub(super) fn command_for_table(&self, table: &Table) -> String {
        self.build_command(&goal_of(table.header().class()))
    }

    /// The command that builds the database of patterns.
    pub(super) fn command_for_patterns(&self, partition: &Partition) -> String {
        let canonical = partition.goal();
        let class = GoalClass::new(canonical.shape(), canonical.blank());
        let build = self.build_command(&class.map_or(canonical, goal_of));
        format!("{build} --patterns {partition}")
    }

    /// The error for a file that has another table than the one for `goal`.
    fn misfit(&self, path: &Path, what: &str, goal: &Board) -> CliError {
        let command = self.build_command(goal);
        let output = quoted(&path.display().to_string());
        CliError::Database(format!(
            "{} does not fit: {what}\n  `{command} --output {output} --force` replaces it",
            path.display()
        ))
    }
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
