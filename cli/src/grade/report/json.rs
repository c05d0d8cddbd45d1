//! The report as one JSON document.

use std::collections::BTreeMap;
use std::fmt::{Result, Write};

use serde_json::{Map, Value, json};

use crate::form::fields;
use crate::grade::outcome::Grade;

use super::content::Report;

pub(super) fn write(reports: &[Report<'_>], out: &mut String) -> Result {
    let first = &reports[0];
    match first.submission() {
        Some(_) => {
            let submissions: Vec<_> = reports.iter().map(document).collect();
            writeln!(out, "{:#}", json!({ "submissions": submissions }))
        }
        None => writeln!(out, "{:#}", Value::Object(document(first))),
    }
}

fn document(report: &Report<'_>) -> Map<String, Value> {
    let (grader, limits) = (report.grader, report.grader.supervision);
    let summary = &report.summary;
    let by_distance = summary.by_distance.iter().map(|(optimum, figures)| {
        // `null` where no distance is known; the optimum is the distance, `unsolvable` or `unknown`.
        let name = json!({ "distance": optimum.known(), "optimum": optimum.to_string() });
        fields(&name).into_iter().chain(fields(figures)).collect()
    });
    let by_distance: Vec<Map<_, _>> = by_distance.collect();
    let by_outcome: BTreeMap<_, _> = summary.by_outcome.iter().copied().collect();
    let mut summary = fields(&report.summary.all);
    summary.extend(fields(&json!({
        "by_outcome": by_outcome,
        "mistake": report.mistake,
        "by_distance": by_distance,
    })));
    let submission = report.submission();
    let mut document = submission.map_or(Map::new(), |name| fields(&json!({ "submission": name })));
    document.extend(fields(&json!({
        "command": grader.template.text(),
        "shape": report.goal.shape().to_string(),
        "goal": report.goal.to_string(),
        "limits": {
            "seconds": limits.timeout.as_secs_f64(),
            "cpu_seconds": grader.cpu.map(|time| time.as_secs_f64()),
            "memory_bytes": limits.memory,
            "output_bytes": limits.output,
            "jobs": grader.jobs,
        },
        "summary": summary,
        "boards": report.grades.iter().map(board).collect::<Vec<_>>(),
    })));
    document
}

/// The fields of a board.
pub(super) fn board(grade: &Grade) -> Map<String, Value> {
    let ((length, excess), (path, reading)) = (grade.solved().unzip(), grade.path().unzip());
    fields(&json!({
        "board": grade.board.to_string(),
        "distance": grade.optimum.known(),
        "outcome": grade.outcome.to_string(),
        "right": grade.outcome.is_right(),
        "length": length,
        "excess": excess,
        "path": path,
        "reading": reading,
        "why": grade.explanation(),
        "seconds": grade.time.as_secs_f64(),
        "cpu_seconds": grade.cpu.map(|time| time.as_secs_f64()),
        "memory_bytes": grade.memory,
        "said": grade.output,
        "errors": grade.errors,
        "solution": grade.solution_text(),
    }))
}
