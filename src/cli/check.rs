//! `puzzledb check`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::basics::visible;
use crate::oracle::check::check_telling;
use crate::puzzle::Shape;

use super::database::{Databases, goal_of, quoted};
use super::error::CliError;
use super::patterns;
use super::status::Status;
use super::waiting::{progress, watched_to};

/// Prove a database: its checksums, and every distance in it
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
    path: Option<String>,
    right: bool,
    states: u64,
    moves: u64,
    sampled: u64,
    max_distance: u8,
    parents: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
    if let Some((file, path)) = databases.patterns(args.file.as_deref(), &goal)? {
        return patterns::prove(&file, &path, args.json);
    }
    let (table, path) = databases.table(args.file.as_deref(), args.shape)?;
    let path = path.map(|path| path.display().to_string());
    let name = path.as_deref().unwrap_or("the table in memory");
    let states = table.header().states();
    let proof = watched_to(states, || {
        check_telling(&table, |states| progress().reach(states))
    });
    let proof = proof.map_err(|error| {
        let command = databases.build_command(&goal_of(table.header().class()));
        CliError::Database(format!(
            "{name} {error}\n  `{command} --force --output {}` makes it anew",
            quoted(name)
        ))
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let json = Json {
            path,
            right: true,
            states: proof.states,
            moves: proof.moves,
            sampled: proof.sampled,
            max_distance: proof.max_distance,
            parents: proof.parents,
        };
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
        return Ok(Status::Yes);
    }
    writeln!(out, "{} is right:", visible(name))?;
    writeln!(out, "- every byte has its checksum")?;
    writeln!(
        out,
        "- distance 0 is at the goal alone, of {} states",
        proof.states
    )?;
    writeln!(
        out,
        "- each of {} moves changes the distance by exactly 1",
        proof.moves
    )?;
    writeln!(out, "- every state but the goal has a neighbour one closer")?;
    if proof.sampled > 0 {
        writeln!(
            out,
            "- {} drawn states say so too, their moves made one by one",
            proof.sampled
        )?;
    }
    if proof.parents {
        writeln!(out, "- every parent move leads one closer")?;
    }
    writeln!(
        out,
        "- the header's level counts are true, up to distance {}",
        proof.max_distance
    )?;
    writeln!(
        out,
        "So every distance in it is the length of a shortest solution."
    )?;
    Ok(Status::Yes)
}
