//! `puzzledb info`

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::digest::sha256_of;
use puzzledb::puzzle::Shape;
use puzzledb::table::{Section, Table};

use super::database::Databases;
use super::error::CliError;
use super::output::{Output, write_fields};
use super::patterns::PatternRecord;
use super::status::Status;

/// Tell what a database holds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file [default: the database of the shape]
    file: Option<PathBuf>,
    /// Rows x columns
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    output: Output,
}

/// Contents of a table.
#[derive(Serialize)]
struct TableRecord {
    /// `None` for a table in memory.
    path: Option<String>,
    format_version: u32,
    shape: String,
    goal: String,
    metric: &'static str,
    encoding: &'static str,
    states: u64,
    max_distance: u8,
    levels: Vec<u64>,
    bytes: u64,
    digest: String,
    sections: Vec<SectionRecord>,
}

/// A section of a file.
#[derive(Serialize)]
pub(super) struct SectionRecord {
    kind: &'static str,
    offset: u64,
    bytes: u64,
    crc32: String,
}

impl SectionRecord {
    pub(super) fn new(section: &Section) -> SectionRecord {
        SectionRecord {
            kind: section.kind.name(),
            offset: section.offset as u64,
            bytes: section.length as u64,
            crc32: format!("{:08x}", section.checksum),
        }
    }
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
    if let Some((file, path)) = databases.patterns(args.file.as_deref(), &goal)? {
        return print(&args.output, &PatternRecord::new(&file, &path)?);
    }
    let (table, path) = databases.table(args.file.as_deref(), args.shape)?;
    print(&args.output, &record(&table, path)?)
}

/// Prints a record: as text each field on a line.
fn print(output: &Output, record: &impl Serialize) -> Result<Status, CliError> {
    let mut text = String::new();
    write_fields(record, WIDTH, &mut text)?;
    output.print(record, |out| out.write_str(&text))?;
    Ok(Status::Yes)
}

/// Width of the fields' names.
const WIDTH: usize = 15;

fn record(table: &Table, path: Option<PathBuf>) -> Result<TableRecord, CliError> {
    let header = table.header();
    let sections = header.sections().iter().map(SectionRecord::new);
    Ok(TableRecord {
        path: path.map(|path| path.display().to_string()),
        format_version: header.version(),
        shape: header.class().shape().to_string(),
        goal: header.class().goal().to_string(),
        metric: "single-tile moves",
        encoding: header.encoding().name(),
        states: header.states(),
        max_distance: header.max_distance(),
        levels: header.levels().to_vec(),
        bytes: table.bytes().len(),
        digest: sha256_of(table.bytes().reader())?,
        sections: sections.collect(),
    })
}
