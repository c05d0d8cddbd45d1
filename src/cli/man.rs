//! `puzzledb man`

use std::io::Write;

use super::error::CliError;
use super::status::Status;

/// Print the manual page, of puzzledb or of one of its commands
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The command
    command: Option<String>,
}

/// Prints the page of `command`, or of one of its subcommands.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<Status, CliError> {
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| CliError::Usage(format!("there is no command {name:?}")))?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    std::io::stdout().write_all(&page)?;
    Ok(Status::Yes)
}
