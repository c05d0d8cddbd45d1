//! `puzzledb man`

use std::io::Write;

use puzzledb::basics::meant;

use super::error::CliError;
use super::examples;
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
        let Some(found) = command.find_subcommand(name).cloned() else {
            let meant = meant(name, command.get_subcommands().map(clap::Command::get_name));
            return Err(CliError::Usage(format!(
                "there is no command {name:?}{meant}"
            )));
        };
        command = found.before_help(None); // the examples have a section of their own
    }
    let mut page = Vec::new();
    let examples = args.command.as_deref().map_or(&[][..], examples::of);
    clap_mangen::Man::new(command).render(&mut page)?;
    if !examples.is_empty() {
        writeln!(page, ".SH EXAMPLES\n.nf")?;
        for example in examples {
            writeln!(page, "{}", example.replace('\\', "\\e").replace('-', "\\-"))?;
        }
        writeln!(page, ".fi")?;
    }
    std::io::stdout().write_all(&page)?;
    Ok(Status::Yes)
}
