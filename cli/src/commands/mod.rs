//! The command line: arguments in, a library call, text out.
//!
//! One file a subcommand. Results go to standard output; progress, hints and errors go to standard error.
//! `puzzledb --help` lists the exit codes.

mod anytime;
mod apply;
mod args;
mod audit;
mod boards;
mod build;
mod check;
mod completions;
mod database;
mod effort;
mod error;
mod export;
mod generate;
mod grade;
mod histogram;
mod input;
mod interrupt;
mod man;
mod output;
mod pddl;
mod play;
mod probe;
mod ranks;
mod render;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod stats;
mod verify;
mod waiting;
mod watch;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::Resettable::Reset;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::text::visible;
use puzzledb::puzzle::{Shape, parse_board};

use database::Databases;
use error::{CliError, print_note};

/// The truth about sliding-tile puzzles: every board's shortest solution is a look-up
///
/// Boards are written row by row with 0 for the blank: 704851632, "7 0 4 8 5 1 6 3 2",
/// 704/851/632, [[7,0,4],[8,5,1],[6,3,2]]; larger boards, up to 8x8, with letters from a = 10 to o = 24
/// or numbers.
///
/// Exit codes: 0 yes; 1 a negative answer, such as an unsolvable board; 2 bad usage or bad input;
/// 3 a database that is missing, damaged or cannot be written; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "puzzledb", version, max_term_width = 100)]
#[command(verbatim_doc_comment, next_help_heading = "Global options")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    databases: Databases,
    /// Colours: auto is on a terminal unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// Text printed by `puzzledb` alone.
const START: &str = include_str!("start.txt");

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Args),
    Solve(solve::Args),
    Probe(probe::Args),
    Apply(apply::Args),
    Play(play::Args),
    Stats(stats::Args),
    Verify(verify::Args),
    Grade(grade::Args),
    Audit(audit::Args),
    Search(search::Args),
    Effort(effort::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Generate(generate::Args),
    Export(export::Args),
    Check(check::Args),
    Completions(completions::Args),
    Man(man::Args),
    // Older names.
    #[command(about = "Search boards with many algorithms and heuristics, side by side")]
    #[command(hide = true, mut_arg("heuristic", |arg| arg.default_value(search::HEURISTICS)),
        mut_arg("algorithm", |arg| arg.default_value(search::COMPARED)
            .default_value_if("format", "massey", search::COMPARED_BY_MASSEY)))]
    Compare(search::Args),
    #[command(about = "Count the boards at each distance: `stats --count`")]
    #[command(hide = true, mut_args(|arg| arg.requires(Reset)),
        mut_arg("count", |arg| arg.default_value("true")))]
    Count(stats::Args),
    #[command(
        about = "Put a database together from the shards that `build --mpi --shards` has made: `build --join`"
    )]
    #[command(hide = true, mut_arg("output", |arg| arg.long(Reset).short(Reset).required(true)),
        mut_arg("join", |arg| arg.long(Reset).required(true)))]
    Join(build::Args),
    #[command(about = "Print what a database holds: `check --quick`")]
    #[command(hide = true, mut_arg("quick", |arg| arg.default_value("true")))]
    Info(check::Args),
    #[cfg(feature = "serve")]
    #[command(about = "Write the page as files, for any web host, or as one file: `serve --write`")]
    #[command(hide = true, mut_arg("write", |arg| arg.long("output").required(true)))]
    Page(serve::Args),
}

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    #[cfg(target_os = "linux")]
    if crate::grade::supervise::guard::has_guarded() {
        return ExitCode::SUCCESS;
    }
    let parsed = command().try_get_matches();
    let read = |matches: ArgMatches| {
        let given = matches.subcommand().map(|(_, its)| given(its));
        Ok((Cli::from_arg_matches(&matches)?, given.unwrap_or_default()))
    };
    let (cli, given) = match parsed.and_then(read) {
        Ok(read) => read,
        Err(error) => return print_clap(&error),
    };
    let Some(asked) = cli.command else {
        return written(write!(anstream::stdout(), "{START}"));
    };
    match cli.color {
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
    watch::listen();
    interrupt::heed_limits();
    let mut databases = cli.databases;
    // The parser would show the option in usages as if it were given.
    let set = || std::env::var_os("PUZZLEDB_DIR").filter(|dir| !dir.is_empty());
    databases.dir = databases.dir.or_else(|| set().map(PathBuf::from));
    let result = match asked {
        Command::Build(args) | Command::Join(args) => build::run(&args, &databases),
        Command::Solve(args) => solve::run(&args, &databases),
        Command::Probe(args) => probe::run(&args, &databases),
        Command::Apply(args) => apply::run(&args),
        Command::Play(args) => play::run(&args, &databases),
        Command::Stats(args) | Command::Count(args) => stats::run(&args, &databases),
        Command::Verify(args) => verify::run(&args, &databases),
        Command::Grade(args) => grade::run(&args, &databases),
        Command::Audit(args) => audit::run(&args, &databases),
        Command::Search(args) => search::run(args, given, &databases, false),
        Command::Compare(args) => search::run(args, given, &databases, true),
        Command::Effort(args) => effort::run(&args, &databases),
        #[cfg(feature = "serve")]
        Command::Serve(args) | Command::Page(args) => serve::run(&args, &databases),
        Command::Generate(args) => generate::run(&args, &databases),
        Command::Export(args) => export::run(&args, &databases),
        Command::Check(args) | Command::Info(args) => check::run(&args, &databases),
        Command::Completions(args) => completions::run(&args, command()),
        Command::Man(args) => man::run(&args, command()),
    };
    let code = result.map_or_else(CliError::report, |status| ExitCode::from(status as u8));
    databases.note_made();
    code
}

