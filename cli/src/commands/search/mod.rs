//! `puzzledb search`, and `puzzledb compare`, which is its name for several searches.

mod names;
mod table;
mod trace;

use std::io::Write;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{ArgMatches, FromArgMatches};

use crate::form::Form;
use puzzledb::ask::{Oracles, Run, Search, distance_oracle, search_by_each};
use puzzledb::internals::available_memory;
use puzzledb::oracle::draw::draw_at_each;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::search::{Algorithm, HeuristicName, Method, Watch};
use puzzledb::space::{SpaceError, check_solvable};

use super::args::distances;
use super::boards::{Boards, BoardsArgs};
use super::build::start_pool;
use super::database::Databases;
use super::error::{CliError, Result, Status, bail, print_note};
use super::given;
use super::interrupt::{self, INTERRUPTED};
use super::output::Output;
use super::waiting::PROGRESS;
use crate::units::{parse_size, parse_time};

use Algorithm as A;
pub(super) use names::{List, heuristic_names, heuristics, names, parts};
use names::{algorithms, list, setting};
use table::Means;
use trace::trace;

/// Search a solution with algorithms of the textbooks, and see what it costs
///
/// Several boards, algorithms or heuristics give a search of each, and a table. `puzzledb compare` is the same
/// command with six algorithms, two heuristics and five boards by default.
///
/// --trace=text, as in `puzzledb search 123405786 --trace=text`, prints of every expansion its number,
/// the board with its score (g + h, as the algorithm weighs them), each child but the parent with its
/// score, in the order in which they are made, and the lengths of the queue and of the closed list,
/// both with this board.
#[derive(Debug, clap::Args)]
#[command(mut_arg("threads", |threads| threads.help(
    "Searches at a time, of several; times are best compared with 1 [default: all cores]"
)))]
#[command(mut_arg("format", |format| format.value_parser(Form::parser(&FORMS))))]
// The settings of the assignment that --format massey is the table of.
#[command(mut_arg("order", |order| order.default_value_if("format", "massey", "URDL")))]
#[command(mut_arg("expanded", |list| list.default_value_if("format", "massey", "strict")))]
#[command(verbatim_doc_comment, after_help = names())]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// The algorithm, or several separated by commas, or all [default: astar]
    #[arg(long, short, alias = "algorithms", value_name = "A,...", value_parser = algorithms,
        default_value = "astar", hide_default_value = true)]
    algorithm: Vec<List<Algorithm>>,
    /// The heuristic, or several separated by commas, or all [default: manhattan;
    /// misplaced-with-blank for best-first-depth]
    #[arg(long, alias = "heuristics", value_name = "H,...", value_parser = heuristics, hide_default_value = true)]
    heuristic: Vec<List<HeuristicName>>,
    /// Print each algorithm and heuristic with a line about it, and search nothing
    #[arg(long)]
    list: bool,
    /// The textbook's table: for each depth of boards that are drawn the mean number of nodes that every method
    /// generates, and its effective branching factor b*
    #[arg(long, value_name = "depth", value_parser = ["depth"], conflicts_with_all = ["words", "boards", "pair", "trace"])]
    by: Option<String>,
    /// The depths of --by depth, as in 2..24 [default: all]
    #[arg(long, value_name = "D..E", value_parser = distances, requires = "by",
        conflicts_with_all = ["words", "boards", "pair"])]
    depths: Option<RangeInclusive<u8>>,
    /// Draw this many boards at every depth, or all where there are fewer [default: 100, by depth]
    #[arg(long, alias = "per-distance", value_name = "K", conflicts_with_all = ["words", "boards", "pair"])]
    per_depth: Option<NonZero<usize>>,
    #[command(flatten)]
    question: Search,
    /// A parameter that one algorithm has, as in temperature=4; --list names them. More than once for several
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<ArgMatches>,
    /// Names of the options that are given.
    #[arg(skip)]
    given: Vec<String>,
    /// Give up after so much time, as in 10s or 500ms; the heuristic is made before
    #[arg(long, alias = "limit-time", value_name = "LIMIT", value_parser = parse_time)]
    time: Option<Duration>,
    /// Give up when so much memory is in use [default: half of what there is]
    #[arg(long, hide = true, value_name = "SIZE", value_parser = parse_size)]
    limit_memory: Option<u64>,
    /// Print every expansion as a line of JSON, and then the figures as --json does; or, with
    /// --trace=text, as a block of text; or, with --trace=dot, as a graph for Graphviz
    #[arg(
        long,
        value_parser = Form::parser(&[Form::Json, Form::Text, Form::Dot]),
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "json"
    )]
    trace: Option<Form>,
    #[command(flatten)]
    output: Output,
}

