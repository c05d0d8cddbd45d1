//! `puzzledb search`, and `puzzledb compare`, which is its name for several searches.

mod names;
mod settings;
mod table;
mod trace;

use std::io::{IsTerminal, Write};
use std::num::NonZero;

use clap::ValueEnum;

use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::oracle::{Distances, Optimum, Oracle};
use puzzledb::pattern::Partition;
use puzzledb::puzzle::{Board, Shape, UsualGoal};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Failure, HeuristicName, Method, SearchRecord, Settings, Watch,
    compare, search_watched,
};
use puzzledb::space::check_solvable;

use super::boards::{BoardsArgs, Rows};
use super::build::threads;
use super::database::Databases;
use super::error::{CliError, say, with_goal};
use super::interrupt;
use super::output::{Form, Forms, Output, write_fields};
use super::render::progress_bar;
use super::status::Status;
use super::waiting::{progress, watched};
use super::watch::check_files;

use names::{Names, algorithms, heuristics, list};
pub(super) use names::{heuristic_names, names};
use settings::SettingsArgs;
use trace::{TraceForm, trace};

/// Help for several searches and for the output of `--trace=text`.
const NOTES: &str = "

Several boards, algorithms or heuristics give a search of each, and a table. `puzzledb compare` is the same \
command with six algorithms, two heuristics and five boards by default.

--trace=text, as in `puzzledb search 123405786 --trace=text`, prints of every expansion its number, \
the board with its score (g + h, as the algorithm weighs them), each child but the parent with its \
score, in the order in which they are made, and the lengths of the queue and of the closed list, \
both with this board.";

/// Search a solution with algorithms of the textbooks, and see what it costs
#[derive(Debug, clap::Args)]
#[command(after_help = names() + NOTES)]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// The algorithm, or several separated by commas, or all [default: astar]
    #[arg(long, short, alias = "algorithms", value_name = "A,...", value_parser = algorithms)]
    algorithm: Vec<Names<Algorithm>>,
    /// The heuristic, or several separated by commas, or all [default: manhattan;
    /// misplaced-with-blank for best-first-depth]
    #[arg(long, alias = "heuristics", value_name = "H,...", value_parser = heuristics)]
    heuristic: Vec<Names<HeuristicName>>,
    /// Print each algorithm and heuristic with a line about it, and search nothing
    #[arg(long)]
    list: bool,
    /// Draw this many boards at every distance, or all where there are fewer
    #[arg(long, value_name = "K", conflicts_with_all = ["words", "boards"])]
    per_distance: Option<NonZero<usize>>,
    #[command(flatten)]
    settings: SettingsArgs,
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
    #[command(flatten)]
    output: Output<SearchForm>,
    /// Searches at a time, of several; times are best compared with 1 [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchForm {
    /// For people; of several searches a table, and the mean of every method
    Text,
    /// Tab-separated values, a line a search
    Tsv,
    /// Comma-separated values below a header
    Csv,
    /// A JSON object a search
    Json,
    /// The table of the first source, with an expanded list that is strict and the order U, R, D, L
    Massey,
}

impl Forms for SearchForm {
    const CSV: SearchForm = SearchForm::Csv;
    const JSON: SearchForm = SearchForm::Json;
}

/// The default boards of `compare`, which are those of `--format massey`'s assignment.
const DEFAULT_BOARDS: [&str; 5] = [
    "120483765",
    "208135467",
    "704851632",
    "536407182",
    "638541720",
];

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let usual = (&[Algorithm::AStar][..], &[][..]);
    searches(args, usual, None, databases)
}

/// Runs `puzzledb compare`.
pub(super) fn run_compare(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    use Algorithm as A;
    let algorithms = if args.is_massey() {
        &[A::UniformCost, A::AStar][..]
    } else {
        &[
            A::BreadthFirst,
            A::UniformCost,
            A::Greedy,
            A::BestFirstDepth,
            A::AStar,
            A::IdaStar,
        ]
    };
    let heuristics = &[HeuristicName::Misplaced, HeuristicName::Manhattan][..];
    let boards = if args.list || args.boards.are_named() {
        None
    } else {
        Some(args.drawn_or_usual(databases)?)
    };
    searches(args, (algorithms, heuristics), boards, databases)
}

