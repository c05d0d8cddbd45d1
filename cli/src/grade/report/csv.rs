//! The report as rows, a board each, after the name of the submission if there are several.

use std::fmt::Result;

use serde_json::Value;

use crate::form::{Form, cell};

use super::content::Report;
use super::json;

/// The columns: `mistake`, and fields of the board in the report as JSON.
const COLUMNS: &str =
    "board,distance,outcome,right,length,excess,path,seconds,cpu_seconds,memory_bytes,said,mistake";

pub(super) fn write(reports: &[Report<'_>], form: Form, out: &mut String) -> Result {
    let submission = reports[0].submission().map(|_| "submission");
    let columns = submission.into_iter().chain(COLUMNS.split(','));
    if form.has_header() {
        form.push_row(columns.clone(), out);
    }
    for report in reports {
        for grade in report.grades {
            let mut fields = json::board(grade);
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
