//! A database and its contents.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::pattern::PatternFile;
use crate::puzzle::Shape;
use crate::table::{Bytes, Section, SectionKind, Table};

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

/// An open database.
#[derive(Clone, Debug)]
pub struct OpenDatabase {
    /// Its file; `None` for a table that was made in memory.
    pub path: Option<PathBuf>,
    /// Its contents.
    pub contents: Contents,
}

/// Contents of a database.
#[derive(Clone, Debug)]
pub enum Contents {
    /// The distances of all states.
    Table(Arc<Table>),
    /// Pattern databases.
    Patterns(PatternFile),
}

/// Contents of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DatabaseRecord {
    /// Its file; `None` for a table in memory.
    pub path: Option<String>,
    /// Version of the file's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format_version: Option<u32>,
    /// Rows x columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The board at distance 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The moves that a distance counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static str>,
    /// What is kept of a state.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// SHA-256 of the file, for the program to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Sections of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
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

impl OpenDatabase {
    /// Returns its path for messages.
    pub fn name(&self) -> String {
        let path = self.path.as_ref().map(|path| path.display().to_string());
        path.unwrap_or_else(|| "the table in memory".to_owned())
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &Bytes {
        match &self.contents {
            Contents::Table(table) => table.bytes(),
            Contents::Patterns(file) => file.bytes(),
        }
    }

    /// Returns the record of its contents, without a digest, which may take long.
    pub fn record(&self) -> DatabaseRecord {
        let (version, sections, record) = match &self.contents {
            Contents::Table(table) => {
                let (header, class) = (table.header(), table.header().class());
                let record = DatabaseRecord {
                    shape: Some(class.shape().to_string()),
                    goal: Some(class.goal().to_string()),
                    metric: Some("single-tile moves"),
                    encoding: Some(header.encoding().name()),
                    states: header.states(),
                    max_distance: Some(header.max_distance()),
                    levels: Some(header.levels().to_vec()),
                    ..DatabaseRecord::default()
                };
                (header.version(), header.sections(), record)
            }
            Contents::Patterns(file) => {
                let partition = file.patterns().partition();
                let record = DatabaseRecord {
                    shape: Some(partition.shape().to_string()),
                    goal: Some(partition.goal().to_string()),
                    encoding: Some("patterns"),
                    patterns: Some(partition.to_string()),
                    states: file.patterns().states(),
                    ..DatabaseRecord::default()
                };
                (file.version(), file.sections(), record)
            }
        };
        let section = |section: &Section| {
            let has_own = version == 1 || section.kind == SectionKind::Checksums;
            SectionRecord {
                kind: section.kind.name(),
                offset: section.offset as u64,
                bytes: section.length as u64,
                crc32: has_own.then(|| format!("{:08x}", section.checksum)),
            }
        };
        DatabaseRecord {
            path: self.path.as_ref().map(|path| path.display().to_string()),
            format_version: Some(version),
            bytes: Some(self.bytes().len()),
            sections: sections.iter().map(section).collect(),
            ..record
        }
    }
}
