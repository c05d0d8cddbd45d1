//! The report for people.

use std::fmt::{Result, Write};
use std::time::Duration;

use crate::grade::outcome::Grade;
use crate::grade::summary::Figures;
use crate::text::{plural, time_text};
use puzzledb::internals::size_text;
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
    for row in &rows {
        match is_course {
            true => write!(out, "{:<width$}", row[0])?,
            false => write!(out, "{:>10}", row[0])?,
        }
        for (cell, (_, width, _)) in row[1..].iter().zip(COLUMNS) {
            write!(out, " {cell:>width$}")?;
        }
        match row.get(1 + COLUMNS.len()) {
            Some(outcomes) => writeln!(out, "  {outcomes}")?,
            None => writeln!(out)?,
        }
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

/// A column of figures: its name, its width, and the figure if that is known.
type Column = (&'static str, usize, fn(&Figures) -> Option<String>);

const COLUMNS: [Column; 8] = [
    ("boards", 7, |its| Some(its.boards.to_string())),
    ("right", 7, |its| Some(its.right.to_string())),
    ("right %", 9, |its| Some(format!("{:.1}", its.percent()?))),
    ("mean excess", 11, |its| {
        Some(format!("{:.2}", its.mean_excess?))
    }),
    ("mean time", 10, |its| Some(seconds_text(its.mean_seconds))),
    ("max time", 10, |its| Some(seconds_text(its.max_seconds))),
    ("max CPU", 10, |its| its.max_cpu_seconds.map(seconds_text)),
    ("max memory", 10, |its| its.max_memory.map(size_text)),
];

/// The table of figures below its header: a row for each distance and one for all boards, or one for each submission of
/// a course, with its outcomes. An unknown figure is a dash.
pub(super) fn rows(reports: &[Report<'_>], is_course: bool) -> Vec<Vec<String>> {
    let first = ["distance", "submission"][usize::from(is_course)];
    let mut rows = vec![vec![first.to_owned()]];
    rows[0].extend(COLUMNS.map(|(name, ..)| name.to_owned()));
    let mut push = |name, figures, outcomes: Option<String>| {
        let mut row = vec![name];
        row.extend(COLUMNS.map(|(_, _, of)| of(figures).unwrap_or("-".to_owned())));
        row.extend(outcomes);
        rows.push(row);
    };
    if is_course {
        for report in reports {
            let outcomes = report.summary.by_outcome.iter();
            let outcomes: Vec<_> = outcomes.map(|(label, n)| format!("{n} {label}")).collect();
            let name = report.submission().unwrap_or_default();
            push(name, &report.summary.all, Some(outcomes.join(", ")));
        }
        rows[0].push("outcomes".to_owned());
        return rows;
    }
    let summary = &reports[0].summary;
    for (optimum, figures) in &summary.by_distance {
        push(optimum.to_string(), figures, None);
    }
    push("all".to_owned(), &summary.all, None);
    rows
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
