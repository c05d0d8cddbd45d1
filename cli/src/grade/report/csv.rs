//! The report as rows, a board each, after the name of the submission if there are several.

use std::fmt::{Formatter, Result};

use crate::form::Form;
use crate::text::visible;

use super::content::Report;

const HEADER: [&str; 12] = [
    "board",
    "distance",
    "outcome",
    "right",
    "length",
    "excess",
    "path",
    "seconds",
    "cpu_seconds",
    "memory_bytes",
    "said",
    "mistake",
];

pub(super) fn write(reports: &[Report<'_>], form: Form, f: &mut Formatter<'_>) -> Result {
    let mut rows = String::new();
    let submission = reports[0].submission().map(|_| "submission".to_owned());
    let header = HEADER.map(str::to_owned);
    let header = submission.into_iter().chain(header);
    if form.has_header() {
        form.push_row(header, &mut rows);
    }
    let all = reports
        .iter()
        .flat_map(|r| r.grades.iter().map(move |grade| (r, grade)));
    for (report, grade) in all {
        let submission = report.submission();
        // The sentence stands in the row of the board that shows it.
        let mistake = report.mistake.as_ref();
        let mistake = mistake.filter(|mistake| mistake.board == grade.board);
        let (length, excess) = grade.solved().unzip();
        let fields = [
            grade.board.to_string(),
            text(grade.optimum.known()),
            grade.outcome.to_string(),
            grade.outcome.is_right().to_string(),
            text(length),
            text(excess),
            text(grade.path().map(|(path, _)| path)),
            format!("{:.6}", grade.time.as_secs_f64()),
            text(grade.cpu.map(|time| format!("{:.6}", time.as_secs_f64()))),
            text(grade.memory),
            grade.output.clone(),
            text(mistake.map(|mistake| &mistake.sentence)),
        ];
        let fields = submission.into_iter().chain(fields).map(without_formula);
        match form {
            Form::Tsv => form.push_row(fields.map(|field| visible(&field)), &mut rows),
            _ => form.push_row(fields, &mut rows),
        }
    }
    f.write_str(&rows)
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Keeps spreadsheets from taking a field for a formula: the output of a program must not be computed there.
fn without_formula(mut field: String) -> String {
    if field.starts_with(['=', '+', '-', '@']) {
        field.insert(0, '\'');
    }
    field
}

#[cfg(test)]
mod tests {
    use super::without_formula;

    #[test]
    fn a_formula_becomes_text() {
        assert_eq!(without_formula("19".to_owned()), "19");
        assert_eq!(without_formula("=1+1".to_owned()), "'=1+1");
        assert_eq!(without_formula("-1".to_owned()), "'-1");
    }
}
