//! A random board that a thread draws, which can take long in a large state space.

use std::sync::Arc;
use std::thread::JoinHandle;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::{GenerateError, Request};
use puzzledb::puzzle::Board;

/// A board that is being drawn.
#[derive(Debug)]
pub(super) struct Drawing(JoinHandle<Result<Board, GenerateError>>);

impl Drawing {
    /// Begins to draw a board at a distance, or at any but 0.
    pub(super) fn begin(oracle: Arc<Oracle>, distance: Option<u8>, seed: u64) -> Drawing {
        let distances = distance.map_or(1..=u8::MAX, |distance| distance..=distance);
        let request = Request::new(distances, 1, seed);
        Drawing(std::thread::spawn(move || {
            oracle.generate(&request).map(|boards| boards[0])
        }))
    }

    pub(super) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the board.
    pub(super) fn join(self) -> Result<Board, GenerateError> {
        match self.0.join() {
            Ok(drawn) => drawn,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
