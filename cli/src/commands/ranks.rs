//! Commands that several processes run together, started by `mpirun` or the like.

use std::ffi::OsString;
use std::sync::Arc;

use puzzledb::internals::{Exchange, SearchOptions};

use super::args::SearchResources;
use super::error::{CliError, Result, Status, bail, print_error};

/// Runs a command, whose searches may use these resources, on this process alone, or with `--mpi` on all that were started
/// together. They end with the same exit code; an error is that of the first that has one.
pub(super) fn alone_or_together(
    resources: &SearchResources,
    run: impl FnOnce(&SearchOptions) -> Result<Status>,
) -> Result<Status> {
    let mut options = SearchOptions::default();
    options.memory = resources.memory;
    options.scratch = resources.scratch.clone();
    if !resources.mpi {
        return run(&options);
    }
    options.exchange = start()?;
    let result = is_alike(&*options.exchange).and_then(|_| run(&options));
    end_together(&*options.exchange, result)
}

fn start() -> Result<Arc<dyn Exchange>> {
    #[cfg(not(feature = "mpi"))]
    bail!(
        "this puzzledb was built without MPI: `cargo build --release --features mpi` builds one with it"
    );
    #[cfg(feature = "mpi")]
    match (number(), puzzledb::internals::Mpi::start) {
        (None, _) => {
            bail!("--mpi is for processes that are started together: `mpirun -np 4 puzzledb ...`")
        }
        (_, start) => match start() {
            Some(mpi) => Ok(Arc::new(mpi)),
            None => bail!("MPI does not start here"),
        },
    }
}

/// Checks that all processes were started as the same version with the same arguments.
fn is_alike(exchange: &dyn Exchange) -> Result<Status> {
    let folder = std::env::var_os("PUZZLEDB_DIR").unwrap_or_default();
    let about = [env!("CARGO_PKG_VERSION").into(), folder];
    let about = about.into_iter().chain(std::env::args_os().skip(1));
    let about: Vec<Vec<u8>> = about.map(OsString::into_encoded_bytes).collect();
    let all = exchange.all(&about.join(&0));
    match all.iter().position(|other| *other != all[0]) {
        None => Ok(Status::Yes),
        Some(rank) => Err(CliError::Usage(format!(
            "ranks 0 and {rank} are different versions of puzzledb, or have different arguments"
        ))),
    }
}

/// Ends the command on all processes with the error of the first one that has an error of its own. The first process
/// reports it.
fn end_together(exchange: &dyn Exchange, result: Result<Status>) -> Result<Status> {
    let Some((code, message)) = first_error(exchange, &result) else {
        return result;
    };
    if exchange.rank() == 0 && ![0, 130].contains(&code) {
        print_error(message);
    }
    exchange.all(&[]); // waits for the report: launchers end all processes when one fails
    Err(CliError::AlreadyReported(code))
}

/// Exit code and message of the first process with an error of its own.
fn first_error(exchange: &dyn Exchange, result: &Result<Status>) -> Option<(u8, String)> {
    let own = match result {
        Ok(_) | Err(CliError::OtherRank) => None,
        Err(error) => Some((error.code(), error.to_string())),
    };
    let mut all = exchange.told(&own).into_iter().enumerate();
    let (rank, (code, message)) = all.find_map(|(rank, told)| Some((rank, told?)))?;
    match rank {
        0 => Some((code, message)),
        _ => Some((code, format!("rank {rank}: {message}"))),
    }
}

/// The number of this process among those that were started together, as launchers give it.
pub(super) fn number() -> Option<u32> {
    let names = [
        "OMPI_COMM_WORLD_RANK",
        "PMIX_RANK",
        "PMI_RANK",
        "SLURM_PROCID",
    ];
    let value = names.iter().find_map(std::env::var_os)?;
    value.to_str()?.parse().ok()
}

/// Returns whether this process reports an error that stops all of them before the start: always, unless `--mpi` is
/// among the arguments. In the other processes it returns after a moment: the first one that ends would end them all.
pub(super) fn is_reporting_rank() -> bool {
    let is_one_of_many = std::env::args_os().any(|argument| argument == "--mpi");
    let reports = !is_one_of_many || matches!(number(), None | Some(0));
    if !reports {
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    reports
}

#[cfg(test)]
#[path = "../../../src/bfs/ranks/tests/threads.rs"]
mod threads;

#[cfg(test)]
mod tests {
    use super::threads::Threads;
    use super::*;

    #[test]
    fn all_ranks_end_as_the_first_with_an_error_of_its_own() {
        let ended = Threads::run(4, |exchange| {
            let result = match exchange.rank() {
                0 | 3 => Err(CliError::OtherRank),
                rank => Err(CliError::Database(format!("disk {rank} is full"))),
            };
            first_error(&*exchange, &result)
        });
        let told = "rank 1: disk 1 is full".to_owned();
        assert_eq!(ended, vec![Some((3, told)); 4]);
        let good = Threads::run(3, |exchange| {
            end_together(&*exchange, is_alike(&*exchange)).is_ok()
        });
        assert_eq!(good, [true; 3]);
    }
}
