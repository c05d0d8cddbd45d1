//! `puzzledb man`

use std::io::Write;

use clap::builder::PossibleValuesParser;

use super::error::{Result, Status};
use super::{GROUPS, examples};

/// Print the manual pages, of puzzledb and all its commands, or of one command
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The command
    #[arg(hide_possible_values = true,
        value_parser = PossibleValuesParser::new(GROUPS.iter().flat_map(|(_, names)| names.split(' '))))]
    command: Option<String>,
}

/// Prints the page of one of the subcommands of `command`, or all pages.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<Status> {
    command.build();
    let mut pages = Vec::new();
    let is_asked = |its: &&clap::Command| match &args.command {
        Some(name) => its.get_name() == name,
        None => !its.is_hide_set(),
    };
    let all = std::iter::once(&command).chain(command.get_subcommands());
    (all.filter(is_asked)).try_for_each(|command| page(command, &mut pages))?;
    std::io::stdout().write_all(&pages)?;
    Ok(Status::Yes)
}

/// Appends the page of a command, with its examples in a section of their own.
fn page(command: &clap::Command, pages: &mut Vec<u8>) -> Result<()> {
    clap_mangen::Man::new(command.clone().before_help(None)).render(pages)?;
    let examples = examples(command.get_name());
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
