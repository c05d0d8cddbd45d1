//! Judged claims as text.

use std::fmt::{self, Write};

use puzzledb::judge::ClaimRecord;

use super::super::output::{Form, push_json};

/// Names of the CSV columns, but for `fix`.
pub(super) const COLUMNS: &str = "line,board,goal,verdict,optimal,claimed,reading,move";

/// Some records as text.
pub(super) struct RecordWriter {
    format: Form,
    fix: bool,
    text: String,
    /// Writer for CSV, in place of the text.
    csv: csv::Writer<Vec<u8>>,
    field: String,
}

impl RecordWriter {
    /// Returns a writer with room for `capacity` bytes. `fix` adds a column for the fixes.
    pub(super) fn new(format: Form, fix: bool, capacity: usize) -> RecordWriter {
        RecordWriter {
            format,
            fix,
            text: String::with_capacity(capacity),
            csv: csv::Writer::from_writer(Vec::new()),
            field: String::new(),
        }
    }

    pub(super) fn push(&mut self, record: &ClaimRecord) {
        match self.format {
            Form::Json => return push_json(record, &mut self.text),
            Form::Text => show(record, &mut self.text),
            Form::Tsv => {
                let mut separator = "";
                columns(record, false, self.fix, |value| {
                    let _ = write!(self.text, "{separator}{value}");
                    separator = "\t";
                });
            }
            Form::Csv => {
                columns(record, true, self.fix, |value| {
                    self.field.clear();
                    let _ = self.field.write_fmt(value);
                    self.csv.write_field(&self.field).expect(IN_MEMORY);
                });
                self.csv.write_record(None::<&[u8]>).expect(IN_MEMORY);
                return;
            }
        }
        self.text.push('\n');
    }

    /// Returns all that was written.
    pub(super) fn finish(self) -> Vec<u8> {
        match self.format {
            Form::Csv => self.csv.into_inner().expect(IN_MEMORY),
            _ => self.text.into_bytes(),
        }
    }
}

const IN_MEMORY: &str = "writing to memory cannot fail";

/// Calls `field` with each column of a record in order, those of [`COLUMNS`] if `all`, else without
/// the line and the goal.
fn columns(record: &ClaimRecord, all: bool, fix: bool, mut field: impl FnMut(fmt::Arguments<'_>)) {
    if all {
        field(format_args!("{}", record.line));
    }
    field(format_args!("{}", record.board));
    if all {
        field(format_args!("{}", record.goal));
    }
    field(format_args!("{}", record.verdict));
    match (record.optimal, record.lower_bound) {
        (Some(optimal), _) => field(format_args!("{optimal}")),
        (None, Some(bound)) => field(format_args!("at least {bound}")),
        (None, None) if record.board.is_solvable_to(&record.goal) => field(format_args!("unknown")),
        (None, None) => field(format_args!("unsolvable")),
    }
    match record.claimed {
        _ if record.claims_unsolvable => field(format_args!("unsolvable")),
        Some(claimed) => field(format_args!("{claimed}")),
        None => field(format_args!("")),
    }
    match record.reading {
        Some(reading) => field(format_args!("{reading}")),
        None => field(format_args!("")),
    }
    match record.at {
        Some(at) => field(format_args!("{at}")),
        None => field(format_args!("")),
    }
    if fix {
        field(format_args!("{}", record.fix.as_deref().unwrap_or("")));
    }
}

/// A line for people.
fn show(record: &ClaimRecord, out: &mut String) {
    let color = if record.right {
        anstyle::AnsiColor::Green.on_default()
    } else {
        anstyle::AnsiColor::Red.on_default()
    };
    let _ = write!(
        out,
        "{:>6}  {}  {color}{}{color:#}",
        record.line, record.board, record.verdict
    );
    if let (Some(at), true) = (record.at, record.verdict.starts_with("suboptimal")) {
        let _ = write!(out, ": move {at} loses ground");
    }
    if let Some(optimal) = record.optimal.filter(|_| !record.right) {
        let _ = write!(out, ", optimal is {optimal}");
    }
    if let Some(bound) = record.lower_bound {
        let _ = write!(out, ", optimal is at least {bound}");
    }
    if let Some(reading) = record.reading {
        let _ = write!(out, "  ({reading})");
    }
    if let Some(fix) = &record.fix {
        let _ = write!(out, "\n        {fix}");
    }
}
