//! `puzzledb stats`

use std::convert::Infallible;
use std::fmt::{self, Write};
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::form::Form;
use puzzledb::ask::Stats as Question;
use puzzledb::basics::size_text;
use puzzledb::bfs::{
    Exchange, Kept, LevelProgress, PlaneStore, ScratchOptions, Search, SlabSearch,
};
use puzzledb::oracle::{Stats, StatsDetails, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::Frame;
use puzzledb::table::OutputFile;

use super::args::SearchResources;
use super::build::{progress_bar, show, slab_requirement, threads};
use super::database::Databases;
use super::error::{CliError, Status, print_note, scratch_advised};
use super::histogram::histogram;
use super::interrupt;
use super::output::{Output, output_file, write_output};
use super::ranks;
use super::render::{bar, tick};

/// Show how many boards there are at each distance, and what else is in the space
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Totals of optimal solutions leave the goal's own empty solution out, as the literature does; the \
histogram's row for distance 0 has it.

--count needs no database: it searches the space and keeps no table, in half the memory of `build`.")]
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

/// Statistics, and the traffic between the ranks that counted them.
#[derive(Serialize)]
struct Record {
    #[serde(flatten)]
    stats: StatsRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    crossed: Option<Crossed>,
}

/// Traffic between the ranks.
#[derive(Serialize)]
struct Crossed {
    ranks: usize,
    /// Bytes at each distance that was searched in this run, up to the largest.
    bytes: Vec<u64>,
    /// Bytes that would have been sent at each distance if they were not coded.
    uncoded: u64,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let shape = args.question.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let goal = databases.goal(shape)?;
    if !args.count {
        let svg = args.svg_file()?;
        let stats = args.look_up(&goal, databases)?;
        return args.print(&stats, None, svg);
    }
    ranks::alone_or_together(args.resources.mpi, |exchange| {
        interrupt::listen();
        let is_first = exchange.rank() == 0;
        let svg = is_first.then(|| args.svg_file()).transpose()?.flatten();
        let (levels, crossed) = args.count(&goal, exchange)?;
        match is_first {
            true => args.print(&Stats::of_levels(&goal, levels), crossed, svg),
            false => Ok(Status::Yes), // printed by the first rank
        }
    })
}

/// The numbers of states at each distance, and the traffic.
type Counted = (Vec<u64>, Option<Crossed>);

impl Args {
    /// The file for the picture, which is opened before the work: that can take minutes.
    fn svg_file(&self) -> Result<Option<OutputFile>, CliError> {
        self.svg.as_deref().map(output_file).transpose()
    }

    /// The statistics of a table.
    fn look_up(&self, goal: &Board, databases: &Databases) -> Result<Stats, CliError> {
        let oracle = databases.table_oracle(goal)?;
        let spinner = match self.question.are_detailed(&oracle)? {
            true => ProgressBar::new_spinner().with_message("counting optimal solutions"),
            false => {
                print_note("optimal solutions and hardest boards take minutes here: --solutions");
                ProgressBar::hidden()
            }
        };
        tick(&spinner);
        let stats = self.question.measure(&oracle)?;
        spinner.finish_and_clear();
        Ok(stats)
    }

    /// Counts the boards at each distance by a search that keeps no table: in memory, or where that is too small, and in a
    /// scratch folder, in coded slabs.
    fn count(&self, goal: &Board, exchange: &Arc<dyn Exchange>) -> Result<Counted, CliError> {
        let (class, kept) = (Frame::new(goal)?.class(), Kept::Nothing);
        let (scratch, memory) = (&self.resources.scratch, self.resources.memory);
        let threads = threads(self.threads);
        let bar = match exchange.rank() {
            0 => progress_bar(class.states()),
            _ => ProgressBar::hidden(),
        };
        let fits = || {
            let possible = Search::check_memory(class, kept, memory, &**exchange);
            exchange.agree(possible.map_err(scratch_advised), || CliError::OtherRank)
        };
        let in_memory = scratch.is_none().then(fits);
        if let Some(Ok(())) = in_memory {
            let mut search = Search::shared(class, kept, threads, exchange.clone())?;
            return self.count_levels(&mut search, &bar);
        }
        let options = ScratchOptions {
            folder: scratch.clone(),
            threads,
            memory,
            exchange: exchange.clone(),
            ..ScratchOptions::new("")
        };
        let mut search = match (SlabSearch::open(class, kept, options), in_memory) {
            (Err(_), Some(Err(error))) => return Err(error),
            (search, _) => search?,
        };
        if exchange.rank() == 0 {
            let takes = match scratch {
                Some(_) => slab_requirement(class, kept, &**exchange),
                None => format!(
                    "the planes do not fit the memory: coded, they take {}",
                    size_text(SlabSearch::disk(class, kept))
                ),
            };
            bar.suspend(|| print_note(takes));
        }
        let counted = self.count_levels(&mut search, &bar)?;
        search.remove();
        Ok(counted)
    }

    /// Counts the levels that are left in a search, until Ctrl-C is pressed for one of the ranks.
    fn count_levels<P: PlaneStore>(
        &self,
        search: &mut Search<P>,
        bar: &ProgressBar,
    ) -> Result<Counted, CliError>
    where
        CliError: From<P::Error>,
    {
        let mut observe = |progress: LevelProgress| {
            show(bar, progress.distance, progress.slabs, progress.states);
            interrupt::go_on()
        };
        while search.advance(&mut observe)?.is_some() {
            if search.exchange().any(interrupt::interrupted()) {
                return Err(CliError::Interrupted);
            }
        }
        bar.finish_and_clear();
        let crossed = self.resources.mpi.then(|| Crossed {
            ranks: search.exchange().ranks(),
            bytes: search.crossed().to_vec(),
            uncoded: search.crossing_uncoded(),
        });
        Ok((search.levels().to_vec(), crossed))
    }

    /// Prints statistics: their record as JSON, a row for each distance as TSV or CSV, or text; and their picture.
    fn print(
        &self,
        stats: &Stats,
        crossed: Option<Crossed>,
        svg: Option<OutputFile>,
    ) -> Result<Status, CliError> {
        if let (Some(file), Some(path)) = (svg, self.svg.as_deref()) {
            write_output(path, file, histogram(stats).as_bytes())?;
            print_note(format!("wrote {}", path.display()));
        }
        let form = self.output.form(true);
        if let Some(crossed) = crossed.as_ref().filter(|_| form != Form::Json) {
            let all = size_text(crossed.bytes.iter().sum());
            let most = size_text(crossed.bytes.iter().copied().max().unwrap_or(0));
            let (ranks, uncoded) = (crossed.ranks, size_text(crossed.uncoded));
            print_note(format!(
                "{ranks} ranks: {all} crossed from rank to rank, at most {most} at a distance; uncoded {uncoded} at each"
            ));
        }
        if let Form::Csv | Form::Tsv = form {
            io::stdout().write_all(rows(stats, form).as_bytes())?;
            return Ok(Status::Yes);
        }
        let record = Record {
            stats: StatsRecord::from(stats),
            crossed,
        };
        self.output.print(&record, |out| text(stats, out))
    }
}

impl From<Infallible> for CliError {
    fn from(never: Infallible) -> CliError {
        match never {}
    }
}

/// A row for each distance below a header.
fn rows(stats: &Stats, form: Form) -> String {
    let mut out = String::new();
    let mut columns: Vec<String> = vec!["distance".into(), "states".into()];
    if stats.details.is_some() {
        columns.extend(["solutions", "min_solutions", "max_solutions"].map(str::to_owned));
        columns.extend((0..stats.shape.cells()).map(|cell| format!("blank_cell_{cell}")));
    }
    form.push_row(columns, &mut out);
    for (distance, states, details) in stats.rows() {
        let mut row = vec![distance.into(), states];
        if let Some(details) = details {
            row.extend([
                details.solutions,
                details.min_solutions,
                details.max_solutions,
            ]);
            row.extend(&details.blank_cells);
        }
        form.push_row(row, &mut out);
    }
    out
}

fn text(stats: &Stats, out: &mut String) -> fmt::Result {
    const BAR: usize = 30;
    let most = stats.levels.iter().copied().max().unwrap_or(1);
    let wide = most.to_string().len().max(8);
    let (shape, goal, states) = (stats.shape, stats.goal, stats.states);
    writeln!(out, "{shape} boards, goal {goal}: {states} states\n")?;
    write!(out, "distance  {:>wide$}", "states")?;
    match stats.details {
        Some(_) => writeln!(out, "{:>BAR$}    solutions  most", "")?,
        None => writeln!(out)?,
    }
    for (distance, states, details) in stats.rows() {
        let bar = bar(states, most, BAR);
        write!(out, "{distance:>8}  {states:>wide$}  ")?;
        match details {
            Some(row) => {
                let (solutions, most) = (row.solutions, row.max_solutions);
                writeln!(out, "{bar:<BAR$}  {solutions:>9}  {most:>4}")?;
            }
            None => writeln!(out, "{bar}")?,
        }
    }
    let mean = stats.mean_distance;
    writeln!(out, "\nmax distance       {}", stats.max_distance)?;
    writeln!(out, "mean distance      {mean:.6}")?;
    writeln!(out, "median distance    {}", stats.median_distance)?;
    let Some(details) = &stats.details else {
        return Ok(());
    };
    let (all, least) = (details.total_solutions, details.min_solutions);
    let most = details.max_solutions;
    writeln!(
        out,
        "optimal solutions  {all} in all, {least} to {most} a board"
    )?;
    for hardest in &details.hardest {
        let (board, solutions) = (hardest.board, hardest.solutions);
        writeln!(
            out,
            "hardest            {board}  {solutions} optimal solutions"
        )?;
    }
    write_blank_cells(details, out)
}

/// States by distance and the blank's cell, cells counted row by row from 0.
fn write_blank_cells(details: &StatsDetails, out: &mut String) -> fmt::Result {
    let most = details.rows.iter().flat_map(|row| &row.blank_cells).max();
    let width = 2 + most.map_or(1, |states| states.to_string().len());
    out.push_str("\nstates by distance and the blank's cell, cells row by row from 0\n");
    let cells = details.rows[0].blank_cells.len();
    let columns = (COLUMNS - "distance".len()) / width;
    for first in (0..cells).step_by(columns) {
        let shown = first..cells.min(first + columns);
        let line = |states: &mut dyn Iterator<Item = u64>| -> String {
            states.map(|states| format!("{states:>width$}")).collect()
        };
        writeln!(
            out,
            "distance{}",
            line(&mut shown.clone().map(|cell| cell as u64))
        )?;
        for (distance, row) in details.rows.iter().enumerate() {
            let states = line(&mut row.blank_cells[shown.clone()].iter().copied());
            writeln!(out, "{distance:>8}{states}")?;
        }
    }
    Ok(())
}

/// Columns of a terminal that a table may take.
const COLUMNS: usize = 80;
