//! `--by depth`: the textbook's table, a row for each depth of boards that are drawn.

use std::collections::BTreeMap;
use std::fmt::Write;

use rayon::prelude::*;
use serde::Serialize;

use crate::form::Form;
use puzzledb::ask::{SearchRecord, search_by_each};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::{Method, effective_branching_factor};

use super::super::error::CliError;
use super::super::interrupt;

/// Boards of a depth that are drawn if no number is given, as in the textbook.
pub(super) const PER_DEPTH: usize = 100;

/// The searches of one method at one depth: means over its boards.
#[derive(Serialize)]
pub(super) struct Row {
    depth: u8,
    method: String,
    boards: u64,
    solved: u64,
    expansions: f64,
    generated: f64,
    /// The effective branching factor of the mean of `generated`.
    branching: Option<f64>,
}

/// Searches every board by every method; a row for each depth and method, in their order.
pub(super) fn rows(
    oracle: &Oracle,
    methods: &[Method],
    boards: &[Board],
) -> Result<Vec<Row>, CliError> {
    let goal = oracle.goal();
    let searched = boards.par_iter().map(|board| {
        if interrupt::interrupted() {
            return Err(CliError::Interrupted);
        }
        Ok((
            oracle.distance(board)?,
            search_by_each(methods, (board, goal), Some(oracle))?,
        ))
    });
    let searched: Vec<(u8, Vec<SearchRecord>)> = searched.collect::<Result<_, _>>()?;
    let mut rows: BTreeMap<(u8, usize), Row> = BTreeMap::new();
    for (depth, records) in &searched {
        for (place, record) in records.iter().enumerate() {
            let row = rows.entry((*depth, place)).or_insert_with(|| Row {
                depth: *depth,
                method: record.method(),
                boards: 0,
                solved: 0,
                expansions: 0.0,
                generated: 0.0,
                branching: None,
            });
            row.boards += 1;
            row.solved += u64::from(record.solved);
            row.expansions += record.figures.expansions as f64;
            row.generated += record.figures.generated as f64;
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    for row in &mut rows {
        row.expansions /= row.boards as f64;
        row.generated /= row.boards as f64;
        row.branching = effective_branching_factor(row.generated, row.depth.into());
    }
    Ok(rows)
}

/// The rows in a form; for people and as Markdown a line a depth, with the nodes that each method generated and its
/// effective branching factor.
pub(super) fn text(rows: &[Row], form: Form) -> String {
    let mut out = String::new();
    if !matches!(form, Form::Text | Form::Markdown) {
        rows.iter()
            .for_each(|row| form.push(row, &mut out, |_| Ok(())));
        return out;
    }
    let Some(first) = rows.first() else {
        return out;
    };
    let methods = rows.iter().take_while(|row| row.depth == first.depth);
    let names = methods.map(|row| &*row.method);
    let mut lines: Vec<Vec<String>> = vec![
        ["depth", "boards"]
            .into_iter()
            .chain(names.clone())
            .map(str::to_owned)
            .collect(),
    ];
    lines[0].extend(names.map(|name| format!("b* {name}")));
    for rows in rows.chunk_by(|a, b| a.depth == b.depth) {
        let mut line = vec![rows[0].depth.to_string(), rows[0].boards.to_string()];
        line.extend(rows.iter().map(nodes));
        let factor = |row: &Row| row.branching.map_or("-".to_owned(), |b| format!("{b:.2}"));
        line.extend(rows.iter().map(factor));
        lines.push(line);
    }
    if form == Form::Markdown {
        lines.insert(1, vec!["---:".to_owned(); lines[0].len()]);
        for line in &lines {
            let _ = writeln!(out, "| {} |", line.join(" | "));
        }
        return out;
    }
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].len())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in &lines {
        let cells = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:>width$}"));
        let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  "));
    }
    out
}

/// The mean of the nodes that were generated, and how many boards were solved if not all were.
fn nodes(row: &Row) -> String {
    let mean = match row.generated {
        mean if mean < 100.0 => format!("{mean:.1}"),
        mean => format!("{mean:.0}"),
    };
    match row.solved == row.boards {
        true => mean,
        false => format!("{mean} ({} solved)", row.solved),
    }
}
