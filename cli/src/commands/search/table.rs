//! Tables of several searches: those of a board, and means by method and by depth.

use std::collections::BTreeMap;

use serde_json::json;

use crate::form::{Form, text_of};
use crate::text::plural;
use puzzledb::ask::SearchRecord;
use puzzledb::search::effective_branching_factor;

/// Every search of a board, below the board.
pub(super) fn text(records: &[SearchRecord]) -> String {
    let row = |record: &SearchRecord| {
        json!({
            "method": record.method(), "length": record.length, "gap": record.gap,
            "expanded": record.figures.expansions, "generated": record.figures.generated,
            "queue": record.figures.max_queue, "seconds": format!("{:.6}", record.seconds),
        })
    };
    let (board, optimal) = (records[0].board, text_of(&json!(records[0].distance)));
    let mut out = format!("{board}, optimal {optimal}\n");
    Form::Text.push_table(records.iter().map(row), &mut out);
    out
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
        let (mean, solved) = (rounded(self.mean(self.generated)), self.solved);
        match solved == self.boards {
            true => mean,
            false => format!("{mean} ({solved} solved)"),
        }
    }
}

/// A mean for people: one below 100 has a decimal.
fn rounded(mean: f64) -> String {
    format!("{mean:.0$}", usize::from(mean < 100.0))
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
        let row = |sums: &Sums| {
            let gap = (sums.with_gap > 0).then(|| sums.gap as f64 / sums.with_gap as f64);
            let mean = |sum| rounded(sums.mean(sum));
            json!({
                "method": sums.method, "solved": sums.solved, "optimal": sums.optimal,
                "gap": gap.map(rounded), "expanded": mean(sums.expansions),
                "generated": mean(sums.generated), "queue": mean(sums.max_queue),
                "seconds": format!("{:.6}", sums.seconds / sums.boards as f64),
            })
        };
        let Some(first) = self.0.values().next() else {
            return String::new();
        };
        let mut out = format!("\nmean of method over {}\n", plural(first.boards, "board"));
        Form::Text.push_table(self.0.values().map(row), &mut out);
        out
    }

    /// A row for each depth and method; for people and as Markdown a line for each depth, with the nodes that each
    /// method generated and its effective branching factor.
    pub(super) fn by_depth(&self, form: Form) -> String {
        let mut out = String::new();
        let rows: Vec<(&(u8, usize), &Sums)> = self.0.iter().collect();
        if !matches!(form, Form::Text | Form::Markdown) {
            for (&(depth, _), sums) in rows {
                let row = json!({
                    "depth": depth, "method": sums.method, "boards": sums.boards, "solved": sums.solved,
                    "expansions": sums.mean(sums.expansions), "generated": sums.mean(sums.generated),
                    "branching": sums.branching(depth),
                });
                form.push(&row, &mut out);
            }
            return out;
        }
        let line = |rows: &[(&(u8, usize), &Sums)]| {
            let (&(depth, _), first) = rows[0];
            let mut line = json!({ "depth": depth, "boards": first.boards });
            for (_, sums) in rows {
                line[&sums.method] = json!(sums.nodes());
            }
            for (_, sums) in rows {
                let factor = sums.branching(depth).map(|factor| format!("{factor:.2}"));
                line[format!("b* {}", sums.method)] = json!(factor);
            }
            line
        };
        form.push_table(rows.chunk_by(|a, b| a.0.0 == b.0.0).map(line), &mut out);
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
        Form::Massey.push(&row, out);
    }
}
