//! Judged claims and their summary as text.

use std::fmt::{self, Write};

use crate::text::plural;
use puzzledb::judge::{ClaimRecord, Reading, SummaryRecord, Tally, TallyRecord};

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

/// The summary as a line of JSON.
pub(super) fn summary_json(tally: &Tally, unreadable: u64) -> String {
    let summary = SummaryRecord::from(TallyRecord::new(tally, unreadable));
    let mut line = String::new();
    push_json(&summary, &mut line);
    line
}

/// The summary for people.
pub(super) fn summary_text(tally: &Tally, unreadable: u64) -> String {
    let mut out = String::new();
    let (claims, right, undecided) = (tally.claims(), tally.right(), tally.undecided());
    let _ = write!(
        out,
        "{}: {right} right, {} wrong",
        plural(claims, "claim"),
        claims - right - undecided
    );
    if undecided > 0 {
        let _ = write!(out, ", {undecided} undecided");
    }
    if unreadable > 0 {
        let _ = write!(out, "; {unreadable} more could not be read");
    }
    out.push('\n');
    for (verdict, count) in tally.verdicts() {
        let _ = writeln!(out, "  {count:>9}  {verdict}");
    }
    if tally.distances().next().is_some() {
        let _ = writeln!(out, "distance     claims      right  right %  mean excess");
    }
    for (distance, at) in tally.distances() {
        #[allow(clippy::cast_precision_loss)]
        let percent = 100.0 * at.right as f64 / at.claims as f64;
        let excess = match at.right + at.suboptimal {
            0 => "-".to_owned(),
            _ => format!("{:.2}", at.mean_excess()),
        };
        let _ = writeln!(
            out,
            "{distance:>8}  {:>9}  {:>9}  {percent:>7.1}  {excess:>11}",
            at.claims, at.right
        );
    }
    out
}

/// The warning about paths that were read in different notations, if there are such.
pub(super) fn mixed_warning(tally: &Tally) -> Option<String> {
    let count = |wanted| {
        let mut readings = tally.readings();
        readings
            .find(|&(reading, _)| reading == wanted)
            .map_or(0, |(_, count)| count)
    };
    let (blank, tile) = (count(Reading::Blank), count(Reading::Tile));
    let often = if tile > blank { "tile" } else { "blank" };
    let plural = |count| plural(count, "path");
    tally.mixes_directions().then(|| {
        format!(
            "two notations are mixed: {} read as moves of the blank, and {} reaching the goal only \
             as moves of the tiles; --moves {often} holds all to one",
            plural(blank),
            plural(tile)
        )
    })
}
