//! `puzzledb audit`

use std::fmt::Write;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::Command;

use serde::Serialize;

use crate::grade::Supervision;
use crate::grade::audit::{ValuesError, values_of_program, values_of_table};
use crate::text::{plural, visible};
use puzzledb::ask::{Run, heuristic};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::search::HeuristicName;
use puzzledb::search::audit::{Audit, audit_observed, audit_values};

use super::args::{NumberingArgs, ProgramLimits};
use super::database::Databases;
use super::error::{CliError, Status};
use super::input;
use super::interrupt;
use super::output::Output;
use super::render::bar;
use super::search::heuristic_names;
use super::waiting::{progress, watched_to};
use super::watch::check_files;

/// Prove whether a heuristic is admissible and consistent, over all boards
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "puzzledb audit [OPTIONS] <--heuristic NAME|--table FILE|--command CMD>"
)]
#[command(after_help = format!(
    "Exit code 1 if the heuristic overestimates the distance of any board. Numbers that differ by \
     less than a billionth count as equal.\n\n{}",
    heuristic_names()
))]
#[command(mut_arg("time", |time| time.default_value("60s").help(
    "With --command: end the program when it has neither read a board nor printed a value for this time"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "With --command: memory of the program and all that it starts together"
)))]
#[command(mut_arg("blank", |blank| blank.help(
    "The number that stands for the blank in --goal and in the boards of --table and --command: 9, or 8 where tiles \
     are counted from 0 (3x3)"
)))]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    limits: ProgramLimits,
    #[command(flatten)]
    reading: NumberingArgs,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Source {
    /// A heuristic by name
    #[arg(long, value_name = "NAME")]
    heuristic: Option<HeuristicName>,
    /// Values from a file with a line `board,value` for every board; - is standard input
    #[arg(long, value_name = "FILE|-")]
    table: Option<PathBuf>,
    /// Values from a program, started once by the shell (sh, on Windows cmd): it gets a board a line and prints a number a line
    #[arg(long, value_name = "CMD")]
    command: Option<String>,
}

/// The result of an audit, with the name of the heuristic.
#[derive(Serialize)]
struct AuditRecord<'a> {
    heuristic: &'a str,
    goal: &'a Board,
    #[serde(flatten)]
    audit: &'a Audit,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    if args.source.command.is_some() {
        let _journal = interrupt::continue_in_guarded_process()?; // an audit is not resumed
    }
    let databases = &databases.read_with(&args.reading);
    let oracle = databases.table_oracle(&databases.goal(args.reading.shape_or_usual())?)?;
    let (name, audit) = args.audit(&oracle, databases)?;
    check_files()?;
    let record = AuditRecord {
        heuristic: &name,
        goal: oracle.goal(),
        audit: &audit,
    };
    let text = |out: &mut String| write!(out, "{}", text(&name, &oracle, &audit));
    args.output.print(&record, text)?;
    Ok(audit.admissible.into())
}

impl Args {
    /// The heuristic's name and its audit.
    fn audit(&self, oracle: &Oracle, databases: &Databases) -> Result<(String, Audit), CliError> {
        let numbering = databases.numbering(None);
        if let Some(command) = &self.source.command {
            let limits = self.limits.supervision();
            let values = values_of_command(command, oracle, numbering, &limits);
            return audit_given(command.clone(), oracle, values);
        }
        if let Some(path) = &self.source.table {
            let name = path.display().to_string();
            let file = BufReader::new(input::open(path)?);
            audit_given(name, oracle, values_of_table(oracle, file, numbering))
        } else {
            let name = self.source.heuristic.as_ref();
            let name = name.unwrap_or(&HeuristicName::Zero);
            let heuristic = heuristic(name, oracle.goal(), databases, &Run::default())?;
            let audit = watched_to(oracle.space()?.ranking().states(), || {
                let value = |board: &_| heuristic.value(board);
                audit_observed(oracle, value, |boards| progress().visit(boards))
            })?;
            Ok((name.to_string(), audit))
        }
    }
}

