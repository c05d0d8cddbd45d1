//! The report as JUnit's XML: a wrong answer is a failure, a program without an answer of its own an error.

use std::fmt::{Formatter, Result};

use crate::grade::outcome::Grade;
use crate::xml::escaped;
use puzzledb::oracle::Optimum;

use super::content::Report;
use super::text::lines;

pub(super) fn write(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    let tests = report.grades.len();
    let errors = report.failures().filter(|g| g.outcome.is_error()).count();
    let failures = report.failures().count() - errors;
    let time: f64 = report.grades.iter().map(|g| g.time.as_secs_f64()).sum();
    let counts = format!(
        r#"tests="{tests}" failures="{failures}" errors="{errors}" skipped="0" time="{time:.6}""#
    );
    let command = report.grader.template.text();
    writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(f, r#"<testsuites name="puzzledb grade" {counts}>"#)?;
    writeln!(f, r#"  <testsuite name="{}" {counts}>"#, escaped(&command))?;
    report.grades.iter().try_for_each(|grade| case(grade, f))?;
    writeln!(f, "  </testsuite>\n</testsuites>")
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
