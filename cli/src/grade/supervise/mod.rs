//! Running a program under limits and ending every process that it started.
//!
//! Gradings and audits run programs through the same `Supervisor`: `run` starts a program and watches its limits, and
//! `pipe` reads its output. On Unix `process` reads the system's process table, `registry` decides which process
//! belongs to which program, and `tree` ends a program with all its processes. On Windows `job` does all three by job
//! objects.

#[cfg(target_os = "linux")]
pub(crate) mod guard;
#[cfg(windows)]
mod job;
#[cfg(unix)]
mod memory;
pub(super) mod pipe;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod registry;
pub(super) mod run;
mod settings;
#[cfg(unix)]
mod tree;

use std::process::{ChildStderr, ChildStdin, ChildStdout};

#[cfg(windows)]
use job::ProcessTree;
pub(super) use run::Supervisor;
pub use settings::{Limit, Supervision};
#[cfg(unix)]
use tree::ProcessTree;

/// The ends of a started program's standard input, output and error.
type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);
