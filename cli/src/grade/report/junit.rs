//! The report as JUnit's XML: a suite for each program; a wrong answer is a failure, a program without an answer of its own an error.

use std::fmt::{Result, Write};

use crate::grade::outcome::Grade;
use crate::xml::escaped;
use puzzledb::oracle::Optimum;

use super::Report;
use super::text::lines;

pub(super) fn write(reports: &[Report<'_>], out: &mut String) -> Result {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let all = counts(reports);
    writeln!(out, r#"<testsuites name="puzzledb grade" {all}>"#)?;
    for report in reports {
        let name = report.submission();
        let name = name.unwrap_or_else(|| report.grader.template.text());
        let counts = counts(std::slice::from_ref(report));
        writeln!(out, r#"  <testsuite name="{}" {counts}>"#, escaped(&name))?;
        for grade in &report.grades {
            case(grade, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The attributes with the number of tests and the time of some suites.
fn counts(reports: &[Report<'_>]) -> String {
    let grades = || reports.iter().flat_map(|report| &report.grades);
    let tests = grades().count();
    let wrong = || reports.iter().flat_map(Report::failures);
    let errors = wrong().filter(|g| g.outcome.is_error()).count();
    let failures = wrong().count() - errors;
    let time: f64 = grades().map(|g| g.time.as_secs_f64()).sum();
    format!(
        r#"tests="{tests}" failures="{failures}" errors="{errors}" skipped="0" time="{time:.6}""#
    )
}

fn case(grade: &Grade, out: &mut String) -> Result {
    let group = match grade.optimum {
        Optimum::Known(distance) => format!("distance {distance:>2}"),
        none => none.to_string(),
    };
    let (board, time, outcome) = (grade.board, grade.time.as_secs_f64(), &grade.outcome);
    write!(
        out,
        r#"    <testcase classname="{group}" name="{board}" time="{time:.6}""#
    )?;
    if outcome.is_right() {
        return writeln!(out, "/>");
    }
    let kind = ["failure", "error"][usize::from(outcome.is_error())];
    let message = match grade.explanation() {
        why if why.is_empty() => outcome.to_string(),
        why => format!("{outcome}: {why}"),
    };
    let told = lines(grade).into_iter();
    let told = told.map(|(name, text)| format!("{name}: {text}"));
    let told = told.collect::<Vec<_>>().join("\n");
    let (told, message, label) = (escaped(&told), escaped(&message), escaped(outcome.label()));
    writeln!(
        out,
        ">\n      <{kind} message=\"{message}\" type=\"{label}\">{told}</{kind}>\n    </testcase>"
    )
}
