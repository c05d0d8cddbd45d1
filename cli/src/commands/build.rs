//! `puzzledb build`

use std::fmt::Write as _;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};

use puzzledb::internals::{
    Exchange, Kept, Needs, Search, all_cores, available_memory, ensure, ensure_shared, free_disk,
    join, measure, measure_patterns, on_machines, size_text,
};
use puzzledb::oracle::Database;
use puzzledb::pattern::{Partition, PatternNames, PatternProgress};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::{Built, Checkpoints, Encoding, Notice, Plan};

use super::args::SearchResources;
use super::check::listed;
use super::database::{Databases, goal_of, no_folder};
use super::error::{CliError, Result, Status, bail, print_note, print_warning};
use super::interrupt;
use super::output::Output;
use super::ranks;
use super::waiting::{PROGRESS, above_bar, observe, watched};
use crate::form::{Form, fields};
use crate::text::{quoted, time_text, visible};
use crate::units::{parse_seconds, parse_speed};

/// Build the database of a shape, if a good one is not there
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rows x columns; with --goal all a database for every class of goals of the shape is built: three serve all goals
    /// of 3x3
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
    /// Write this file instead of the one in the databases' folder
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// `full` keeps distance and parent move, `bit` one bit a state [default: full up to 3x3 and
    /// 2x5]
    #[arg(long, value_name = "full|bit")]
    encoding: Option<Encoding>,
    /// Older name of `--goal all`
    #[arg(long, hide = true, conflicts_with_all = ["goal", "mpi"])]
    all_goals: bool,
    /// Build pattern databases, for shapes too large for a table: by their numbers of tiles, 7-8 or
    /// 6-6-3, or by their tiles, 1-8,9-15
    #[arg(long, value_name = "PATTERNS", conflicts_with_all = ["encoding", "all_goals", "threads", "scratch", "mpi"])]
    patterns: Option<PatternNames>,
    /// Build even if a good database is there, also one of another shape; other files are never replaced
    #[arg(long)]
    force: bool,
    /// Print nothing but errors and warnings
    #[arg(long, conflicts_with_all = ["json", "csv", "format"])]
    quiet: bool,
    /// Threads to search with [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Write checkpoints while searching bit tables, or patterns, of more states than this; the next build goes
    /// on from the last one
    #[arg(long, hide = true, value_name = "STATES", default_value_t = Checkpoints::default().above)]
    checkpoint_above: u64,
    /// Seconds before the first checkpoint and between checkpoints, at the least; after a long one ten
    /// times as long as it took; 0 is after every distance
    #[arg(long, hide = true, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value_t = Checkpoints::default().every.as_secs_f64())]
    checkpoint_every: f64,
    #[command(flatten)]
    resources: SearchResources,
    /// With --mpi, where no folder is seen by all: each process writes its shard of a bit table beside the
    /// table's place, and --join puts the shards together; there are no checkpoints
    #[arg(long, hide = true, requires = "mpi")]
    shards: bool,
    /// Search nothing: put the file of --output together from all shards of --shards, in any order
    #[arg(long, value_name = "SHARD", num_args = 1.., requires = "output", conflicts_with_all =
        ["all_goals", "patterns", "encoding", "quiet", "threads", "mpi", "scratch", "plan", "db", "goal"])]
    join: Vec<PathBuf>,
    /// Build nothing: measure this machine for a second or two, and print what a build takes in
    /// memory and, of a table, in a scratch folder
    #[arg(long, conflicts_with_all = ["all_goals", "output", "encoding", "force", "mpi"])]
    plan: bool,
    /// With --plan: say too what so many machines take with --mpi
    #[arg(
        long,
        hide = true,
        value_name = "N",
        requires = "plan",
        conflicts_with = "patterns"
    )]
    machines: Option<NonZero<u16>>,
    /// With --machines: what the network carries from each of them, in bits a second
    #[arg(long, hide = true, value_name = "SPEED", requires = "machines", default_value = "25Gb",
        value_parser = parse_speed)]
    network: f64,
    #[command(flatten)]
    form: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    if let (false, Some(output)) = (args.join.is_empty(), &args.output) {
        return args.join(output);
    }
    if args.plan {
        return args.print_plan(databases);
    }
    if args.output.is_some() && databases.db.is_some() {
        bail!("--output and --db both name the file to build: give one of them");
    }
    let are_all = args.all_goals || databases.goal.as_deref() == Some("all");
    let goals: Vec<Board> = match args.output.as_ref().or(databases.db.as_ref()) {
        _ if !are_all => vec![databases.goal(args.shape)?],
        None => (GoalClass::all(args.shape)?.into_iter().map(goal_of)).collect(),
        Some(path) => bail!("{} is one file: --goal all builds several", path.display()),
    };
    ranks::alone_or_together(&args.resources, |options| {
        for goal in &goals {
            args.make(goal, databases, &options.exchange)?;
        }
        Ok(Status::Yes)
    })
}

