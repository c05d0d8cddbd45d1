//! `puzzledb stats`

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::form::{Form, fields};
use puzzledb::ask::{Oracles, Stats as Question};
use puzzledb::internals::{Kept, Search, SearchOptions};
use puzzledb::oracle::{DistanceRow, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::GoalClass;

use super::args::SearchResources;
use super::build::{requirement, threads};
use super::database::Databases;
use super::error::{Result, Status, print_note, scratch_advised};
use super::histogram::histogram;
use super::interrupt;
use super::output::{Output, output_file, write_output};
use super::ranks;
use super::render::bar;
use super::waiting::{observe, watched};

/// Show how many boards there are at each distance, and what else is in the space
///
/// Totals of optimal solutions leave the goal's own empty solution out, as the literature does; the
/// histogram's row for distance 0 has it. --format tsv and csv have the boards at each distance by the blank's cell, too.
///
/// --count needs no database: it searches the space and keeps no table, in half the memory of `build`.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "threads" | "memory" | "scratch" | "mpi" => arg.requires("count"),
    "solutions" => arg.conflicts_with("count"),
    _ => arg,
}))]
pub(super) struct Args {
    #[command(flatten)]
    question: Question,
    /// Count by a search that keeps no table
    #[arg(long)]
    count: bool,
    /// Threads to count with [default: all cores]
    #[arg(long, hide = true, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    resources: SearchResources,
    #[command(flatten)]
    output: Output,
    /// Write the histogram to this file as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let shape = args.question.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let goal = databases.goal(shape)?;
    ranks::alone_or_together(&args.resources, |options| {
        let is_first = options.exchange.rank() == 0;
        // The file for the picture is opened before the work, which can take minutes.
        let svg = args.svg.as_deref().filter(|_| is_first);
        let svg = svg.map(|path| output_file(path).map(|file| (path, file)));
        let svg = svg.transpose()?;
        let (stats, solutions, crossed) = match args.count {
            true => args.count(&goal, options.clone())?,
            false => args.look_up(&goal, databases)?,
        };
        if let Some((path, file)) = svg {
            write_output(path, file, histogram(&stats).as_bytes())?;
            print_note(format!("wrote {}", path.display()));
        }
        let (form, mut record, mut out) = (args.output.form(true), fields(&stats), String::new());
        record.extend(crossed.map(|crossed| ("crossed".to_owned(), crossed)));
        match form {
            Form::Text => text(&stats, &solutions, &mut out),
            Form::Json => form.push(&record, &mut out),
            form => push_rows(&stats, form, &mut out),
        }
        if is_first {
            anstream::stdout().write_all(out.as_bytes())?;
        }
        Ok(Status::Yes)
    })
}

/// Statistics, the numbers of solutions of the hardest boards, and the traffic.
type Found = (StatsRecord, Vec<u64>, Option<Value>);

impl Args {
    /// The statistics of a table, and the numbers of solutions of its hardest boards.
    fn look_up(&self, goal: &Board, databases: &Databases) -> Result<Found> {
        let oracle = databases.table(goal)?;
        watched(None, || {
            let stats = self.question.measure(&oracle)?;
            if stats.hardest.is_none() {
                print_note("optimal solutions and hardest boards take minutes here: --solutions");
            }
            let hardest = stats.hardest.iter().flatten();
            let solutions: Result<_, _> = hardest.map(|b| oracle.count_solutions(b)).collect();
            Ok((stats, solutions?, None))
        })
    }

    /// Counts the boards at each distance by a search that keeps no table: in memory, or where that is too small, and in a
    /// scratch folder, in coded slabs.
    fn count(&self, goal: &Board, mut options: SearchOptions) -> Result<Found> {
        interrupt::listen();
        let (class, kept) = (GoalClass::of(goal)?, Kept::Nothing);
        options.threads = threads(self.threads);
        let exchange = &options.exchange;
        let mut in_slabs = options.scratch.is_some();
        let opened = Search::open(class, kept, &options).or_else(|error| match in_slabs {
            true => Err(error.into()),
            false => {
                in_slabs = true;
                Search::in_slabs(class, kept, &options).map_err(|_| scratch_advised(error, ""))
            }
        });
        let mut search = opened?;
        if in_slabs && exchange.rank() == 0 {
            print_note(requirement(class, kept, true, exchange.ranks()));
        }
        watched(Some(class.states()), || search.run(&mut observe))?;
        let crossed = self.resources.mpi.then(|| {
            // Bytes at each distance that was searched in this run, and those of each distance if they were not coded.
            let (ranks, bytes) = (search.exchange().ranks(), &search.crossed);
            json!({ "ranks": ranks, "bytes": bytes, "uncoded": search.layout().crossing() })
        });
        let stats = StatsRecord::of_levels(goal, search.levels());
        search.remove();
        Ok((stats, Vec::new(), crossed))
    }
}

/// Appends a row for each distance below a header: what was computed, and the states with the blank in each cell.
fn push_rows(stats: &StatsRecord, form: Form, out: &mut String) {
    for at in &stats.histogram {
        let mut row = fields(at);
        row.retain(|_, value| value.is_number());
        let by_cell = at.blank_cells.iter().flatten().enumerate();
        row.extend(by_cell.map(|(cell, states)| (format!("blank_cell_{cell}"), json!(states))));
        if out.is_empty() {
            form.push_row(row.keys(), out);
        }
        form.push_row(row.values(), out);
    }
}

fn text(stats: &StatsRecord, solutions: &[u64], out: &mut String) {
    let most = (stats.histogram.iter().map(|row| row.states).max()).unwrap_or(1);
    let (shape, goal, states) = (stats.shape, stats.goal, stats.states);
    *out += &format!("{shape} boards, goal {goal}: {states} states\n\n");
    let row = |at: &DistanceRow| {
        let bar = bar(at.states, most, 30);
        let mut row = json!({ "distance": at.distance, "states": at.states, "": bar });
        if let (Some(solutions), Some(most)) = (at.solutions, at.max_solutions) {
            row["solutions"] = json!(solutions);
            row["most"] = json!(most);
        }
        row
    };
    Form::Text.push_table(stats.histogram.iter().map(row), out);
    let mut figures = json!({
        "max distance": stats.max_distance,
        "mean distance": format!("{:.6}", stats.mean_distance),
        "median distance": stats.median_distance,
    });
    if let Some(all) = &stats.optimal_solutions {
        let (total, min, max) = (all.total, all.min, all.max);
        figures["optimal solutions"] = format!("{total} in all, {min} to {max} a board").into();
    }
    if let Some(hardest) = &stats.hardest {
        let row = |(board, count)| json!({ "board": board, "optimal solutions": count });
        figures["hardest"] = hardest.iter().zip(solutions).map(row).collect();
    }
    out.push('\n');
    Form::Text.push(&figures, out);
}
