//! `puzzledb completions`

use std::io::Write;

use clap::builder::PossibleValuesParser;

use puzzledb::search::{Algorithm, HeuristicName};

use super::error::{Result, Status};

/// Print a script that completes puzzledb's words in a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Prints the script for the words of `command`.
pub(super) fn run(args: &Args, command: clap::Command) -> Result<Status> {
    let mut script = Vec::new(); // the generator panics where a pipe is closed
    let mut command = with_values(command);
    clap_complete::generate(args.shell, &mut command, "puzzledb", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Status::Yes)
}

/// The command with the usual values of options that take others as well.
fn with_values(command: clap::Command) -> clap::Command {
    let with_values = |arg: clap::Arg| {
        let values: Vec<&'static str> = match arg.get_id().as_str() {
            "algorithm" => Algorithm::all().map(Algorithm::name).collect(),
            // clap takes constant names. The leak is harmless, since this process ends at once.
            "heuristic" => HeuristicName::all()
                .map(|h| &*h.to_string().leak())
                .collect(),
            "goal" => vec!["last", "first", "spiral"],
            "shape" | "shapes" => vec!["2x2", "2x3", "2x4", "2x5", "3x3", "3x4", "4x4", "5x5"],
            _ => return arg,
        };
        arg.value_parser(PossibleValuesParser::new(values))
    };
    let command = command.mut_args(with_values);
    command.mut_subcommands(|command| command.mut_args(with_values))
}
