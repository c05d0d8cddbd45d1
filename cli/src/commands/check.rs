//! `puzzledb check`

use std::fmt::{Display, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use crate::text::visible;
use puzzledb::bfs::Exchange;
use puzzledb::oracle::check::{CheckError, CheckOptions, check_by};
use puzzledb::pattern::{self, PatternFile};
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
    /// What is proved, a sentence each.
    #[serde(skip)]
    proved: Vec<String>,
    /// What follows.
    #[serde(skip)]
    conclusion: &'static str,
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
        let record = match exchange.agree(opened, || CliError::OtherRank)? {
            Database::Patterns(file, path) => prove_patterns(&file, &path, databases)?,
            Database::Table(table, path) => {
                let path = path.map(|path| path.display().to_string());
                args.prove(&table, path, databases, exchange)?
            }
        };
        if exchange.rank() > 0 {
            return Ok(Status::Yes); // printed by the first rank
        }
        let name = record.path.as_deref().unwrap_or(IN_MEMORY);
        args.output.print(&record, |out| {
            writeln!(out, "{} is right:", visible(name))?;
            (record.proved.iter()).try_for_each(|line| writeln!(out, "- {line}"))?;
            writeln!(out, "So {}.", record.conclusion)
        })
    })
}

/// Name of a table without a file.
const IN_MEMORY: &str = "the table in memory";

impl Args {
    fn prove(
        &self,
        table: &Arc<Table>,
        path: Option<String>,
        databases: &Databases,
        exchange: &Arc<dyn Exchange>,
    ) -> Result<ProofRecord, CliError> {
        let first_pages = exchange.all(&table.header().page());
        if let Some(rank) = first_pages.iter().position(|page| *page != first_pages[0]) {
            bail!(Database, "ranks 0 and {rank} see different databases");
        }
        if self.resources.scratch.is_some() {
            interrupt::listen(); // a proof in files can be resumed
        }
        let mut options = CheckOptions::default();
        options.memory = self.resources.memory;
        options.scratch = self.resources.scratch.clone();
        options.exchange = exchange.clone();
        let proof = watched_to(table.header().states(), || {
            check_by(table, &options, &mut |search| {
                progress().reach(search.states);
                interrupt::go_on()
            })
        });
        let proof = proof.map_err(|error| match error {
            CheckError::Search(error) => scratch_advised(error),
            CheckError::OtherRank => CliError::OtherRank,
            wrong => {
                let name = path.as_deref().unwrap_or(IN_MEMORY);
                disproved(name, wrong, &databases.command_for_table(table))
            }
        })?;
        let mut proved = vec![
            "every byte has its checksum".to_owned(),
            format!(
                "distance 0 is at the goal alone, of {} states",
                proof.states
            ),
            format!(
                "each of {} moves changes the distance by exactly 1",
                proof.moves
            ),
            "every state but the goal has a neighbour one closer".to_owned(),
        ];
        if proof.sampled > 0 {
            let sampled = proof.sampled;
            proved.push(format!(
                "{sampled} drawn states say so too, their moves made one by one"
            ));
        }
        if proof.parents {
            proved.push("every parent move leads one closer".to_owned());
        }
        let furthest = proof.max_distance;
        proved.push(format!(
            "the header's level counts are true, up to distance {furthest}"
        ));
        Ok(ProofRecord {
            path,
            right: true,
            states: proof.states,
            moves: Some(proof.moves),
            sampled: proof.sampled,
            max_distance: proof.max_distance,
            parents: Some(proof.parents),
            proved,
            conclusion: "every distance in it is the length of a shortest solution",
        })
    }
}

fn prove_patterns(
    file: &PatternFile,
    path: &Path,
    databases: &Databases,
) -> Result<ProofRecord, CliError> {
    let name = path.display().to_string();
    let proof = pattern::check(file).map_err(|wrong| {
        let build = databases.command_for_patterns(file.patterns().partition());
        disproved(&name, wrong, &build)
    })?;
    let proved = vec![
        "every byte has its checksum".to_owned(),
        format!(
            "each of {} states has the bit of its distance, up to {}, that a search from the goal finds",
            proof.states, proof.max_distance
        ),
        format!(
            "from {} states of each pattern, one move apart, walks by look-ups lead to the goal, each longer or \
             shorter than the last by exactly 1",
            proof.sampled
        ),
    ];
    Ok(ProofRecord {
        path: Some(name),
        right: true,
        states: proof.states,
        moves: None,
        sampled: proof.sampled,
        max_distance: proof.max_distance,
        parents: None,
        proved,
        conclusion: "no sum of its distances is more than a board's distance",
    })
}

/// Error for a database that is not right, with the command that builds it.
fn disproved(name: &str, wrong: impl Display, build: &str) -> CliError {
    let output = quoted(name);
    CliError::Database(format!(
        "{name} {wrong}\n  `{build} --force --output {output}` makes it anew"
    ))
}