/// The forms of the output: of several searches, text is a table and the mean of every method.
const FORMS: [Form; 6] = [
    Form::Text,
    Form::Tsv,
    Form::Csv,
    Form::Json,
    Form::Markdown,
    Form::Massey,
];

/// The default boards of `compare`, which are those of `--format massey`'s assignment.
const DEFAULT_BOARDS: &[u8] = b"120483765\n208135467\n704851632\n536407182\n638541720";

/// The default algorithms of `compare`, those of `--format massey`'s assignment, and the default heuristics.
pub(super) const COMPARED: &str = "bfs,ucs,greedy,best-first-depth,astar,idastar";
pub(super) const COMPARED_BY_MASSEY: &str = "ucs,astar";
pub(super) const HEURISTICS: &str = "misplaced,manhattan";

/// Boards of a depth that are drawn if no number is given, as in the textbook.
const PER_DEPTH: usize = 100;

/// Searches boards by methods. `compares` is true for `puzzledb compare`, which has several by default, and prints a table
/// of a single search too.
pub(super) fn run(
    mut args: Args,
    given: Vec<String>,
    databases: &Databases,
    compares: bool,
) -> Result<Status> {
    args.given = given;
    if args.list {
        write!(anstream::stdout(), "{}", list())?;
        return Ok(Status::Yes);
    }
    let exhausts = args.question.exhaust; // a flag that is not in a --set would be taken for false
    for set in &args.set {
        let updated = args.question.update_from_arg_matches(set);
        updated.map_err(|error| CliError::Usage(error.to_string()))?;
    }
    args.question.exhaust |= exhausts;
    let methods = args.methods();
    let is_drawn = args.by.is_some() || args.per_depth.is_some();
    let mut boards = match is_drawn || compares && !args.boards.are_named() {
        true => args.drawn_or_usual(databases.read_with(&args.boards.reading))?,
        false if compares => args.boards.boards("compare", databases)?,
        false => args.boards.boards("search", databases)?,
    };
    let (is_text, is_traced) = (args.output.form(true) == Form::Text, args.trace.is_some());
    let is_alone = methods.len() == 1
        && !compares
        && args.by.is_none()
        && boards.only(is_text || is_traced)?.is_some();
    if is_traced && !is_alone {
        bail!("--trace prints one search: of one board, by one algorithm and heuristic");
    }
    args.search(boards, is_alone, &methods)
}

impl Args {
    /// Boards drawn by distance, or the default ones.
    fn drawn_or_usual(&self, databases: Databases) -> Result<Boards> {
        let goal = databases.goal(self.boards.reading.shape)?;
        let boards = Numbering::default().boards(DEFAULT_BOARDS);
        let mut boards = boards.expect("the boards are constant");
        let is_drawn = self.by.is_some() || self.per_depth.is_some();
        if is_drawn || !boards[0].is_solvable_to(&goal) {
            let (least, usual) = match self.by {
                Some(_) => (1, PER_DEPTH),
                None => (0, 1),
            };
            let depths = self.depths.clone().unwrap_or(least..=u8::MAX);
            let count = self.per_depth.map_or(usual, NonZero::get);
            let oracle = databases.table(&goal)?;
            boards = draw_at_each(&oracle, depths, count, self.question.seed())?;
        }
        Ok(Boards::of(&boards, self.boards.threads, databases))
    }

