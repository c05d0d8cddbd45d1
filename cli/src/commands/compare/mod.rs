//! `puzzledb compare`

mod table;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;

use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::oracle::{Distances, Optimum};
use puzzledb::puzzle::{Board, Shape, UsualGoal};
use puzzledb::search::{
    Algorithm, BoardHeuristic, HeuristicName, Method, SearchRecord, Settings, compare,
};
use puzzledb::space::check_solvable;

use super::blank::BlankArg;
use super::build::threads;
use super::database::Databases;
use super::error::{CliError, say};
use super::input;
use super::render::progress_bar;
use super::search::SettingsArgs;
use super::search::names;
use super::status::Status;
use super::watch::check_files;

/// Search boards with many algorithms and heuristics, side by side
#[derive(Debug, clap::Args)]
#[command(after_help = names())]
pub(super) struct Args {
    /// Algorithms, separated by commas, or all
    /// [default: bfs, ucs, greedy, best-first-depth, astar, idastar; for massey: ucs, astar]
    #[arg(long, value_name = "A,...", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Heuristics for those that ask one, separated by commas, or all
    /// [default: misplaced, manhattan]
    #[arg(long, value_name = "H,...", value_delimiter = ',')]
    heuristics: Vec<String>,
    /// Boards from a file, one a line; - is standard input
    /// [default: five boards of 6 to 28 moves]
    #[arg(long, value_name = "FILE|-", conflicts_with = "per_distance")]
    boards: Option<PathBuf>,
    /// Draw this many boards at every distance, or all where there are fewer
    #[arg(long, value_name = "K")]
    per_distance: Option<NonZero<usize>>,
    /// How the table is written
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Rows x columns, for boards that are not square
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// Searches at a time; times are best compared with 1 [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// A table for people, and the mean of every method
    Text,
    /// A line a search
    Csv,
    /// A JSON object a search
    Json,
    /// The table of the first source, with an expanded list that is strict and the order U, R, D, L
    Massey,
}

/// The default boards, which are those of `--format massey`'s assignment.
const DEFAULT_BOARDS: [&str; 5] = [
    "120483765",
    "208135467",
    "704851632",
    "536407182",
    "638541720",
];

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.with_blank(args.blank);
    let boards = args.boards(databases)?;
    let (asked, goal) = (boards.len(), databases.goal(boards[0].shape())?);
    let (boards, optima): (Vec<_>, Vec<_>) =
        solvable(boards, &goal, databases)?.into_iter().unzip();
    let threads = threads(args.threads);
    let methods = args.methods(&goal, threads, databases)?;
    let searches = boards.len() * methods.len();
    let bar = progress_bar(searches as u64, "{pos}/{len} searches {wide_bar} {elapsed}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| CliError::Usage(format!("cannot start threads: {error}")))?;
    let compared = pool.install(|| compare(&boards, &goal, &methods, || bar.inc(1)))?;
    bar.finish_and_clear();
    let records: Vec<SearchRecord> = compared
        .iter()
        .map(|one| {
            let (settings, _) = &methods[one.method];
            SearchRecord::new(
                &boards[one.board],
                &goal,
                settings,
                &one.report,
                optima[one.board],
            )
        })
        .collect();
    check_files()?;
    let mut out = anstream::stdout().lock();
    match args.format {
        OutputFormat::Text => write!(out, "{}", table::text(&records))?,
        OutputFormat::Csv => table::csv(&records, &mut out)?,
        OutputFormat::Massey => table::massey(&records, &mut out)?,
        OutputFormat::Json => {
            for record in &records {
                writeln!(out, "{}", serde_json::to_string(record)?)?;
            }
        }
    }
    Ok(
        match boards.len() == asked && records.iter().all(|record| record.solved) {
            true => Status::Yes,
            false => Status::No,
        },
    )
}

/// The solvable boards, each with its distance if that is known soon. Reports the others as
/// errors.
fn solvable(
    boards: Vec<Board>,
    goal: &Board,
    databases: &Databases,
) -> Result<Vec<(Board, Option<u8>)>, CliError> {
    let oracle = databases.oracle_beside(goal)?;
    let mut known = Vec::with_capacity(boards.len());
    for board in boards {
        if let Err(error) = check_solvable(&board, goal) {
            say("error", &error.to_string());
            continue;
        }
        let optimum = oracle.as_ref().map(|oracle| oracle.optimum(&board));
        known.push((board, optimum.transpose()?.and_then(Optimum::known)));
    }
    check_files()?;
    Ok(known)
}

impl Args {
    /// The boards to search: from the file, drawn by distance, or the default ones.
    fn boards(&self, databases: &Databases) -> Result<Vec<Board>, CliError> {
        if let Some(path) = &self.boards {
            return input::boards(path, databases.numbering(self.shape));
        }
        let shape = self.shape.unwrap_or(Shape::EIGHT_PUZZLE);
        let goal = databases.goal(shape)?;
        let known = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
        match self.per_distance {
            None if shape == Shape::EIGHT_PUZZLE && goal.is_solvable_to(&known) => {
                Ok(DEFAULT_BOARDS
                    .iter()
                    .map(|board| board.parse().expect("a board"))
                    .collect())
            }
            count => {
                let count = Draw::PerDistance(count.map_or(1, NonZero::get));
                Ok(draw(
                    &databases.oracle(shape)?,
                    count,
                    0,
                    self.settings.seed(),
                )?)
            }
        }
    }

    /// Every informed algorithm with every heuristic, and every uninformed one once.
    fn methods(
        &self,
        goal: &Board,
        threads: usize,
        databases: &Databases,
    ) -> Result<Vec<Method>, CliError> {
        let massey = self.format == OutputFormat::Massey;
        let usual = match massey {
            true => "ucs,astar",
            false => "bfs,ucs,greedy,best-first-depth,astar,idastar",
        };
        let algorithms: Vec<Algorithm> = parse_names(&self.algorithms, usual, Algorithm::all)?;
        let heuristics: Vec<HeuristicName> =
            parse_names(&self.heuristics, "misplaced,manhattan", HeuristicName::all)?;
        let options = match massey {
            true => &self.settings.or_massey(),
            false => &self.settings,
        };
        let mut methods = Vec::new();
        for algorithm in algorithms {
            let by: Vec<_> = match algorithm {
                Algorithm::BestFirstDepth if self.heuristics.is_empty() => vec![None],
                _ if algorithm.is_informed() => heuristics.iter().map(Some).collect(),
                _ => vec![None],
            };
            for heuristic in by {
                let settings: Settings = options.settings(algorithm, heuristic, threads);
                let get = |goal: &Board| databases.oracle_for(goal);
                let made = BoardHeuristic::with_oracle(&settings.heuristic, goal, get)?;
                methods.push((settings, made));
            }
        }
        Ok(methods)
    }
}

/// The algorithms or heuristics of a list of names; of `usual`, names separated by commas, if the
/// list is empty.
fn parse_names<T: std::str::FromStr<Err: std::fmt::Display>, I: Iterator<Item = T>>(
    names: &[String],
    usual: &str,
    all: fn() -> I,
) -> Result<Vec<T>, CliError> {
    if names.iter().any(|name| name.trim() == "all") {
        return Ok(all().collect());
    }
    let parse = |name: &str| {
        name.parse()
            .map_err(|error: T::Err| CliError::Usage(error.to_string()))
    };
    match names.is_empty() {
        true => usual.split(',').map(parse).collect(),
        false => names.iter().map(|name| parse(name)).collect(),
    }
}
