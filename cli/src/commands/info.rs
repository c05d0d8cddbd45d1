//! `puzzledb check --quick`

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::digest::sha256_of;
use crate::form::write_fields;
use puzzledb::pattern::PatternFile;
use puzzledb::table::{Section, SectionKind, Table};

use super::check::Args;
use super::database::{Database, Databases};
use super::error::{CliError, Status};

/// Contents of a database.
#[derive(Serialize)]
pub(super) struct DatabaseRecord {
    /// `None` for a table in memory.
    path: Option<String>,
    format_version: u32,
    shape: String,
    goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'static str>,
    encoding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    patterns: Option<String>,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_distance: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<u64>>,
    bytes: u64,
    digest: String,
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

    fn all(sections: &[Section], version: u32) -> Vec<SectionRecord> {
        let record = |section| SectionRecord::new(section, version);
        sections.iter().map(record).collect()
    }
}

impl DatabaseRecord {
    fn of_table(table: &Table, path: Option<&Path>) -> io::Result<DatabaseRecord> {
        let header = table.header();
        Ok(DatabaseRecord {
            path: path.map(|path| path.display().to_string()),
            format_version: header.version(),
            shape: header.class().shape().to_string(),
            goal: header.class().goal().to_string(),
            metric: Some("single-tile moves"),
            encoding: header.encoding().name(),
            patterns: None,
            states: header.states(),
            max_distance: Some(header.max_distance()),
            levels: Some(header.levels().to_vec()),
            bytes: table.bytes().len(),
            digest: sha256_of(table.bytes().reader())?,
            sections: SectionRecord::all(header.sections(), header.version()),
        })
    }

    pub(super) fn of_patterns(file: &PatternFile, path: &Path) -> io::Result<DatabaseRecord> {
        let partition = file.patterns().partition();
        Ok(DatabaseRecord {
            path: Some(path.display().to_string()),
            format_version: file.version(),
            shape: partition.shape().to_string(),
            goal: partition.goal().to_string(),
            metric: None,
            encoding: "patterns",
            patterns: Some(partition.to_string()),
            states: file.patterns().states(),
            max_distance: None,
            levels: None,
            bytes: file.bytes().len(),
            digest: sha256_of(file.bytes().reader())?,
            sections: SectionRecord::all(file.sections(), file.version()),
        })
    }
}

/// Prints what a database holds.
pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let record = match databases.database(&args.database)? {
        Database::Patterns(file, path) => DatabaseRecord::of_patterns(&file, &path)?,
        Database::Table(table, path) => {
            let mut record = DatabaseRecord::of_table(&table, path.as_deref())?;
            if let Some(shape) = args.database.shape {
                record.shape = shape.to_string(); // the file may name the transposed one
                record.goal = databases.goal(shape)?.to_string();
            }
            record
        }
    };
    (args.output).print(&record, |out| write_fields(&record, WIDTH, out))
}

/// Width of the fields' names.
const WIDTH: usize = 15;