/// Searches every board by every method. `usual` are the default algorithms and heuristics, `boards` those to search
/// instead of the arguments'.
fn searches(
    args: &Args,
    usual: (&[Algorithm], &[HeuristicName]),
    boards: Option<Vec<Board>>,
    databases: &Databases,
) -> Result<Status, CliError> {
    if args.list {
        write!(anstream::stdout(), "{}", list())?;
        return Ok(Status::Yes);
    }
    let databases = &databases.with_blank(args.boards.blank);
    let compares = boards.is_some() || !usual.1.is_empty();
    let (boards, status) = match (boards, args.per_distance) {
        (Some(boards), _) => (boards, Status::Yes),
        (None, Some(_)) => (args.drawn_or_usual(databases)?, Status::Yes),
        (None, None) => args.boards.read(&args.boards.source()?)?,
    };
    let Some(first) = boards.first() else {
        return Ok(status);
    };
    let goal = databases.goal(first.shape())?;
    let methods = args.methods(usual);
    match (&boards[..], &methods[..]) {
        ([board], [(algorithm, heuristic)]) if !compares => {
            let settings = args.settings.settings(*algorithm, heuristic.as_ref(), 1);
            Ok(status.and(search_one(args, board, &goal, settings, databases)?))
        }
        _ if args.trace.is_some() => Err(CliError::Usage(
            "--trace prints one search: of one board, by one algorithm and heuristic".into(),
        )),
        _ => Ok(status.and(search_all(args, boards, &goal, methods, databases)?)),
    }
}

impl Args {
    fn is_massey(&self) -> bool {
        self.output.form() == Some(SearchForm::Massey)
    }

    /// Boards drawn by distance, or the default ones.
    fn drawn_or_usual(&self, databases: &Databases) -> Result<Vec<Board>, CliError> {
        let shape = self.boards.shape.unwrap_or(Shape::EIGHT_PUZZLE);
        let goal = databases.with_blank(self.boards.blank).goal(shape)?;
        let known = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
        let is_usual = shape == Shape::EIGHT_PUZZLE && goal.is_solvable_to(&known);
        if self.per_distance.is_none() && is_usual {
            let board = |board: &&str| board.parse().expect("a board");
            return Ok(DEFAULT_BOARDS.iter().map(board).collect());
        }
        let count = Draw::PerDistance(self.per_distance.map_or(1, NonZero::get));
        let oracle = databases.oracle_for(&goal)?;
        Ok(draw(&oracle, count, 0, self.settings.seed())?)
    }

    /// Every informed algorithm with every heuristic, or its usual one, and every uninformed one once.
    fn methods(
        &self,
        (algorithms, heuristics): (&[Algorithm], &[HeuristicName]),
    ) -> Vec<(Algorithm, Option<HeuristicName>)> {
        let (named, by): (Vec<_>, Vec<_>) = (
            self.algorithm
                .iter()
                .flat_map(|Names(names)| names)
                .collect(),
            self.heuristic
                .iter()
                .flat_map(|Names(names)| names)
                .collect(),
        );
        let algorithms = if named.is_empty() {
            algorithms.iter().collect()
        } else {
            named
        };
        let (is_usual, by) = if by.is_empty() {
            (true, heuristics.iter().collect())
        } else {
            (false, by)
        };
        let mut methods = Vec::new();
        for &algorithm in algorithms {
            let takes = algorithm.is_informed()
                && !(is_usual && (by.is_empty() || algorithm == Algorithm::BestFirstDepth));
            if takes {
                methods.extend(by.iter().map(|&name| (algorithm, Some(name.clone()))))
            } else {
                methods.push((algorithm, None))
            }
        }
        methods
    }
}

