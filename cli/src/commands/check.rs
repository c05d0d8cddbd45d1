//! `puzzledb check`

use std::fmt::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use crate::digest::sha256_of;
use crate::form::write_fields;
use crate::text::visible;
use puzzledb::ask::{Check, Contents};
use puzzledb::bfs::Exchange;
use puzzledb::oracle::check::{CheckError, CheckOptions, Proof, check_by};
use puzzledb::pattern::{self, PatternProof};
use puzzledb::table::Table;

use super::args::SearchResources;
use super::database::Databases;
use super::error::{CliError, Status, bail, scratch_advised};
use super::interrupt;
use super::output::Output;
use super::ranks;
use super::waiting::{progress, watched};

/// Prove a database: its checksums, and every distance in it
#[derive(Debug, clap::Args)]
#[command(mut_arg("quick", |quick| quick.conflicts_with_all(["memory", "scratch", "mpi"])))]
pub(super) struct Args {
    #[command(flatten)]
    pub question: Check,
    #[command(flatten)]
    resources: SearchResources,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    if args.question.quick {
        return args.list(databases);
    }
    ranks::alone_or_together(args.resources.mpi, |exchange| {
        let opened = databases.database(&args.question);
        let database = exchange.agree(opened, || CliError::OtherRank)?;
        let disproved = |wrong: &dyn fmt::Display| {
            let (name, path) = (database.name(), database.path.as_deref());
            let what = format!("{name} {wrong}");
            databases.unfit(path.unwrap_or(Path::new("")), &what, None)
        };
        let proof = match &database.contents {
            Contents::Patterns(_) if args.resources.mpi => {
                bail!(Usage, "patterns are proved by one process: leave out --mpi")
            }
            Contents::Patterns(file) => {
                Proved::Patterns(pattern::check(file).map_err(|e| disproved(&e))?)
            }
            Contents::Table(table) => {
                let first_pages = exchange.all(&table.header().page());
                if let Some(rank) = first_pages.iter().position(|page| *page != first_pages[0]) {
                    bail!(Database, "ranks 0 and {rank} see different databases");
                }
                let proof = args.prove(table, exchange).map_err(|error| match error {
                    CheckError::Search(error) => scratch_advised(error),
                    wrong => disproved(&wrong),
                })?;
                Proved::Table(proof)
            }
        };
        if exchange.rank() > 0 {
            return Ok(Status::Yes); // printed by the first rank
        }
        let record = ProofRecord {
            path: database.path.is_some().then(|| database.name()),
            right: true,
            proof,
        };
        args.output.print(&record, |out| {
            writeln!(out, "{} is right:", visible(&database.name()))?;
            record.proof.write(out)
        })
    })
}

impl Args {
    /// Prints what the database holds.
    fn list(&self, databases: &Databases) -> Result<Status, CliError> {
        let database = databases.database(&self.question)?;
        let mut record = database.record();
        record.digest = Some(sha256_of(database.bytes().reader())?);
        if let (Contents::Table(_), Some(shape)) = (&database.contents, self.question.shape) {
            record.shape = Some(shape.to_string()); // the file may name the transposed one
            record.goal = Some(databases.goal(shape)?.to_string());
        }
        (self.output).print(&record, |out| write_fields(&record, WIDTH, out))
    }

    fn prove(&self, table: &Arc<Table>, exchange: &Arc<dyn Exchange>) -> Result<Proof, CheckError> {
        if self.resources.scratch.is_some() {
            interrupt::listen(); // a proof in files can be resumed
        }
        let mut options = CheckOptions::default();
        options.memory = self.resources.memory;
        options.scratch = self.resources.scratch.clone();
        options.exchange = exchange.clone();
        watched(Some(table.header().states()), || {
            check_by(table, &options, &mut |search| {
                progress().reach(search.states);
                interrupt::go_on()
            })
        })
    }
}

/// Width of the names of a database's fields.
const WIDTH: usize = 15;

/// A database and what is proved of it.
#[derive(Serialize)]
struct ProofRecord {
    path: Option<String>,
    right: bool,
    #[serde(flatten)]
    proof: Proved,
}

/// Proof of a database.
#[derive(Serialize)]
#[serde(untagged)]
enum Proved {
    Table(Proof),
    Patterns(PatternProof),
}

impl Proved {
    /// Writes what is proved, and what follows, for people.
    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "- every byte has its checksum")?;
        let proof = match self {
            Proved::Table(proof) => proof,
            Proved::Patterns(PatternProof {
                states,
                sampled,
                max_distance,
                ..
            }) => {
                return write!(
                    out,
                    "- each of {states} states has the bit of its distance, up to {max_distance}, that a search from \
                     the goal finds\n\
                     - from {sampled} states of each pattern, one move apart, walks by look-ups lead to the goal, each \
                     longer or shorter than the last by exactly 1\n\
                     So no sum of its distances is more than a board's distance.\n"
                );
            }
        };
        let (states, moves, sampled) = (proof.states, proof.moves, proof.sampled);
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
        if proof.parents {
            writeln!(out, "- every parent move leads one closer")?;
        }
        write!(
            out,
            "- the header's level counts are true, up to distance {}\n\
             So every distance in it is the length of a shortest solution.\n",
            proof.max_distance
        )
    }
}
