//! Promises of the command line and of the server, a module each.

#[path = "../common/bytes.rs"]
mod bytes;
#[path = "../common/run.rs"]
mod run;
#[path = "../common/server.rs"]
mod server;

mod anytime;
mod atomic_build;
mod audit_cli;
mod checkpoints;
mod cli;
mod count;
mod damaged_files;
mod faults;
mod generate;
mod grade;
mod grade_limits;
mod grade_reports;
mod mpi;
