//! All searches of some boards by some methods, side by side.

use rayon::prelude::*;

use crate::puzzle::Board;

use super::by_name::{Report, Settings, search};
use super::heuristic::{BoardHeuristic, HeuristicError};

/// One board searched by one method.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The place of the board in the list.
    pub board: usize,
    /// The place of the method in the list.
    pub method: usize,
    /// What came of it.
    pub report: Report,
}

/// A method: settings, and the heuristic made for the goal.
pub type Method = (Settings, BoardHeuristic);

/// Searches every board by every method, on the threads of the pool that it is called from; the
/// order of the results is that of the boards, and for each board that of the methods. `done` is
/// called after each search.
///
/// # Errors
/// [`HeuristicError`]: a search from both ends needs the heuristic for the start too.
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
        .map(|place| {
            let (board, method) = (place / methods.len(), place % methods.len());
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
