//! The trace of a search of boards: one step for each expansion.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::puzzle::Board;

/// A board that is being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TraceStep {
    /// The board that was expanded.
    #[cfg_attr(feature = "serve", schema(value_type = String))]
    pub board: Board,
    /// The board that it was reached from; `None` for the first.
    #[cfg_attr(feature = "serve", schema(value_type = Option<String>))]
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
