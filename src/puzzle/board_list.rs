//! Lists of boards as text.

use super::board::Board;
use super::numbering::Numbering;
use super::parse_error::ParseError;
use super::shape::Shape;

/// Reason why a text is not a list of boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardListError {
    /// The text holds no board.
    #[error("there is no board in it")]
    Empty,
    /// A line is not a board.
    #[error("line {line}: {cause}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Error of the line.
        #[source]
        cause: ParseError,
    },
    /// The boards are of two shapes.
    #[error("line {line}: a {found} board among {first} boards; all must have one shape")]
    OtherShape {
        /// Number of the line, from 1.
        line: usize,
        /// The shape of the first board.
        first: Shape,
        /// The shape of this one.
        found: Shape,
    },
}

/// Reads boards, one a line, empty lines left out; or one board over several lines.
///
/// ```
/// use puzzledb::puzzle::read_boards;
///
/// assert_eq!(read_boards(b"704851632\n1 2 3 4 5 6 7 8 0\n", None)?.len(), 2);
/// assert_eq!(read_boards(b"3\n7 0 4\n8 5 1\n6 3 2\n", None)?.len(), 1);
/// # Ok::<(), puzzledb::puzzle::BoardListError>(())
/// ```
///
/// # Errors
/// [`BoardListError`] names the line that is not a board, or has another shape.
pub fn read_boards(text: &[u8], shape: Option<Shape>) -> Result<Vec<Board>, BoardListError> {
    Numbering { shape, blank: 0 }.boards(text)
}

impl Numbering {
    /// Reads a list of boards as [`read_boards`] does.
    ///
    /// # Errors
    /// [`BoardListError`] names the line that is not a board, or has another shape.
    pub fn boards(self, text: &[u8]) -> Result<Vec<Board>, BoardListError> {
        read(text, self)
    }
}

fn read(text: &[u8], numbering: Numbering) -> Result<Vec<Board>, BoardListError> {
    let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let parsed: Vec<_> = lines
        .map(|(number, line)| (number, numbering.board(line)))
        .collect();
    if parsed.iter().all(|(_, board)| board.is_err())
        && let Ok(board) = numbering.board(text)
    {
        return Ok(vec![board]);
    }
    let mut boards: Vec<Board> = Vec::with_capacity(parsed.len());
    for (line, board) in parsed {
        let board = board.map_err(|cause| BoardListError::Line { line, cause })?;
        let (found, first) = (board.shape(), boards.first().unwrap_or(&board).shape());
        if found != first {
            return Err(BoardListError::OtherShape { line, first, found });
        }
        boards.push(board);
    }
    if boards.is_empty() {
        return Err(BoardListError::Empty);
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let refused = |text: &str| read_boards(text.as_bytes(), None).unwrap_err();
        assert_eq!(refused(" \n\n"), BoardListError::Empty);
        let message = refused("704851632\n\n704851633\n").to_string();
        assert!(
            message.starts_with("line 3: tile 3 is there twice"),
            "{message}"
        );
        let message = refused("704851632\n1230\n").to_string();
        assert!(
            message.starts_with("line 2: a 2x2 board among 3x3"),
            "{message}"
        );
    }
}
