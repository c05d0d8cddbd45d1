//! Tables of several searches: those of a board, and means by method and by depth.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::iter;

use serde_json::json;

use crate::form::Form;
use crate::text::plural;
use puzzledb::ask::SearchRecord;
use puzzledb::search::effective_branching_factor;

/// Width of the methods' names.
const WIDTH: usize = 18;

/// A name in a column; a longer one stands on a line of its own.
pub(super) fn in_column(name: &str, width: usize) -> String {
    match name.len() > width {
        true => format!("{name}\n{:width$}", ""),
        false => format!("{name:<width$}"),
    }
}

/// Writes a row for each method: its name, and to the right some cells below the names of their columns.
fn table<const N: usize>(
    columns: [(&str, usize); N],
    rows: impl Iterator<Item = (String, [String; N])>,
) -> String {
    let names = columns.map(|(name, _)| name.to_owned());
    let mut out = String::new();
    for (method, cells) in iter::once(("method".to_owned(), names)).chain(rows) {
        out += &in_column(&method, WIDTH);
        for ((_, width), cell) in columns.iter().zip(cells) {
            let _ = write!(out, " {cell:>width$}");
        }
        out.push('\n');
    }
    out
}

/// A number, or a dash where there is none.
fn or_dash(number: Option<impl Display>) -> String {
    number.map_or("-".to_owned(), |number| number.to_string())
}

/// Every search of a board, below the board.
pub(super) fn text(records: &[SearchRecord]) -> String {
    let columns = [
        ("length", 7),
        ("gap", 6),
        ("expansions", 11),
        ("generated", 11),
        ("max queue", 10),
        ("seconds", 10),
    ];
    let row = |record: &SearchRecord| {
        let figures = &record.figures;
        let cells = [
            or_dash(record.length),
            or_dash(record.gap),
            figures.expansions.to_string(),
            figures.generated.to_string(),
            figures.max_queue.to_string(),
            format!("{:.6}", record.seconds),
        ];
        (record.method(), cells)
    };
    let (board, optimal) = (records[0].board, or_dash(records[0].distance));
    let rows = table(columns, records.iter().map(row));
    format!("{board}, optimal {optimal}\n{rows}")
}

/// The figures of searches, summed up by depth and by the place of their method.
#[derive(Default)]
pub(super) struct Means(BTreeMap<(u8, usize), Sums>);

/// Sums over the boards of a method.
#[derive(Default)]
struct Sums {
    method: String,
    boards: u64,
    solved: u64,
    optimal: u64,
    /// Boards whose gap is known.
    with_gap: u64,
    gap: u64,
    expansions: u64,
    generated: u64,
    max_queue: u64,
    seconds: f64,
}

impl Sums {
    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.boards as f64
    }

    /// The effective branching factor of the mean of the nodes that were generated.
    fn branching(&self, depth: u8) -> Option<f64> {
        effective_branching_factor(self.mean(self.generated), depth.into())
    }

    /// The mean of the nodes that were generated, and how many boards were solved if not all were.
    fn nodes(&self) -> String {
        let (mean, solved) = (self.mean(self.generated), self.solved);
        let mean = format!("{mean:.0$}", usize::from(mean < 100.0));
        match solved == self.boards {
            true => mean,
            false => format!("{mean} ({solved} solved)"),
        }
    }
}

impl Means {
    /// Adds the searches of a board by every method.
    pub(super) fn add(&mut self, depth: u8, records: &[SearchRecord]) {
        for (place, record) in records.iter().enumerate() {
            let (sums, figures) = (self.0.entry((depth, place)).or_default(), &record.figures);
            if sums.boards == 0 {
                sums.method = record.method();
            }
            sums.boards += 1;
            sums.solved += u64::from(record.solved);
            sums.optimal += u64::from(record.gap == Some(0));
            sums.with_gap += u64::from(record.gap.is_some());
            sums.gap += record.gap.unwrap_or_default() as u64;
            sums.expansions += figures.expansions;
            sums.generated += figures.generated;
            sums.max_queue += figures.max_queue;
            sums.seconds += record.seconds;
        }
    }

