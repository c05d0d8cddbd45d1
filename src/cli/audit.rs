//! `puzzledb audit`

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::Command;

use serde::Serialize;

use crate::oracle::Oracle;
use crate::oracle::audit::{
    Audit, ValuesError, audit, audit_values, values_of_program, values_of_table,
};
use crate::puzzle::Shape;
use crate::search::{BoardHeuristic, HeuristicName};

use super::Status;
use super::database::Databases;
use super::error::CliError;
use super::render::bar;

/// Prove whether a heuristic is admissible and consistent, over all boards
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code 1 if the heuristic overestimates the distance of any board.

Heuristics: zero, misplaced, misplaced-with-blank, manhattan, euclidean, linear-conflict,
linear-conflict-naive, gaschnig, rows-columns, inversion, manhattan-plus-misplaced, perfect, and
pattern:TILES as in pattern:1234, a pattern database.")]
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
    /// Values from a file with a line `board,value` for every board
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Values from a program, started once by the shell: it gets a board a line and prints a number a line
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
        let given = |name: String, values: Result<Vec<f64>, ValuesError>| {
            let values = values.map_err(|error| match error {
                ValuesError::Query(error) => error.into(),
                error => CliError::Usage(format!("{name}: {error}")),
            })?;
            let audit = audit_values(oracle, &values)?;
            Ok((name, audit))
        };
        if let Some(path) = &self.table {
            let name = path.display().to_string();
            let values = File::open(path).map_err(ValuesError::from);
            given(
                name,
                values.and_then(|file| values_of_table(oracle, BufReader::new(file))),
            )
        } else if let Some(command) = &self.command {
            given(
                command.clone(),
                values_of_program(oracle, &mut shell(command)),
            )
        } else {
            let name = self.heuristic.as_ref().unwrap_or(&HeuristicName::Zero);
            let get = |goal: &_| databases.oracle_for(goal);
            let heuristic = BoardHeuristic::with_oracle(name, oracle.goal(), get)?;
            let audit = audit(oracle, |board| heuristic.value(board))?;
            Ok((name.to_string(), audit))
        }
    }
}

/// A command line for the system's shell.
fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut process = Command::new(shell);
    process.args([flag, command]);
    process
}

fn text(name: &str, oracle: &Oracle, audit: &Audit) -> String {
    let mut text = String::new();
    let yes = |yes| if yes { "yes" } else { "NO" };
    let boards = audit.boards;
    let _ = writeln!(
        text,
        "{name}, over all {boards} boards of {}\n",
        oracle.goal()
    );
    let admissible = match &audit.first_overestimate {
        None => "no board has h above its distance".to_owned(),
        Some(first) => format!(
            "{} boards have h above their distance; the simplest is {}: {} for {}",
            audit.overestimates, first.board, first.value, first.distance
        ),
    };
    let consistent = match &audit.first_inconsistent {
        None => format!("no move of {} lowers h by more than 1", audit.edges),
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
    for (promise, kept, why) in [
        ("admissible", audit.is_admissible(), admissible),
        ("consistent", audit.is_consistent(), consistent),
        (
            "h(goal) = 0",
            audit.goal_value == 0.0,
            format!("h(goal) is {}", audit.goal_value),
        ),
    ] {
        let _ = writeln!(text, "{promise:<12} {:<4} {why}", yes(kept));
    }
    let correlation = audit
        .correlation
        .map_or("none: h is constant".to_owned(), |correlation| {
            format!("{correlation:.4}")
        });
    text.push('\n');
    let share = 100.0 * audit.exact as f64 / boards as f64;
    for (figure, value) in [
        ("mean of h", format!("{:.4}", audit.mean)),
        ("largest h", format!("{}", audit.max)),
        (
            "mean absolute error",
            format!("{:.4}", audit.mean_absolute_error),
        ),
        ("correlation with the distance", correlation),
        (
            "perfect values",
            format!("{} of {boards}, {share:.2} %", audit.exact),
        ),
    ] {
        let _ = writeln!(text, "{figure:<30} {value}");
    }
    let most = audit.errors.values().max().copied().unwrap_or(1);
    let _ = writeln!(text, "\ndistance - h    boards");
    for (error, &count) in &audit.errors {
        let _ = writeln!(text, "{error:>12} {count:>9}  {}", bar(count, most, 40));
    }
    text
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
