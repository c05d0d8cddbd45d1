//! Tables of several searches.

use std::fmt::Write;
use std::io;

use crate::text::plural;
use puzzledb::search::SearchRecord;

/// Width of the methods' names; longer ones stand on a line of their own.
const WIDTH: usize = 18;

/// A row of at most 80 columns: a method and its numbers, to the right.
fn row(method: &str, cells: &[(usize, String)]) -> String {
    let mut line = if method.len() > WIDTH {
        format!("{method}\n{:WIDTH$}", "")
    } else {
        format!("{method:<WIDTH$}")
    };
    for (width, cell) in cells {
        let _ = write!(line, " {cell:>width$}");
    }
    line + "\n"
}

fn or_dash(cell: Option<impl ToString>) -> String {
    cell.map_or_else(|| "-".to_owned(), |cell| cell.to_string())
}

/// Every search, below its board, then the means of every method.
pub(super) fn text(records: &[SearchRecord]) -> String {
    let mut text = String::new();
    for of_board in records.chunk_by(|one, next| one.board == next.board) {
        let (board, optimal) = (of_board[0].board, or_dash(of_board[0].optimal));
        let _ = writeln!(text, "{board}, optimal {optimal}");
        let names = [
            "length",
            "gap",
            "expansions",
            "generated",
            "max queue",
            "seconds",
        ];
        let widths = [7, 6, 11, 11, 10, 10];
        let cells = |values: [String; 6]| widths.into_iter().zip(values).collect::<Vec<_>>();
        text += &row("method", &cells(names.map(str::to_owned)));
        for record in of_board {
            let figures = &record.figures;
            text += &row(
                &record.method(),
                &cells([
                    or_dash(record.length),
                    or_dash(record.gap),
                    figures.expansions.to_string(),
                    figures.generated.to_string(),
                    figures.max_queue.to_string(),
                    format!("{:.6}", record.seconds),
                ]),
            );
        }
        text.push('\n');
    }
    text + &means(records)
}

/// A row for each method: the numbers of its solved boards and of those solved optimally, the mean gap of the solved
/// ones, and means over all boards.
fn means(records: &[SearchRecord]) -> String {
    let mut methods: Vec<(String, Vec<&SearchRecord>)> = Vec::new();
    for record in records {
        let method = record.method();
        match methods.iter_mut().find(|(known, _)| *known == method) {
            Some((_, its)) => its.push(record),
            None => methods.push((method, vec![record])),
        }
    }
    let names = [
        "solved",
        "optimal",
        "gap",
        "expansions",
        "generated",
        "max queue",
        "seconds",
    ];
    let widths = [6, 7, 6, 10, 9, 9, 8];
    let cells = |values: [String; 7]| widths.into_iter().zip(values).collect::<Vec<_>>();
    let boards = methods.first().map_or(0, |(_, records)| records.len());
    let mut text = format!("mean of method over {}\n", plural(boards as u64, "board"));
    text += &row("method", &cells(names.map(str::to_owned)));
    for (method, records) in methods {
        let mean = |value: &dyn Fn(&SearchRecord) -> f64| {
            records.iter().map(|record| value(record)).sum::<f64>() / records.len() as f64
        };
        let gaps: Vec<usize> = records.iter().filter_map(|record| record.gap).collect();
        let gap = gaps.iter().sum::<usize>() as f64 / gaps.len() as f64;
        text += &row(
            &method,
            &cells([
                records
                    .iter()
                    .filter(|record| record.solved)
                    .count()
                    .to_string(),
                gaps.iter().filter(|&&gap| gap == 0).count().to_string(),
                or_dash((!gaps.is_empty()).then(|| format!("{gap:.2}"))),
                format!("{:.1}", mean(&|record| record.figures.expansions as f64)),
                format!("{:.1}", mean(&|record| record.figures.generated as f64)),
                format!("{:.1}", mean(&|record| record.figures.max_queue as f64)),
                format!("{:.6}", mean(&|record| record.seconds)),
            ]),
        );
    }
    text
}

/// The columns of the assignment in which the project began.
pub(super) fn massey(records: &[&SearchRecord], out: impl io::Write) -> csv::Result<()> {
    let mut writer = csv::WriterBuilder::new();
    let mut writer = writer.has_headers(false).from_writer(out); // the header is written here
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