/// The names of the options that were given.
fn given(matches: &ArgMatches) -> Vec<String> {
    let source = |id: &clap::Id| matches.value_source(id.as_str());
    let given = (matches.ids()).filter(|id| source(id) == Some(ValueSource::CommandLine));
    given.map(|id| id.as_str().replace('_', "-")).collect()
}

/// The commands by what people want.
const GROUPS: [(&str, &str); 5] = [
    ("Solve and play", "solve probe apply play generate"),
    ("Judge", "verify grade"),
    ("Search and prove", "search effort audit stats"),
    ("Databases", "build check export"),
    ("Tools", "serve completions man"),
];

/// The command line: commands in groups, with examples before their help and their notes behind it.
fn command() -> clap::Command {
    let with_texts = |command: clap::Command| match &examples(command.get_name())[..] {
        [] => with_notes(command),
        examples => {
            with_notes(command).before_help(format!("Examples:\n  {}", examples.join("\n  ")))
        }
    };
    // The texts of a command are made when it is parsed or its help is printed.
    let command = Cli::command().mut_subcommands(|command| command.defer(with_texts));
    let command = with_notes(command);
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(groups, "{heading}:");
        for name in names.split(' ') {
            let found = command.find_subcommand(name);
            if let Some(about) = found.and_then(clap::Command::get_about) {
                let _ = writeln!(groups, "  {name:<11}  {about}");
            }
        }
        groups.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

/// Example command lines, those of a command in the order in which they are shown.
const EXAMPLES: &str = include_str!("examples.txt");

/// The examples of a command.
fn examples(command: &str) -> Vec<&'static str> {
    let names = |line: &&str| {
        let (_, after) = line.split_once("puzzledb ").unwrap_or_default();
        after.split(' ').next() == Some(command)
    };
    EXAMPLES.lines().filter(names).collect()
}

/// The command with all but the first paragraph of its doc comment behind its options, before what stands there. A line
/// break is kept where the next line is empty or indented.
fn with_notes(command: clap::Command) -> clap::Command {
    let text = command.get_long_about().map(ToString::to_string);
    let Some((_, notes)) = text.as_ref().and_then(|text| text.split_once("\n\n")) else {
        return command;
    };
    let mut flowing = String::new();
    for line in notes.lines() {
        let is_kept = line.is_empty() || line.starts_with(' ') || flowing.ends_with('\n');
        flowing.push(if is_kept { '\n' } else { ' ' });
        flowing.push_str(line);
    }
    if let Some(behind) = command.get_after_help() {
        let _ = write!(flowing, "\n\n{behind}");
    }
    let notes = flowing.trim_start().to_owned();
    command.long_about(None).after_help(notes)
}

/// Prints a help, the version, or an error in the command line, and returns the exit code.
fn print_clap(error: &clap::Error) -> ExitCode {
    let code = ExitCode::from(error.exit_code() as u8);
    if !ranks::is_reporting_rank() {
        return code;
    }
    if !error.use_stderr() {
        return written(error.print());
    }
    let _ = with_visible_arguments(error).print(); // errors on stderr are ignored
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let command = context(ContextKind::InvalidSubcommand);
    let argument = context(ContextKind::InvalidArg);
    if parse_board(command.as_bytes(), None).is_ok() {
        print_note(format!(
            "{command} is a board: `puzzledb solve {command}` solves it"
        ));
    } else if argument.parse::<Shape>().is_ok() {
        print_note(format!("{argument} is a shape: write --shape {argument}"));
    }
    let is_unknown = error.kind() == ErrorKind::UnknownArgument && !argument.starts_with('-');
    if is_unknown && std::env::args_os().any(|argument| argument == "grade") {
        print_note(format!(
            "put `--` before the program: `puzzledb grade -- {argument} {{board}}`"
        ));
    }
    code
}

/// The exit code of text written to standard output.
fn written(result: io::Result<()>) -> ExitCode {
    match result.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => CliError::Io(error).report(),
    }
}

/// Returns the error with the hidden characters of the arguments escaped, by parsing the escaped command line. The
/// error names no argument if that one is valid, or not valid for another reason.
fn with_visible_arguments(error: &clap::Error) -> clap::Error {
    let shown = std::env::args_os().map(|argument| visible(&argument.to_string_lossy()));
    let parsed = command().try_get_matches_from(shown);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Err(shown) if shown.kind() == error.kind() => shown,
        _ => clap::Error::new(error.kind()).with_cmd(&command()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
