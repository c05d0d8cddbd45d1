//! `puzzledb search`

mod settings;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;

use crate::puzzle::{Board, Shape};
use crate::search::{
    Algorithm, BoardHeuristic, HeuristicName, SearchRecord, Settings, TraceStep, search,
};
use crate::space::SpaceError;

use super::blank::BlankArg;
use super::database::Databases;
use super::error::{CliError, say};
use super::status::Status;

pub(super) use settings::SettingsArgs;

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
        "Heuristics: {}, and pattern:TILES as in pattern:1234, a pattern database of these tiles.",
        heuristics.join(", ")
    )
}

/// Search a solution with an algorithm of the textbooks, and see what it costs
#[derive(Debug, clap::Args)]
#[command(after_help = names())]
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
    /// Rows x columns, up to 5x5, for boards that are not square
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// Print a JSON object for every expansion, a line each, and then the figures as --json does
    #[arg(long)]
    trace: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.with_blank(args.blank);
    let text = args.board.join(" ");
    let board = databases.numbering(args.shape).board(text.as_bytes())?;
    let goal = databases.goal(board.shape())?;
    if !board.is_solvable_to(&goal) {
        return Err(SpaceError::Unsolvable { board, goal }.into());
    }
    let optimal = match databases.oracle_if_available(&goal)? {
        Some(oracle) => Some(oracle.distance(&board)?),
        None => None,
    };
    let settings = args
        .settings
        .settings(args.algorithm, args.heuristic.as_ref(), 1);
    for option in args.settings.unused(args.algorithm) {
        let note = format!("{} makes no use of {option}", args.algorithm);
        say("note", &note);
    }
    if args.heuristic.is_some() && !args.algorithm.is_informed() {
        say("note", &format!("{} asks no heuristic", args.algorithm));
    }
    let get = |goal: &Board| databases.oracle_for(goal);
    let heuristic = BoardHeuristic::with_oracle(&settings.heuristic, &goal, get)?;
    let record = match args.trace {
        true => trace(&board, &goal, &settings, &heuristic, optimal)?,
        false => {
            let report = search(&board, &goal, &settings, &heuristic, None)?;
            SearchRecord::new(&board, &goal, &settings, &report, optimal)
        }
    };
    write_record(&record, args.json || args.trace)?;
    Ok(match record.solved {
        true => Status::Yes,
        false => Status::No,
    })
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

/// Searches, writing every expansion to standard output; ends the search when that fails, as it
/// does on a closed pipe.
fn trace(
    board: &Board,
    goal: &Board,
    settings: &Settings,
    heuristic: &BoardHeuristic,
    optimal: Option<u8>,
) -> Result<SearchRecord, CliError> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut written = Ok(());
    let mut write = |step: &TraceStep| {
        written = serde_json::to_writer(&mut out, step)
            .map_err(std::io::Error::from)
            .and_then(|()| out.write_all(b"\n"));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let report = search(board, goal, settings, heuristic, Some(&mut write))?;
    written?;
    out.flush()?;
    Ok(SearchRecord::new(board, goal, settings, &report, optimal))
}
