//! `puzzledb audit`

use std::fmt::Write as _;
use std::io::{BufReader, Write};
use std::path::PathBuf;
#[cfg(unix)]
use std::process::Command;

use serde::Serialize;

use crate::basics::plural;
#[cfg(unix)]
use crate::grade::audit::values_of_program;
use crate::grade::audit::{Audit, ValuesError, audit, audit_values, values_of_table};
use crate::oracle::Oracle;
use crate::puzzle::Shape;
use crate::search::{BoardHeuristic, HeuristicName};

use super::database::Databases;
use super::error::CliError;
use super::input;
#[cfg(unix)]
use super::interrupt;
use super::render::bar;
use super::search::heuristic_names;
use super::status::Status;

/// Prove whether a heuristic is admissible and consistent, over all boards
#[derive(Debug, clap::Args)]
#[command(after_help = format!(
    "Exit code 1 if the heuristic overestimates the distance of any board. Numbers that differ by \
     less than a billionth count as equal.\n\n{}",
    heuristic_names()
))]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value_t = Shape::EIGHT_PUZZLE)]
    shape: Shape,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
    /// Values from a program, started once by sh: it gets a board a line and prints a number a line
    #[cfg(unix)]
    #[arg(long, value_name = "CMD")]
    command: Option<String>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let oracle = databases.oracle(args.shape)?;
    let (name, audit) = args.source.audit(&oracle, databases)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&json(&name, &oracle, &audit))?
        )?;
    } else {
        write!(out, "{}", text(&name, &oracle, &audit))?;
    }
    Ok(match audit.is_admissible() {
        true => Status::Yes,
        false => Status::No,
    })
}

impl Source {
    fn audit(&self, oracle: &Oracle, databases: &Databases) -> Result<(String, Audit), CliError> {
        #[cfg(unix)]
        if let Some(command) = &self.command {
            interrupt::listen();
            let mut shell = Command::new("sh");
            let values = values_of_program(oracle, shell.args(["-c", command]), &interrupt::go_on);
            return given(command.clone(), oracle, values);
        }
        if let Some(path) = &self.table {
            let name = path.display().to_string();
            let file = BufReader::new(input::open(path)?);
            given(name, oracle, values_of_table(oracle, file))
        } else {
            let name = self.heuristic.as_ref().unwrap_or(&HeuristicName::Zero);
            let get = |goal: &_| databases.oracle_for(goal);
            let heuristic = BoardHeuristic::with_oracle(name, oracle.goal(), get)?;
            let audit = audit(oracle, |board| heuristic.value(board))?;
            Ok((name.to_string(), audit))
        }
    }
}

/// Audits values that somebody gave.
fn given(
    name: String,
    oracle: &Oracle,
    values: Result<Vec<f64>, ValuesError>,
) -> Result<(String, Audit), CliError> {
    let values = values.map_err(|error| match error {
        ValuesError::Query(error) => error.into(),
        ValuesError::Interrupted => CliError::Interrupted,
        error => CliError::Usage(format!("{name}: {error}")),
    })?;
    Ok((name, audit_values(oracle, &values)?))
}

fn text(name: &str, oracle: &Oracle, audit: &Audit) -> String {
    let (boards, goal) = (audit.boards, oracle.goal());
    let mut text = format!("{name}, over all {boards} boards of {goal}\n\n");
    for (promise, kept, why) in promises(audit) {
        let kept = if kept { "yes" } else { "NO" };
        let _ = writeln!(text, "{promise:<12} {kept:<4} {why}");
    }
    text.push('\n');
    for (figure, value) in figures(audit) {
        let _ = writeln!(text, "{figure:<30} {value}");
    }
    let most = audit.errors.values().max().copied().unwrap_or(1);
    let _ = writeln!(text, "\ndistance - h    boards");
    for (error, &count) in &audit.errors {
        let _ = writeln!(text, "{error:>12} {count:>9}  {}", bar(count, most, 40));
    }
    text
}

/// What a heuristic should keep, whether it does, and why not.
fn promises(audit: &Audit) -> [(&'static str, bool, String); 3] {
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
        None if audit.is_consistent() => {
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
        ("admissible", audit.is_admissible(), admissible),
        ("consistent", audit.is_consistent(), consistent),
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
        ("mean of h", format!("{:.4}", audit.mean)),
        ("largest h", audit.max.to_string()),
        ("mean absolute error", error),
        ("correlation with the distance", correlation),
        ("perfect values", perfect),
    ]
}

#[derive(Serialize)]
struct Json<'a> {
    heuristic: &'a str,
    goal: String,
    boards: u64,
    admissible: bool,
    consistent: bool,
    goal_value: f64,
    overestimates: u64,
    first_overestimate: Option<JsonOverestimate>,
    edges: u64,
    inconsistent_edges: u64,
    first_inconsistent: Option<JsonInconsistency>,
    mean: f64,
    max: f64,
    mean_absolute_error: f64,
    correlation: Option<f64>,
    perfect: u64,
    perfect_share: f64,
    errors: Vec<JsonError>,
}

#[derive(Serialize)]
struct JsonOverestimate {
    board: String,
    value: f64,
    distance: u8,
}

#[derive(Serialize)]
struct JsonInconsistency {
    from: String,
    distance: u8,
    value: f64,
    #[serde(rename = "move")]
    mv: char,
    to: String,
    value_after: f64,
}

#[derive(Serialize)]
struct JsonError {
    error: i64,
    boards: u64,
}

fn json<'a>(name: &'a str, oracle: &Oracle, audit: &Audit) -> Json<'a> {
    let errors = audit.errors.iter();
    Json {
        heuristic: name,
        goal: oracle.goal().to_string(),
        boards: audit.boards,
        admissible: audit.is_admissible(),
        consistent: audit.is_consistent(),
        goal_value: audit.goal_value,
        overestimates: audit.overestimates,
        first_overestimate: audit.first_overestimate.map(|first| JsonOverestimate {
            board: first.board.to_string(),
            value: first.value,
            distance: first.distance,
        }),
        edges: audit.edges,
        inconsistent_edges: audit.inconsistent_edges,
        first_inconsistent: audit.first_inconsistent.map(|first| JsonInconsistency {
            from: first.from.to_string(),
            distance: first.distance,
            value: first.value,
            mv: first.mv.letter(),
            to: first.to.to_string(),
            value_after: first.value_after,
        }),
        mean: audit.mean,
        max: audit.max,
        mean_absolute_error: audit.mean_absolute_error,
        correlation: audit.correlation,
        perfect: audit.exact,
        perfect_share: audit.exact as f64 / audit.boards as f64,
        errors: errors
            .map(|(&error, &boards)| JsonError { error, boards })
            .collect(),
    }
}
