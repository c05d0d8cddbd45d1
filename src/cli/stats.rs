//! `puzzledb stats`

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use crate::oracle::{Stats, histogram_svg};
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
    optimal_solutions: JsonSolutions,
    hardest: Vec<String>,
}

#[derive(Serialize)]
struct JsonRow {
    distance: u8,
    states: u64,
    solutions: u64,
    min_solutions: u64,
    max_solutions: u64,
    blank_cells: Vec<u64>,
}

#[derive(Serialize)]
struct JsonSolutions {
    total: u64,
    min: u64,
    max: u64,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let stats = databases.oracle(args.shape)?.stats()?;
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

fn json(stats: &Stats) -> Json {
    let row = |row: &crate::oracle::StatsRow| JsonRow {
        distance: row.distance,
        states: row.states,
        solutions: row.solutions,
        min_solutions: row.min_solutions,
        max_solutions: row.max_solutions,
        blank_cells: row.by_blank.clone(),
    };
    Json {
        shape: stats.shape.to_string(),
        goal: stats.goal.to_string(),
        states: stats.states,
        max_distance: stats.max_distance,
        mean_distance: stats.mean_distance,
        median_distance: stats.median_distance,
        histogram: stats.rows.iter().map(row).collect(),
        optimal_solutions: JsonSolutions {
            total: stats.total_solutions,
            min: stats.min_solutions,
            max: stats.max_solutions,
        },
        hardest: stats.hardest.iter().map(|h| h.board.to_string()).collect(),
    }
}

fn csv(stats: &Stats, out: &mut impl Write) -> io::Result<()> {
    write!(out, "distance,states,solutions,min_solutions,max_solutions")?;
    for cell in 0..stats.shape.cells() {
        write!(out, ",blank_cell_{cell}")?;
    }
    writeln!(out)?;
    for row in &stats.rows {
        write!(out, "{},{},{}", row.distance, row.states, row.solutions)?;
        write!(out, ",{},{}", row.min_solutions, row.max_solutions)?;
        for states in &row.by_blank {
            write!(out, ",{states}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn text(stats: &Stats, out: &mut impl Write) -> io::Result<()> {
    const BAR: usize = 30;
    let most = stats.rows.iter().map(|row| row.states).max().unwrap_or(1);
    let Stats {
        shape,
        goal,
        states,
        ..
    } = stats;
    writeln!(out, "{shape} boards, goal {goal}: {states} states\n")?;
    writeln!(
        out,
        "distance    states                                  solutions  most"
    )?;
    for row in &stats.rows {
        writeln!(
            out,
            "{:>8}  {:>8}  {:<BAR$}  {:>9}  {:>4}",
            row.distance,
            row.states,
            bar(row.states, most, BAR),
            row.solutions,
            row.max_solutions
        )?;
    }
    writeln!(out)?;
    writeln!(out, "largest distance   {}", stats.max_distance)?;
    writeln!(out, "mean distance      {:.6}", stats.mean_distance)?;
    writeln!(out, "median distance    {}", stats.median_distance)?;
    writeln!(
        out,
        "optimal solutions  {} in all, {} to {} a board",
        stats.total_solutions, stats.min_solutions, stats.max_solutions
    )?;
    for hardest in &stats.hardest {
        let (board, solutions) = (hardest.board, hardest.solutions);
        writeln!(
            out,
            "hardest board      {board}  {solutions} optimal solutions"
        )?;
    }
    by_blank(stats, out)
}

/// States by distance and the blank's cell, cells counted row by row from 0.
fn by_blank(stats: &Stats, out: &mut impl Write) -> io::Result<()> {
    let cells = stats.shape.cells();
    let most = stats.rows.iter().flat_map(|row| &row.by_blank).max();
    let width = 2 + most.map_or(1, |states| states.to_string().len());
    writeln!(
        out,
        "\nstates by distance and the blank's cell, cells row by row from 0"
    )?;
    write!(out, "distance")?;
    (0..cells).try_for_each(|cell| write!(out, "{cell:>width$}"))?;
    writeln!(out)?;
    for row in &stats.rows {
        write!(out, "{:>8}", row.distance)?;
        row.by_blank
            .iter()
            .try_for_each(|states| write!(out, "{states:>width$}"))?;
        writeln!(out)?;
    }
    Ok(())
}
