//! What a search did, in the forms in which it is printed.

use serde::Serialize;

use crate::puzzle::{Board, letters};

use super::by_name::{Report, Settings, Shown};
use super::run::{Failure, Figures};

/// One search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct SearchRecord {
    /// Where it began.
    #[cfg_attr(feature = "serve", schema(value_type = String))]
    pub board: Board,
    /// What it looked for.
    #[cfg_attr(feature = "serve", schema(value_type = String))]
    pub goal: Board,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The heuristic's name; `None` for algorithms that ask no heuristic.
    pub heuristic: Option<String>,
    /// Did it find a solution?
    pub solved: bool,
    /// Why it found none.
    pub failure: Option<Failure>,
    /// Moves of the solution.
    pub length: Option<usize>,
    /// Length of a shortest solution; `None` if there is no database to tell.
    pub optimal: Option<u8>,
    /// Moves beyond the optimum.
    pub gap: Option<usize>,
    /// The solution: the way the blank goes, a letter a move.
    pub moves: Option<String>,
    /// What it did.
    #[serde(flatten)]
    pub figures: Figures,
    /// How long it took.
    pub seconds: f64,
}

impl SearchRecord {
    /// The record of a search from `board` to `goal`. `optimal` is the length of a shortest
    /// solution, if it is known.
    pub fn new(
        board: &Board,
        goal: &Board,
        settings: &Settings,
        report: &Report,
        optimal: Option<u8>,
    ) -> SearchRecord {
        let solution = report.result.as_ref().ok();
        let length = solution.map(Vec::len);
        let gap = length.zip(optimal);
        let informed = settings.algorithm.is_informed();
        SearchRecord {
            board: *board,
            goal: *goal,
            algorithm: settings.algorithm.name(),
            heuristic: informed.then(|| settings.heuristic.to_string()),
            solved: solution.is_some(),
            failure: report.result.as_ref().err().copied(),
            length,
            optimal,
            gap: gap.map(|(length, optimal)| length.saturating_sub(usize::from(optimal))),
            moves: solution.map(|moves| letters(moves)),
            figures: report.figures,
            seconds: report.time.as_secs_f64(),
        }
    }

    /// Algorithm and heuristic in one word for people.
    pub fn method(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.to_owned(),
        }
    }

    /// Each figure with its name for people.
    pub fn figures(&self) -> Vec<(&'static str, String)> {
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

/// An expansion as it is written.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct Step {
    /// The board that was expanded.
    #[cfg_attr(feature = "serve", schema(value_type = String))]
    pub board: Board,
    /// The board that it was reached from; `None` for the first.
    #[cfg_attr(feature = "serve", schema(value_type = Option<String>))]
    pub parent: Option<Board>,
    /// The moves to it.
    pub g: u64,
    /// The estimate from it.
    pub h: f64,
    /// `g` and `h` as the algorithm weighs them.
    pub f: f64,
    /// Boards that waited to be expanded.
    pub queue: u64,
}

impl From<&Shown> for Step {
    fn from(shown: &Shown) -> Step {
        Step {
            board: shown.board,
            parent: shown.parent,
            g: shown.g,
            h: shown.h,
            f: shown.f,
            queue: shown.queue,
        }
    }
}
