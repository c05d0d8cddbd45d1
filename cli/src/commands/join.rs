//! `puzzledb join`

use std::path::PathBuf;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::digest::sha256_of;
use puzzledb::table::{JoinError, Notice, join};

use super::built::{tell_built, teller};
use super::error::CliError;
use super::interrupt;
use super::output::Output;
use super::status::Status;

/// Put a database together from the shards that `build --mpi --shards` has made
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The database
    #[arg(value_name = "FILE")]
    output: PathBuf,
    /// All shards, in any order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Write it even if a good database, or another file, is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    form: Output,
}

#[derive(Serialize)]
struct JoinRecord {
    path: String,
    shape: String,
    states: u64,
    max_distance: u8,
    bytes: u64,
    digest: String,
}

pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    interrupt::listen();
    let bar = ProgressBar::hidden();
    let mut tell = teller(&bar, false);
    let waiting = || {
        tell(Notice::Waiting);
        interrupt::go_on()
    };
    let joined = join(&args.output, &args.shards, args.force, waiting);
    let (table, built) = joined.map_err(|error| match error {
        JoinError::Build(error) => error.into(),
        JoinError::Read { .. } | JoinError::NoShard(_) => CliError::Database(error.to_string()),
        error => CliError::Usage(error.to_string()),
    })?;
    let (header, bytes) = (table.header(), table.bytes());
    let shape = header.class().shape().transposed().to_string();
    let contents = format!(
        "{shape} boards, {} states, max distance {}, {} bytes, encoding {}",
        header.states(),
        header.max_distance(),
        bytes.len(),
        header.encoding()
    );
    let record = || {
        Ok(JoinRecord {
            path: args.output.display().to_string(),
            shape,
            states: header.states(),
            max_distance: header.max_distance(),
            bytes: bytes.len(),
            digest: sha256_of(bytes.reader())?,
        })
    };
    tell_built(&built, &args.output, Some(&args.form), record, &contents)
}
