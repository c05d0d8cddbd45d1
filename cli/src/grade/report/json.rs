//! The report as one JSON document, or as rows: a board each, after the name of the submission if there are several.

use std::collections::BTreeMap;
use std::fmt::{Result, Write};

use serde_json::{Map, Value, json};

use crate::form::{Form, cell, fields};
use crate::grade::outcome::Grade;

use super::Report;

pub(super) fn write(reports: &[Report<'_>], out: &mut String) -> Result {
    let mut documents = reports.iter().map(document);
    let whole = match reports[0].submission() {
        Some(_) => json!({ "submissions": documents.collect::<Vec<_>>() }),
        None => documents.next().into(),
    };
    writeln!(out, "{whole:#}")
}

fn document(report: &Report<'_>) -> Map<String, Value> {
    let (grader, limits) = (report.grader, report.grader.supervision);
    let summary = &report.summary;
    let by_distance = summary.by_distance.iter().map(|(optimum, figures)| {
        // `null` where no distance is known; the optimum is the distance, `unsolvable` or `unknown`.
        let mut row =
            fields(&json!({ "distance": optimum.known(), "optimum": optimum.to_string() }));
        row.extend(fields(figures));
        row
    });
    let by_distance: Vec<_> = by_distance.collect();
    let by_outcome: BTreeMap<_, _> = summary.by_outcome.iter().copied().collect();
    let mut summary = fields(&summary.all);
    summary.insert("by_outcome".to_owned(), json!(by_outcome));
    summary.insert("mistake".to_owned(), json!(report.mistake));
    summary.insert("by_distance".to_owned(), json!(by_distance));
    let mut document = fields(&json!({
        "submission": report.submission(),
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
    }));
    document.retain(|_, value| !value.is_null());
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
