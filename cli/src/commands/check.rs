//! `puzzledb check`

use std::fmt::{self, Display, Write};
use std::sync::Arc;

use serde::Serialize;

use crate::text::visible;
use puzzledb::bfs::Exchange;
use puzzledb::oracle::check::{CheckError, CheckOptions, Proof, check_by};
use puzzledb::pattern;
use puzzledb::table::Table;

use super::args::{DatabaseArgs, SearchResources};
use super::database::{Database, Databases};
use super::error::{CliError, Status, bail, scratch_advised};
use super::info;
use super::interrupt;
use super::output::Output;
use super::ranks;
use super::waiting::{progress, watched_to};
use crate::text::quoted;

/// Prove a database: its checksums, and every distance in it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Prove nothing: print what the database holds
    #[arg(long, conflicts_with_all = ["memory", "scratch", "mpi"])]
    quick: bool,
    #[command(flatten)]
    resources: SearchResources,
    #[command(flatten)]
    pub output: Output,
}

/// Result of a proof.
#[derive(Serialize)]
struct ProofRecord {
    path: Option<String>,
    right: bool,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u64>,
    sampled: u64,
    max_distance: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    parents: Option<bool>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    if args.quick {
        return info::run(args, databases);
    }
    ranks::alone_or_together(args.resources.mpi, |exchange| {
        let opened = if args.resources.mpi {
            databases.table(&args.database) // patterns are proved by one process
        } else {
            databases.database(&args.database)
        };
        let database = exchange.agree(opened, || CliError::OtherRank)?;
        if let Database::Table(table, _) = &database {
            let first_pages = exchange.all(&table.header().page());
            if let Some(rank) = first_pages.iter().position(|page| *page != first_pages[0]) {
                bail!(Database, "ranks 0 and {rank} see different databases");
            }
        }
        let record = match &database {
            Database::Patterns(file, _) => {
                let proof = pattern::check(file);
                let proof = proof.map_err(|wrong| disproved(&database, wrong, databases))?;
                ProofRecord {
                    path: Some(database.name()),
                    right: true,
                    states: proof.states,
                    moves: None,
                    sampled: proof.sampled,
                    max_distance: proof.max_distance,
                    parents: None,
                }
            }
            Database::Table(table, _) => {
                let proof = args.prove(table, exchange).map_err(|error| match error {
                    CheckError::Search(error) => scratch_advised(error),
                    CheckError::OtherRank => CliError::OtherRank,
                    wrong => disproved(&database, wrong, databases),
                })?;
                ProofRecord {
                    path: database.path().map(|path| path.display().to_string()),
                    right: true,
                    states: proof.states,
                    moves: Some(proof.moves),
                    sampled: proof.sampled,
                    max_distance: proof.max_distance,
                    parents: Some(proof.parents),
                }
            }
        };
        if exchange.rank() > 0 {
            return Ok(Status::Yes); // printed by the first rank
        }
        args.output.print(&record, |out| {
            writeln!(out, "{} is right:", visible(&database.name()))?;
            record.write(out)
        })
    })
}

impl Args {
    fn prove(&self, table: &Arc<Table>, exchange: &Arc<dyn Exchange>) -> Result<Proof, CheckError> {
        if self.resources.scratch.is_some() {
            interrupt::listen(); // a proof in files can be resumed
        }
        let mut options = CheckOptions::default();
        options.memory = self.resources.memory;
        options.scratch = self.resources.scratch.clone();
        options.exchange = exchange.clone();
        watched_to(table.header().states(), || {
            check_by(table, &options, &mut |search| {
                progress().reach(search.states);
                interrupt::go_on()
            })
        })
    }
}

impl ProofRecord {
    /// Writes what is proved, and what follows, for people.
    fn write(&self, out: &mut String) -> fmt::Result {
        let (states, sampled, most) = (self.states, self.sampled, self.max_distance);
        writeln!(out, "- every byte has its checksum")?;
        let Some(moves) = self.moves else {
            return write!(
                out,
                "- each of {states} states has the bit of its distance, up to {most}, that a search from the goal finds\n\
                 - from {sampled} states of each pattern, one move apart, walks by look-ups lead to the goal, each longer \
                 or shorter than the last by exactly 1\n\
                 So no sum of its distances is more than a board's distance.\n"
            );
        };
        write!(
            out,
            "- distance 0 is at the goal alone, of {states} states\n\
             - each of {moves} moves changes the distance by exactly 1\n\
             - every state but the goal has a neighbour one closer\n"
        )?;
        if sampled > 0 {
            writeln!(
                out,
                "- {sampled} drawn states say so too, their moves made one by one"
            )?;
        }
        if self.parents == Some(true) {
            writeln!(out, "- every parent move leads one closer")?;
        }
        write!(
            out,
            "- the header's level counts are true, up to distance {most}\n\
             So every distance in it is the length of a shortest solution.\n"
        )
    }
}

/// Error for a database that is not right, with the command that builds it.
fn disproved(database: &Database, wrong: impl Display, databases: &Databases) -> CliError {
    let (name, build) = (database.name(), databases.command_for(database));
    let output = quoted(&name);
    CliError::Database(format!(
        "{name} {wrong}\n  `{build} --force --output {output}` makes it anew"
    ))
}