impl Args {
    /// Puts a database together from its shards.
    fn join(&self, output: &Path) -> Result<Status> {
        interrupt::listen();
        let (table, built) = join(output, &self.join, self.force, || {
            print_notice(Notice::Waiting, false);
            interrupt::go_on()
        })?;
        let goal = goal_of(table.header().class());
        self.print(output, &table.into(), &built, &goal)
    }

    /// The plan of the build that the arguments name, for a goal, and its patterns.
    fn planned(&self, goal: &Board) -> Result<(Plan, Option<Partition>)> {
        let patterns = self.patterns.as_ref().map(|names| {
            let wrong = |error| CliError::Usage(format!("--patterns: {error}"));
            Partition::new(goal, names).map_err(wrong)
        });
        let patterns = patterns.transpose()?;
        let mut plan = match &patterns {
            None => Plan::new(GoalClass::of(goal)?),
            Some(patterns) => Plan::new(patterns.class()),
        };
        let every = Duration::from_secs_f64(self.checkpoint_every);
        plan.checkpoints = Checkpoints::new(self.checkpoint_above, every);
        plan.encoding = self.encoding;
        plan.force = self.force;
        plan.threads = threads(self.threads);
        plan.memory = self.resources.memory;
        plan.scratch = self.resources.scratch.clone();
        plan.shards = self.shards;
        Ok((plan, patterns))
    }

    /// Prints what a build takes each way, and whether this machine has it.
    fn print_plan(&self, databases: &Databases) -> Result<Status> {
        let (plan, patterns) = self.planned(&databases.goal(self.shape)?)?;
        let library = databases.library();
        let folder = plan.scratch.as_deref().or(library.dir.as_deref());
        let mut folders = folder.into_iter().flat_map(Path::ancestors);
        let place = folders.find(|folder| folder.is_dir());
        let place = place.unwrap_or(Path::new("."));
        let (spare, free) = (available_memory(), free_disk(place));
        let memory = plan.memory.into_iter().chain(spare).min();
        let alone = |name: &str, text: &str, needs: Needs| -> Way {
            let suffices = |has: Option<u64>, bytes: u64| has.is_none_or(|has| bytes <= has);
            let fits = suffices(memory, needs.memory) && suffices(free, needs.disk);
            let mut takes = fields(&needs);
            takes.insert("fits".to_owned(), fits.into());
            (name.to_owned(), text.to_owned(), takes)
        };
        let mut ways = Vec::new();
        if let Some(patterns) = &patterns {
            let needs = measure_patterns(patterns, plan.checkpoints)?;
            ways.push(alone("in_memory", "in memory", needs));
        } else {
            let (class, threads) = (plan.class, plan.threads);
            let [in_memory, in_scratch] = measure(class, threads, plan.memory, place)?;
            ways.push(alone("in_memory", "in memory", in_memory));
            ways.push(alone("in_scratch", "--scratch DIR", in_scratch));
            if let Some(machines) = self.machines {
                let ranks = machines.get().into();
                let (needs, sent) = on_machines(class, in_memory, ranks, self.network);
                let mut takes = fields(&json!({ "machines": machines, "sent_by_each": sent }));
                takes.extend(fields(&needs));
                let sent = size_text(sent);
                let text = format!("--mpi on {machines} machines, {sent} sent by each");
                ways.push(("on_machines".to_owned(), text, takes));
            }
        }
        let (shape, states) = (plan.class.shape().transposed(), states(&plan, &patterns));
        let patterns = patterns.map(|patterns| patterns.to_string());
        let mut record = fields(&json!({
            "shape": shape, "patterns": patterns, "states": states, "memory_to_spare": spare, "disk_free": free,
        }));
        if patterns.is_none() {
            record.shift_remove("patterns");
        }
        record.extend((ways.iter()).map(|(name, _, takes)| (name.clone(), json!(takes))));
        self.form.print(&record, |out| {
            match &patterns {
                Some(patterns) => write!(out, "databases of the patterns {patterns} of {shape}")?,
                None => write!(out, "bit table of {shape}")?,
            }
            writeln!(out, ": {states} states\n")?;
            Form::Text.push_table(ways.iter().map(row), out);
            let has = |bytes: Option<u64>| bytes.map_or("an unknown amount".to_owned(), size_text);
            let (spare, free) = (has(spare), has(free));
            let place = visible(&place.display().to_string());
            writeln!(
                out,
                "\nto spare: {spare} of memory, {free} of disk at {place}"
            )
        })
    }

