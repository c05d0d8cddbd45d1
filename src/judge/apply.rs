//! Makes the moves of a text on a board.

use crate::puzzle::{Board, Move};

use super::answer::Path;
use super::records::{ClaimError, Reader};
use super::replay::best;

impl Reader {
    /// Returns the blank's moves that a text means on a board: directions, also with counts, words, arrows,
    /// the numbers of the tiles, or boards.
    ///
    /// Directions are the blank's unless [`Reader::only`] names another notation. Of several meanings the first that is
    /// possible to its end counts, or else the one that is possible for the most moves. If the board `stays` as it is where
    /// a direction leaves it, only directions count, and those are left out.
    ///
    /// ```
    /// use puzzledb::internals::Reader;
    /// use puzzledb::puzzle::Move::{Down, Right};
    ///
    /// let board = "123405786".parse()?;
    /// for text in ["RD", "right, down", "→ ↓", "5 6", "123450786 123456780"] {
    ///     assert_eq!(Reader::default().moves(&board, text.as_bytes(), false)?, [Right, Down]);
    /// }
    /// assert_eq!(Reader::default().moves(&board, b"R2D", true)?, [Right, Down]);
    /// let error = Reader::default().moves(&board, b"R2", false).unwrap_err();
    /// assert_eq!(error.to_string(), "move 2, R, is impossible on the board then, 123450786");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] if the text is not a list of moves, or a move is impossible.
    pub fn moves(&self, start: &Board, text: &[u8], stays: bool) -> Result<Vec<Move>, ClaimError> {
        let mut paths = self.paths(start, &String::from_utf8_lossy(text))?;
        paths.retain(|path| !stays || matches!(path, Path::Directions(_)));
        let best = best(&paths, start, None, self.only);
        let (path, reading, replay) = best.ok_or(ClaimError::Nothing)?;
        if replay.legal {
            return Ok(replay.moves);
        } else if stays {
            return Ok(path.replay(start, reading, true).moves);
        }
        let (done, board) = (replay.moves.len(), replay.end);
        let (at, step) = (done + 1, step(path, done, start));
        let why = format!("move {at}, {step}, is impossible on the board then, {board}");
        Err(ClaimError::Impossible(why))
    }
}

/// Returns the step of a path from `start` that comes after `done` others, for a message: its direction as it is written,
/// `tile 5`, or `to 123456780` for a board.
fn step(path: &Path, done: usize, start: &Board) -> String {
    match path {
        Path::Directions(moves) => moves[done].to_string(),
        Path::Tiles(tiles) => format!("tile {}", tiles[done]),
        Path::Boards(boards) => {
            let skipped = usize::from(boards.first() == Some(start));
            format!("to {}", boards[skipped + done])
        }
    }
}
