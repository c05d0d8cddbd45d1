//! `puzzledb check`

use std::io::Write;
use std::path::PathBuf;

use crate::oracle::check::check;
use crate::puzzle::Shape;

use super::Status;
use super::database::Databases;
use super::error::CliError;

/// Prove a database: its checksums, and every distance in it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file [default: the database of the shape]
    file: Option<PathBuf>,
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let (table, name) = databases.table(args.file.as_deref(), args.shape)?;
    let proof = check(&table).map_err(|error| CliError::Database(format!("{name} {error}")))?;
    let mut out = anstream::stdout().lock();
    writeln!(out, "{name} is right:")?;
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
