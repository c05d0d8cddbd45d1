//! `puzzledb completions`

use std::io::Write;

use clap::builder::PossibleValuesParser;

use puzzledb::search::{Algorithm, HeuristicName};

use super::error::{CliError, Status};

/// Print a script that completes puzzledb's words in a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Prints the script for the words of `command`.
pub(super) fn run(args: &Args, command: clap::Command) -> Result<Status, CliError> {
    let mut script = Vec::new(); // the generator panics where a pipe is closed
    clap_complete::generate(
        args.shell,
        &mut with_values(command),
        "puzzledb",
        &mut script,
    );
    std::io::stdout().write_all(&script)?;
    Ok(Status::Yes)
}

/// The command with the usual values of options that take others as well.
fn with_values(command: clap::Command) -> clap::Command {
    let commands: Vec<String> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    let values_of = |command: &str, arg: clap::Arg| {
        let values: Vec<String> = match arg.get_id().as_str() {
            "algorithm" | "algorithms" => Algorithm::all().map(|a| a.to_string()).collect(),
            "heuristic" | "heuristics" => HeuristicName::all().map(|h| h.to_string()).collect(),
            "goal" => ["last", "first", "spiral"].map(String::from).to_vec(),
            "shape" | "shapes" => ["2x2", "2x3", "2x4", "2x5", "3x3", "3x4", "4x4", "5x5"]
                .map(String::from)
                .to_vec(),
            "command" if command == "man" => commands.clone(),
            _ => return arg,
        };
        // clap takes constant names. The leak is harmless, since this process ends at once.
        arg.value_parser(PossibleValuesParser::new(
            values.into_iter().map(|value| &*value.leak()),
        ))
    };
    let command = command.mut_args(|arg| values_of("", arg));
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| values_of(&name, arg))
    })
}
