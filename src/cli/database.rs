//! Which goal is meant, and which database answers.

use std::path::{Path, PathBuf};
use std::time::Instant;

use etcetera::BaseStrategy;

use crate::bfs::Search;
use crate::oracle::{Oracle, OracleError};
use crate::puzzle::{Board, Shape, UsualGoal, parse_goal};
use crate::space::{Frame, GoalClass};
use crate::table::{Encoding, FormatError, OpenError, Table};

use super::error::{CliError, say};

/// The global options that say where databases are looked for, and for which goal.
#[derive(Clone, Debug)]
pub(super) struct Databases {
    /// `--dir`, also set by `PUZZLEDB_DIR`.
    pub dir: Option<PathBuf>,
    /// `--db`.
    pub db: Option<PathBuf>,
    /// `--goal`.
    pub goal: Option<String>,
}

impl Databases {
    /// The goal for boards of a shape: the one that was named, or the default.
    pub(super) fn goal(&self, shape: Shape) -> Result<Board, CliError> {
        let Some(text) = &self.goal else {
            return Ok(UsualGoal::Last.board(shape));
        };
        parse_goal(text, shape).map_err(|error| CliError::Usage(format!("--goal {error}")))
    }

    /// Where the database of a class is, or would be.
    pub(super) fn path(&self, class: GoalClass) -> Result<PathBuf, CliError> {
        let dir = match &self.dir {
            Some(dir) => dir.clone(),
            None => etcetera::choose_base_strategy()
                .map_err(|_| {
                    CliError::Database(
                        "there is no home folder to keep databases in: name one with --dir".into(),
                    )
                })?
                .data_dir()
                .join("puzzledb"),
        };
        Ok(dir.join(format!("{}.pzdb", class.name())))
    }

    /// The oracle for a shape: from the file that was named, or the one in the folder, or, for a
    /// small shape, made in memory.
    pub(super) fn oracle(&self, shape: Shape) -> Result<Oracle, CliError> {
        self.oracle_for(&self.goal(shape)?)
    }

    /// The oracle for a goal, as [`Databases::oracle`] finds it.
    pub(super) fn oracle_for(&self, goal: &Board) -> Result<Oracle, CliError> {
        let class = Frame::new(goal)?.class();
        match self.existing(class)? {
            Some((table, path)) => Oracle::new(table, goal).map_err(|error| match error {
                OracleError::OtherClass { .. } => {
                    misfit(&path, &error.to_string(), self, goal.shape())
                }
                other => other.into(),
            }),
            None => self.in_memory(goal, class),
        }
    }

    /// The oracle for a goal, if its database is there or is made in no time.
    pub(super) fn oracle_at_hand(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        match Frame::new(goal).map(|frame| frame.class()) {
            Ok(class) if is_small(class) || self.existing(class)?.is_some() => {
                Ok(Some(self.oracle_for(goal)?))
            }
            _ => Ok(None),
        }
    }

    /// The table of a class, if it is there or is made in no time.
    #[cfg(feature = "serve")]
    pub(super) fn table_at_hand(&self, class: GoalClass) -> Result<Option<Table>, CliError> {
        match self.existing(class)? {
            Some((table, _)) => Ok((table.header().class() == class).then_some(table)),
            None if is_small(class) => Ok(Some(Oracle::in_memory(&class.goal())?.into_table())),
            None => Ok(None),
        }
    }

    /// The table in `file`, or the one for a shape; where it is, unless it was made in memory.
    pub(super) fn table(
        &self,
        file: Option<&Path>,
        shape: Option<Shape>,
    ) -> Result<(Table, Option<PathBuf>), CliError> {
        if file.is_some() && self.db.is_some() {
            let both = "FILE and --db both name the database: give one of them";
            return Err(CliError::Usage(both.to_owned()));
        }
        let wanted = shape.unwrap_or(Shape::EIGHT_PUZZLE);
        let goal = self.goal(wanted)?;
        let class = Frame::new(&goal)?.class();
        let found = match file {
            Some(path) => Some((self.open(path, None)?, path.to_owned())),
            None => self.existing(class)?,
        };
        let Some((table, path)) = found else {
            return Ok((self.in_memory(&goal, class)?.into_table(), None));
        };
        let found = table.header().class();
        let any = shape.is_none() && self.goal.is_none() && (file.is_some() || self.db.is_some());
        if found != class && !any {
            let what = format!("it is of {}, not of {}", found.name(), class.name());
            return Err(misfit(&path, &what, self, wanted));
        }
        Ok((table, Some(path)))
    }

