//! The truth about boards: at once from a table, and from a search on a thread of its own.

use std::collections::HashMap;
use std::thread::JoinHandle;

use puzzledb::oracle::{Oracle, Probe, ProbeMove, QueryError};
use puzzledb::puzzle::Board;

/// Asks an oracle about a board. In a valid table only the goal has no move that leads closer.
fn probe(oracle: &Oracle, board: &Board) -> Result<Probe, QueryError> {
    let probe = oracle.probe(board)?;
    let is_at_end = closer(&probe).next().is_none();
    match is_at_end == (probe.distance == 0) {
        true => Ok(probe),
        false => Err(QueryError::WrongTable),
    }
}

/// The moves that lead closer to the goal.
pub(super) fn closer(probe: &Probe) -> impl Iterator<Item = &ProbeMove> {
    let steps = probe.steps.iter();
    steps.filter(|step| step.distance < probe.distance)
}

/// Knowledge about a board.
#[derive(Debug)]
pub(super) enum Known {
    /// The distance of the board and of those one move away.
    Truth(Probe),
    /// Nothing yet.
    NotYet,
    /// Nothing: the search gave up.
    GaveUp,
}

/// The truths of a session. One search at a time runs, for the board that was current when the one before ended.
#[derive(Debug)]
pub(super) struct Truths {
    pub oracle: Oracle,
    /// Knowledge that was requested before.
    known: HashMap<Board, Known>,
    pub search: Option<(Board, JoinHandle<Result<Probe, QueryError>>)>,
}

impl Truths {
    pub(super) fn new(oracle: Oracle) -> Truths {
        Truths {
            oracle,
            known: HashMap::new(),
            search: None,
        }
    }

    pub(super) fn of(&self, board: &Board) -> &Known {
        self.known.get(board).unwrap_or(&Known::NotYet)
    }

    /// Requests the truth about a board: a table answers at once, a search begins unless one runs.
    pub(super) fn ask(&mut self, board: &Board) -> Result<(), QueryError> {
        if self.known.contains_key(board) || self.search.is_some() {
            return Ok(());
        }
        if self.oracle.table().is_some() {
            let truth = probe(&self.oracle, board)?;
            self.known.insert(*board, Known::Truth(truth));
            return Ok(());
        }
        let (oracle, board) = (self.oracle.clone(), *board);
        let search = std::thread::spawn(move || probe(&oracle, &board));
        self.search = Some((board, search));
        Ok(())
    }

    /// Takes the answer of a search that has ended; true if there was one.
    pub(super) fn poll(&mut self) -> Result<bool, QueryError> {
        let Some((board, search)) = self.search.take_if(|(_, search)| search.is_finished()) else {
            return Ok(false);
        };
        let known = match joined(search) {
            Ok(truth) => Known::Truth(truth),
            Err(QueryError::GaveUp { .. } | QueryError::Memory { .. }) => Known::GaveUp,
            Err(error) => return Err(error),
        };
        self.known.insert(board, known);
        Ok(true)
    }
}

/// Waits for what a thread computes, and goes on with its panic.
pub(super) fn joined<T>(thread: JoinHandle<T>) -> T {
    let ended = thread.join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
