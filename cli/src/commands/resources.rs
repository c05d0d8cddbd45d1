//! Options for the resources of a search.

use std::path::PathBuf;

use super::units::parse_size;

/// Memory, files and processes that a search may use.
#[derive(Debug, clap::Args)]
pub(super) struct SearchResources {
    /// The most memory that the search may take, as in 3GiB [default: what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Search in files of this folder, slab by slab, where the memory is too small; the same
    /// command goes on there after it was ended or killed. With --mpi each process has a folder in it,
    /// which may be a disk of each machine, where as many go on, or one that all see, where any number does
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Share the search among the processes that were started together, as by `mpirun -np 4`, on one
    /// machine or several; --memory is for each of them
    #[arg(long)]
    pub mpi: bool,
}