    /// Builds the database of a goal, unless a good one is there. The first rank prints it.
    fn make(
        &self,
        goal: &Board,
        databases: &Databases,
        exchange: &Arc<dyn Exchange>,
    ) -> Result<Status> {
        let (plan, patterns) = self.planned(goal)?;
        let library = databases.library();
        let named = self.output.clone().or_else(|| databases.db.clone());
        let path = named.or_else(|| match &patterns {
            None => library.table_path(plan.class),
            Some(patterns) => library.pattern_path(patterns),
        });
        let path = path.ok_or_else(no_folder)?;
        interrupt::listen();
        let reports = exchange.rank() == 0;
        let notice = |notice: Notice| {
            let is_large = plan.class.states() >= LARGE;
            match notice {
                _ if !reports => {}
                Notice::Begins(_) if is_large && !self.quiet => {
                    let (in_slabs, ranks) = (plan.scratch.is_some(), exchange.ranks());
                    let takes = requirement(plan.class, Kept::BitOne, in_slabs, ranks);
                    above_bar(|| print_note(takes));
                }
                notice => print_notice(notice, self.quiet),
            }
            interrupt::go_on()
        };
        let work = || -> Result<Option<(Database, Built)>> {
            let Some(patterns) = &patterns else {
                let made = ensure_shared(&path, &plan, exchange, notice, observe)?;
                return Ok(made.map(|(table, built)| (table.into(), built)));
            };
            // Starts the threads of the search here, to report an error if the system gives none.
            start_pool(None)?;
            let observe = |progress: PatternProgress| {
                PROGRESS.reach(progress.states);
                interrupt::go_on()
            };
            let (patterns, built) = ensure(&path, patterns, &plan, notice, observe)?;
            Ok(Some((patterns.into(), built)))
        };
        let made = match self.quiet || !reports {
            true => work()?,
            false => watched(Some(states(&plan, &patterns)), work)?,
        };
        if let Some((database, built)) = made {
            return self.print(&path, &database, &built, goal);
        }
        if self.shards && reports {
            let (ranks, path) = (exchange.ranks(), path.display().to_string());
            let path = quoted(&path);
            writeln!(
                anstream::stdout(),
                "built {path}.shard-0-of-{ranks} and the like: `puzzledb build --output {path} --join \
                 SHARD...` puts the {ranks} shards together"
            )?;
        }
        Ok(Status::Yes)
    }

