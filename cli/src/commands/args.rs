//! Arguments that several commands have.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::units::parse_size;
use puzzledb::puzzle::{Numbering, Shape};

/// Options of boards that are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct NumberingArgs {
    /// Rows x columns, for boards that are not square
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Shape>,
    /// The number that stands for the blank in boards, tile numbers and goals that are read: 9, or
    /// 8 where tiles are counted from 0, as in "0 1 2 3 4 5 6 8 7" (3x3); what is printed has 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub blank: u8,
}

impl NumberingArgs {
    /// The shape that was named, or that of the 8-puzzle.
    pub(super) fn shape_or_usual(&self) -> Shape {
        self.shape.unwrap_or(Shape::EIGHT_PUZZLE)
    }

    pub(super) fn numbering(&self) -> Numbering {
        let &NumberingArgs { shape, blank } = self;
        Numbering { shape, blank }
    }
}

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
