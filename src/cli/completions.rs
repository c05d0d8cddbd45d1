//! `puzzledb completions`

use std::io::Write;

use super::error::CliError;
use super::status::Status;

/// Print a script that completes puzzledb's words in a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Prints the script for the words of `command`.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<Status, CliError> {
    let mut script = Vec::new(); // the generator panics where a pipe is closed
    clap_complete::generate(args.shell, &mut command, "puzzledb", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Status::Yes)
}
