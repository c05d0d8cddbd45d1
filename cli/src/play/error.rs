//! Errors of the game.

use std::io;

use puzzledb::oracle::QueryError;
use puzzledb::oracle::generate::GenerateError;
use puzzledb::puzzle::Shape;

/// Error that prevents or ends a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Standard input or output is not a terminal.
    #[error(
        "play needs a terminal for its keys and its picture: run it without pipes or redirections"
    )]
    NoTerminal,
    /// The terminal cannot move its cursor.
    #[error("play cannot draw here: this terminal cannot move its cursor (TERM=dumb)")]
    DumbTerminal,
    /// No board has the requested distance.
    #[error("There is no such board: {shape} distances go up to {max}")]
    NoSuchDistance {
        /// The shape of the boards.
        shape: Shape,
        /// The largest distance.
        max: u8,
    },
    /// The database contradicts itself.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// No board could be drawn.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The terminal cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A signal came, or the terminal went away.
    #[error("interrupted")]
    Interrupted,
}
