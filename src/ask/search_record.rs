//! Record of a search, as it is printed and serialized.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, letters};
use crate::search::{Counters, Failure, Report, Settings, TraceStep};

/// One search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SearchRecord {
    /// The board that it started from.
    pub board: Board,
    /// The goal.
    pub goal: Board,
    /// The algorithm's name.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub algorithm: Cow<'static, str>,
    /// The heuristic's name; `None` for uninformed algorithms.
    pub heuristic: Option<String>,
    /// Whether it found a solution.
    pub solved: bool,
    /// Why it found none.
    pub failure: Option<Failure>,
    /// Moves of the solution.
    pub length: Option<usize>,
    /// Length of a shortest solution; `None` if nothing tells.
    pub distance: Option<u8>,
    /// Moves beyond the optimum.
    pub gap: Option<usize>,
    /// The solution: the directions in which the blank travels, a letter for each move.
    pub moves: Option<String>,
    /// The counters of the search.
    #[serde(flatten)]
    pub figures: Counters,
    /// The time that it took.
    pub seconds: f64,
}

impl SearchRecord {
    /// Returns the record of a search from `board` to `goal` by the heuristic that the settings name. `distance` is the
    /// length of a shortest solution, if it is known; if not, it is taken from a solution whose search
    /// [finds a shortest one](Settings::is_optimal).
    pub fn new(
        board: &Board,
        goal: &Board,
        settings: &Settings,
        report: &Report,
        distance: Option<u8>,
    ) -> SearchRecord {
        let solution = report.result.as_ref().ok();
        let length = solution.map(Vec::len);
        let proven = length.filter(|_| settings.is_optimal());
        let distance = distance.or(proven.and_then(|length| u8::try_from(length).ok()));
        let gap = length.zip(distance);
        let informed = settings.algorithm.is_informed();
        SearchRecord {
            board: *board,
            goal: *goal,
            algorithm: Cow::Borrowed(settings.algorithm.name()),
            heuristic: informed.then(|| settings.heuristic.to_string()),
            solved: solution.is_some(),
            failure: report.result.as_ref().err().copied(),
            length,
            distance,
            gap: gap.map(|(length, distance)| length.saturating_sub(usize::from(distance))),
            moves: solution.map(|moves| letters(moves)),
            figures: report.figures,
            seconds: report.time.as_secs_f64(),
        }
    }

    /// Returns the names of the algorithm and its heuristic, for display.
    pub fn method(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.to_string(),
        }
    }
}

/// A search, and its first expansions if they were asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Searched))]
#[non_exhaustive]
pub struct TracedRecord {
    /// The search.
    #[serde(flatten)]
    pub record: SearchRecord,
    /// The first expansions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceStep>>,
}
