//! `puzzledb search`

mod settings;
mod trace;

use std::io::{IsTerminal, Write};

use puzzledb::oracle::{Distances, Oracle};
use puzzledb::pattern::Partition;
use puzzledb::puzzle::{Board, Shape};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Failure, HeuristicName, SearchRecord, Settings, Watch,
    search_watched,
};
use puzzledb::space::check_solvable;

use super::blank::BlankArg;
use super::database::Databases;
use super::error::{CliError, say};
use super::interrupt;
use super::status::Status;
use super::waiting::{progress, watched};
use super::watch::check_files;

pub(super) use settings::SettingsArgs;
use trace::{TraceForm, trace};

/// The names of algorithms and heuristics, for the help of commands that take them.
pub(super) fn names() -> String {
    let algorithms: Vec<&str> = Algorithm::all().map(Algorithm::name).collect();
    format!(
        "Algorithms: {} (dijkstra is ucs).\n\n{}",
        algorithms.join(", "),
        heuristic_names()
    )
}

/// The names of heuristics.
pub(super) fn heuristic_names() -> String {
    let heuristics: Vec<String> = HeuristicName::all().map(|name| name.to_string()).collect();
    format!(
        "Heuristics: {}, pattern:TILES as in pattern:1234, a pattern database of these tiles, and \
         patterns:TILES as in patterns:7-8 or patterns:1-8,9-15, the sum of additive ones, from the file of \
         `build --patterns` or made in memory.",
        heuristics.join(", ")
    )
}

/// Help for the output of `--trace=text`.
const TEXT_TRACE: &str = "

--trace=text, as in `puzzledb search 123405786 --trace=text`, prints of every expansion its number, \
the board with its score (g + h, as the algorithm weighs them), each child but the parent with its \
score, in the order in which they are made, and the lengths of the queue and of the closed list, \
both with this board.";

/// Search a solution with an algorithm of the textbooks, and see what it costs
#[derive(Debug, clap::Args)]
#[command(after_help = names() + TEXT_TRACE)]
pub(super) struct Args {
    /// The board, in one argument or in several
    #[arg(required = true, value_name = "BOARD")]
    board: Vec<String>,
    /// The algorithm
    #[arg(long, short, value_name = "A", default_value = "astar")]
    algorithm: Algorithm,
    /// The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]
    #[arg(long, value_name = "H")]
    heuristic: Option<HeuristicName>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Rows x columns, up to 8x8, for boards that are not square
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// Print every expansion as a line of JSON, and then the figures as --json does; or, with
    /// --trace=text, as a block of text
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "json"
    )]
    trace: Option<TraceForm>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.with_blank(args.blank);
    let text = args.board.join(" ");
    let board = databases.numbering(args.shape).board(text.as_bytes())?;
    let goal = databases.goal(board.shape())?;
    check_solvable(&board, &goal)?;
    let settings = args
        .settings
        .settings(args.algorithm, args.heuristic.as_ref(), 1);
    let optimal = optimum(&board, &goal, &settings, databases)?;
    let get = |goal: &Board| databases.oracle_for(goal);
    let heuristic = match patterns_of_file(&settings.heuristic, &goal, databases)? {
        Some(heuristic) => heuristic,
        None => BoardHeuristic::with_oracle(&settings.heuristic, &goal, get)?,
    };
    for option in args.settings.unused(args.algorithm) {
        let note = format!("{} makes no use of {option}", args.algorithm);
        say("note", &note);
    }
    if args.heuristic.is_some() && !args.algorithm.is_informed() {
        say("note", &format!("{} asks no heuristic", args.algorithm));
    }
    let record = match args.trace {
        Some(form) => trace(form, &board, &goal, &settings, &heuristic, optimal)?,
        None => {
            interrupt::listen(); // then the cost of the search so far is printed
            let watch = Watch {
                progress: Some(progress()),
                ..Watch::with_cancel(interrupt::flag())
            };
            let search = || search_watched(&board, &goal, &settings, &heuristic, watch);
            let report = watched(search)?;
            SearchRecord::new(&board, &goal, &settings, &report, optimal)
        }
    };
    check_files()?;
    write_record(&record, args.json || args.trace == Some(TraceForm::Json))?;
    match record.solved {
        true => Ok(Status::Yes),
        false if record.failure == Some(Failure::Cancelled) => Err(CliError::Interrupted),
        false => Ok(Status::No),
    }
}

/// The length of a shortest solution, if it is known before the search. A search may prove it itself.
fn optimum(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    databases: &Databases,
) -> Result<Option<u8>, CliError> {
    match databases.oracle_beside(goal)? {
        Some(Oracle::Patterns(_)) if settings.is_optimal() => Ok(None),
        Some(oracle) => {
            let optimum = oracle.optimum(board)?.known();
            check_files()?;
            Ok(optimum)
        }
        None => Ok(None),
    }
}

/// The heuristic of additive patterns, if there is a file that has them.
fn patterns_of_file(
    name: &HeuristicName,
    goal: &Board,
    databases: &Databases,
) -> Result<Option<BoardHeuristic>, CliError> {
    let HeuristicName::Patterns(names) = name else {
        return Ok(None);
    };
    let wanted = Partition::new(goal, names).map_err(|error| CliError::Usage(error.to_string()))?;
    let file = databases.patterns(None, goal)?;
    let patterns = file.map(|(file, _)| file.patterns().clone());
    let there = patterns.filter(|patterns| *patterns.partition() == wanted);
    let made = there
        .map(|patterns| BoardHeuristic::from_patterns(patterns, goal))
        .transpose();
    made.map_err(|error| CliError::Usage(error.to_string()))
}

/// Writes the record as JSON, for people on a terminal, or else as tab-separated lines.
fn write_record(record: &SearchRecord, json: bool) -> Result<(), CliError> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(record)?)?;
    } else if std::io::stdout().is_terminal() {
        writeln!(out, "{} on {}\n", record.method(), record.board)?;
        for (figure, value) in record.figures() {
            writeln!(out, "  {figure:<21} {value}")?;
        }
        if let Some(moves) = &record.moves {
            writeln!(out, "\n  {moves}")?;
        }
    } else {
        for (figure, value) in record.figures() {
            writeln!(out, "{figure}\t{value}")?;
        }
        writeln!(
            out,
            "moves\t{}",
            record.moves.as_deref().unwrap_or_default()
        )?;
    }
    Ok(())
}
