//! What a search did, in the forms in which it is printed.

use serde::Serialize;

use crate::puzzle::{Board, Notation};
use crate::search::{Failure, Figures, Report, Settings};

/// One search.
#[derive(Clone, Debug, Serialize)]
pub(in super::super) struct Record {
    pub board: String,
    pub goal: String,
    pub algorithm: &'static str,
    /// None for algorithms that ask no heuristic.
    pub heuristic: Option<String>,
    pub solved: bool,
    pub failure: Option<Failure>,
    pub length: Option<usize>,
    /// None if there is no database to tell.
    pub optimal: Option<u8>,
    /// Moves beyond the optimum.
    pub gap: Option<usize>,
    /// The blank's way.
    pub moves: Option<String>,
    #[serde(flatten)]
    pub figures: Figures,
    pub seconds: f64,
}

impl Record {
    pub(in super::super) fn new(
        board: &Board,
        goal: &Board,
        settings: &Settings,
        report: &Report,
        optimal: Option<u8>,
    ) -> Record {
        let solution = report.result.as_ref().ok();
        let length = solution.map(Vec::len);
        let gap = length.zip(optimal);
        let written = |moves: &Vec<_>| {
            let mut text = String::new();
            let written = Notation::Blank.write(board, moves, &mut text);
            written.expect("a String takes everything");
            text
        };
        let informed = settings.algorithm.is_informed();
        Record {
            board: board.to_string(),
            goal: goal.to_string(),
            algorithm: settings.algorithm.name(),
            heuristic: informed.then(|| settings.heuristic.to_string()),
            solved: solution.is_some(),
            failure: report.result.as_ref().err().copied(),
            length,
            optimal,
            gap: gap.map(|(length, optimal)| length.saturating_sub(usize::from(optimal))),
            moves: solution.map(written),
            figures: report.figures,
            seconds: report.time.as_secs_f64(),
        }
    }

    /// Algorithm and heuristic in one word for people.
    pub(in super::super) fn method(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.to_owned(),
        }
    }

    /// Each figure with its name for people.
    pub(in super::super) fn figures(&self) -> Vec<(&'static str, String)> {
        let number = |number: Option<usize>| number.map_or("unknown".to_owned(), |n| n.to_string());
        let figures = &self.figures;
        let solved = match &self.failure {
            None => "yes".to_owned(),
            Some(failure) => format!("no: {failure}"),
        };
        let mut all = vec![("solved", solved)];
        if self.solved {
            all.push(("length", number(self.length)));
        }
        all.push(("optimal length", number(self.optimal.map(usize::from))));
        if self.gap.is_some() {
            all.push(("gap", number(self.gap)));
        }
        all.extend([
            ("expansions", figures.expansions.to_string()),
            ("generated", figures.generated.to_string()),
            ("re-expansions", figures.reexpansions.to_string()),
            ("maximum queue length", figures.max_queue.to_string()),
            ("closed length", figures.closed.to_string()),
            ("depth", figures.depth.to_string()),
            ("time", format!("{:.3} ms", self.seconds * 1e3)),
            (
                "memory",
                format!("{:.1} KiB", figures.memory as f64 / 1024.0),
            ),
        ]);
        all
    }
}
