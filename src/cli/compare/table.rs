//! The tables of `puzzledb compare`.

use std::fmt::Write;
use std::io;

use crate::search::SearchRecord;

/// Rows of cells, in aligned columns: the first `words` columns to the left, the others, which are
/// numbers, to the right.
fn aligned(words: usize, rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column < words {
                true => write!(line, "{cell:<width$}  "),
                false => write!(line, "{cell:>width$}  "),
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn heading(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Every search, and then the means of every method, for people.
pub(super) fn text(records: &[SearchRecord]) -> String {
    let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
    let mut rows = vec![heading(&[
        "board",
        "method",
        "optimal",
        "length",
        "gap",
        "expansions",
        "generated",
        "max queue",
        "ms",
    ])];
    rows.extend(records.iter().map(|record| {
        vec![
            record.board.to_string(),
            record.method(),
            or_dash(record.optimal.map(|n| n.to_string())),
            or_dash(record.length.map(|n| n.to_string())),
            or_dash(record.gap.map(|n| n.to_string())),
            record.figures.expansions.to_string(),
            record.figures.generated.to_string(),
            record.figures.max_queue.to_string(),
            format!("{:.3}", record.seconds * 1e3),
        ]
    }));
    format!("{}\n{}", aligned(2, &rows), aligned(1, &means(records)))
}

/// A row for each method: its boards, how many of them it solved and how many with the fewest
/// moves, and means over all boards.
fn means(records: &[SearchRecord]) -> Vec<Vec<String>> {
    let mut methods: Vec<(String, Vec<&SearchRecord>)> = Vec::new();
    for record in records {
        let method = record.method();
        match methods.iter_mut().find(|(known, _)| *known == method) {
            Some((_, its)) => its.push(record),
            None => methods.push((method, vec![record])),
        }
    }
    let mut rows = vec![heading(&[
        "mean of method",
        "boards",
        "solved",
        "optimal",
        "gap",
        "expansions",
        "generated",
        "max queue",
        "ms",
    ])];
    for (method, records) in methods {
        let mean = |value: &dyn Fn(&SearchRecord) -> f64| {
            records.iter().map(|record| value(record)).sum::<f64>() / records.len() as f64
        };
        let gaps: Vec<usize> = records.iter().filter_map(|record| record.gap).collect();
        let gap = gaps.iter().sum::<usize>() as f64 / gaps.len() as f64;
        rows.push(vec![
            method,
            records.len().to_string(),
            records
                .iter()
                .filter(|record| record.solved)
                .count()
                .to_string(),
            gaps.iter().filter(|&&gap| gap == 0).count().to_string(),
            if gaps.is_empty() {
                "-".to_owned()
            } else {
                format!("{gap:.2}")
            },
            format!("{:.1}", mean(&|record| record.figures.expansions as f64)),
            format!("{:.1}", mean(&|record| record.figures.generated as f64)),
            format!("{:.1}", mean(&|record| record.figures.max_queue as f64)),
            format!("{:.3}", mean(&|record| record.seconds * 1e3)),
        ]);
    }
    rows
}

/// A row for each search, with a heading.
pub(super) fn csv(records: &[SearchRecord], out: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "board",
        "goal",
        "algorithm",
        "heuristic",
        "solved",
        "failure",
        "length",
        "optimal",
        "gap",
        "expansions",
        "generated",
        "reexpansions",
        "max_queue",
        "closed",
        "depth",
        "replaced",
        "loops_avoided",
        "attempted_reexpansions",
        "memory",
        "seconds",
        "moves",
    ])?;
    for record in records {
        let figures = &record.figures;
        let failure = record.failure.map(|failure| format!("{failure:?}"));
        csv.write_record([
            record.board.to_string(),
            record.goal.to_string(),
            record.algorithm.to_owned(),
            or_empty(record.heuristic.as_ref()),
            record.solved.to_string(),
            or_empty(failure).to_lowercase(),
            or_empty(record.length),
            or_empty(record.optimal),
            or_empty(record.gap),
            figures.expansions.to_string(),
            figures.generated.to_string(),
            figures.reexpansions.to_string(),
            figures.max_queue.to_string(),
            figures.closed.to_string(),
            figures.depth.to_string(),
            figures.replaced.to_string(),
            figures.loops_avoided.to_string(),
            figures.attempted_reexpansions.to_string(),
            figures.memory.to_string(),
            format!("{:.6}", record.seconds),
            or_empty(record.moves.as_ref()),
        ])?;
    }
    csv.flush()
}

fn or_empty<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// The columns of the first source.
pub(super) fn massey(records: &[SearchRecord], out: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "ALGORITHM",
        "INIT_STATE",
        "GOAL_STATE",
        "PATH_LENGTH",
        "STATE_EXPANSIONS",
        "MAX_QLENGTH",
        "RUNNING_TIME",
        "DELETIONS_MIDDLE_HEAP",
        "LOCAL_LOOPS_AVOIDED",
        "ATTEMPTED_REEXPANSIONS",
        "PATH",
    ])?;
    for record in records {
        let figures = &record.figures;
        csv.write_record([
            massey_name(record),
            record.board.to_string(),
            record.goal.to_string(),
            or_empty(record.length),
            figures.expansions.to_string(),
            figures.max_queue.to_string(),
            format!("{:.6}", record.seconds),
            figures.replaced.to_string(),
            figures.loops_avoided.to_string(),
            figures.attempted_reexpansions.to_string(),
            or_empty(record.moves.as_ref()),
        ])?;
    }
    csv.flush()
}

/// The first source's names for its algorithms; ours for the others.
fn massey_name(record: &SearchRecord) -> String {
    match (record.algorithm, record.heuristic.as_deref()) {
        ("ucs", _) => "uc_explist".to_owned(),
        ("astar", Some("misplaced")) => "astar_explist_misplacedtiles".to_owned(),
        ("astar", Some("manhattan")) => "astar_explist_manhattan".to_owned(),
        (algorithm, Some(heuristic)) => format!("{algorithm}_{heuristic}"),
        (algorithm, None) => algorithm.to_owned(),
    }
}
