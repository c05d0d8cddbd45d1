//! The bounds of a search's expansions, as they are serialized.

use serde::Serialize;

use crate::puzzle::Board;

use super::algorithm::Algorithm;
use super::effort::Effort;
use super::heuristic::HeuristicName;

/// The bounds for a board, and the verdict on a reported number of expansions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct EffortRecord {
    /// The board.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub board: Board,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The heuristic's name.
    pub heuristic: String,
    /// The bounds.
    #[serde(flatten)]
    pub effort: Effort,
    /// The number that was reported.
    pub expanded: Option<u64>,
    /// Whether it is possible.
    pub possible: Option<bool>,
    /// Why it is not.
    pub why: Option<String>,
}

impl EffortRecord {
    /// Returns the record of the bounds for a board; `expanded` is the reported number, if there is
    /// one.
    pub fn new(
        board: &Board,
        algorithm: Algorithm,
        heuristic: &HeuristicName,
        effort: Effort,
        expanded: Option<u64>,
    ) -> EffortRecord {
        let judged = expanded.map(|expanded| effort.judge(expanded));
        EffortRecord {
            board: *board,
            algorithm: algorithm.name(),
            heuristic: heuristic.to_string(),
            effort,
            expanded,
            possible: judged.map(|judged| judged.is_ok()),
            why: judged.and_then(Result::err).map(|error| error.to_string()),
        }
    }
}
