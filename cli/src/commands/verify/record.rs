//! Judged claims and their summary as text.

use std::fmt::{self, Display, Write};

use serde_json::{Value, json};

use crate::form::Form;
use crate::text::plural;
use puzzledb::judge::{ClaimRecord, TallyRecord, TallyRow};

/// Names of the CSV columns, but for `fix`.
pub(super) const COLUMNS: &str = "line,board,goal,verdict,distance,claimed,reading,move";

/// Appends a record: a row of CSV has all [`COLUMNS`], other rows no line and no goal. `fix` adds a column for the fixes.
pub(super) fn push(record: &ClaimRecord, form: Form, fix: bool, out: &mut String) {
    match form {
        Form::Text => return show(record, out).expect("writing to memory does not fail"),
        Form::Json => return form.push(record, out),
        _ => {}
    }
    fn or<'a>(value: &'a Option<impl Display>, other: &'a dyn Display) -> &'a dyn Display {
        value.as_ref().map_or(other, |value| value)
    }
    let is_known = record.distance.is_some() || record.board.is_solvable_to(&record.goal);
    let unknown = if is_known { "unknown" } else { "unsolvable" };
    let bound = record.at_least.map(|least| format!("at least {least}"));
    let unsolvable = record.claims_unsolvable.then_some("unsolvable");
    let cells: [&dyn Display; 9] = [
        &record.line,
        &record.board,
        &record.goal,
        &record.verdict,
        or(&record.distance, or(&bound, &unknown)),
        or(&unsolvable, or(&record.claimed, &"")),
        or(&record.reading, &""),
        or(&record.at, &""),
        or(&record.fix, &""),
    ];
    let is_shown = |column: usize| match column {
        0 | 2 => form == Form::Csv,
        8 => fix,
        _ => true,
    };
    let shown = cells.iter().enumerate().filter(|cell| is_shown(cell.0));
    form.push_row(shown.map(|(_, cell)| cell), out);
}

/// A line for people.
fn show(record: &ClaimRecord, out: &mut String) -> fmt::Result {
    let color = if record.right {
        anstyle::AnsiColor::Green.on_default()
    } else {
        anstyle::AnsiColor::Red.on_default()
    };
    let (line, board, verdict) = (record.line, record.board, &record.verdict);
    write!(out, "{line:>6}  {board}  {color}{verdict}{color:#}")?;
    if let (Some(at), true) = (record.at, verdict.starts_with("suboptimal")) {
        write!(out, ": move {at} loses ground")?;
    }
    if let Some(optimal) = record.distance.filter(|_| !record.right) {
        write!(out, ", optimal is {optimal}")?;
    }
    if let Some(bound) = record.at_least {
        write!(out, ", optimal is at least {bound}")?;
    }
    if let Some(reading) = record.reading {
        write!(out, "  ({reading})")?;
    }
    if let Some(fix) = &record.fix {
        write!(out, "\n        {fix}")?;
    }
    writeln!(out)
}

/// The summary for people.
pub(super) fn summary_text(summary: &TallyRecord) -> String {
    let mut out = String::new();
    let (right, undecided) = (summary.right, summary.undecided);
    let wrong = summary.claims - right - undecided;
    let claims = plural(summary.claims, "claim");
    let _ = write!(out, "{claims}: {right} right, {wrong} wrong");
    if undecided > 0 {
        let _ = write!(out, ", {undecided} undecided");
    }
    if summary.unreadable > 0 {
        let _ = write!(out, "; {} more could not be read", summary.unreadable);
    }
    out.push('\n');
    for (verdict, count) in &summary.verdicts {
        let _ = writeln!(out, "  {:>9}  {verdict}", count.to_string());
    }
    let row = |at: &TallyRow| {
        let percent = 100.0 * at.right as f64 / at.claims as f64;
        let is_path = at.right + at.suboptimal > 0;
        json!({
            "distance": at.distance, "claims": at.claims, "right": at.right, "right %": format!("{percent:.1}"),
            "mean excess": is_path.then(|| format!("{:.2}", at.mean_excess)),
        })
    };
    Form::Text.push_table(summary.distances.iter().map(row), &mut out);
    out
}

/// The warning about paths that were read in different notations.
pub(super) fn mixed_warning(summary: &TallyRecord) -> String {
    let count = |reading| summary.readings.get(reading).and_then(Value::as_u64);
    let [blank, tile] = ["blank", "tile"].map(|reading| count(reading).unwrap_or(0));
    let often = if tile > blank { "tile" } else { "blank" };
    let [blank, tile] = [blank, tile].map(|count| plural(count, "path"));
    format!(
        "two notations are mixed: {blank} read as moves of the blank, and {tile} reaching the goal only \
         as moves of the tiles; --moves {often} holds all to one"
    )
}
