//! Searches of every board by every method.

use crate::basics::parallel::prelude::*;

use crate::puzzle::Board;

use super::dispatch::{Report, search};
use super::heuristic::{BoardHeuristic, HeuristicError};
use super::settings::Settings;

/// One board searched by one method.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The index of the board.
    pub board: usize,
    /// The index of the method.
    pub method: usize,
    /// The result.
    pub report: Report,
}

/// A method: settings, and the heuristic made for the goal.
pub type Method = (Settings, BoardHeuristic);

/// Searches every board by every method, on the threads of the calling rayon pool. The results are
/// ordered by board, then by method. `done` is called after each search.
///
/// # Errors
/// [`HeuristicError`] if bidirectional A* cannot make its second heuristic.
///
/// # Panics
/// If a board has another shape than the goal.
pub fn compare(
    boards: &[Board],
    goal: &Board,
    methods: &[Method],
    done: impl Fn() + Sync,
) -> Result<Vec<Compared>, HeuristicError> {
    (0..boards.len() * methods.len())
        .into_par_iter()
        .with_max_len(1)
        .map(|index| {
            let (board, method) = (index / methods.len(), index % methods.len());
            let (settings, heuristic) = &methods[method];
            let report = search(&boards[board], goal, settings, heuristic, None)?;
            done();
            Ok(Compared {
                board,
                method,
                report,
            })
        })
        .collect()
}