    /// Prints what the file for a goal holds, and whether it was built now.
    fn print(
        &self,
        path: &Path,
        database: &Database,
        built: &Built,
        goal: &Board,
    ) -> Result<Status> {
        if let Built::Replaced(what) = built {
            print_warning(format!("replaced {what}"));
        }
        if self.quiet {
            return Ok(Status::Yes);
        }
        if !matches!(self.form.asked(), None | Some(Form::Text)) {
            let record = listed(Some(path), database, Some(goal))?;
            return self.form.print(&record, |_| Ok(()));
        }
        let (mut out, path) = (anstream::stdout(), visible(&path.display().to_string()));
        let made = match built {
            Built::AlreadyThere => format!("{path} is there and good (--force builds it anew)"),
            _ => format!("built {path}"),
        };
        let (shape, bytes) = (goal.shape(), database.bytes().len());
        let holds = match database {
            Database::Table(table) => {
                let header = table.header();
                let (states, most) = (header.states(), header.max_distance());
                let encoding = header.encoding();
                format!("{states} states, max distance {most}, {bytes} bytes, encoding {encoding}")
            }
            Database::Patterns(its) => {
                let (patterns, states) = (its.partition(), its.states());
                format!("patterns {patterns}, {states} states, {bytes} bytes")
            }
        };
        writeln!(out, "{made}\n{shape} boards of {goal}, {holds}")?;
        Ok(Status::Yes)
    }
}

/// Number of states that a build searches.
fn states(plan: &Plan, patterns: &Option<Partition>) -> u64 {
    (patterns.as_ref()).map_or_else(|| plan.class.states(), Partition::states)
}

/// A way to build: its name in JSON, its name for people, and what it takes.
type Way = (String, String, Map<String, Value>);

/// The row of a way in the table for people.
fn row((_, text, takes): &Way) -> Value {
    let size = |name: &str| takes[name].as_u64().map(size_text);
    let time = takes["seconds"].as_f64().map(Duration::from_secs_f64);
    json!({
        "": text, "memory": size("memory"), "disk": size("disk"), "read": size("read"),
        "written": size("written"), "time": time.map(time_text), "fits": takes.get("fits"),
    })
}

/// Prints a notice of a build above a bar; only a warning if `quiet`, and once that it waits.
fn print_notice(notice: Notice, quiet: bool) {
    static WAITS: AtomicBool = AtomicBool::new(false);
    let is_silent = match notice {
        Notice::BadCheckpoint(_) | Notice::NotSaved(_) => {
            return above_bar(|| print_warning(notice));
        }
        Notice::Waiting => WAITS.swap(true, Ordering::Relaxed) || quiet,
        Notice::Begins(_) => true,
        _ => quiet,
    };
    if !is_silent {
        above_bar(|| print_note(notice));
    }
}

/// Starts the threads of the whole process, unless they were started before, and returns their number.
pub(super) fn start_pool(asked: Option<NonZero<usize>>) -> Result<usize> {
    static STARTED: AtomicBool = AtomicBool::new(false);
    let threads = threads(asked);
    if !STARTED.swap(true, Ordering::Relaxed) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let wrong = |error| CliError::Usage(format!("cannot start {threads} threads: {error}"));
        pool.build_global().map_err(wrong)?;
    }
    Ok(threads)
}

/// Fewest states of a build that first prints the memory or disk that it takes.
const LARGE: u64 = 100_000_000;

/// Describes the memory that a search takes of each process, or the memory or disk of its coded slabs.
pub(super) fn requirement(class: GoalClass, kept: Kept, in_slabs: bool, ranks: usize) -> String {
    let (states, coded) = (class.states(), Search::disk(class, kept) / ranks as u64);
    let takes = match in_slabs {
        true => size_text(coded) + " in coded slabs",
        false => size_text(Search::memory_of_rank(class, kept, ranks)) + " of memory",
    };
    match ranks {
        1 => format!("{states} states: {takes}"),
        _ => format!("{states} states: {takes} for each of {ranks} ranks"),
    }
}

/// More threads than this only cost memory and time to start.
const MOST_THREADS: usize = 256;

/// Number of threads: `asked` or the number of cores, at most [`MOST_THREADS`].
pub(super) fn threads(asked: Option<NonZero<usize>>) -> usize {
    asked.map_or_else(all_cores, NonZero::get).min(MOST_THREADS)
}
