//! `puzzledb audit`

use std::fmt::{self, Write};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::Command;

use crate::form::write_fields;
use crate::grade::Supervision;
use crate::grade::audit::{values_of_program, values_of_table};
use crate::text::{plural, visible};
use serde_json::json;

use puzzledb::ask::{Audit as Heuristic, AuditRecord, Oracles, Question};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Numbering;
use puzzledb::search::{Audit, HeuristicName, audit_values};

use super::database::Databases;
use super::error::{CliError, Result, Status};
use super::input;
use super::interrupt;
use super::output::Output;
use super::render::bar;
use super::search::heuristic_names;
use super::waiting::{PROGRESS, watched};
use super::watch::check_files;

/// Prove whether a heuristic is admissible and consistent, over all boards
///
/// Exit code 1 if the heuristic overestimates the distance of any board. Numbers that differ by
/// less than a billionth count as equal.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "puzzledb audit [OPTIONS] <--heuristic NAME|--table FILE|--command CMD>"
)]
#[command(verbatim_doc_comment, after_help = heuristic_names())]
#[command(mut_arg("time", |time| time.default_value("60s").help(
    "With --command: end the program when it has neither read a board nor printed a value for this time"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "With --command: memory of the program and all that it starts together"
)))]
#[command(mut_arg("cpu", |cpu| cpu.hide(true)))]
#[command(mut_arg("blank", |blank| blank.help(
    "The number that stands for the blank in --goal and in the boards of --table and --command: 9, or 8 where tiles \
     are counted from 0 (3x3)"
)))]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    limits: Supervision,
    #[command(flatten)]
    reading: Numbering,
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

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let databases = &databases.read_with(&args.reading);
    let oracle = databases.table(&databases.goal(args.reading.shape)?)?;
    let record = args.audit(&oracle, databases)?;
    check_files()?;
    args.output.print(&record, |out| text(&record, out))?;
    Ok(record.audit.admissible.into())
}

impl Args {
    fn audit(&self, oracle: &Oracle, databases: &Databases) -> Result<AuditRecord> {
        let numbering = databases.numbering;
        let states = oracle.space()?.ranking().states();
        let (name, values) = if let Some(command) = &self.source.command {
            interrupt::listen();
            let go_on = |taken| {
                PROGRESS.reach(taken);
                interrupt::go_on()
            };
            let (mut shell, limits) = (shell(command), self.limits);
            let run = || values_of_program(oracle, &mut shell, numbering, &limits, &go_on);
            (command.clone(), watched(Some(states), run))
        } else if let Some(path) = &self.source.table {
            let file = BufReader::new(input::open(path)?);
            let values = values_of_table(oracle, file, numbering);
            (path.display().to_string(), values)
        } else {
            let question = Heuristic {
                heuristic: self.source.heuristic.clone(),
                shape: Some(oracle.shape()),
                goal: Some(oracle.goal().to_string()),
            };
            return watched(Some(states), || {
                question.answer(databases, &interrupt::run())
            });
        };
        let values = values.map_err(|error| match error {
            CliError::Usage(_) | CliError::Io(_) => CliError::Usage(format!("{name}: {error}")),
            error => error,
        })?;
        let audit = audit_values(oracle, &values)?;
        Ok(AuditRecord::new(name, oracle, audit))
    }
}

/// A command of the system's shell.
fn shell(command: &str) -> Command {
    let mut shell = Command::new(if cfg!(windows) { "cmd" } else { "sh" });
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(&mut shell, format!("/d /s /c \"{command}\""));
    #[cfg(not(windows))]
    shell.args(["-c", command]);
    shell
}

fn text(record: &AuditRecord, out: &mut String) -> fmt::Result {
    let (audit, name) = (&record.audit, visible(&record.heuristic));
    let (boards, exact, goal_value) = (audit.boards, audit.exact, audit.goal_value);
    writeln!(out, "{name}, over all {boards} boards of {}\n", record.goal)?;
    let goal = format!("h(goal) is {goal_value}");
    for (property, holds, why) in [
        ("admissible", audit.admissible, admissibility(audit)),
        ("consistent", audit.consistent, consistency(audit)),
        ("h(goal) = 0", goal_value == 0.0, goal),
    ] {
        let holds = if holds { "yes" } else { "NO" };
        writeln!(out, "{property:<12} {holds:<4} {why}")?;
    }
    let four = |figure: f64| format!("{figure:.4}");
    let correlation = audit
        .correlation
        .map_or("none: h is constant".to_owned(), four);
    let share = 100.0 * exact as f64 / boards as f64;
    let figures = json!({
        "mean": four(audit.mean),
        "max": audit.max.to_string(),
        "mean absolute error": four(audit.mean_absolute_error),
        "correlation": correlation,
        "perfect": format!("{exact} of {boards}, {share:.2} %"),
    });
    out.push('\n');
    write_fields(&figures, out)?;
    out.push_str("\n       error    boards  (error: distance - h, rounded down)\n");
    let most = audit.errors.values().max().copied().unwrap_or(1);
    for (error, &count) in &audit.errors {
        writeln!(out, "{error:>12} {count:>9}  {}", bar(count, most, 40))?;
    }
    Ok(())
}

fn admissibility(audit: &Audit) -> String {
    let Some(first) = &audit.first_overestimate else {
        return "no board has h above its distance".to_owned();
    };
    let (board, value, distance) = (first.board, first.value, first.distance);
    let boards = plural(audit.overestimates, "board");
    format!("{boards} with h above the distance; the simplest is {board}: {value} for {distance}")
}

fn consistency(audit: &Audit) -> String {
    let (edges, wrong) = (audit.edges, audit.inconsistent_edges);
    match &audit.first_inconsistent {
        None if audit.consistent => format!("no move of {edges} lowers h by more than 1"),
        None => "h(goal) is not 0".to_owned(),
        Some(first) => format!(
            "{wrong} of {edges} moves lower h by more than 1; the simplest is {} from {} to {}: {} to {}",
            first.mv, first.from, first.to, first.value, first.value_after
        ),
    }
}
