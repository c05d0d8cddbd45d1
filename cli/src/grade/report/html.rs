//! The report as one HTML page that needs no other file: light and dark, with plots, without scripts. It is
//! well-formed XML too.

use std::fmt::{Result, Write};

use crate::grade::outcome::Grade;
use crate::text::time_text;
use crate::xml::escaped;
use puzzledb::internals::size_text;

use super::Report;
use super::plot;
use super::text::{lines, rows};

const STYLE: &str = include_str!("style.css");

/// The page of a program, or that of a course: a table of the submissions, and the report of each below.
pub(super) fn write(reports: &[Report<'_>], out: &mut String) -> Result {
    let (first, is_course) = (&reports[0], reports[0].submission().is_some());
    let all_right = |report: &&Report<'_>| report.failures().next().is_none();
    let title = if is_course {
        let right = reports.iter().filter(all_right).count();
        format!("{right} of {} submissions right", reports.len())
    } else {
        score(first)
    };
    let (grader, limits) = (first.grader, first.grader.supervision);
    let (goal, shape, jobs) = (first.goal, first.goal.shape(), grader.jobs);
    let command = escaped(&grader.template.text());
    let (time, memory) = (time_text(limits.timeout), size_text(limits.memory));
    let cpu = |time| format!(", {} of CPU time", time_text(time));
    let cpu = limits.cpu.map_or(String::new(), cpu);
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}: {command}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p class=\"about\"><code>{command}</code></p>\n\
         <p>{shape} boards, goal {goal}; at most {time}{cpu} and {memory} of memory for a board, {jobs} at \
         a time.</p>"
    )?;
    if is_course {
        table(reports, true, out)?;
        for (i, report) in reports.iter().enumerate() {
            let name = escaped(&report.submission().unwrap_or_default());
            writeln!(out, "<h2 id=\"s{i}\">{name}</h2>")?;
            writeln!(out, "<details><summary>{}</summary>", score(report))?;
            body(report, out)?;
            writeln!(out, "</details>")?;
        }
    } else {
        body(first, out)?;
    }
    writeln!(out, "</body>\n</html>")
}

fn score(report: &Report<'_>) -> String {
    let all = &report.summary.all;
    format!("{} of {} boards right", all.right, all.boards)
}

/// The outcomes, plots, table and failures of a program.
fn body(report: &Report<'_>, out: &mut String) -> Result {
    let mistake = report.mistake.as_ref().map_or(String::new(), |mistake| {
        format!("<p>Mistake: {}</p>\n", escaped(&mistake.sentence))
    });
    writeln!(out, "<h2>Outcomes</h2>\n<table>")?;
    for (label, count) in &report.summary.by_outcome {
        writeln!(out, "<tr><td>{count}</td><td>{}</td></tr>", escaped(label))?;
    }
    writeln!(
        out,
        "</table>\n{mistake}<h2>Right answers</h2>\n\
         <p class=\"key\">Blue is right, red is not.</p>"
    )?;
    out.write_str(&plot::shares(report))?;
    writeln!(
        out,
        "<h2>Time</h2>\n<p class=\"key\">A dot for each board; a line for the mean.</p>"
    )?;
    out.write_str(&plot::times(report))?;
    writeln!(out, "<h2>By distance</h2>")?;
    table(std::slice::from_ref(report), false, out)?;
    if report.failures().next().is_some() {
        writeln!(out, "<h2>Not right</h2>")?;
    }
    report.failures().try_for_each(|grade| failure(grade, out))
}

/// The table of figures.
fn table(reports: &[Report<'_>], is_course: bool, out: &mut String) -> Result {
    let rows = rows(reports, is_course);
    writeln!(out, "<div class=\"wide\"><table>")?;
    for (i, row) in rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        let is_sum = i + 1 == rows.len() && !is_course;
        let class = if is_sum { " class=\"all\"" } else { "" };
        let mut name = escaped(&row[0]);
        if is_course && i > 0 {
            name = format!("<a href=\"#s{}\">{name}</a>", i - 1);
        }
        write!(out, "<tr{class}><{tag}>{name}</{tag}>")?;
        for cell in &row[1..] {
            write!(out, "<{tag}>{cell}</{tag}>")?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table></div>")
}

fn failure(grade: &Grade, out: &mut String) -> Result {
    let (board, outcome) = (grade.board, escaped(&grade.outcome.to_string()));
    let summary = format!("<summary><code>{board}</code> {outcome}</summary>");
    writeln!(out, "<details>{summary}\n<dl>")?;
    for (name, text) in lines(grade) {
        writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(&text))?;
    }
    writeln!(out, "</dl></details>")
}
