//! `--trace`: every expansion of a search, written as it happens.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;

use crate::form::Form;
use puzzledb::ask::{SearchRecord, search_by};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{
    Algorithm, BoardHeuristic, ExpandedList, Method, Settings, TraceStep, Watch,
};

use super::super::error::CliError;

/// Searches, and writes every expansion to standard output: a line of JSON, for people a block of text, or a node of a
/// graph. Ends the search when that fails, as on a closed pipe.
pub(super) fn trace(
    form: Form,
    method: &Method,
    boards: (&Board, &Board),
    oracle: Option<&Oracle>,
) -> Result<SearchRecord, CliError> {
    let (settings, heuristic) = method;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut text = TextTrace {
        settings,
        heuristic,
        tries: 0,
        closed: HashSet::new(),
    };
    let (mut block, mut written) = (Vec::new(), Ok(()));
    if form == Form::Dot {
        out.write_all(b"digraph search {\n  node [shape=box, fontname=monospace];\n")?;
    }
    let mut write = |step: &TraceStep| {
        block.clear();
        let made = match form {
            Form::Text => text.write(step, &mut block),
            Form::Dot => write_dot(step, &mut block),
            _ => serde_json::to_writer(&mut block, step)
                .map_err(io::Error::from)
                .and_then(|()| block.write_all(b"\n")),
        };
        written = match (made, heuristic.undamaged()) {
            (Ok(()), Ok(())) => out.write_all(&block),
            (made, _) => made.and(Err(io::ErrorKind::InvalidData.into())), // the search has the cause
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
        end_dot(&record, &mut out)?;
    }
    out.flush()?;
    Ok(record)
}

/// Writes the expansions of a search as text, and counts them.
struct TextTrace<'a> {
    settings: &'a Settings,
    heuristic: &'a BoardHeuristic,
    tries: u64,
    /// The closed list.
    closed: HashSet<Board>,
}

impl TextTrace<'_> {
    fn write(&mut self, step: &TraceStep, out: &mut impl Write) -> io::Result<()> {
        let algorithm = self.settings.algorithm;
        let is_scored = algorithm.is_informed() || algorithm.is_best_first();
        let score = |f: f64| match is_scored {
            true => format!(": score {}", rounded(f)),
            false => String::new(),
        };
        // A search with a growing limit begins again at its first board.
        if self.tries > 0 && step.parent.is_none() && !algorithm.is_best_first() {
            writeln!(out, "begin again\n")?;
        }
        self.tries += 1;
        let of_board = match is_scored {
            true => score(step.f),
            false => format!(": depth {}", step.g),
        };
        writeln!(out, "try {}{of_board}", self.tries)?;
        for row in step.board.grid().lines() {
            writeln!(out, "  {row}")?;
        }
        for (mv, board, f) in step.children(self.settings, self.heuristic) {
            writeln!(out, "  child {mv} {board}{}", score(f))?;
        }
        write!(out, "  queue {}", step.queue)?;
        if algorithm.is_best_first() || algorithm == Algorithm::BreadthFirst {
            if self.settings.expanded != Some(ExpandedList::None) {
                self.closed.insert(step.board);
            }
            write!(out, ", closed {}", self.closed.len())?;
        }
        writeln!(out, "\n")
    }
}

/// Writes an expansion as a node of a graph in the language of Graphviz, and the edge that leads to it.
fn write_dot(step: &TraceStep, out: &mut impl Write) -> io::Result<()> {
    let (board, g, h) = (step.board, step.g, rounded(step.h));
    let rows = board.grid().to_string().replace('\n', "\\n");
    writeln!(out, "  \"{board}\" [label=\"{rows}\\ng {g}, h {h}\"];")?;
    match step.parent {
        Some(parent) => writeln!(out, "  \"{parent}\" -> \"{board}\";"),
        None => Ok(()),
    }
}

/// Ends the graph with the solution, in bold.
fn end_dot(record: &SearchRecord, out: &mut impl Write) -> io::Result<()> {
    let moves = record.moves.as_deref().unwrap_or("");
    let mut now = record.board;
    for next in moves.chars().filter_map(Move::from_letter) {
        let Some(next) = now.slide(next) else { break };
        writeln!(out, "  \"{now}\" -> \"{next}\" [penwidth=4];")?;
        now = next;
    }
    writeln!(out, "  \"{now}\" [penwidth=4];\n}}")
}

/// Rounds to three decimals; a whole number has none.
fn rounded(score: f64) -> f64 {
    (score * 1e3).round() / 1e3
}
