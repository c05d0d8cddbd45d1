//! `puzzledb build --join`

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use puzzledb::table::{Notice, join};

use super::built::{notice_printer, print_built};
use super::database::Database;
use super::error::{CliError, Status};
use super::interrupt;
use super::output::Output;

/// Put a database together from the shards that `build --mpi --shards` has made
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The database
    #[arg(value_name = "FILE")]
    output: PathBuf,
    /// All shards, in any order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Write it even if a good database is there; other files are never replaced
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    form: Output,
}

/// Puts a database together.
pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    write(&args.output, &args.shards, args.force, &args.form)
}

/// Puts a database together from its shards.
pub(super) fn write(
    output: &Path,
    shards: &[PathBuf],
    force: bool,
    form: &Output,
) -> Result<Status, CliError> {
    interrupt::listen();
    let bar = ProgressBar::hidden();
    let mut print = notice_printer(&bar, false);
    let waiting = || {
        print(Notice::Waiting);
        interrupt::go_on()
    };
    let (table, built) = join(output, shards, force, waiting)?;
    let shape = table.header().class().shape().transposed();
    let database = Database::Table(table.into(), Some(output.to_owned()));
    print_built(&database, &built, shape, None, Some(form))
}