/// Searches one board, shows the progress, and prints the figures.
fn search_one(
    args: &Args,
    board: &Board,
    goal: &Board,
    settings: Settings,
    databases: &Databases,
) -> Result<Status, CliError> {
    check_solvable(board, goal)?;
    let optimal = optimum(board, goal, &settings, databases)?;
    let heuristic = heuristic(&settings.heuristic, goal, databases)?;
    for option in args.settings.unused(settings.algorithm) {
        let note = format!("{} makes no use of {option}", settings.algorithm);
        say("note", &note);
    }
    if !args.heuristic.is_empty() && !settings.algorithm.is_informed() {
        say("note", &format!("{} asks no heuristic", settings.algorithm));
    }
    let record = match args.trace {
        Some(form) => trace(form, board, goal, &settings, &heuristic, optimal)?,
        None => {
            interrupt::listen(); // then the cost of the search so far is printed
            let watch = Watch {
                progress: Some(progress()),
                ..Watch::with_cancel(interrupt::flag())
            };
            let search = || search_watched(board, goal, &settings, &heuristic, watch);
            let report = watched(search)?;
            SearchRecord::new(board, goal, &settings, &report, optimal)
        }
    };
    check_files()?;
    let usual = match args.trace {
        Some(TraceForm::Json) => SearchForm::Json,
        _ => SearchForm::Text,
    };
    match args.output.form().unwrap_or(usual) {
        SearchForm::Text => {
            let width = if std::io::stdout().is_terminal() {
                23
            } else {
                0
            };
            let mut text = String::new();
            write_fields(&record, width, &mut text)?;
            anstream::stdout().write_all(text.as_bytes())?;
            if let Some(failure) = record.failure {
                say("note", &failure.to_string());
            }
        }
        form => write_records(&[&record], form)?,
    }
    match record.failure {
        Some(Failure::Cancelled) => Err(CliError::Interrupted),
        _ => Ok(record.solved.into()),
    }
}

/// Searches every board by every method, on several threads, and prints a table.
fn search_all(
    args: &Args,
    boards: Vec<Board>,
    goal: &Board,
    methods: Vec<(Algorithm, Option<HeuristicName>)>,
    databases: &Databases,
) -> Result<Status, CliError> {
    let asked = boards.len();
    let (boards, optima): (Vec<_>, Vec<_>) = solvable(boards, goal, databases)?.into_iter().unzip();
    let threads = threads(args.threads);
    let options = if args.is_massey() {
        &args.settings.or_massey()
    } else {
        &args.settings
    };
    let made = |(algorithm, name): (Algorithm, Option<HeuristicName>)| -> Result<Method, CliError> {
        let settings = options.settings(algorithm, name.as_ref(), threads);
        let heuristic = heuristic(&settings.heuristic, goal, databases)?;
        Ok((settings, heuristic))
    };
    let methods: Vec<Method> = methods.into_iter().map(made).collect::<Result<_, _>>()?;
    let searches = boards.len() * methods.len();
    let bar = progress_bar(searches as u64, "{pos}/{len} searches {wide_bar} {elapsed}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| CliError::Usage(format!("cannot start threads: {error}")))?;
    let compared = pool.install(|| compare(&boards, goal, &methods, || bar.inc(1)))?;
    bar.finish_and_clear();
    let record = |one: &puzzledb::search::Compared| {
        let (settings, _) = &methods[one.method];
        let (board, optimum) = (&boards[one.board], optima[one.board]);
        SearchRecord::new(board, goal, settings, &one.report, optimum)
    };
    let records: Vec<SearchRecord> = compared.iter().map(record).collect();
    check_files()?;
    match args.output.form().unwrap_or(SearchForm::Text) {
        SearchForm::Text => write!(anstream::stdout(), "{}", table::text(&records))?,
        form => write_records(&records.iter().collect::<Vec<_>>(), form)?,
    }
    let all_solved = boards.len() == asked && records.iter().all(|record| record.solved);
    Ok(all_solved.into())
}

/// Writes records as lines for programs.
fn write_records(records: &[&SearchRecord], form: SearchForm) -> Result<(), CliError> {
    let form = match form {
        SearchForm::Massey => return Ok(table::massey(records, std::io::stdout().lock())?),
        SearchForm::Text | SearchForm::Tsv => Form::Tsv,
        SearchForm::Csv => Form::Csv,
        SearchForm::Json => Form::Json,
    };
    let mut text = String::new();
    for record in records {
        form.push(record, &mut text, |_| Ok(()))?;
    }
    Ok(Rows::new(form).write(&text)?)
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
            say("error", &with_goal(&error));
            continue;
        }
        let optimum = oracle.as_ref().map(|oracle| oracle.optimum(&board));
        known.push((board, optimum.transpose()?.and_then(Optimum::known)));
    }
    check_files()?;
    Ok(known)
}

/// The heuristic of a name: additive patterns from a file that has them, all others made for the goal.
fn heuristic(
    name: &HeuristicName,
    goal: &Board,
    databases: &Databases,
) -> Result<BoardHeuristic, CliError> {
    let get = |goal: &Board| databases.oracle_for(goal);
    Ok(match patterns_of_file(name, goal, databases)? {
        Some(heuristic) => heuristic,
        None => BoardHeuristic::with_oracle(name, goal, get)?,
    })
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
