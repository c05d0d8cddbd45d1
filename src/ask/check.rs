//! A database and its contents.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::oracle::Database;
use crate::puzzle::Shape;
use crate::table::{Header, OpenError, Section, SectionKind};

/// A database that is proved, or whose contents are listed.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Check {
    /// The file [default: the database of the shape]
    pub file: Option<PathBuf>,
    /// Rows x columns
    #[cfg_attr(feature = "cli", arg(long, value_name = "RxC"))]
    pub shape: Option<Shape>,
    /// Prove nothing: print what the database holds
    #[cfg_attr(feature = "cli", arg(long))]
    pub quick: bool,
}

/// Contents of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DatabaseRecord {
    /// Its file; `None` for a table in memory.
    pub path: Option<String>,
    /// Version of the file's format.
    pub format_version: Option<u32>,
    /// Rows x columns.
    pub shape: Option<String>,
    /// The board at distance 0.
    pub goal: Option<String>,
    /// The moves that a distance counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static str>,
    /// What is kept of a state.
    pub encoding: Option<&'static str>,
    /// The patterns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<String>,
    /// Number of states.
    pub states: u64,
    /// The largest distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_distance: Option<u8>,
    /// Number of states at each distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u64>>,
    /// Length of the file.
    pub bytes: Option<u64>,
    /// SHA-256 of the file, for the program to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Sections of the file.
    pub sections: Vec<SectionRecord>,
}

/// A section of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SectionRecord {
    /// Its contents.
    pub kind: &'static str,
    /// Place of its first byte.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
    /// Its checksum; `None` where the section of checksums has one for each chunk instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crc32: Option<String>,
}

impl DatabaseRecord {
    /// Returns the record of a database that was opened at `path`, or made in memory; without a digest, which may take long.
    ///
    /// # Errors
    /// [`OpenError`] if the file was changed since it was opened.
    pub fn new(database: &Database, path: Option<&Path>) -> Result<DatabaseRecord, OpenError> {
        let patterns = match database {
            Database::Patterns(patterns) => Some(patterns),
            Database::Table(_) => None,
        };
        let header = Header::of_file(database.bytes(), patterns.is_some());
        let header = header.map_err(OpenError::at(path.unwrap_or(Path::new(""))))?;
        let section = |section: &Section| {
            let has_own = header.version() == 1 || section.kind == SectionKind::Checksums;
            SectionRecord {
                kind: section.kind.name(),
                offset: section.offset as u64,
                bytes: section.length as u64,
                crc32: has_own.then(|| format!("{:08x}", section.checksum)),
            }
        };
        Ok(DatabaseRecord {
            path: path.map(|path| path.display().to_string()),
            format_version: Some(header.version()),
            shape: Some(header.class().shape().to_string()),
            goal: Some(header.class().goal().to_string()),
            metric: patterns.is_none().then_some("single-tile moves"),
            encoding: Some(patterns.map_or(header.encoding().name(), |_| "patterns")),
            patterns: patterns.map(|its| its.partition().to_string()),
            states: patterns.map_or(header.states(), |its| its.states()),
            max_distance: patterns.is_none().then(|| header.max_distance()),
            levels: patterns.is_none().then(|| header.levels().to_vec()),
            bytes: Some(database.bytes().len()),
            digest: None,
            sections: header.sections().iter().map(section).collect(),
        })
    }
}