    /// A row for each method: the numbers of its solved boards and of those solved optimally, the mean gap of the
    /// solved ones, and means over all boards. Nothing for no boards.
    pub(super) fn text(&self) -> String {
        let columns = [
            ("solved", 6),
            ("optimal", 7),
            ("gap", 6),
            ("expansions", 10),
            ("generated", 9),
            ("max queue", 9),
            ("seconds", 8),
        ];
        let row = |sums: &Sums| {
            let gap = (sums.with_gap > 0).then(|| sums.gap as f64 / sums.with_gap as f64);
            let mean = |sum| format!("{:.1}", sums.mean(sum));
            let cells = [
                sums.solved.to_string(),
                sums.optimal.to_string(),
                or_dash(gap.map(|gap| format!("{gap:.2}"))),
                mean(sums.expansions),
                mean(sums.generated),
                mean(sums.max_queue),
                format!("{:.6}", sums.seconds / sums.boards as f64),
            ];
            (sums.method.clone(), cells)
        };
        let Some(first) = self.0.values().next() else {
            return String::new();
        };
        let (rows, boards) = (self.0.values().map(row), plural(first.boards, "board"));
        format!("\nmean of method over {boards}\n{}", table(columns, rows))
    }

    /// A row for each depth and method; for people and as Markdown a line for each depth, with the nodes that each
    /// method generated and its effective branching factor.
    pub(super) fn by_depth(&self, form: Form) -> String {
        let (mut out, mut lines) = (String::new(), Vec::<Vec<String>>::new());
        if !matches!(form, Form::Text | Form::Markdown) {
            for (&(depth, _), sums) in &self.0 {
                let row = json!({
                    "depth": depth, "method": sums.method, "boards": sums.boards, "solved": sums.solved,
                    "expansions": sums.mean(sums.expansions), "generated": sums.mean(sums.generated),
                    "branching": sums.branching(depth),
                });
                form.push(&row, &mut out, |_| Ok(()));
            }
            return out;
        }
        let rows: Vec<(&(u8, usize), &Sums)> = self.0.iter().collect();
        for rows in rows.chunk_by(|a, b| a.0.0 == b.0.0) {
            let named = |about| {
                let name = move |(_, sums): &(_, &Sums)| format!("{about}{}", sums.method);
                rows.iter().map(name)
            };
            if lines.is_empty() {
                let names = ["depth", "boards"].map(str::to_owned).into_iter();
                lines.push(names.chain(named("")).chain(named("b* ")).collect());
                if form == Form::Markdown {
                    lines.push(vec!["---:".to_owned(); lines[0].len()]);
                }
            }
            let (&(depth, _), sums) = rows[0];
            let factor = |sums: &Sums| sums.branching(depth).map(|factor| format!("{factor:.2}"));
            let line = [depth.to_string(), sums.boards.to_string()].into_iter();
            let line = line.chain(rows.iter().map(|(_, sums)| sums.nodes()));
            let factors = rows.iter().map(|(_, sums)| or_dash(factor(sums)));
            lines.push(line.chain(factors).collect());
        }
        for line in &lines {
            let width = |column: usize| lines.iter().map(|line| line[column].len()).max();
            let cells = line.iter().enumerate();
            let cells = cells.map(|(i, cell)| format!("{cell:>0$}", width(i).unwrap_or(0)));
            let _ = match form {
                Form::Markdown => writeln!(out, "| {} |", line.join(" | ")),
                _ => writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ")),
            };
        }
        out
    }
}

/// Appends rows of the table of the assignment in which the project began.
pub(super) fn push_massey(records: &[SearchRecord], out: &mut String) {
    for record in records {
        // The assignment's names for its algorithms; ours for the others.
        let algorithm = match (&*record.algorithm, record.heuristic.as_deref()) {
            ("ucs", _) => "uc_explist".to_owned(),
            ("astar", Some("misplaced")) => "astar_explist_misplacedtiles".to_owned(),
            ("astar", Some("manhattan")) => "astar_explist_manhattan".to_owned(),
            (algorithm, Some(heuristic)) => format!("{algorithm}_{heuristic}"),
            (algorithm, None) => algorithm.to_owned(),
        };
        let figures = &record.figures;
        let row = json!({
            "ALGORITHM": algorithm,
            "INIT_STATE": record.board,
            "GOAL_STATE": record.goal,
            "PATH_LENGTH": record.length,
            "STATE_EXPANSIONS": figures.expansions,
            "MAX_QLENGTH": figures.max_queue,
            "RUNNING_TIME": format!("{:.6}", record.seconds),
            "DELETIONS_MIDDLE_HEAP": figures.replaced,
            "LOCAL_LOOPS_AVOIDED": figures.loops_avoided,
            "ATTEMPTED_REEXPANSIONS": figures.attempted_reexpansions,
            "PATH": record.moves,
        });
        Form::Massey.push(&row, out, |_| Ok(()));
    }
}
