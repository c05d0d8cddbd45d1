//! The truth about boards: at once from a table, and from a search on a thread of its own.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;

use puzzledb::oracle::{Oracle, QueryError};
use puzzledb::puzzle::{Board, Move};

/// The oracle's answer for a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    /// Length of a shortest solution.
    pub distance: u8,
    /// The moves that lead closer to the goal; empty only at the goal.
    pub closer: Vec<Move>,
}

impl Truth {
    fn of(oracle: &Oracle, board: &Board) -> Result<Truth, QueryError> {
        let probe = oracle.probe(board)?;
        let closer = (probe.steps.iter()).filter(|probed| probed.distance < probe.distance);
        let closer: Vec<Move> = closer.map(|probed| probed.mv).collect();
        let distance = probe.distance;
        if closer.is_empty() != (distance == 0) {
            return Err(QueryError::WrongTable);
        }
        Ok(Truth { distance, closer })
    }
}

/// Knowledge about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known<'a> {
    /// The truth.
    Truth(&'a Truth),
    /// Nothing yet.
    NotYet,
    /// Nothing: the search gave up.
    GaveUp,
}

/// The truths of a session. One search at a time runs, for the board that was current when the one before ended.
#[derive(Debug)]
pub(super) struct Truths {
    oracle: Arc<Oracle>,
    /// Truths that were requested before; `None` for a board whose search gave up.
    known: HashMap<Board, Option<Truth>>,
    search: Option<(Board, JoinHandle<Result<Truth, QueryError>>)>,
}

impl Truths {
    pub(super) fn new(oracle: Oracle) -> Truths {
        Truths {
            oracle: oracle.into(),
            known: HashMap::new(),
            search: None,
        }
    }

    pub(super) fn oracle(&self) -> &Arc<Oracle> {
        &self.oracle
    }

    pub(super) fn of(&self, board: &Board) -> Known<'_> {
        match self.known.get(board) {
            Some(Some(truth)) => Known::Truth(truth),
            Some(None) => Known::GaveUp,
            None => Known::NotYet,
        }
    }

    /// Requests the truth about a board: a table answers at once, a search begins unless one runs.
    pub(super) fn ask(&mut self, board: &Board) -> Result<(), QueryError> {
        if self.known.contains_key(board) || self.search.is_some() {
            return Ok(());
        }
        if self.oracle.table().is_some() {
            let truth = Truth::of(&self.oracle, board)?;
            self.known.insert(*board, Some(truth));
            return Ok(());
        }
        let (oracle, board) = (Arc::clone(&self.oracle), *board);
        let search = std::thread::spawn(move || Truth::of(&oracle, &board));
        self.search = Some((board, search));
        Ok(())
    }

    /// Returns whether a search runs.
    pub(super) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Takes the answer of a search that has ended; true if there was one.
    pub(super) fn poll(&mut self) -> Result<bool, QueryError> {
        let Some((board, search)) = self.search.take_if(|(_, search)| search.is_finished()) else {
            return Ok(false);
        };
        let truth = match joined(search) {
            Ok(truth) => Some(truth),
            Err(QueryError::GaveUp { .. } | QueryError::Memory { .. }) => None,
            Err(error) => return Err(error),
        };
        self.known.insert(board, truth);
        Ok(true)
    }
}

/// Waits for what a thread computes, and goes on with its panic.
pub(super) fn joined<T>(thread: JoinHandle<T>) -> T {
    let ended = thread.join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
