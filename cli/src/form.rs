//! Forms of printed records: for people, rows of columns, JSON.

use std::fmt::{self, Display, Write as _};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::text::visible;

/// Form of printed records. Each command has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Form {
    /// By the first lines of what is read
    Auto,
    /// For people
    Text,
    /// Tab-separated values, a line a record
    Tsv,
    /// Comma-separated values below a header
    Csv,
    /// A JSON object a record
    #[value(alias = "jsonl")]
    Json,
    /// A table of Markdown
    #[value(alias = "md")]
    Markdown,
    /// A graph in the language of Graphviz
    Dot,
    /// The table of the first source, with an expanded list that is strict and the order U, R, D, L
    Massey,
    /// XML for continuous integration: a test case a board
    Junit,
    /// A page with plots that needs no other file; with --each one for the course
    Html,
    /// Arrays for NumPy
    Npz,
}

impl Form {
    /// The forms of every record.
    pub(crate) const ALL: [Form; 4] = [Form::Text, Form::Tsv, Form::Csv, Form::Json];

    /// Reads the name of one of these forms.
    pub(crate) fn parser(forms: &[Form]) -> impl TypedValueParser<Value = Form> {
        let names = forms.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(names)
            .map(|name| Form::from_str(&name, false).expect("one of the names"))
    }

    /// Returns whether the names of the columns stand above the rows, which have commas.
    pub(crate) fn has_header(self) -> bool {
        matches!(self, Form::Csv | Form::Massey)
    }

    /// Returns whether a blank line stands between the records.
    pub(crate) fn is_apart(self) -> bool {
        matches!(self, Form::Text | Form::Markdown)
    }

    /// Appends a record, for people with a line for each field. A header stands before the first row of CSV.
    pub(crate) fn push(self, record: &impl Serialize, out: &mut String) {
        match self {
            Form::Text => write_fields(record, out).expect("writing to memory does not fail"),
            Form::Json => {
                *out += &serde_json::to_string(record).expect("keys are text");
                out.push('\n');
            }
            _ => {
                let fields = fields(record);
                if self.has_header() && out.is_empty() {
                    self.push_row(fields.keys(), out);
                }
                self.push_row(fields.values().map(cell), out);
            }
        }
    }

    /// Appends a row of cells with commas or tabs between them. Cells of CSV stand in quotes where they must (RFC 4180).
    pub(crate) fn push_row(self, cells: impl IntoIterator<Item: Display>, out: &mut String) {
        let is_csv = self.has_header();
        let separator = if is_csv { ',' } else { '\t' };
        for (i, cell) in cells.into_iter().enumerate() {
            if i > 0 {
                out.push(separator);
            }
            let start = out.len();
            let _ = write!(out, "{cell}");
            let must_quote = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
            if is_csv && out.as_bytes()[start..].iter().any(must_quote) {
                let quoted = out[start..].replace('"', "\"\"");
                out.truncate(start);
                let _ = write!(out, "\"{quoted}\"");
            }
        }
        out.push('\n');
    }

    /// Appends a table, for people or as Markdown: rows below the names of their columns, each as wide as its cells, with
    /// words on the left and numbers on the right. A name in the first column that is too long stands on a line of its own.
    pub(crate) fn push_table(self, rows: impl IntoIterator<Item: Serialize>, out: &mut String) {
        let rows: Vec<_> = rows.into_iter().map(|row| fields(&row)).collect();
        let Some(first) = rows.first() else {
            return;
        };
        let mut lines: Vec<Vec<String>> = vec![first.keys().cloned().collect()];
        lines.extend(rows.iter().map(|row| row.values().map(text_of).collect()));
        if self == Form::Markdown {
            lines.insert(1, vec!["---:".to_owned(); first.len()]);
            let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
            out.extend(lines.iter().map(line));
            return;
        }
        for i in 0..first.len() {
            let widths = lines.iter().map(|line| line[i].chars().count());
            let most = if i == 0 { LONGEST_NAME } else { usize::MAX };
            let width = widths.max().unwrap_or(0).min(most);
            let are_numbers = lines[1][i].starts_with(|c: char| c.is_ascii_digit() || c == '-');
            for cell in lines.iter_mut().map(|line| &mut line[i]) {
                *cell = match are_numbers {
                    true => format!("{cell:>width$}"),
                    false if cell.chars().count() > width => format!("{cell}\n{:width$}", ""),
                    false => format!("{cell:<width$}"),
                };
            }
        }
        for line in lines {
            *out += line.join("  ").trim_end();
            out.push('\n');
        }
    }
}

/// Most characters of the names in the first column of a table.
const LONGEST_NAME: usize = 18;

/// Writes each field of a record on a line for people, behind its name in a column. A list of records has a line for
/// each.
pub(crate) fn write_fields(record: &impl Serialize, out: &mut String) -> fmt::Result {
    let fields = fields(record);
    let width = fields.keys().map(String::len).max().unwrap_or(0) + 1;
    for (name, value) in fields {
        let name = name.replace('_', " ");
        let values = match value {
            Value::Array(items) if items.iter().all(Value::is_object) => items,
            value => vec![value],
        };
        for value in values {
            writeln!(out, "{name:<width$} {}", text_of(&value))?;
        }
    }
    Ok(())
}

/// A value for people.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let field = |(name, value)| format!("{name} {}", text_of(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        value => cell(value),
    }
}

/// A value as one cell of a row: lists and objects as JSON.
pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => visible(text),
        value => value.to_string(),
    }
}

/// The fields of a record, in their order.
///
/// # Panics
/// If the record is not an object with text for keys, as all of ours are.
pub(crate) fn fields(record: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(record) {
        Ok(Value::Object(fields)) => fields,
        _ => panic!("a record is an object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_where_they_must_be() {
        let mut out = String::new();
        Form::Csv.push_row(["", "1,2/3,0", "say \"no\"", "a b"], &mut out);
        Form::Tsv.push_row(["", "1,2/3,0", "", "\""], &mut out);
        assert_eq!(
            out,
            ",\"1,2/3,0\",\"say \"\"no\"\"\",a b\n\t1,2/3,0\t\t\"\n"
        );
    }
}
