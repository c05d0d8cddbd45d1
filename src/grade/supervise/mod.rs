//! Running a program under limits and ending every process that it started.
//!
//! Gradings and audits run programs through the same [`Supervisor`](tree::Supervisor): `run` starts a
//! program and watches its limits, `pipe` reads what it prints, `process` reads the system's process
//! table, `registry` decides which process belongs to which program, and `tree` ends a program with
//! all its processes.

#[cfg(all(target_os = "linux", feature = "cli"))]
pub(crate) mod guard;
mod memory;
pub(super) mod pipe;
mod process;
mod registry;
pub(super) mod run;
mod settings;
pub(super) mod tree;

pub use settings::Supervision;
