//! The trace of a search of boards: one step for each expansion.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move};

use super::heuristic::BoardHeuristic;
use super::settings::Settings;

/// A board that is being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TraceStep {
    /// The board that was expanded.
    pub board: Board,
    /// The board that it was reached from; `None` for the first.
    pub parent: Option<Board>,
    /// The moves to it.
    pub g: u64,
    /// The estimate from it, in moves.
    pub h: f64,
    /// `g` and `h` as the algorithm weighs them.
    pub f: f64,
    /// Boards that waited to be expanded.
    pub queue: u64,
}

/// A callback that gets every expansion of a search of boards and may end the search.
pub type TraceObserver<'a> = dyn FnMut(&TraceStep) -> ControlFlow<()> + 'a;

impl TraceStep {
    /// Returns the boards one move away, but for the one that it was reached from, in the order in
    /// which a search with these settings and this heuristic makes them; each with its move and its
    /// `f`.
    ///
    /// They are all successors that a best-first search makes, also those that it has already met.
    pub fn children<'a>(
        &self,
        settings: &'a Settings,
        heuristic: &'a BoardHeuristic,
    ) -> impl Iterator<Item = (Move, Board, f64)> + use<'a> {
        let TraceStep {
            board, parent, g, ..
        } = *self;
        let successors = settings.order.into_iter().filter_map(move |mv| {
            let child = board.slide(mv)?;
            (parent != Some(child)).then_some((mv, child))
        });
        successors.map(move |(mv, child)| {
            let h = if settings.algorithm.is_informed() {
                heuristic.value(&child)
            } else {
                0.0
            };
            (mv, child, settings.f((g + 1) as f64, h))
        })
    }
}
