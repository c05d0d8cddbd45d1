//! Errors that a check can find.

use crate::bfs::SearchError;
use crate::puzzle::{Board, Move};
use crate::space::{Space, StateIndex};
use crate::table::{FormatError, Table};

/// Error of a table, or of its check.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The bytes are not those that were written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The search of a large table could not be begun, or ended early.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A state breaks a condition; it is the goal, or else the first in the order of state
    /// indices.
    #[error("is wrong at state {} (board {board} of the goal {goal}): {fault}", index.0)]
    State {
        /// The state's number.
        index: StateIndex,
        /// Its board, for the goal that is named beside it.
        board: Board,
        /// The canonical goal of the table's class.
        goal: Board,
        /// The condition that it breaks.
        fault: Fault,
    },
    /// The header counts another number of states at a distance.
    #[error("says in its header that {header} states have distance {distance}, but {found} have")]
    Level {
        /// The distance.
        distance: u8,
        /// States at this distance by the header.
        header: u64,
        /// States that were found at it.
        found: u64,
    },
}

/// A condition that a state breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The goal's distance is not 0.
    #[error("it is the goal, and its distance is {distance}")]
    GoalNotZero {
        /// Its distance.
        distance: u8,
    },
    /// Another state has distance 0.
    #[error("its distance is 0, and it is not the goal")]
    ZeroElsewhere,
    /// No chain of claims leads to it from the goal.
    #[error("no way leads to it from the goal")]
    Unreached,
    /// A move changes the distance by something else than 1.
    #[error("its distance is {distance}, and the move {mv} leads to distance {next}")]
    Step {
        /// Its distance.
        distance: u8,
        /// The canonical move.
        mv: Move,
        /// The neighbour's distance.
        next: u8,
    },
    /// Reached by a move from a distance d; the stored bit fits neither d - 1 nor d + 1.
    #[error("a move leads to it from distance {from}, and its bit is that of neither side")]
    FitsNeither {
        /// The neighbour's distance.
        from: u8,
    },
    /// No neighbour is closer.
    #[error("its distance is {distance}, and no move leads closer")]
    NothingCloser {
        /// Its distance.
        distance: u8,
    },
    /// The parent move does not lead closer.
    #[error("its parent move {mv} does not lead closer")]
    Parent {
        /// The canonical move.
        mv: Move,
    },
}

/// Returns the error for a state.
pub(super) fn at_state(table: &Table, index: StateIndex, fault: Fault) -> CheckError {
    let goal = table.header().class().goal();
    let space = Space::new(&goal).expect("a class has a goal");
    let board = space.unrank(index);
    CheckError::State {
        index,
        board,
        goal,
        fault,
    }
}
