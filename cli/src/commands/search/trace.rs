//! `--trace`: every expansion of a search, written as it happens.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;

use crate::form::Form;
use puzzledb::ask::{SearchRecord, search_by};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, parse_moves};
use puzzledb::search::{Algorithm, ExpandedList, Method, TraceStep, Watch};

use super::super::error::Result;

/// Searches, and writes every expansion to standard output: a line of JSON, for people a block of text, or a node of a
/// graph. Ends the search when that fails, as on a closed pipe.
pub(super) fn trace(
    form: Form,
    method: &Method,
    boards: (&Board, &Board),
    oracle: Option<&Oracle>,
) -> Result<SearchRecord> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut text, mut block, mut written) = (TextTrace::default(), String::new(), Ok(()));
    if form == Form::Dot {
        out.write_all(b"digraph search {\n  node [shape=box, fontname=monospace];\n")?;
    }
    let mut write = |step: &TraceStep| {
        block.clear();
        match form {
            Form::Text => text.push(step, method, &mut block),
            Form::Dot => push_dot(step, &mut block),
            _ => form.push(step, &mut block),
        }
        written = match method.1.undamaged() {
            Ok(()) => out.write_all(block.as_bytes()),
            Err(_) => Err(io::ErrorKind::InvalidData.into()), // the search has the cause
        };
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let watch = Watch {
        observer: Some(&mut write),
        ..Watch::default()
    };
    let record = search_by(method, boards, oracle, watch)?;
    written?;
    if form == Form::Dot {
        out.write_all(end_of_dot(&record).as_bytes())?;
    }
    out.flush()?;
    Ok(record)
}

/// The expansions of a search as text, and their number.
#[derive(Default)]
struct TextTrace {
    tries: u64,
    /// The closed list.
    closed: HashSet<Board>,
}

impl TextTrace {
    fn push(&mut self, step: &TraceStep, (settings, heuristic): &Method, out: &mut String) {
        let algorithm = settings.algorithm;
        let is_scored = algorithm.is_informed() || algorithm.is_best_first();
        let score = |f: f64| match is_scored {
            true => format!(": score {}", rounded(f)),
            false => String::new(),
        };
        // A search with a growing limit begins again at its first board.
        if self.tries > 0 && step.parent.is_none() && !algorithm.is_best_first() {
            *out += "begin again\n\n";
        }
        self.tries += 1;
        let of_board = match is_scored {
            true => score(step.f),
            false => format!(": depth {}", step.g),
        };
        *out += &format!("try {}{of_board}\n", self.tries);
        for row in step.board.grid().lines() {
            *out += &format!("  {row}\n");
        }
        for (mv, board, f) in step.children(settings, heuristic) {
            *out += &format!("  child {mv} {board}{}\n", score(f));
        }
        *out += &format!("  queue {}", step.queue);
        if algorithm.is_best_first() || algorithm == Algorithm::BreadthFirst {
            if settings.expanded != Some(ExpandedList::None) {
                self.closed.insert(step.board);
            }
            *out += &format!(", closed {}", self.closed.len());
        }
        *out += "\n\n";
    }
}

/// Appends an expansion as a node of a graph in the language of Graphviz, and the edge that leads to it.
fn push_dot(step: &TraceStep, out: &mut String) {
    let (board, g, h) = (step.board, step.g, rounded(step.h));
    let rows = board.grid().to_string().replace('\n', "\\n");
    *out += &format!("  \"{board}\" [label=\"{rows}\\ng {g}, h {h}\"];\n");
    if let Some(parent) = step.parent {
        *out += &format!("  \"{parent}\" -> \"{board}\";\n");
    }
}

/// The end of the graph: the solution, in bold.
fn end_of_dot(record: &SearchRecord) -> String {
    let moves = record.moves.as_deref().map(parse_moves);
    let moves = moves.and_then(Result::ok).unwrap_or_default();
    let way: Vec<Board> = record.board.along(&moves).collect();
    let edge = |pair: &[Board]| format!("  \"{}\" -> \"{}\" [penwidth=4];\n", pair[0], pair[1]);
    let edges: String = way.windows(2).map(edge).collect();
    format!("{edges}  \"{}\" [penwidth=4];\n}}\n", way[way.len() - 1])
}

/// Rounds to three decimals; a whole number has none.
fn rounded(score: f64) -> f64 {
    (score * 1e3).round() / 1e3
}
