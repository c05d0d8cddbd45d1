//! `puzzledb info`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::digest::sha256_of;
use crate::text::visible;
use puzzledb::puzzle::Shape;
use puzzledb::table::Table;

use super::database::Databases;
use super::error::CliError;
use super::patterns;
use super::status::Status;

/// Tell what a database holds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file [default: the database of the shape]
    file: Option<PathBuf>,
    /// Rows x columns
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
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
    sections: Vec<JsonSection>,
}

#[derive(Serialize)]
struct JsonSection {
    kind: &'static str,
    offset: u64,
    bytes: u64,
    crc32: String,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
    if let Some((file, path)) = databases.patterns(args.file.as_deref(), &goal)? {
        return patterns::info(&file, &path, args.json);
    }
    let (table, path) = databases.table(args.file.as_deref(), args.shape)?;
    let json = json(&table, path.map(|path| path.display().to_string()))?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
        return Ok(Status::Yes);
    }
    let file = json
        .path
        .as_deref()
        .unwrap_or("none: the table is in memory");
    writeln!(out, "file          {}", visible(file))?;
    writeln!(
        out,
        "format        puzzledb, version {}",
        json.format_version
    )?;
    writeln!(
        out,
        "shape         {} (rows x columns, as it is kept)",
        json.shape
    )?;
    writeln!(
        out,
        "goal          {} and all goals of its class",
        json.goal
    )?;
    writeln!(out, "metric        {}", json.metric)?;
    writeln!(out, "encoding      {}", json.encoding)?;
    writeln!(out, "states        {}", json.states)?;
    writeln!(out, "max distance  {}", json.max_distance)?;
    writeln!(out, "size          {} bytes", json.bytes)?;
    writeln!(out, "sha-256       {}", json.digest)?;
    for section in &json.sections {
        writeln!(
            out,
            "section       {}: {} bytes from {}, crc-32 {}",
            section.kind, section.bytes, section.offset, section.crc32
        )?;
    }
    Ok(Status::Yes)
}

fn json(table: &Table, path: Option<String>) -> Result<Json, CliError> {
    let header = table.header();
    let sections = header.sections().iter().map(|section| JsonSection {
        kind: section.kind.name(),
        offset: section.offset as u64,
        bytes: section.length as u64,
        crc32: format!("{:08x}", section.checksum),
    });
    Ok(Json {
        path,
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
