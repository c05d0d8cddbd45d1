//! `puzzledb check`

use std::fmt::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::text::visible;
use puzzledb::bfs::Exchange;
use puzzledb::oracle::check::{CheckError, CheckOptions, check_by};
use puzzledb::puzzle::Shape;
use puzzledb::table::BuildError;

use super::database::{Databases, goal_of};
use super::error::CliError;
use super::interrupt;
use super::output::Output;
use super::patterns;
use super::quoted::quoted;
use super::ranks;
use super::resources::SearchResources;
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
    #[command(flatten)]
    resources: SearchResources,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct ProofRecord {
    path: Option<String>,
    right: bool,
    states: u64,
    moves: u64,
    sampled: u64,
    max_distance: u8,
    parents: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    ranks::alone_or_together(args.resources.mpi, |exchange| {
        prove(args, databases, exchange)
    })
}

fn prove(
    args: &Args,
    databases: &Databases,
    exchange: &Arc<dyn Exchange>,
) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
    if !args.resources.mpi
        && let Some((file, path)) = databases.patterns(args.file.as_deref(), &goal)?
    {
        return patterns::prove(&file, &path, &args.output, databases);
    }
    let opened = databases.table(args.file.as_deref(), args.shape);
    let (table, path) = exchange.agree(opened, || CliError::OtherRank)?;
    let first_pages = exchange.all(&table.header().page());
    if let Some(rank) = first_pages.iter().position(|page| *page != first_pages[0]) {
        let differ = format!("ranks 0 and {rank} see different databases");
        return Err(CliError::Database(differ));
    }
    let path = path.map(|path| path.display().to_string());
    let name = path.as_deref().unwrap_or("the table in memory");
    let states = table.header().states();
    if args.resources.scratch.is_some() {
        interrupt::listen(); // a proof in files can be resumed
    }
    let mut options = CheckOptions::default();
    options.memory = args.resources.memory;
    options.scratch = args.resources.scratch.clone();
    options.exchange = exchange.clone();
    let proof = watched_to(states, || {
        check_by(&table, &options, &mut |search| {
            progress().reach(search.states);
            interrupt::go_on()
        })
    });
    let proof = proof.map_err(|error| match error {
        CheckError::Search(error) => BuildError::from(error).into(), // with the advice of `build`
        CheckError::Scratch(error) => error.into(),
        CheckError::OtherRank => CliError::OtherRank,
        wrong => {
            let command = databases.build_command(&goal_of(table.header().class()));
            CliError::Database(format!(
                "{name} {wrong}\n  `{command} --force --output {}` makes it anew",
                quoted(name)
            ))
        }
    })?;
    if exchange.rank() > 0 {
        return Ok(Status::Yes); // printed by the first rank
    }
    let record = ProofRecord {
        path: path.clone(),
        right: true,
        states: proof.states,
        moves: proof.moves,
        sampled: proof.sampled,
        max_distance: proof.max_distance,
        parents: proof.parents,
    };
    args.output.print(&record, |out| text(name, &record, out))?;
    Ok(Status::Yes)
}

fn text(name: &str, proof: &ProofRecord, out: &mut String) -> fmt::Result {
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
    )
}
