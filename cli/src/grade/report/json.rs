//! The report as one JSON document.

use std::collections::BTreeMap;
use std::fmt::{Error, Formatter, Result};

use serde::Serialize;

use crate::grade::mistake::Mistake;
use crate::grade::outcome::Grade;
use crate::grade::summary::Figures;
use puzzledb::judge::Reading;

use super::content::Report;

#[derive(Serialize)]
struct Course<'a> {
    submissions: Vec<Document<'a>>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<String>,
    command: String,
    shape: String,
    goal: String,
    limits: Limits,
    summary: Summary<'a>,
    boards: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Limits {
    seconds: f64,
    cpu_seconds: Option<f64>,
    memory_bytes: u64,
    output_bytes: usize,
    jobs: usize,
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    all: &'a Figures,
    by_outcome: BTreeMap<&'static str, u64>,
    mistake: Option<&'a Mistake>,
    by_distance: Vec<ByDistance<'a>>,
}

#[derive(Serialize)]
struct ByDistance<'a> {
    /// `null` where no distance is known.
    distance: Option<u8>,
    /// The distance, `unsolvable` or `unknown`.
    optimum: String,
    #[serde(flatten)]
    figures: &'a Figures,
}

#[derive(Serialize)]
struct Row<'a> {
    board: String,
    distance: Option<u8>,
    outcome: String,
    right: bool,
    length: Option<u64>,
    excess: Option<u64>,
    path: Option<String>,
    reading: Option<Reading>,
    why: String,
    seconds: f64,
    cpu_seconds: Option<f64>,
    memory_bytes: Option<u64>,
    #[serde(rename = "said")]
    output: &'a str,
    errors: &'a str,
    solution: Option<String>,
}

pub(super) fn write(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    pretty(&document(report), f)
}

pub(super) fn write_course(reports: &[Report<'_>], f: &mut Formatter<'_>) -> Result {
    let submissions = reports.iter().map(document).collect();
    pretty(&Course { submissions }, f)
}

fn pretty(document: &impl Serialize, f: &mut Formatter<'_>) -> Result {
    let text = serde_json::to_string_pretty(document).map_err(|_| Error)?;
    writeln!(f, "{text}")
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let by_distance = report.summary.by_distance.iter();
    let grader = report.grader;
    Document {
        submission: report.submission(),
        command: grader.template.text(),
        shape: report.goal.shape().to_string(),
        goal: report.goal.to_string(),
        limits: Limits {
            seconds: grader.supervision.timeout.as_secs_f64(),
            cpu_seconds: grader.supervision.cpu.map(|time| time.as_secs_f64()),
            memory_bytes: grader.supervision.memory,
            output_bytes: grader.supervision.output,
            jobs: grader.jobs.get(),
        },
        summary: Summary {
            all: &report.summary.all,
            by_outcome: report.summary.by_outcome.iter().copied().collect(),
            mistake: report.mistake.as_ref(),
            by_distance: by_distance
                .map(|(optimum, figures)| ByDistance {
                    distance: optimum.known(),
                    optimum: optimum.to_string(),
                    figures,
                })
                .collect(),
        },
        boards: report.grades.iter().map(row).collect(),
    }
}

fn row(grade: &Grade) -> Row<'_> {
    let (solved, path) = (grade.solved(), grade.path());
    Row {
        board: grade.board.to_string(),
        distance: grade.optimum.known(),
        outcome: grade.outcome.to_string(),
        right: grade.outcome.is_right(),
        length: solved.map(|(length, _)| length),
        excess: solved.map(|(_, excess)| excess),
        reading: path.as_ref().map(|(_, reading)| *reading),
        path: path.map(|(path, _)| path),
        why: grade.explanation(),
        seconds: grade.time.as_secs_f64(),
        cpu_seconds: grade.cpu.map(|time| time.as_secs_f64()),
        memory_bytes: grade.memory,
        output: &grade.output,
        errors: &grade.errors,
        solution: grade.solution_text(),
    }
}
