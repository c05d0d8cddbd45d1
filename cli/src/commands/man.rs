//! `puzzledb man`

use std::io::Write;

use puzzledb::internals::basics::did_you_mean;

use super::error::{Result, Status, bail};
use super::examples;

/// Print the manual pages, of puzzledb and all its commands, or of one command
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The command
    command: Option<String>,
}

/// Prints the page of one of the subcommands of `command`, or all pages.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<Status> {
    command.build();
    let mut pages = Vec::new();
    if let Some(name) = &args.command {
        let Some(found) = command.find_subcommand(name) else {
            let names = command.get_subcommands().map(clap::Command::get_name);
            let suggestion = did_you_mean(name, names);
            bail!("there is no command {name:?}{suggestion}");
        };
        page(found, &mut pages)?;
    } else {
        let shown = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut all = std::iter::once(&command).chain(shown);
        all.try_for_each(|command| page(command, &mut pages))?;
    }
    std::io::stdout().write_all(&pages)?;
    Ok(Status::Yes)
}

/// Appends the page of a command, with its examples in a section of their own.
fn page(command: &clap::Command, pages: &mut Vec<u8>) -> Result<()> {
    clap_mangen::Man::new(command.clone().before_help(None)).render(pages)?;
    let examples = examples::of(command.get_name());
    if !examples.is_empty() {
        writeln!(pages, ".SH EXAMPLES\n.nf")?;
        for example in examples {
            let example = example.replace('\\', "\\e").replace('-', "\\-");
            writeln!(pages, "\\&{example}")?; // a dot at the start of a line would be a macro
        }
        writeln!(pages, ".fi")?;
    }
    Ok(())
}
