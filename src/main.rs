//! The `puzzledb` command: see `puzzledb --help` and [`puzzledb::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    puzzledb::cli::run()
}
