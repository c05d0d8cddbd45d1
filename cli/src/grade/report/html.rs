//! The report as one HTML page that needs no other file: light and dark, with plots, without scripts. It is
//! well-formed XML too.

use std::fmt::{Formatter, Result};

use crate::grade::outcome::Grade;
use crate::grade::summary::Figures;
use crate::text::time_text;
use crate::xml::escaped;
use puzzledb::basics::size_text;

use super::content::Report;
use super::plot;
use super::text::{COLUMNS, COURSE, OUTCOMES, cells, course_cells, lines};

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #222; --soft: #667; --paper: #fff; --line: #d8d8de; \
--right: #2f6db5; --wrong: #d1543b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --soft: #a0a0ac; --paper: #17181c; \
--line: #3a3b42; --right: #6aa5ec; --wrong: #ef7a5f; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); \
max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; }
p.about { color: var(--soft); margin-top: .2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .8rem; text-align: right; border-bottom: 1px solid var(--line); }
tr.all td { font-weight: 600; }
.wide { overflow-x: auto; }
dl { display: grid; grid-template-columns: 5rem 1fr; margin: .3rem 0 1rem; } dt { color: var(--soft); }
dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; font-size: 12px; }
svg .right { fill: var(--right); } svg .wrong { fill: var(--wrong); }
svg text.axis { fill: var(--soft); } svg path.axis { stroke: var(--line); }
svg .mean { stroke: var(--ink); stroke-width: 2; }
.key { color: var(--soft); }
";

pub(super) fn write(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let title = format!("{} boards right", score(report));
    head(&title, report, f)?;
    write!(f, "<p>")?;
    about(report, f)?;
    writeln!(f, "</p>")?;
    body(report, f)?;
    writeln!(f, "</body>\n</html>")
}

/// The page of a course: a table of the submissions, and the report of each below.
pub(super) fn write_course(reports: &[Report<'_>], f: &mut Formatter<'_>) -> Result {
    let right = reports
        .iter()
        .filter(|report| report.failures().next().is_none());
    let title = format!("{} of {} submissions right", right.count(), reports.len());
    head(&title, &reports[0], f)?;
    write!(f, "<p>")?;
    about(&reports[0], f)?;
    let columns = [&[COURSE], &COLUMNS[1..], &[OUTCOMES]].concat();
    writeln!(f, "</p>\n<div class=\"wide\"><table>")?;
    writeln!(f, "<tr><th>{}</th></tr>", columns.join("</th><th>"))?;
    for (i, report) in reports.iter().enumerate() {
        let ([name, cells @ ..], outcomes) = course_cells(report);
        let (name, cells) = (escaped(&name), cells.join("</td><td>"));
        writeln!(
            f,
            "<tr><td><a href=\"#s{i}\">{name}</a></td><td>{cells}</td><td>{outcomes}</td></tr>"
        )?;
    }
    writeln!(f, "</table></div>")?;
    for (i, report) in reports.iter().enumerate() {
        let name = report.submission().unwrap_or_default();
        let (name, score) = (escaped(&name), score(report));
        writeln!(f, "<h2 id=\"s{i}\">{name}</h2>")?;
        writeln!(f, "<details><summary>{score} boards right</summary>")?;
        body(report, f)?;
        writeln!(f, "</details>")?;
    }
    writeln!(f, "</body>\n</html>")
}

fn score(report: &Report<'_>) -> String {
    let all = &report.summary.all;
    format!("{} of {}", all.right, all.boards)
}

/// The beginning of a page, with the command.
fn head(title: &str, report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let command = report.grader.template.text();
    let command = escaped(&command);
    writeln!(
        f,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}: {command}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p class=\"about\"><code>{command}</code></p>",
    )
}

/// The outcomes, plots, table and failures of a program.
fn body(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let mistake = report.mistake.as_ref().map_or(String::new(), |mistake| {
        format!("<p>Mistake: {}</p>\n", escaped(&mistake.sentence))
    });
    writeln!(f, "<h2>Outcomes</h2>\n<table>")?;
    for (label, count) in &report.summary.by_outcome {
        writeln!(f, "<tr><td>{count}</td><td>{}</td></tr>", escaped(label))?;
    }
    writeln!(
        f,
        "</table>\n{mistake}<h2>Right answers</h2>\n\
         <p class=\"key\">Blue is right, red is not.</p>"
    )?;
    f.write_str(&plot::shares(report))?;
    writeln!(
        f,
        "<h2>Time</h2>\n<p class=\"key\">A dot for each board; a line for the mean.</p>"
    )?;
    f.write_str(&plot::times(report))?;
    writeln!(f, "<h2>By distance</h2>")?;
    table(report, f)?;
    if report.failures().next().is_some() {
        writeln!(f, "<h2>Not right</h2>")?;
    }
    report.failures().try_for_each(|grade| failure(grade, f))
}

fn about(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let limits = report.grader.supervision;
    let cpu = limits
        .cpu
        .map(|time| format!(", {} of CPU time", time_text(time)));
    write!(
        f,
        "{shape} boards, goal {goal}; at most {time}{cpu} and {memory} of memory for a board, {jobs} at \
         a time.",
        shape = report.goal.shape(),
        goal = report.goal,
        time = time_text(limits.timeout),
        cpu = cpu.unwrap_or_default(),
        memory = size_text(limits.memory),
        jobs = report.grader.jobs,
    )
}

fn table(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    writeln!(
        f,
        "<div class=\"wide\"><table>\n<tr><th>{}</th></tr>",
        COLUMNS.join("</th><th>")
    )?;
    for (optimum, figures) in &report.summary.by_distance {
        row("", optimum.to_string(), figures, f)?;
    }
    row(" class=\"all\"", "all".to_owned(), &report.summary.all, f)?;
    writeln!(f, "</table></div>")
}

fn row(class: &str, name: String, figures: &Figures, f: &mut Formatter<'_>) -> Result {
    let cells = cells(name, figures).join("</td><td>");
    writeln!(f, "<tr{class}><td>{cells}</td></tr>")
}

fn failure(grade: &Grade, f: &mut Formatter<'_>) -> Result {
    let outcome = grade.outcome.to_string();
    writeln!(
        f,
        "<details><summary><code>{}</code> {}</summary>\n<dl>",
        grade.board,
        escaped(&outcome)
    )?;
    for (name, text) in lines(grade) {
        writeln!(f, "<dt>{name}</dt><dd>{}</dd>", escaped(&text))?;
    }
    writeln!(f, "</dl></details>")
}
