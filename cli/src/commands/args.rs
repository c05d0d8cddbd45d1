//! Arguments that several commands have.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::grade::Supervision;
use puzzledb::puzzle::{Numbering, Shape};

use super::units::{parse_size, parse_time};

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

/// Known programs whose output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Preset {
    /// path_to_goal: [...], cost_of_path: N, in a file output.txt
    Columbia,
    /// A table: ALGORITHM,INIT_STATE,GOAL_STATE,PATH_LENGTH,...,PATH
    Massey,
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

/// Limits of a program that is run.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ProgramLimits {
    /// Time for a board
    #[arg(long, alias = "timeout", value_name = "LIMIT", default_value = "10s", value_parser = parse_time)]
    time: Duration,
    /// Memory for a board, of the program and all that it starts together
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_size)]
    memory: u64,
}

impl ProgramLimits {
    pub(super) fn supervision(&self) -> Supervision {
        Supervision {
            timeout: self.time,
            memory: self.memory,
            adopt_orphans: true,
            ..Supervision::default()
        }
    }
}

/// Reads a distance, or two with dots between them.
pub(super) fn distances(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.trim_start_matches('=').parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("not a distance, or two as in 25..31".to_owned()),
    }
}
