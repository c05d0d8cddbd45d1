//! `--format` and `--json`: the form in which a command prints its records.

use std::fmt::{self, Display, Write as _};
use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::text::visible;
use puzzledb::table::OutputFile;

use super::error::{CliError, Status};
use super::interrupt;

/// Form of printed records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// For people
    Text,
    /// Tab-separated values, a line a record
    Tsv,
    /// Comma-separated values below a header
    Csv,
    /// A JSON object a record
    Json,
}

/// The forms that a command prints.
pub(super) trait Forms: ValueEnum + Copy + Send + Sync + 'static {
    /// The form that `--csv` is short for.
    const CSV: Self;
    /// The form that `--json` is short for.
    const JSON: Self;
}

impl Forms for Form {
    const CSV: Form = Form::Csv;
    const JSON: Form = Form::Json;
}

/// Form of the output.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Output<F: Forms = Form> {
    /// How results are written [default: text, or tsv for lines of boards that are not for a terminal]
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<F>,
    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "csv"])]
    json: bool,
    /// Short for --format csv
    #[arg(long, hide = true, conflicts_with = "format")]
    csv: bool,
}

impl<F: Forms> Output<F> {
    /// The form that was asked for.
    pub(super) fn form(&self) -> Option<F> {
        match (self.json, self.csv) {
            (true, _) => Some(F::JSON),
            (_, true) => Some(F::CSV),
            _ => self.format,
        }
    }

    /// The form that --format names beside --json or --csv, where a command allows both.
    pub(super) fn beside(&self) -> Option<F> {
        self.format.filter(|_| self.json || self.csv)
    }
}

impl Output {
    /// Prints one record. `text` writes it for people, which is the default.
    pub(super) fn print(
        &self,
        record: &impl Serialize,
        text: impl FnOnce(&mut String) -> fmt::Result,
    ) -> Result<Status, CliError> {
        let mut out = String::new();
        let form = self.form().unwrap_or(Form::Text);
        form.push(record, &mut out, text)?;
        anstream::stdout().write_all(out.as_bytes())?;
        Ok(Status::Yes)
    }
}

impl Form {
    /// Appends a record. `text` writes it for people. A header stands before the first row of CSV.
    pub(super) fn push(
        self,
        record: &impl Serialize,
        out: &mut String,
        text: impl FnOnce(&mut String) -> fmt::Result,
    ) -> Result<(), CliError> {
        match self {
            Form::Text => text(out).expect("writing to memory does not fail"),
            Form::Json => push_json(record, out),
            Form::Tsv | Form::Csv => {
                let fields = fields(record)?;
                if self == Form::Csv && out.is_empty() {
                    self.push_row(fields.iter().map(|(name, _)| name), out);
                }
                self.push_row(fields.iter().map(|(_, value)| cell(value)), out);
            }
        }
        Ok(())
    }

    /// Appends a row of cells with commas or tabs between them. Cells of CSV stand in quotes where they must (RFC 4180).
    pub(super) fn push_row(self, cells: impl IntoIterator<Item: Display>, out: &mut String) {
        let separator = if self == Form::Csv { ',' } else { '\t' };
        for (i, cell) in cells.into_iter().enumerate() {
            if i > 0 {
                out.push(separator);
            }
            let start = out.len();
            let _ = write!(out, "{cell}");
            if self == Form::Csv && out[start..].contains([',', '"', '\r', '\n']) {
                let quoted = out[start..].replace('"', "\"\"");
                out.truncate(start);
                let _ = write!(out, "\"{quoted}\"");
            }
        }
        out.push('\n');
    }
}

/// The file that a person named for a result, before the work; what is there stays.
pub(super) fn output_file(path: &Path) -> Result<OutputFile, CliError> {
    OutputFile::open(path).map_err(|error| unwritable(path, &error))
}

/// Writes the file that a person named.
pub(super) fn write_output(path: &Path, file: OutputFile, content: &[u8]) -> Result<(), CliError> {
    let written = file.write(content, interrupt::go_on);
    written.map_err(|error| unwritable(path, &error))
}

/// The error of a file that cannot be written.
pub(super) fn unwritable(path: &Path, error: &dyn std::error::Error) -> CliError {
    CliError::Usage(format!("cannot write {}: {error}", path.display()))
}

/// Appends a record as a line of JSON.
///
/// # Panics
/// If the record has keys that are not text, which none of ours has.
pub(super) fn push_json(record: &impl Serialize, out: &mut String) {
    *out += &serde_json::to_string(record).expect("strings and numbers");
    out.push('\n');
}

/// Writes each field of a record on a line, under its name with spaces for underscores: aligned, or after a tab if
/// `width` is 0. A list of records has a line for each.
pub(super) fn write_fields(
    record: &impl Serialize,
    width: usize,
    out: &mut String,
) -> Result<(), CliError> {
    for (name, value) in fields(record)? {
        let name = name.replace('_', " ");
        let lines = match &value {
            Value::Array(items) if items.iter().all(Value::is_object) => items.clone(),
            value => vec![value.clone()],
        };
        for value in lines {
            let value = text_of(&value);
            let _ = match width {
                0 => writeln!(out, "{name}\t{value}"),
                _ => writeln!(out, "{name:<width$} {value}"),
            };
        }
    }
    Ok(())
}

/// A value for people.
fn text_of(value: &Value) -> String {
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
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => visible(text),
        value => value.to_string(),
    }
}

/// The fields of a record, in their order.
fn fields(record: &impl Serialize) -> Result<Vec<(String, Value)>, CliError> {
    struct Fields(Vec<(String, Value)>);
    struct Reader;
    impl<'de> Deserialize<'de> for Fields {
        fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Fields, D::Error> {
            source.deserialize_map(Reader)
        }
    }
    impl<'de> Visitor<'de> for Reader {
        type Value = Fields;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(Fields(fields))
        }
    }
    let Fields(fields) = serde_json::from_str(&serde_json::to_string(record)?)?;
    Ok(fields)
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
