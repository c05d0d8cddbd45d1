//! The report as JUnit's XML: a suite for each program; a wrong answer is a failure, a program without an answer of its own an error.

use std::fmt::{Formatter, Result};

use crate::grade::outcome::Grade;
use crate::xml::escaped;
use puzzledb::oracle::Optimum;

use super::content::Report;
use super::text::lines;

pub(super) fn write(reports: &[Report<'_>], f: &mut Formatter<'_>) -> Result {
    writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let all = counts(reports);
    writeln!(f, r#"<testsuites name="puzzledb grade" {all}>"#)?;
    for report in reports {
        let name = report.submission();
        let name = name.unwrap_or_else(|| report.grader.template.text());
        let counts = counts(std::slice::from_ref(report));
        writeln!(f, r#"  <testsuite name="{}" {counts}>"#, escaped(&name))?;
        report.grades.iter().try_for_each(|grade| case(grade, f))?;
        writeln!(f, "  </testsuite>")?;
    }
    writeln!(f, "</testsuites>")
}

/// The attributes with the number of tests and the time of some suites.
fn counts(reports: &[Report<'_>]) -> String {
    let grades = || reports.iter().flat_map(|report| report.grades);
    let tests = grades().count();
    let wrong = || reports.iter().flat_map(Report::failures);
    let errors = wrong().filter(|g| g.outcome.is_error()).count();
    let failures = wrong().count() - errors;
    let time: f64 = grades().map(|g| g.time.as_secs_f64()).sum();
    format!(
        r#"tests="{tests}" failures="{failures}" errors="{errors}" skipped="0" time="{time:.6}""#
    )
}

fn case(grade: &Grade, f: &mut Formatter<'_>) -> Result {
    let group = match grade.optimum {
        Optimum::Known(distance) => format!("distance {distance:>2}"),
        none => none.to_string(),
    };
    write!(
        f,
        r#"    <testcase classname="{group}" name="{}" time="{:.6}""#,
        grade.board,
        grade.time.as_secs_f64()
    )?;
    if grade.outcome.is_right() {
        return writeln!(f, "/>");
    }
    let kind = if grade.outcome.is_error() {
        "error"
    } else {
        "failure"
    };
    let message = match grade.explanation() {
        why if why.is_empty() => grade.outcome.to_string(),
        why => format!("{}: {why}", grade.outcome),
    };
    writeln!(f, ">")?;
    write!(
        f,
        r#"      <{kind} message="{}" type="{}">"#,
        escaped(&message),
        escaped(grade.outcome.label())
    )?;
    let told: Vec<String> = lines(grade)
        .iter()
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    write!(f, "{}", escaped(&told.join("\n")))?;
    writeln!(f, "</{kind}>\n    </testcase>")
}
