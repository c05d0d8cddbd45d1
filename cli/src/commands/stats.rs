//! `puzzledb stats`

use std::fmt::{self, Write};
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::PathBuf;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::form::Form;
use puzzledb::ask::Stats as Question;
use puzzledb::oracle::{HardestBoard, Stats, StatsDetails, StatsRecord};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::table::OutputFile;

use super::args::SearchResources;
use super::count::count;
use super::database::Databases;
use super::error::{CliError, Status, print_note};
use super::histogram::histogram;
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
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    #[command(flatten)]
    pub resources: SearchResources,
    #[command(flatten)]
    pub output: Output,
    /// Write the histogram to this file as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    match args.count {
        true => run_count(args, databases),
        false => args.look_up(databases),
    }
}

/// Runs `stats --count`.
pub(super) fn run_count(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = args.goal(databases)?;
    ranks::alone_or_together(args.resources.mpi, |exchange| count(args, &goal, exchange))
}

impl Args {
    fn goal(&self, databases: &Databases) -> Result<Board, CliError> {
        databases.goal(self.question.shape.unwrap_or(Shape::EIGHT_PUZZLE))
    }

    /// The file for the picture, which is opened before the work: that can take minutes.
    pub(super) fn svg_file(&self) -> Result<Option<OutputFile>, CliError> {
        self.svg.as_deref().map(output_file).transpose()
    }

    /// Prints the statistics of a table.
    fn look_up(&self, databases: &Databases) -> Result<Status, CliError> {
        let svg = self.svg_file()?;
        let oracle = databases.table_oracle(&self.goal(databases)?)?;
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
        self.print(&stats, &StatsRecord::from(&stats), svg)
    }

    /// Prints statistics: their record as JSON, a row for each distance as TSV or CSV, or text; and their picture.
    pub(super) fn print(
        &self,
        stats: &Stats,
        record: &impl Serialize,
        svg: Option<OutputFile>,
    ) -> Result<Status, CliError> {
        if let (Some(file), Some(path)) = (svg, self.svg.as_deref()) {
            write_output(path, file, histogram(stats).as_bytes())?;
            print_note(format!("wrote {}", path.display()));
        }
        match self.output.form(true) {
            form @ (Form::Csv | Form::Tsv) => {
                io::stdout().write_all(rows(stats, form).as_bytes())?;
                Ok(Status::Yes)
            }
            _ => self.output.print(record, |out| text(stats, out)),
        }
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
    let Stats {
        shape,
        goal,
        states,
        ..
    } = stats;
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
    let (all, least, most) = (
        details.total_solutions,
        details.min_solutions,
        details.max_solutions,
    );
    writeln!(
        out,
        "optimal solutions  {all} in all, {least} to {most} a board"
    )?;
    for &HardestBoard {
        board, solutions, ..
    } in &details.hardest
    {
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
        write!(out, "distance")?;
        shown
            .clone()
            .try_for_each(|cell| write!(out, "{cell:>width$}"))?;
        writeln!(out)?;
        for (distance, row) in details.rows.iter().enumerate() {
            write!(out, "{distance:>8}")?;
            row.blank_cells[shown.clone()]
                .iter()
                .try_for_each(|states| write!(out, "{states:>width$}"))?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Columns of a terminal that a table may take.
const COLUMNS: usize = 80;
