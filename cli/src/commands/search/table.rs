//! Tables of several searches: those of a board, and means by method and by depth.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::form::{Form, fields, text_of};
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

/// Writes a row for each of some records of methods: the method, and to the right some of the fields, below their names.
fn table(columns: &[(&str, usize)], rows: impl Iterator<Item = Value>) -> String {
    let mut out = in_column("method", WIDTH);
    for (name, width) in columns {
        let _ = write!(out, " {:>width$}", name.replace('_', " "));
    }
    for row in rows {
        out.push('\n');
        out += &in_column(&text_of(&row["method"]), WIDTH);
        for (name, width) in columns {
            let _ = write!(out, " {:>width$}", text_of(&row[name]));
        }
    }
    out.push('\n');
    out
}

/// Every search of a board, below the board.
pub(super) fn text(records: &[SearchRecord]) -> String {
    let columns = [
        ("length", 7),
        ("gap", 6),
        ("expansions", 11),
        ("generated", 11),
        ("max_queue", 10),
        ("seconds", 10),
    ];
    let row = |record: &SearchRecord| {
        let mut row = json!(record);
        row["method"] = record.method().into();
        row["seconds"] = format!("{:.6}", record.seconds).into();
        row
    };
    let (board, optimal) = (records[0].board, text_of(&json!(records[0].distance)));
    let rows = table(&columns, records.iter().map(row));
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
    optimal: u64,
    /// Boards whose gap is known.
    with_gap: u64,
    /// Sums of the record's numbers by their names, and how many boards are solved.
    fields: BTreeMap<String, f64>,
}

impl Sums {
    fn mean(&self, name: &str) -> f64 {
        self.fields[name] / self.boards as f64
    }

    fn solved(&self) -> u64 {
        self.fields["solved"] as u64
    }

    /// The effective branching factor of the mean of the nodes that were generated.
    fn branching(&self, depth: u8) -> Option<f64> {
        effective_branching_factor(self.mean("generated"), depth.into())
    }

    /// The mean of the nodes that were generated, and how many boards were solved if not all were.
    fn nodes(&self) -> String {
        let (mean, solved) = (self.mean("generated"), self.solved());
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
            let sums = self.0.entry((depth, place)).or_default();
            sums.method = record.method();
            sums.boards += 1;
            sums.optimal += u64::from(record.gap == Some(0));
            sums.with_gap += u64::from(record.gap.is_some());
            for (name, value) in fields(record) {
                let number = value.as_f64().unwrap_or_default();
                let is_true = value.as_bool().unwrap_or_default();
                *sums.fields.entry(name).or_default() += number + f64::from(u8::from(is_true));
            }
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
            ("max_queue", 9),
            ("seconds", 8),
        ];
        let row = |sums: &Sums| {
            let gap = sums.fields["gap"] / sums.with_gap as f64;
            let mean = |name| format!("{:.1}", sums.mean(name));
            json!({
                "method": sums.method, "solved": sums.solved(), "optimal": sums.optimal,
                "gap": (sums.with_gap > 0).then(|| format!("{gap:.2}")),
                "expansions": mean("expansions"), "generated": mean("generated"), "max_queue": mean("max_queue"),
                "seconds": format!("{:.6}", sums.mean("seconds")),
            })
        };
        let Some(first) = self.0.values().next() else {
            return String::new();
        };
        let (rows, boards) = (self.0.values().map(row), plural(first.boards, "board"));
        format!("\nmean of method over {boards}\n{}", table(&columns, rows))
    }

    /// A row for each depth and method; for people and as Markdown a line for each depth, with the nodes that each
    /// method generated and its effective branching factor.
    pub(super) fn by_depth(&self, form: Form) -> String {
        let (mut out, mut lines) = (String::new(), Vec::<Vec<String>>::new());
        if !matches!(form, Form::Text | Form::Markdown) {
            for (&(depth, _), sums) in &self.0 {
                let row = json!({
                    "depth": depth, "method": sums.method, "boards": sums.boards, "solved": sums.solved(),
                    "expansions": sums.mean("expansions"), "generated": sums.mean("generated"),
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
            let factors = rows.iter().map(|(_, sums)| text_of(&json!(factor(sums))));
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
