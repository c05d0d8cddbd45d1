//! `puzzledb check`

use std::fmt::{Display, Write};
use std::path::Path;

use serde_json::json;

use crate::digest::sha256;
use crate::form::{fields, write_fields};
use crate::text::visible;
use puzzledb::ask::{Check, DatabaseRecord};
use puzzledb::internals::check_by;
use puzzledb::oracle::Database;
use puzzledb::oracle::check::{CheckError, Proof};
use puzzledb::pattern::{self, PatternProof};
use puzzledb::puzzle::Board;

use super::args::SearchResources;
use super::database::{Databases, goal_of};
use super::error::{CliError, Result, Status, bail, scratch_advised};
use super::interrupt;
use super::output::Output;
use super::ranks;
use super::waiting::{observe, watched};

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

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    if args.question.quick {
        let (path, database) = databases.database(&args.question)?;
        let usual = || Ok(goal_of(database.class()));
        let goal = (args.question.shape).map_or_else(usual, |shape| databases.goal(shape))?;
        let record = listed(path.as_deref(), &database, Some(&goal))?;
        return args.output.print(&record, |out| write_fields(&record, out));
    }
    ranks::alone_or_together(&args.resources, |options| {
        let exchange = &options.exchange;
        let (path, database) = exchange.agree(databases.database(&args.question))?;
        let shown = path.as_ref().map(|path| path.display().to_string());
        let name = shown.as_deref().unwrap_or("the table in memory");
        let disproved = |wrong: &dyn Display| {
            let path = path.as_deref().unwrap_or(Path::new(""));
            databases.unfit(path, Some(format!("{name} {wrong}")), None)
        };
        let (proof, facts) = match &database {
            Database::Patterns(_) if args.resources.mpi => {
                bail!("patterns are proved by one process: leave out --mpi")
            }
            Database::Patterns(patterns) => {
                let proof = pattern::check(patterns).map_err(|error| disproved(&error))?;
                (fields(&proof), facts_of_patterns(&proof))
            }
            Database::Table(table) => {
                let first_pages = exchange.all(&table.header().page());
                if let Some(rank) = first_pages.iter().position(|page| *page != first_pages[0]) {
                    let what = format!("ranks 0 and {rank} see different databases");
                    return Err(CliError::Database(what));
                }
                if options.scratch.is_some() {
                    interrupt::listen(); // a proof in files can be resumed
                }
                let states = Some(table.header().states());
                let proof = watched(states, || check_by(table, options, &mut observe));
                let proof = proof.map_err(|error| match error {
                    CheckError::Search(error) => scratch_advised(error, ""),
                    wrong => disproved(&wrong),
                })?;
                (fields(&proof), facts_of_table(&proof))
            }
        };
        if exchange.rank() > 0 {
            return Ok(Status::Yes); // printed by the first rank
        }
        let mut record = fields(&json!({ "path": shown, "right": true }));
        record.extend(proof);
        args.output.print(&record, |out| {
            let name = visible(name);
            write!(
                out,
                "{name} is right:\n- every byte has its checksum\n{facts}"
            )
        })
    })
}

/// Bytes that are read at a time.
const PIECE: u64 = 1 << 14;

/// The record of what a database holds, a table with the shape and the goal that were asked for: the file may name the
/// transposed ones.
pub(super) fn listed(
    path: Option<&Path>,
    database: &Database,
    goal: Option<&Board>,
) -> Result<DatabaseRecord> {
    let mut record = DatabaseRecord::new(database, path)?;
    let bytes = database.bytes();
    let piece = |at| bytes.part(at, PIECE.min(bytes.len() - at) as usize);
    record.digest = Some(sha256((0..bytes.len()).step_by(PIECE as usize).map(piece))?);
    if let (Database::Table(_), Some(goal)) = (database, goal) {
        record.shape = Some(goal.shape().to_string());
        record.goal = Some(goal.to_string());
    }
    Ok(record)
}

/// What is proved of patterns, and what follows, for people.
fn facts_of_patterns(proof: &PatternProof) -> String {
    let (states, sampled, most) = (proof.states, proof.sampled, proof.max_distance);
    format!(
        "- each of {states} states has the bit of its distance, up to {most}, that a search from the goal finds\n\
         - from {sampled} states of each pattern, one move apart, walks by look-ups lead to the goal, each longer \
         or shorter than the last by exactly 1\n\
         So no sum of its distances is more than a board's distance.\n"
    )
}

/// What is proved of a table, and what follows, for people.
fn facts_of_table(proof: &Proof) -> String {
    let (states, moves, most) = (proof.states, proof.moves, proof.max_distance);
    let drawn = match proof.sampled {
        0 => String::new(),
        drawn => format!("- {drawn} drawn states say so too, their moves made one by one\n"),
    };
    let parents = match proof.parents {
        true => "- every parent move leads one closer\n",
        false => "",
    };
    format!(
        "- distance 0 is at the goal alone, of {states} states\n\
         - each of {moves} moves changes the distance by exactly 1\n\
         - every state but the goal has a neighbour one closer\n\
         {drawn}{parents}\
         - the header's level counts are true, up to distance {most}\n\
         So every distance in it is the length of a shortest solution.\n"
    )
}
