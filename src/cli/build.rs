//! `puzzledb build`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::puzzle::Shape;
use crate::table::{Built, Encoding, Plan, ensure};

use super::database::{Databases, default_class, default_goal};
use super::error::{CliError, say};
use super::{Status, interrupt};

/// Build the database of a shape, if a good one is not there
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
    /// Write this file instead of the one in the databases' folder
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// `full` keeps distance and parent move, `bit` one bit a state [default: full up to 3x3 and
    /// 2x5]
    #[arg(long, value_name = "full|bit")]
    encoding: Option<Encoding>,
    /// Build even if a good database, or another file, is there
    #[arg(long)]
    force: bool,
    /// Threads to search with [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZero<usize>>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    path: PathBuf,
    shape: String,
    goal: String,
    encoding: &'static str,
    states: u64,
    max_distance: u8,
    bytes: u64,
    digest: String,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let class = default_class(args.shape)?;
    let path = match args.output.as_deref().or(databases.named()) {
        Some(path) => path.to_owned(),
        None => databases.path(class)?,
    };
    let plan = Plan {
        class,
        encoding: args.encoding,
        force: args.force,
        threads: threads(args.threads),
    };
    interrupt::listen();
    let bar = progress_bar(class.states());
    let on_wait = || {
        say(
            "note",
            "another puzzledb is building this database: waiting for it",
        )
    };
    let (table, built) = ensure(&path, &plan, on_wait, |level| {
        bar.set_message(level.distance().to_string());
        bar.inc(level.states());
        if interrupt::interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    bar.finish_and_clear();
    if let Built::Replaced(what) = &built {
        say("warning", &format!("replaced {what}"));
    }
    let header = table.header();
    let json = Json {
        shape: args.shape.to_string(),
        goal: default_goal(args.shape).to_string(),
        encoding: header.encoding().name(),
        states: header.states(),
        max_distance: header.max_distance(),
        bytes: table.bytes().len() as u64,
        digest: table.digest(),
        path,
    };
    let mut out = anstream::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
        return Ok(Status::Yes);
    }
    match built {
        Built::AlreadyThere => writeln!(
            out,
            "{} is there and good (--force builds it anew)",
            json.path.display()
        )?,
        Built::New | Built::Replaced(_) => writeln!(out, "built {}", json.path.display())?,
    }
    writeln!(
        out,
        "{} boards of {}, {} states, largest distance {}, {} bytes, encoding {}",
        json.shape, json.goal, json.states, json.max_distance, json.bytes, json.encoding
    )?;
    Ok(Status::Yes)
}

/// As many threads as were asked for, or as there are cores.
pub(super) fn threads(asked: Option<std::num::NonZero<usize>>) -> usize {
    asked
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, std::num::NonZero::get)
}

/// A bar on standard error; nothing where that is no terminal.
fn progress_bar(states: u64) -> ProgressBar {
    let bar = ProgressBar::new(states);
    let style = "distance {msg:>3} {wide_bar} {human_pos}/{human_len} states {elapsed}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is constant"));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
