//! Arguments that several commands have.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::units::parse_size;

/// Memory, files and processes that a search may use.
#[derive(Debug, clap::Args)]
pub(super) struct SearchResources {
    /// The most memory that the search may take, as in 3GiB [default: what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Search in files of this folder, slab by slab, where the memory is too small; the same
    /// command goes on there after it was ended or killed. With --mpi a private disk needs the same
    /// number of processes to go on, a shared folder accepts any
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Share the search among the processes that were started together, as by `mpirun -np 4`, on one
    /// machine or several; --memory is for each of them
    #[arg(long, hide = cfg!(not(feature = "mpi")))]
    pub mpi: bool,
}

/// Reads a distance, or two with dots between them.
pub(super) fn distances(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.trim_start_matches('=').parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("not a distance, or two as in 25..31".to_owned()),
    }
}
