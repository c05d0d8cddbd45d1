//! The `puzzledb` command: see `puzzledb --help` and [`puzzledb_cli::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    puzzledb_cli::run()
}
