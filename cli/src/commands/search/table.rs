//! Tables of several searches.

use std::fmt::{self, Display, Write};

use crate::form::Form;
use crate::text::plural;
use puzzledb::ask::SearchRecord;

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

/// The names of columns, or their cells, with their widths.
fn cells<const N: usize>(widths: [usize; N], cells: [String; N]) -> Vec<(usize, String)> {
    widths.into_iter().zip(cells).collect()
}

/// Every search of a board, below the board.
pub(super) fn text(records: &[SearchRecord]) -> String {
    const WIDTHS: [usize; 6] = [7, 6, 11, 11, 10, 10];
    let names = [
        "length",
        "gap",
        "expansions",
        "generated",
        "max queue",
        "seconds",
    ];
    let (board, optimal) = (records[0].board, or_dash(records[0].distance));
    let mut text = format!("{board}, optimal {optimal}\n");
    text += &row("method", &cells(WIDTHS, names.map(str::to_owned)));
    for record in records {
        let figures = &record.figures;
        let values = [
            or_dash(record.length),
            or_dash(record.gap),
            figures.expansions.to_string(),
            figures.generated.to_string(),
            figures.max_queue.to_string(),
            format!("{:.6}", record.seconds),
        ];
        text += &row(&record.method(), &cells(WIDTHS, values));
    }
    text
}

/// The figures of all searches, summed up by method.
#[derive(Default)]
pub(super) struct Means(Vec<MethodSums>);

/// Sums over the boards of a method.
#[derive(Default)]
struct MethodSums {
    method: String,
    boards: u64,
    solved: u64,
    optimal: u64,
    /// Boards whose gap is known, and the sum of the gaps.
    with_gap: u64,
    gap: usize,
    expansions: u64,
    generated: u64,
    max_queue: u64,
    seconds: f64,
}

impl Means {
    pub(super) fn add(&mut self, record: &SearchRecord) {
        let method = record.method();
        let place = self.0.iter().position(|sums| sums.method == method);
        let place = place.unwrap_or_else(|| {
            self.0.push(MethodSums {
                method,
                ..MethodSums::default()
            });
            self.0.len() - 1
        });
        let (sums, figures) = (&mut self.0[place], &record.figures);
        sums.boards += 1;
        sums.solved += u64::from(record.solved);
        if let Some(gap) = record.gap {
            sums.optimal += u64::from(gap == 0);
            sums.with_gap += 1;
            sums.gap += gap;
        }
        sums.expansions += figures.expansions;
        sums.generated += figures.generated;
        sums.max_queue += figures.max_queue;
        sums.seconds += record.seconds;
    }
}

impl fmt::Display for Means {
    /// A row for each method: the numbers of its solved boards and of those solved optimally, the mean gap of the
    /// solved ones, and means over all boards. Nothing for no boards.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTHS: [usize; 7] = [6, 7, 6, 10, 9, 9, 8];
        let names = [
            "solved",
            "optimal",
            "gap",
            "expansions",
            "generated",
            "max queue",
            "seconds",
        ];
        let Some(first) = self.0.first() else {
            return Ok(());
        };
        writeln!(f, "\nmean of method over {}", plural(first.boards, "board"))?;
        f.write_str(&row("method", &cells(WIDTHS, names.map(str::to_owned))))?;
        for sums in &self.0 {
            let gap = sums.gap as f64 / sums.with_gap as f64;
            let mean = |sum: u64| format!("{:.1}", sum as f64 / sums.boards as f64);
            let values = [
                sums.solved.to_string(),
                sums.optimal.to_string(),
                or_dash((sums.with_gap > 0).then(|| format!("{gap:.2}"))),
                mean(sums.expansions),
                mean(sums.generated),
                mean(sums.max_queue),
                format!("{:.6}", sums.seconds / sums.boards as f64),
            ];
            f.write_str(&row(&sums.method, &cells(WIDTHS, values)))?;
        }
        Ok(())
    }
}

/// The columns of the assignment in which the project began.
const MASSEY: [&str; 11] = [
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
];

/// Appends rows with these columns; before the first, their names.
pub(super) fn push_massey(records: &[SearchRecord], out: &mut String) {
    if out.is_empty() {
        Form::Massey.push_row(MASSEY, out);
    }
    for record in records {
        let figures = &record.figures;
        let length = record
            .length
            .map_or(String::new(), |length| length.to_string());
        let seconds = format!("{:.6}", record.seconds);
        let moves = record.moves.as_deref().unwrap_or("");
        let cells: [&dyn Display; 11] = [
            &massey_name(record),
            &record.board,
            &record.goal,
            &length,
            &figures.expansions,
            &figures.max_queue,
            &seconds,
            &figures.replaced,
            &figures.loops_avoided,
            &figures.attempted_reexpansions,
            &moves,
        ];
        Form::Massey.push_row(cells, out);
    }
}

/// The assignment's names for its algorithms; ours for the others.
fn massey_name(record: &SearchRecord) -> String {
    match (&*record.algorithm, record.heuristic.as_deref()) {
        ("ucs", _) => "uc_explist".to_owned(),
        ("astar", Some("misplaced")) => "astar_explist_misplacedtiles".to_owned(),
        ("astar", Some("manhattan")) => "astar_explist_manhattan".to_owned(),
        (algorithm, Some(heuristic)) => format!("{algorithm}_{heuristic}"),
        (algorithm, None) => algorithm.to_owned(),
    }
}
