//! The report as one JSON document, or as rows: a board each, after the name of the submission if there are several.

use std::collections::BTreeMap;
use std::fmt::{Result, Write};

use serde_json::{Map, Value, json};

use crate::form::{Form, cell, fields};
use crate::grade::outcome::Grade;

use super::Report;

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
            "cpu_seconds": limits.cpu.map(|time| time.as_secs_f64()),
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
fn board(grade: &Grade) -> Map<String, Value> {
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

/// The columns: `mistake`, and fields of the board in the document.
const COLUMNS: &str =
    "board,distance,outcome,right,length,excess,path,seconds,cpu_seconds,memory_bytes,said,mistake";

pub(super) fn write_rows(reports: &[Report<'_>], form: Form, out: &mut String) -> Result {
    let submission = reports[0].submission().map(|_| "submission");
    let columns = submission.into_iter().chain(COLUMNS.split(','));
    if form.has_header() {
        form.push_row(columns.clone(), out);
    }
    for report in reports {
        for grade in &report.grades {
            let mut fields = board(grade);
            fields.insert("submission".to_owned(), report.submission().into());
            // The sentence stands in the row of the board that shows it.
            let mistake = report.mistake.as_ref();
            let mistake = mistake.filter(|mistake| mistake.board == grade.board);
            let sentence = mistake.map(|mistake| &*mistake.sentence);
            fields.insert("mistake".to_owned(), sentence.into());
            form.push_row(columns.clone().map(|name| text(&fields[name])), out);
        }
    }
    Ok(())
}

/// A field as text. Spreadsheets must not take it for a formula: the output of a program must not be computed there.
fn text(value: &Value) -> String {
    match cell(value) {
        number if value.is_f64() => number
            .parse()
            .map_or(number, |seconds: f64| format!("{seconds:.6}")),
        text if text.starts_with(['=', '+', '-', '@']) => format!("'{text}"),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_formula_becomes_text() {
        assert_eq!(text(&"19".into()), "19");
        assert_eq!(text(&"=1+1".into()), "'=1+1");
        assert_eq!(text(&"-1".into()), "'-1");
        assert_eq!(text(&0.5.into()), "0.500000");
    }
}
