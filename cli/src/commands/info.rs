//! `puzzledb check --quick`, and the record of a database.

use std::io;

use serde::Serialize;

use crate::digest::sha256_of;
use crate::form::write_fields;
use puzzledb::puzzle::{Board, Shape};
use puzzledb::table::{Section, SectionKind};

use super::check::Args;
use super::database::{Database, Databases};
use super::error::{CliError, Status};

/// Contents of a database.
#[derive(Default, Serialize)]
pub(super) struct DatabaseRecord {
    /// `None` for a table in memory.
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format_version: Option<u32>,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patterns: Option<String>,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_distance: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<u64>>,
    bytes: u64,
    digest: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<SectionRecord>,
}

/// A section of a file.
#[derive(Serialize)]
struct SectionRecord {
    kind: &'static str,
    offset: u64,
    bytes: u64,
    /// `None` where the section of checksums has one for each chunk instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    crc32: Option<String>,
}

impl SectionRecord {
    fn new(section: &Section, version: u32) -> SectionRecord {
        let has_own = version == 1 || section.kind == SectionKind::Checksums;
        SectionRecord {
            kind: section.kind.name(),
            offset: section.offset as u64,
            bytes: section.length as u64,
            crc32: has_own.then(|| format!("{:08x}", section.checksum)),
        }
    }
}

impl DatabaseRecord {
    /// Returns the record of a database without its digest, which may take long.
    pub(super) fn new(database: &Database) -> DatabaseRecord {
        let (version, sections) = match database {
            Database::Table(table, _) => (table.header().version(), table.header().sections()),
            Database::Patterns(file, _) => (file.version(), file.sections()),
        };
        let sections = sections.iter();
        let common = DatabaseRecord {
            path: database.path().map(|path| path.display().to_string()),
            format_version: Some(version),
            bytes: database.bytes().len(),
            sections: sections
                .map(|section| SectionRecord::new(section, version))
                .collect(),
            ..DatabaseRecord::default()
        };
        match database {
            Database::Table(table, _) => {
                let (header, class) = (table.header(), table.header().class());
                DatabaseRecord {
                    shape: class.shape().to_string(),
                    goal: Some(class.goal().to_string()),
                    metric: Some("single-tile moves"),
                    encoding: Some(header.encoding().name()),
                    states: header.states(),
                    max_distance: Some(header.max_distance()),
                    levels: Some(header.levels().to_vec()),
                    ..common
                }
            }
            Database::Patterns(file, _) => {
                let (patterns, partition) = (file.patterns(), file.patterns().partition());
                DatabaseRecord {
                    shape: partition.shape().to_string(),
                    goal: Some(partition.goal().to_string()),
                    encoding: Some("patterns"),
                    patterns: Some(partition.to_string()),
                    states: patterns.states(),
                    ..common
                }
            }
        }
    }

    /// Adds the digest of the file.
    pub(super) fn with_digest(self, database: &Database) -> io::Result<DatabaseRecord> {
        let digest = sha256_of(database.bytes().reader())?;
        Ok(DatabaseRecord { digest, ..self })
    }

    /// Returns what a build prints of a table: a goal and an encoding where a goal was asked for.
    pub(super) fn of_build(self, shape: Shape, goal: Option<&Board>) -> DatabaseRecord {
        DatabaseRecord {
            format_version: None,
            shape: shape.to_string(),
            goal: goal.map(Board::to_string),
            metric: None,
            encoding: self.encoding.filter(|_| goal.is_some()),
            levels: None,
            sections: Vec::new(),
            ..self
        }
    }

    /// The contents in a line.
    pub(super) fn summary(&self) -> String {
        let (states, bytes) = (self.states, self.bytes);
        match (&self.patterns, self.max_distance, self.encoding) {
            (None, Some(most), Some(encoding)) => {
                format!("{states} states, max distance {most}, {bytes} bytes, encoding {encoding}")
            }
            (patterns, ..) => {
                let patterns = patterns.as_deref().unwrap_or_default();
                format!("patterns {patterns}, {states} states, {bytes} bytes")
            }
        }
    }
}

/// Prints what a database holds.
pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let database = databases.database(&args.database)?;
    let mut record = DatabaseRecord::new(&database).with_digest(&database)?;
    if let (Database::Table(..), Some(shape)) = (&database, args.database.shape) {
        record.shape = shape.to_string(); // the file may name the transposed one
        record.goal = Some(databases.goal(shape)?.to_string());
    }
    (args.output).print(&record, |out| write_fields(&record, WIDTH, out))
}

/// Width of the fields' names.
const WIDTH: usize = 15;
