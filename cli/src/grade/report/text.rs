//! The report for people.

use std::fmt::{Result, Write};
use std::time::Duration;

use crate::grade::outcome::Grade;
use crate::grade::summary::{Figures, Summary};
use crate::text::{plural, time_text};
use puzzledb::internals::basics::size_text;
use puzzledb::oracle::Optimum;

use super::Report;

/// Failures that are described one by one.
const DESCRIBED: usize = 5;

pub(super) fn write(reports: &[Report<'_>], out: &mut String) -> Result {
    let (first, is_course) = (&reports[0], reports[0].submission().is_some());
    writeln!(out, "{}", first.grader.template.text())?;
    if is_course {
        let submissions = plural(reports.len() as u64, "submission");
        write!(out, "{submissions}, each on ")?;
    }
    let (boards, goal) = (plural(first.summary.all.boards, "board"), first.goal);
    writeln!(out, "{boards} of {}, goal {goal}\n", goal.shape())?;
    let rows = rows(reports, is_course);
    let width = rows.iter().map(|row| row[0].chars().count()).max();
    let width = width.unwrap_or(0);
    for [name, cells @ .., outcomes] in rows {
        if is_course {
            write!(out, "{name:<width$}")?;
        } else {
            write!(out, "{name:>10}")?;
        }
        for (cell, width) in cells.into_iter().zip([7, 7, 9, 11, 10, 10, 10, 10]) {
            write!(out, " {cell:>width$}")?;
        }
        if is_course {
            write!(out, "  {outcomes}")?;
        }
        writeln!(out)?;
    }
    if is_course {
        let found = reports.iter();
        let found = found.filter_map(|report| report.submission().zip(report.mistake.as_ref()));
        for (i, (name, mistake)) in found.enumerate() {
            let above = if i == 0 { "\nMistakes:\n" } else { "" };
            writeln!(out, "{above}  {name}: {}", mistake.sentence)?;
        }
        return Ok(());
    }
    writeln!(out)?;
    for (label, count) in &first.summary.by_outcome {
        writeln!(out, "{count:>10} {label}")?;
    }
    if let Some(mistake) = &first.mistake {
        writeln!(out, "\nMistake: {}", mistake.sentence)?;
    }
    match first.failures().count() {
        0 => {}
        1..=DESCRIBED => writeln!(out, "\nNot right:")?,
        more => writeln!(out, "\nNot right, the first {DESCRIBED} of {more}:")?,
    }
    for grade in first.failures().take(DESCRIBED) {
        writeln!(out, "\n  {}  {}", grade.board, grade.outcome)?;
        for (name, text) in lines(grade) {
            writeln!(out, "    {name:<9} {text}")?;
        }
    }
    Ok(())
}

/// The names of the columns of [`rows`].
const COLUMNS: [&str; 10] = [
    "distance",
    "boards",
    "right",
    "right %",
    "mean excess",
    "mean time",
    "max time",
    "max CPU",
    "max memory",
    "outcomes",
];

/// The table of figures below its header: a row for each distance and one for all boards, or one for each submission of
/// a course. An unknown figure is a dash. The last column is for courses only.
pub(super) fn rows(reports: &[Report<'_>], is_course: bool) -> Vec<[String; 10]> {
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    if is_course {
        "submission".clone_into(&mut rows[0][0]);
        rows.extend(reports.iter().map(|report| {
            let outcomes = report.summary.by_outcome.iter();
            let outcomes: Vec<_> = outcomes.map(|(label, n)| format!("{n} {label}")).collect();
            let name = report.submission().unwrap_or_default();
            row(name, &report.summary.all, outcomes.join(", "))
        }));
        return rows;
    }
    let Summary {
        all, by_distance, ..
    } = &reports[0].summary;
    let by_distance = by_distance
        .iter()
        .map(|(its, figures)| (its.to_string(), figures));
    let all = by_distance.chain([("all".to_owned(), all)]);
    rows.extend(all.map(|(name, figures)| row(name, figures, String::new())));
    rows
}

fn row(name: String, figures: &Figures, outcomes: String) -> [String; 10] {
    let unknown = || "-".to_owned();
    [
        name,
        figures.boards.to_string(),
        figures.right.to_string(),
        (figures.percent()).map_or_else(unknown, |percent| format!("{percent:.1}")),
        (figures.mean_excess).map_or_else(unknown, |excess| format!("{excess:.2}")),
        seconds_text(figures.mean_seconds),
        seconds_text(figures.max_seconds),
        figures.max_cpu_seconds.map_or_else(unknown, seconds_text),
        figures.max_memory.map_or_else(unknown, size_text),
        outcomes,
    ]
}

pub(super) fn seconds_text(seconds: f64) -> String {
    time_text(Duration::from_secs_f64(seconds))
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
