//! The tables of `puzzledb compare`.

use std::fmt::Write;
use std::io;

use puzzledb::search::SearchRecord;

/// Rows with aligned columns: the first `words` columns to the left, the others, numbers, to the right.
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

/// Every search, then the means of every method.
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

/// A row for each method: the numbers of its boards, of the solved ones and of those solved optimally, the mean gap of
/// the solved ones, and means over all boards.
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

/// A line for each search, below a header.
pub(super) fn csv(records: &[SearchRecord], out: impl io::Write) -> csv::Result<()> {
    let mut writer = writer(out);
    writer.write_record([
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
        writer.serialize((
            (&record.board, &record.goal),
            (record.algorithm, &record.heuristic),
            (record.solved, record.failure),
            (record.length, record.optimal, record.gap),
            record.figures,
            (format!("{:.6}", record.seconds), &record.moves),
        ))?;
    }
    Ok(writer.flush()?)
}

/// The columns of the assignment in which the project began.
pub(super) fn massey(records: &[SearchRecord], out: impl io::Write) -> csv::Result<()> {
    let mut writer = writer(out);
    writer.write_record([
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
        writer.serialize((
            massey_name(record),
            (&record.board, &record.goal),
            record.length,
            (figures.expansions, figures.max_queue),
            format!("{:.6}", record.seconds),
            (figures.replaced, figures.loops_avoided),
            figures.attempted_reexpansions,
            &record.moves,
        ))?;
    }
    Ok(writer.flush()?)
}

/// A writer to which the caller gives the header.
fn writer<W: io::Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(out)
}

/// The assignment's names for its algorithms; ours for the others.
fn massey_name(record: &SearchRecord) -> String {
    match (record.algorithm, record.heuristic.as_deref()) {
        ("ucs", _) => "uc_explist".to_owned(),
        ("astar", Some("misplaced")) => "astar_explist_misplacedtiles".to_owned(),
        ("astar", Some("manhattan")) => "astar_explist_manhattan".to_owned(),
        (algorithm, Some(heuristic)) => format!("{algorithm}_{heuristic}"),
        (algorithm, None) => algorithm.to_owned(),
    }
}
