//! `puzzledb stats`

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::oracle::{Counted, CountedRow, Stats, histogram_svg};
use crate::puzzle::Shape;

use super::Status;
use super::database::Databases;
use super::error::{CliError, say};
use super::render::bar;

/// Show how many boards there are at each distance, and what else is in the space
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Totals of optimal solutions leave the goal's own empty solution out, as the literature does; the
histogram's row for distance 0 has it.")]
pub(super) struct Args {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
    /// Count optimal solutions and list the hardest boards of large spaces too
    #[arg(long)]
    solutions: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated rows, one for each distance
    #[arg(long)]
    csv: bool,
    /// Write the histogram to this file as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct Json {
    shape: String,
    goal: String,
    states: u64,
    max_distance: u8,
    mean_distance: f64,
    median_distance: u8,
    histogram: Vec<JsonRow>,
    optimal_solutions: Option<JsonSolutions>,
    hardest: Option<Vec<String>>,
}

/// What was not counted is null.
#[derive(Serialize)]
struct JsonRow {
    distance: u8,
    states: u64,
    solutions: Option<u64>,
    min_solutions: Option<u64>,
    max_solutions: Option<u64>,
    blank_cells: Option<Vec<u64>>,
}

#[derive(Serialize)]
struct JsonSolutions {
    total: u64,
    min: u64,
    max: u64,
}

/// Spaces up to this size are looked at state by state without being asked.
const FEW_STATES: u64 = 10_000_000;

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let oracle = databases.oracle(args.shape)?;
    let stats = if args.solutions || oracle.table().header().states() <= FEW_STATES {
        let spinner = ProgressBar::new_spinner().with_message("counting optimal solutions");
        spinner.enable_steady_tick(Duration::from_millis(100));
        let stats = oracle.counted_stats()?;
        spinner.finish_and_clear();
        stats
    } else {
        say(
            "note",
            "optimal solutions and hardest boards take minutes here: --solutions",
        );
        oracle.stats()
    };
    if let Some(path) = &args.svg {
        std::fs::write(path, histogram_svg(&stats)).map_err(|error| {
            CliError::Usage(format!("cannot write {}: {error}", path.display()))
        })?;
        say("note", &format!("wrote {}", path.display()));
    }
    let mut out = BufWriter::new(anstream::stdout().lock());
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json(&stats))?)?;
    } else if args.csv {
        csv(&stats, &mut out)?;
    } else {
        text(&stats, &mut out)?;
    }
    out.flush()?;
    Ok(Status::Yes)
}

/// The distances with their states and what was counted of them.
fn rows(stats: &Stats) -> impl Iterator<Item = (u8, u64, Option<&CountedRow>)> {
    (0..).zip(&stats.levels).map(|(distance, &states)| {
        let counted = stats
            .counted
            .as_ref()
            .map(|c| &c.rows[usize::from(distance)]);
        (distance, states, counted)
    })
}

fn json(stats: &Stats) -> Json {
    let row = |(distance, states, counted): (u8, u64, Option<&CountedRow>)| JsonRow {
        distance,
        states,
        solutions: counted.map(|row| row.solutions),
        min_solutions: counted.map(|row| row.min_solutions),
        max_solutions: counted.map(|row| row.max_solutions),
        blank_cells: counted.map(|row| row.by_blank.clone()),
    };
    let counted = stats.counted.as_ref();
    Json {
        shape: stats.shape.to_string(),
        goal: stats.goal.to_string(),
        states: stats.states,
        max_distance: stats.max_distance,
        mean_distance: stats.mean_distance,
        median_distance: stats.median_distance,
        histogram: rows(stats).map(row).collect(),
        optimal_solutions: counted.map(|counted| JsonSolutions {
            total: counted.total_solutions,
            min: counted.min_solutions,
            max: counted.max_solutions,
        }),
        hardest: counted.map(|c| c.hardest.iter().map(|h| h.board.to_string()).collect()),
    }
}

fn csv(stats: &Stats, out: &mut impl Write) -> io::Result<()> {
    write!(out, "distance,states")?;
    if stats.counted.is_some() {
        write!(out, ",solutions,min_solutions,max_solutions")?;
        (0..stats.shape.cells()).try_for_each(|cell| write!(out, ",blank_cell_{cell}"))?;
    }
    writeln!(out)?;
    for (distance, states, counted) in rows(stats) {
        write!(out, "{distance},{states}")?;
        if let Some(row) = counted {
            write!(
                out,
                ",{},{},{}",
                row.solutions, row.min_solutions, row.max_solutions
            )?;
            row.by_blank
                .iter()
                .try_for_each(|states| write!(out, ",{states}"))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn text(stats: &Stats, out: &mut impl Write) -> io::Result<()> {
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
    match stats.counted {
        Some(_) => writeln!(out, "{:>BAR$}    solutions  most", "")?,
        None => writeln!(out)?,
    }
    for (distance, states, counted) in rows(stats) {
        let bar = bar(states, most, BAR);
        write!(out, "{distance:>8}  {states:>wide$}  ")?;
        match counted {
            Some(row) => {
                let (solutions, most) = (row.solutions, row.max_solutions);
                writeln!(out, "{bar:<BAR$}  {solutions:>9}  {most:>4}")?;
            }
            None => writeln!(out, "{bar}")?,
        }
    }
    writeln!(out)?;
    writeln!(out, "largest distance   {}", stats.max_distance)?;
    writeln!(out, "mean distance      {:.6}", stats.mean_distance)?;
    writeln!(out, "median distance    {}", stats.median_distance)?;
    let Some(counted) = &stats.counted else {
        return Ok(());
    };
    writeln!(
        out,
        "optimal solutions  {} in all, {} to {} a board",
        counted.total_solutions, counted.min_solutions, counted.max_solutions
    )?;
    for hardest in &counted.hardest {
        let (board, solutions) = (hardest.board, hardest.solutions);
        writeln!(
            out,
            "hardest board      {board}  {solutions} optimal solutions"
        )?;
    }
    by_blank(counted, out)
}

/// States by distance and the blank's cell, cells counted row by row from 0.
fn by_blank(counted: &Counted, out: &mut impl Write) -> io::Result<()> {
    let most = counted.rows.iter().flat_map(|row| &row.by_blank).max();
    let width = 2 + most.map_or(1, |states| states.to_string().len());
    writeln!(
        out,
        "\nstates by distance and the blank's cell, cells row by row from 0"
    )?;
    write!(out, "distance")?;
    let cells = counted.rows[0].by_blank.len();
    (0..cells).try_for_each(|cell| write!(out, "{cell:>width$}"))?;
    writeln!(out)?;
    for (distance, row) in counted.rows.iter().enumerate() {
        write!(out, "{distance:>8}")?;
        row.by_blank
            .iter()
            .try_for_each(|states| write!(out, "{states:>width$}"))?;
        writeln!(out)?;
    }
    Ok(())
}
