//! One judged claim as text.

use std::fmt::Write;

use crate::judge::ClaimRecord;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Terminal,
    Tsv,
    Csv,
    Json,
}

/// Names of the CSV columns, but for `fix`.
pub(super) const COLUMNS: &str = "line,board,goal,verdict,optimal,claimed,reading,move";

/// Appends a record to `out`.
pub(super) fn write(record: &ClaimRecord, form: Form, fix: bool, out: &mut String) {
    match form {
        Form::Json => {
            out.push_str(&serde_json::to_string(record).expect("strings and numbers"));
        }
        Form::Terminal => show(record, out),
        Form::Tsv => columns(record, '\t', fix, out),
        Form::Csv => {
            let _ = write!(out, "{},", record.line);
            columns(record, ',', fix, out);
        }
    }
    out.push('\n');
}

fn columns(record: &ClaimRecord, separator: char, fix: bool, out: &mut String) {
    let s = separator;
    let csv = s == ',';
    let _ = write!(out, "{}{s}", record.board);
    if csv {
        let _ = write!(out, "{}{s}", record.goal);
    }
    // One verdict has a comma in it; no field has quotes.
    let quote = if csv && record.verdict.contains(',') {
        "\""
    } else {
        ""
    };
    let _ = write!(out, "{quote}{}{quote}{s}", record.verdict);
    match record.optimal {
        Some(optimal) => drop(write!(out, "{optimal}{s}")),
        None => drop(write!(out, "unsolvable{s}")),
    }
    match record.claimed {
        _ if record.claims_unsolvable => out.push_str("unsolvable"),
        Some(claimed) => drop(write!(out, "{claimed}")),
        None => {}
    }
    out.push(s);
    if let Some(reading) = record.reading {
        let _ = write!(out, "{reading}");
    }
    out.push(s);
    if let Some(at) = record.at {
        let _ = write!(out, "{at}");
    }
    if fix {
        out.push(s);
        out.push_str(record.fix.as_deref().unwrap_or(""));
    }
}

/// A line for people.
fn show(record: &ClaimRecord, out: &mut String) {
    let color = match record.right {
        true => anstyle::AnsiColor::Green.on_default(),
        false => anstyle::AnsiColor::Red.on_default(),
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
    if let Some(reading) = record.reading {
        let _ = write!(out, "  ({reading})");
    }
    if let Some(fix) = &record.fix {
        let _ = write!(out, "\n        {fix}");
    }
}