    /// The table in the file that was named, or the one of a class in the folder, if it is there.
    fn existing(&self, class: GoalClass) -> Result<Option<(Table, PathBuf)>, CliError> {
        if let Some(path) = &self.db {
            return Ok(Some((self.open(path, Some(class))?, path.clone())));
        }
        match self.path(class) {
            Ok(path) if path.symlink_metadata().is_ok() => {
                Ok(Some((self.open(&path, Some(class))?, path)))
            }
            Ok(_) => Ok(None),
            Err(_) if is_small(class) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes the table of a small class in memory; for others says how to make it.
    fn in_memory(&self, goal: &Board, class: GoalClass) -> Result<Oracle, CliError> {
        let build = build_command(self, goal.shape());
        if is_small(class) {
            let start = Instant::now();
            let oracle = Oracle::in_memory(goal)?;
            let made = start.elapsed().as_secs_f64() * 1e3;
            let name = class.name();
            say(
                "note",
                &format!(
                    "no {name} database yet: made one in memory in {made:.1} ms (`{build}` keeps it)"
                ),
            );
            return Ok(oracle);
        }
        Search::is_possible(class)?; // otherwise there is nothing to advise
        Err(CliError::Database(format!(
            "there is no database at {}: `{build}` makes it",
            self.path(class)?.display()
        )))
    }

    /// Opens a file, of a class if that is known; an error says what makes a good one.
    fn open(&self, path: &Path, class: Option<GoalClass>) -> Result<Table, CliError> {
        Table::open(path).map_err(|error| {
            let command = match class {
                Some(class) => build_command(self, class.shape().transposed()),
                None => "puzzledb build --shape RxC".to_owned(),
            };
            let output = quoted(&path.display().to_string());
            let mend = match &error {
                OpenError::Io { cause, .. } if cause.kind() == std::io::ErrorKind::NotFound => {
                    format!("\n  `{command} --output {output}` makes one there")
                }
                OpenError::Io { .. } => String::new(),
                OpenError::Format { cause, .. } => {
                    let ours = !matches!(
                        cause,
                        FormatError::NotADatabase | FormatError::NewerVersion { .. }
                    );
                    let force = if ours { "" } else { " --force" };
                    format!("\n  `{command} --output {output}{force}` makes it anew")
                }
            };
            CliError::Database(format!("{error}{mend}"))
        })
    }
}

/// Is a table of this class made in memory in a few milliseconds?
fn is_small(class: GoalClass) -> bool {
    Encoding::default_for(class) == Encoding::Full
}

/// The command that builds the database of the goal for a shape.
pub(super) fn build_command(databases: &Databases, shape: Shape) -> String {
    let mut command = "puzzledb build".to_owned();
    if shape != Shape::EIGHT_PUZZLE {
        command += &format!(" --shape {shape}");
    }
    if let Some(goal) = &databases.goal {
        command += &format!(" --goal {}", quoted(goal));
    }
    if let Some(dir) = &databases.dir {
        command += &format!(" --dir {}", quoted(&dir.display().to_string()));
    }
    command
}

/// A word for a shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn misfit(path: &Path, what: &str, databases: &Databases, shape: Shape) -> CliError {
    let command = build_command(databases, shape);
    let output = quoted(&path.display().to_string());
    CliError::Database(format!(
        "{} does not fit: {what}\n  `{command} --output {output} --force` replaces it",
        path.display()
    ))
}