    /// Every informed algorithm with every heuristic, or its usual one, and every uninformed one once.
    fn methods(&self) -> Vec<Search> {
        let named = self.heuristic.concat();
        let are_given = self.given.iter().any(|name| name == "heuristic");
        let mut methods = Vec::new();
        for algorithm in self.algorithm.concat() {
            // The default heuristics of `compare` are not those of best-first-depth.
            let is_free = algorithm.is_informed() && (are_given || algorithm != A::BestFirstDepth);
            let heuristics = named.iter().filter(|_| is_free).map(Some);
            let usual = (!is_free || named.is_empty()).then_some(None);
            methods.extend(heuristics.chain(usual).map(|heuristic| Search {
                algorithm: Some(algorithm),
                heuristic: heuristic.cloned(),
                ..self.question.clone()
            }));
        }
        methods
    }

    /// Searches every board by every method, and prints the figures: of a search alone with its progress, of others a table
    /// of each board and the means.
    fn search(&self, boards: Boards, is_alone: bool, questions: &[Search]) -> Result<Status> {
        let (asked, usual) = (self.output.asked(), || self.output.form(true));
        let form = asked.or(self.trace).unwrap_or_else(usual);
        let at_once = match is_alone {
            true => 1,
            false => start_pool(self.boards.threads)?,
        };
        let spare = available_memory().map(|bytes| bytes / 2 / at_once as u64);
        let limits = Run {
            time: self.time,
            memory: self.limit_memory.or(spare),
            ..Run::default()
        };
        // Ctrl-C prints the cost of a search alone so far. It ends --by also where the shell has it ignored.
        if is_alone && self.trace.is_none() || self.by.is_some() {
            interrupt::listen();
        }
        let prepare = |databases: &Databases, goal: &Board| {
            let method = |question: &Search| question.method(goal, databases, &limits);
            let methods: Result<Vec<Method>> = questions.iter().map(method).collect();
            Ok((*goal, distance_oracle(databases, goal)?, methods?))
        };
        let is_silent = self.by.is_some() || self.trace == Some(Form::Dot);
        let watch = || Watch {
            progress: Some(&PROGRESS),
            ..Watch::with_cancel(&INTERRUPTED)
        };
        let means: Mutex<Means> = Mutex::default();
        let status = boards.answer(form, prepare, |prepared, board, out| {
            let (goal, oracle, methods) = prepared;
            let (boards, oracle) = ((board, goal), oracle.as_ref());
            INTERRUPTED.check()?;
            match check_solvable(board, goal) {
                Err(SpaceError::Unsolvable { .. }) if self.question.exhaust => {}
                checked => checked?,
            }
            if is_alone {
                self.print_unused(&questions[0]);
            }
            let records = match self.trace {
                Some(form) => vec![trace(form, &methods[0], boards, oracle)?],
                None => search_by_each(methods, boards, oracle, watch)?,
            };
            match form {
                _ if is_silent => {}
                Form::Massey => table::push_massey(&records, out),
                Form::Markdown => form.push_table(&records, out),
                Form::Text if !is_alone => *out += &table::text(&records),
                _ => records.iter().for_each(|record| form.push(record, out)),
            }
            if let (true, Some(why)) = (is_alone && !is_silent, records[0].failure)
                && matches!(asked, None | Some(Form::Text))
            {
                print_note(why);
            }
            if self.by.is_some() || form == Form::Text && !is_alone {
                let depth = records[0].distance.filter(|_| self.by.is_some());
                let mut means = means.lock().unwrap_or_else(PoisonError::into_inner);
                means.add(depth.unwrap_or_default(), &records);
            }
            Ok(records.iter().all(|record| record.solved).into())
        })?;
        let means = means.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (text, status) = match self.by {
            Some(_) => (means.by_depth(form), Status::Yes),
            None => (means.text(), status),
        };
        anstream::stdout().write_all(text.as_bytes())?;
        Ok(status)
    }

    /// Prints notes on options that have no effect on a search.
    fn print_unused(&self, question: &Search) {
        let algorithm = question.algorithm.unwrap_or(A::AStar);
        let set = self.set.iter().flat_map(given);
        for option in self.given.iter().cloned().chain(set) {
            let is_of = |algorithm: Algorithm| algorithm.options().contains(&&*option);
            match &*option {
                "seed" => {}
                _ if is_of(algorithm) || !Algorithm::all().any(is_of) => {}
                "heuristic" => print_note(format!("{algorithm} asks no heuristic")),
                _ => print_note(format!("{algorithm} makes no use of --{option}")),
            }
        }
    }
}
