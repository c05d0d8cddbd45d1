//! The report for people.

use std::fmt::{Display, Formatter, Result};
use std::time::Duration;

use crate::grade::outcome::Grade;
use crate::grade::summary::Figures;
use crate::text::{plural, time_text};
use puzzledb::basics::size_text;
use puzzledb::oracle::Optimum;

use super::content::Report;

/// Failures that are described one by one.
const DESCRIBED: usize = 5;

pub(super) fn write(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let (all, goal) = (&report.summary.all, report.goal);
    writeln!(f, "{}", report.grader.template.text())?;
    let boards = plural(all.boards, "board");
    writeln!(f, "{boards} of {}, goal {goal}\n", goal.shape())?;
    row(COLUMNS, f)?;
    for (optimum, figures) in &report.summary.by_distance {
        row(cells(optimum.to_string(), figures), f)?;
    }
    row(cells("all".to_owned(), all), f)?;
    writeln!(f)?;
    for (label, count) in &report.summary.by_outcome {
        writeln!(f, "{count:>10} {label}")?;
    }
    if let Some(mistake) = &report.mistake {
        writeln!(f, "\nMistake: {}", mistake.sentence)?;
    }
    let failures = report.failures().count();
    if failures == 0 {
        return Ok(());
    }
    match failures {
        0..=DESCRIBED => writeln!(f, "\nNot right:")?,
        _ => writeln!(f, "\nNot right, the first {DESCRIBED} of {failures}:")?,
    }
    report
        .failures()
        .take(DESCRIBED)
        .try_for_each(|grade| failure(grade, f))
}

/// A line for each submission.
pub(super) fn write_course(reports: &[Report<'_>], f: &mut Formatter<'_>) -> Result {
    let (first, boards) = (&reports[0], reports[0].summary.all.boards);
    writeln!(f, "{}", first.grader.template.text())?;
    let submissions = plural(reports.len() as u64, "submission");
    let (boards, goal) = (plural(boards, "board"), first.goal);
    let shape = goal.shape();
    writeln!(
        f,
        "{submissions}, each on {boards} of {shape}, goal {goal}\n"
    )?;
    let rows: Vec<_> = reports.iter().map(course_cells).collect();
    let widest = rows.iter().map(|(cells, _)| cells[0].chars().count()).max();
    let width = widest.unwrap_or(0).max(COURSE.len());
    let [_, columns @ ..] = COLUMNS;
    write!(f, "{COURSE:<width$}")?;
    cells_of_row(columns, f)?;
    writeln!(f, "  {OUTCOMES}")?;
    for ([name, cells @ ..], outcomes) in rows {
        write!(f, "{name:<width$}")?;
        cells_of_row(cells, f)?;
        writeln!(f, "  {outcomes}")?;
    }
    let mistakes = reports.iter().filter_map(|report| {
        let name = report.submission().unwrap_or_default();
        Some((name, report.mistake.as_ref()?))
    });
    for (i, (name, mistake)) in mistakes.enumerate() {
        let above = if i == 0 { "\nMistakes:\n" } else { "" };
        writeln!(f, "{above}  {name}: {}", mistake.sentence)?;
    }
    Ok(())
}

/// The first and the last column of the table of a course; [`COLUMNS`] has the others.
pub(super) const COURSE: &str = "submission";
pub(super) const OUTCOMES: &str = "outcomes";

/// The cells of a submission's row, and its outcomes.
pub(super) fn course_cells(report: &Report<'_>) -> ([String; 9], String) {
    let name = report.submission().unwrap_or_default();
    let outcomes = report.summary.by_outcome.iter();
    let outcomes: Vec<String> = outcomes.map(|(label, n)| format!("{n} {label}")).collect();
    (cells(name, &report.summary.all), outcomes.join(", "))
}

fn row(cells: [impl Display; 9], f: &mut Formatter<'_>) -> Result {
    let [first, rest @ ..] = cells;
    write!(f, "{first:>10}")?;
    cells_of_row(rest, f)?;
    writeln!(f)
}

fn cells_of_row(cells: [impl Display; 8], f: &mut Formatter<'_>) -> Result {
    for (cell, width) in cells.into_iter().zip([7, 7, 9, 11, 10, 10, 10, 10]) {
        write!(f, " {cell:>width$}")?;
    }
    Ok(())
}

/// The names of the columns of [`cells`].
pub(super) const COLUMNS: [&str; 9] = [
    "distance",
    "boards",
    "right",
    "right %",
    "mean excess",
    "mean time",
    "max time",
    "max CPU",
    "max memory",
];

/// A row of the table of figures; an unknown figure is a dash.
pub(super) fn cells(name: String, figures: &Figures) -> [String; 9] {
    let unknown = || "-".to_owned();
    [
        name,
        figures.boards.to_string(),
        figures.right.to_string(),
        figures
            .percent()
            .map_or_else(unknown, |percent| format!("{percent:.1}")),
        figures
            .mean_excess
            .map_or_else(unknown, |excess| format!("{excess:.2}")),
        seconds_text(figures.mean_seconds),
        seconds_text(figures.max_seconds),
        figures.max_cpu_seconds.map_or_else(unknown, seconds_text),
        figures.max_memory.map_or_else(unknown, size_text),
    ]
}

pub(super) fn seconds_text(seconds: f64) -> String {
    time_text(Duration::from_secs_f64(seconds))
}

fn failure(grade: &Grade, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n  {}  {}", grade.board, grade.outcome)?;
    for (name, text) in lines(grade) {
        writeln!(f, "    {name:<9} {text}")?;
    }
    Ok(())
}

/// The description of a failure as names and texts.
pub(super) fn lines(grade: &Grade) -> Vec<(&'static str, String)> {
    let mut lines = vec![("why", grade.explanation())];
    if let Some((moves, reading)) = grade.path() {
        lines.push(("moves", format!("{moves} (read as {reading})")));
    }
    lines.push(("said", grade.output.clone()));
    lines.push(("errors", grade.errors.clone()));
    lines.push((
        "right",
        match (grade.optimum, grade.solution_text()) {
            (Optimum::Known(0), _) => "no moves: it is the goal".to_owned(),
            (Optimum::Known(distance), Some(moves)) => format!("{distance} moves, as in {moves}"),
            (Optimum::Unsolvable, _) => "the board cannot be solved".to_owned(),
            (Optimum::Known(_) | Optimum::Unknown, _) => String::new(),
        },
    ));
    lines.retain(|(_, text)| !text.is_empty());
    lines
}
