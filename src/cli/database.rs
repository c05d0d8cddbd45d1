//! Which database answers a question.

use std::path::{Path, PathBuf};
use std::time::Instant;

use etcetera::BaseStrategy;

use crate::oracle::Oracle;
use crate::puzzle::{Board, Shape, UsualGoal};
use crate::space::GoalClass;
use crate::table::{OpenError, Table};

use super::error::{CliError, say};

/// Where databases are looked for.
#[derive(Debug)]
pub(super) struct Databases {
    dir: Option<PathBuf>,
    db: Option<PathBuf>,
}

/// Tables of shapes with at most this many cells are made in memory in a few milliseconds.
const SMALL: usize = 10;

/// The goal of a shape that no goal is named for.
pub(super) fn default_goal(shape: Shape) -> Board {
    UsualGoal::Last.board(shape)
}

/// The class of the default goal of a shape.
pub(super) fn default_class(shape: Shape) -> Result<GoalClass, CliError> {
    Ok(GoalClass::new(shape, shape.cells() - 1)?)
}

impl Databases {
    /// Of the global options: `dir` is also set by `PUZZLEDB_DIR`.
    pub(super) fn new(dir: Option<PathBuf>, db: Option<PathBuf>) -> Databases {
        Databases { dir, db }
    }

    /// The file that was named with `--db`.
    pub(super) fn named(&self) -> Option<&Path> {
        self.db.as_deref()
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
        Ok(dir.join(class.name()).with_extension("pzdb"))
    }

    /// The oracle for the default goal of a shape: from the file that was named, or the one in
    /// the folder, or, for a small shape, made in memory.
    pub(super) fn oracle(&self, shape: Shape) -> Result<Oracle, CliError> {
        let goal = default_goal(shape);
        if let Some(path) = &self.db {
            let table = open(path, shape)?;
            return Oracle::new(table, &goal).map_err(|error| {
                CliError::Database(format!("{} does not fit: {error}", path.display()))
            });
        }
        let class = default_class(shape)?;
        let path = self.path(class);
        if let Ok(path) = &path
            && path.try_exists().unwrap_or(true)
        {
            return Ok(Oracle::new(open(path, shape)?, &goal)?);
        }
        if shape.cells() <= SMALL {
            let start = Instant::now();
            let oracle = Oracle::in_memory(&goal)?;
            let made = start.elapsed().as_secs_f64() * 1e3;
            say(
                "note",
                &format!(
                    "no {} database yet: made one in memory in {made:.1} ms \
                     (`puzzledb build{}` keeps it)",
                    class.name(),
                    shape_option(shape)
                ),
            );
            return Ok(oracle);
        }
        Err(CliError::Database(format!(
            "there is no database at {}: `puzzledb build{}` makes it",
            path?.display(),
            shape_option(shape)
        )))
    }

    /// The table in `file`, or the one of the default goal of a shape; where that comes from.
    pub(super) fn table(
        &self,
        file: Option<&Path>,
        shape: Shape,
    ) -> Result<(Table, String), CliError> {
        if let Some(path) = file.or(self.named()) {
            return Ok((open(path, shape)?, path.display().to_string()));
        }
        let path = self.path(default_class(shape)?);
        match path {
            Ok(path) if path.try_exists().unwrap_or(true) => {
                Ok((open(&path, shape)?, path.display().to_string()))
            }
            _ => Ok((
                self.oracle(shape)?.into_table(),
                "the table in memory".into(),
            )),
        }
    }
}

/// ` --shape RxC` where it must be said.
fn shape_option(shape: Shape) -> String {
    if shape == Shape::EIGHT_PUZZLE {
        String::new()
    } else {
        format!(" --shape {shape}")
    }
}

/// Opens a file; an error says what makes a good one.
fn open(path: &Path, shape: Shape) -> Result<Table, CliError> {
    Table::open(path).map_err(|error| {
        let mend = match &error {
            OpenError::Format { .. } => "makes it anew",
            OpenError::Io { .. } => "makes one there",
        };
        CliError::Database(format!(
            "{error}\n  `puzzledb build{} --output {}` {mend}",
            shape_option(shape),
            path.display()
        ))
    })
}
