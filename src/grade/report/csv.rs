//! The report as a table, a line a board.

use std::fmt::{Formatter, Result};

use super::content::Report;

pub(super) fn write(report: &Report<'_>, f: &mut Formatter<'_>) -> Result {
    writeln!(
        f,
        "board,distance,outcome,right,length,excess,path,seconds,memory_bytes,said"
    )?;
    for grade in report.grades {
        let solved = grade.solved();
        let fields = [
            grade.board.to_string(),
            grade.distance.map_or(String::new(), |d| d.to_string()),
            grade.outcome.to_string(),
            grade.outcome.is_right().to_string(),
            solved.map_or(String::new(), |(length, _)| length.to_string()),
            solved.map_or(String::new(), |(_, excess)| excess.to_string()),
            grade.path().map_or(String::new(), |(path, _)| path),
            format!("{:.6}", grade.time.as_secs_f64()),
            grade
                .memory
                .map_or(String::new(), |bytes| bytes.to_string()),
            grade.output.clone(),
        ];
        let fields: Vec<String> = fields.into_iter().map(quoted).collect();
        writeln!(f, "{}", fields.join(","))?;
    }
    Ok(())
}

/// A field as RFC 4180 has it. A program's own words must not become a spreadsheet's formula.
fn quoted(mut field: String) -> String {
    if field.starts_with(['=', '+', '-', '@']) {
        field.insert(0, '\'');
    }
    if field.contains([',', '"', '\n', '\r', '\'']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("19".to_owned()), "19");
        assert_eq!(quoted("a, \"b\"".to_owned()), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1".to_owned()), "\"'=1+1\"");
    }
}
