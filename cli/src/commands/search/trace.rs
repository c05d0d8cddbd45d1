//! `--trace`: every expansion of a search, written as it happens.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;

use crate::form::Form;
use puzzledb::ask::{SearchRecord, search_by};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::{
    Algorithm, BoardHeuristic, ExpandedList, Method, Settings, TraceStep, Watch,
};

use super::super::error::{CliError, bail};

/// Searches, and writes every expansion to standard output: a line of JSON, or for people a block of text, of best-first
/// searches. Ends the search when that fails, as on a closed pipe.
pub(super) fn trace(
    form: Form,
    method: &Method,
    boards: (&Board, &Board),
    oracle: Option<&Oracle>,
) -> Result<SearchRecord, CliError> {
    let (settings, heuristic) = method;
    if form == Form::Text && !settings.algorithm.is_best_first() {
        let names = Algorithm::all().filter(|algorithm| algorithm.is_best_first());
        let names: Vec<&str> = names.map(Algorithm::name).collect();
        bail!(
            Usage,
            "--trace=text is for best-first searches ({}): --trace=json traces {}",
            names.join(", "),
            settings.algorithm
        );
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut text = TextTrace::new(settings, heuristic);
    let (mut block, mut written) = (Vec::new(), Ok(()));
    let mut write = |step: &TraceStep| {
        block.clear();
        let made = match form {
            Form::Text => text.write(step, &mut block),
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
    out.flush()?;
    Ok(record)
}

/// Writes the expansions of a best-first search as text, and counts them.
struct TextTrace<'a> {
    settings: &'a Settings,
    heuristic: &'a BoardHeuristic,
    tries: u64,
    /// The closed list.
    closed: HashSet<Board>,
}

impl<'a> TextTrace<'a> {
    fn new(settings: &'a Settings, heuristic: &'a BoardHeuristic) -> TextTrace<'a> {
        TextTrace {
            settings,
            heuristic,
            tries: 0,
            closed: HashSet::new(),
        }
    }

    fn write(&mut self, step: &TraceStep, out: &mut impl Write) -> io::Result<()> {
        self.tries += 1;
        if self.settings.expanded != Some(ExpandedList::None) {
            self.closed.insert(step.board);
        }
        writeln!(out, "try {}: score {}", self.tries, rounded(step.f))?;
        for row in step.board.grid().lines() {
            writeln!(out, "  {row}")?;
        }
        for (mv, board, score) in step.children(self.settings, self.heuristic) {
            writeln!(out, "  child {mv} {board}: score {}", rounded(score))?;
        }
        let closed = self.closed.len();
        writeln!(out, "  queue {}, closed {closed}\n", step.queue)
    }
}

/// Rounds to three decimals; a whole number has none.
fn rounded(score: f64) -> f64 {
    (score * 1e3).round() / 1e3
}
