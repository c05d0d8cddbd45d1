//! Makes the moves of a text on a board.

use crate::puzzle::{Board, Move};

use super::answer::{Path, Reading};
use super::records::{ClaimError, Reader};
use super::replay::best;

impl Reader {
    /// Returns the blank's moves that a text means on a board: directions, also with counts, words, arrows,
    /// the numbers of the tiles, or boards.
    ///
    /// Directions are the blank's unless [`Reader::only`] names another notation. Of several meanings the first that is
    /// possible to its end counts, or else the one that is possible for the most moves.
    ///
    /// ```
    /// use puzzledb::internals::judge::Reader;
    /// use puzzledb::puzzle::Move::{Down, Right};
    ///
    /// let board = "123405786".parse()?;
    /// for text in ["RD", "right, down", "→ ↓", "5 6", "123450786 123456780"] {
    ///     assert_eq!(Reader::default().moves(&board, text.as_bytes())?, [Right, Down]);
    /// }
    /// let error = Reader::default().moves(&board, b"R2").unwrap_err();
    /// assert_eq!(error.to_string(), "move 2, R, is impossible on the board then, 123450786");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] if the text is not a list of moves, or a move is impossible.
    pub fn moves(&self, start: &Board, text: &[u8]) -> Result<Vec<Move>, ClaimError> {
        let paths = self.paths(start, text)?;
        let best = best(&paths, start, None, self.only);
        let (path, _, replay) = best.ok_or(ClaimError::Nothing)?;
        if replay.legal {
            return Ok(replay.moves);
        }
        let (done, board) = (replay.moves.len(), replay.end);
        let (at, step) = (done + 1, step(path, done, start));
        let why = format!("move {at}, {step}, is impossible on the board then, {board}");
        Err(ClaimError::Impossible(why))
    }

    /// Returns the moves of a list of directions that do not leave the board; the others leave it as it is.
    ///
    /// ```
    /// use puzzledb::internals::judge::Reader;
    /// use puzzledb::puzzle::Move::Down;
    ///
    /// let board = "123450786".parse()?;
    /// assert_eq!(Reader::default().moves_within(&board, b"RRD")?, [Down]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] if the text is not a list of directions.
    pub fn moves_within(&self, board: &Board, text: &[u8]) -> Result<Vec<Move>, ClaimError> {
        let paths = self.paths(board, text)?;
        let mut paths = paths.iter();
        let path = paths.find(|path| matches!(path, Path::Directions(_)));
        let path = path.ok_or(ClaimError::Nothing)?;
        let reading = path.readings_as(self.only).next().unwrap_or(Reading::Blank);
        let mut now = *board;
        let within = (0..path.steps()).filter_map(|at| {
            let (mv, next) = path.make(at, &now, reading)?;
            now = next;
            Some(mv)
        });
        Ok(within.collect())
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