/// The values that a shell command prints.
fn values_of_command(
    command: &str,
    oracle: &Oracle,
    numbering: Numbering,
    supervision: &Supervision,
) -> Result<Vec<f64>, ValuesError> {
    interrupt::listen();
    let mut shell = shell(command);
    let go_on = |taken| {
        progress().reach(taken);
        interrupt::go_on()
    };
    watched_to(oracle.space()?.ranking().states(), || {
        values_of_program(oracle, &mut shell, numbering, supervision, &go_on)
    })
}

/// A command of the system's shell.
fn shell(command: &str) -> Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        let mut shell = Command::new("cmd");
        shell.raw_arg(format!("/d /s /c \"{command}\""));
        shell
    }
    #[cfg(not(windows))]
    {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        shell
    }
}

/// Audits the values of a table or program.
fn audit_given(
    name: String,
    oracle: &Oracle,
    values: Result<Vec<f64>, ValuesError>,
) -> Result<(String, Audit), CliError> {
    let values = values.map_err(|error| {
        let advice = match &error {
            ValuesError::Timeout { .. } => "; --time allows more",
            ValuesError::OutOfMemory { .. } => "; --memory allows more",
            _ => "",
        };
        match error {
            ValuesError::Query(error) => error.into(),
            ValuesError::Interrupted => CliError::Interrupted,
            error => CliError::Usage(format!("{name}: {error}{advice}")),
        }
    })?;
    Ok((name, audit_values(oracle, &values)?))
}

fn text(name: &str, oracle: &Oracle, audit: &Audit) -> String {
    let (boards, goal) = (audit.boards, oracle.goal());
    let name = visible(name);
    let mut text = format!("{name}, over all {boards} boards of {goal}\n\n");
    for (property, holds, why) in properties(audit) {
        let holds = if holds { "yes" } else { "NO" };
        let _ = writeln!(text, "{property:<12} {holds:<4} {why}");
    }
    text.push('\n');
    for (figure, value) in figures(audit) {
        let _ = writeln!(text, "{figure:<20} {value}");
    }
    let most = audit.errors.values().max().copied().unwrap_or(1);
    let _ = writeln!(
        text,
        "\n       error    boards  (error: distance - h, rounded down)"
    );
    for (error, &count) in &audit.errors {
        let _ = writeln!(text, "{error:>12} {count:>9}  {}", bar(count, most, 40));
    }
    text
}

/// The properties of a heuristic: name, whether it has the property, and the evidence.
fn properties(audit: &Audit) -> [(&'static str, bool, String); 3] {
    let admissible = match &audit.first_overestimate {
        None => "no board has h above its distance".to_owned(),
        Some(first) => format!(
            "{} with h above the distance; the simplest is {}: {} for {}",
            plural(audit.overestimates, "board"),
            first.board,
            first.value,
            first.distance
        ),
    };
    let consistent = match &audit.first_inconsistent {
        None if audit.consistent => {
            format!("no move of {} lowers h by more than 1", audit.edges)
        }
        None => "h(goal) is not 0".to_owned(),
        Some(first) => format!(
            "{} of {} moves lower h by more than 1; the simplest is {} from {} to {}: {} to {}",
            audit.inconsistent_edges,
            audit.edges,
            first.mv,
            first.from,
            first.to,
            first.value,
            first.value_after
        ),
    };
    let at_goal = format!("h(goal) is {}", audit.goal_value);
    [
        ("admissible", audit.admissible, admissible),
        ("consistent", audit.consistent, consistent),
        ("h(goal) = 0", audit.goal_value == 0.0, at_goal),
    ]
}

fn figures(audit: &Audit) -> [(&'static str, String); 5] {
    let correlation = match audit.correlation {
        Some(correlation) => format!("{correlation:.4}"),
        None => "none: h is constant".to_owned(),
    };
    let share = 100.0 * audit.exact as f64 / audit.boards as f64;
    let perfect = format!("{} of {}, {share:.2} %", audit.exact, audit.boards);
    let error = format!("{:.4}", audit.mean_absolute_error);
    [
        ("mean", format!("{:.4}", audit.mean)),
        ("max", audit.max.to_string()),
        ("mean absolute error", error),
        ("correlation", correlation),
        ("perfect", perfect),
    ]
}
