//! Running a program under limits and ending every process that it started.
//!
//! Gradings and audits run programs by the same [`Supervision`]: `run` starts a program and watches its limits, and
//! `pipe` reads its output. On Unix `process` reads the system's process table, and `tree` decides which process
//! belongs to which program, and ends a program with all its processes. On Linux `guard` puts two processes of this
//! executable between the command line and each program. On Windows `job` does all three by job objects.

#[cfg(target_os = "linux")]
pub(crate) mod guard;
#[cfg(windows)]
mod job;
pub(super) mod pipe;
#[cfg(unix)]
mod process;
pub(super) mod run;
#[cfg(unix)]
mod tree;

use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::units::{parse_size, parse_time};

#[cfg(windows)]
use job::ProcessTree;
#[cfg(unix)]
use tree::ProcessTree;

/// The ends of a started program's standard input, output and error.
type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// Supervision of a program: its limits, and the way its processes are found at the end.
///
/// Every program runs in a process group of its own, and when it has ended or exceeded a limit, that
/// group and every other process of the program that can be found is killed. On Linux the program's processes outside
/// the group are found by `/proc`: those that were seen below the program while it ran, and those whose environment
/// still has the variable `PUZZLEDB_GRADES` that the program was started with. On the command line each program runs
/// below a process of its own besides, which adopts all orphans, so that none can escape. On Windows it runs in a job object,
/// which it cannot leave, and which ends with the calling process too. CPU time, memory and processes are watched on
/// Linux and Windows only. The timeout is wall-clock time, in an audit without the program either reading boards or
/// printing values.
///
/// ```
/// use std::time::Duration;
/// use puzzledb_cli::grade::Supervision;
///
/// let mut supervision = Supervision::default();
/// supervision.timeout = Duration::from_secs(2);
/// assert_eq!(supervision.memory, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[non_exhaustive]
pub struct Supervision {
    /// Time for a board
    #[arg(id = "time", long = "time", alias = "timeout", value_name = "LIMIT", default_value = "10s", value_parser = parse_time)]
    pub timeout: Duration,
    /// Memory for a board, of the program and all that it starts together
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_size)]
    pub memory: u64,
    /// CPU time for a board, of the program and all that it starts together [default: any]
    #[arg(long, value_name = "LIMIT", value_parser = parse_cpu)]
    pub cpu: Option<Duration>,
    /// Bytes that the program may print for one board. An audit expects one line per board instead.
    #[arg(skip = 16usize << 20)]
    pub output: usize,
    /// Processes of the program at a time, itself included.
    #[arg(skip = 256usize)]
    pub processes: usize,
    /// Whether this process has no children but those of one program, whose input and output are its own, and adopts the
    /// orphans of that.
    #[arg(skip)]
    pub(in crate::grade) adopts_orphans: bool,
    /// Whether programs answer one line after the other: the time limit starts anew whenever one reads or prints
    /// something, and standard error, which is kept otherwise, is that of this process.
    #[arg(skip)]
    pub(in crate::grade) runs_filters: bool,
}

impl Default for Supervision {
    /// 10 s, any CPU time, 1 GiB, 16 MiB of output and 256 processes.
    fn default() -> Supervision {
        defaults()
    }
}

/// Options that are not given.
pub(super) fn defaults<T: clap::Args>() -> T {
    let command = T::augment_args(clap::Command::new("grade").no_binary_name(true));
    let options = T::from_arg_matches(&command.get_matches_from([""; 0]));
    options.expect("each option has a default")
}

/// Parses a limit of CPU time.
fn parse_cpu(text: &str) -> Result<Duration, String> {
    match cfg!(any(target_os = "linux", windows)) {
        true => parse_time(text),
        false => Err("this system does not report the CPU time of running programs".to_owned()),
    }
}

/// A limit that a program exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// CPU time.
    CpuTime,
    /// Memory.
    Memory,
    /// Bytes of output.
    Output,
    /// Processes at a time.
    Processes,
}

impl Limit {
    /// The outcome of a program that exceeds it.
    pub fn label(self) -> &'static str {
        match self {
            Limit::Time => "timeout",
            Limit::CpuTime => "CPU timeout",
            Limit::Memory => "out of memory",
            Limit::Output => "too much output",
            Limit::Processes => "too many processes",
        }
    }
}
