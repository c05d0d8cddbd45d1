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

impl Numbering {
    /// Reads boards, one a line, or over several lines with a blank line between two boards. Blank lines and lines that
    /// begin with `#` are left out.
    ///
    /// ```
    /// use puzzledb::puzzle::Numbering;
    ///
    /// let read = |text: &[u8]| Numbering::default().boards(text);
    /// assert_eq!(read(b"704851632\n1 2 3 4 5 6 7 8 0\n")?.len(), 2);
    /// assert_eq!(read(b"3\n7 0 4\n8 5 1\n6 3 2\n")?.len(), 1);
    /// # Ok::<(), puzzledb::puzzle::BoardListError>(())
    /// ```
    ///
    /// # Errors
    /// [`BoardListError`] names the line that is not a board, or has another shape.
    pub fn boards(self, text: &[u8]) -> Result<Vec<Board>, BoardListError> {
        let mut boards: Vec<Board> = Vec::new();
        for (line, board) in self.each_board(text) {
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
}

/// Number of a board's first line, from 1, and the board or the error of its text.
type NumberedBoard = (usize, Result<Board, ParseError>);

/// Most lines of one board: a cell a line, and lines for the shape and the brackets around it.
const MOST_LINES: usize = 68;

/// Returns whether a line of a list of boards is left out: it is blank, or begins with `#`.
pub fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#'))
}

impl Numbering {
    /// Reads each board of a list, as [`Numbering::boards`] does, and goes on after a line that is not a board.
    ///
    /// ```
    /// use puzzledb::puzzle::Numbering;
    ///
    /// let text = b"# two boards\n704851632\nseven\n\n7 0 4\n8 5 1\n6 3 2\n";
    /// let boards = Numbering::default().each_board(text);
    /// let lines: Vec<_> = boards.iter().map(|(line, board)| (*line, board.is_ok())).collect();
    /// assert_eq!(lines, [(2, true), (3, false), (5, true)]);
    /// ```
    pub fn each_board(self, text: &[u8]) -> Vec<NumberedBoard> {
        let mut lines: Vec<(usize, &[u8])> = (1..).zip(text.split(|&byte| byte == b'\n')).collect();
        let is_blank = |(_, line): &(usize, &[u8])| line.trim_ascii().is_empty();
        lines.retain(|(_, line)| is_blank(&(0, line)) || !is_comment(line));
        let mut boards = Vec::new();
        for block in lines.split(is_blank).filter(|block| !block.is_empty()) {
            match self.board_of_lines(block) {
                Some(board) => boards.push((block[0].0, Ok(board))),
                None => boards.extend(block.iter().map(|(i, line)| (*i, self.board(line)))),
            }
        }
        lines.retain(|line| !is_blank(line));
        if boards.iter().all(|(_, board)| board.is_err())
            && let Some(board) = self.board_of_lines(&lines)
        {
            boards = vec![(lines[0].0, Ok(board))];
        }
        boards
    }

    /// Returns the board that several lines make together.
    fn board_of_lines(self, lines: &[(usize, &[u8])]) -> Option<Board> {
        if !(2..=MOST_LINES).contains(&lines.len()) {
            return None;
        }
        let lines: Vec<&[u8]> = lines.iter().map(|(_, line)| *line).collect();
        self.board(&lines.join(&b'\n')).ok()
    }
}

/// Splits a text with a start and its goal, one below the other, into the texts of both boards. Labels and lines
/// without digits are left out. `None` if it has no two rows.
///
/// ```
/// use puzzledb::internals::start_and_goal;
///
/// let text = "Start:\n7 0 4\n8 5 1\n6 3 2\nGoal:\n1 2 3\n4 5 6\n7 8 0\n";
/// let [start, goal] = start_and_goal(text).unwrap();
/// assert_eq!((start.as_str(), goal.as_str()), ("7 0 4\n8 5 1\n6 3 2", "1 2 3\n4 5 6\n7 8 0"));
/// ```
pub fn start_and_goal(text: &str) -> Option<[String; 2]> {
    let unlabelled = text
        .lines()
        .filter_map(|line| line.rsplit([':', '=']).next());
    let mut rows: Vec<&str> = unlabelled
        .filter(|row| row.contains(|c: char| c.is_ascii_digit()))
        .collect();
    if rows.len() % 2 == 1 {
        rows.remove(0); // the size of both
    }
    let (start, goal) = rows.split_at(rows.len() / 2);
    (!start.is_empty()).then(|| [start.join("\n"), goal.join("\n")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_in_rows_have_blank_lines_between_them() {
        let read = |text: &str| {
            let boards = Numbering::default().boards(text.as_bytes()).unwrap();
            let boards: Vec<String> = boards.iter().map(Board::to_string).collect();
            boards.join(" ")
        };
        assert_eq!(
            read("# easy\n1 2 3\n4 5 6\n7 0 8\n\n# hard\n8 6 7\n2 5 4\n3 0 1\n"),
            "123456708 867254301"
        );
        assert_eq!(
            read("4 4\n0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n"),
            "0123456789abcdef"
        );
        assert_eq!(
            read("2 3\n1 2 3\n4 5 0\n\n2 3\n1 2 3\n4 0 5\n"),
            "123450 123405"
        );
        assert_eq!(read("7 0 4\n\n8 5 1\n\n6 3 2\n"), "704851632");
        assert_eq!(read("{{1,2,3},{4,5,6},{7,8,0}};"), "123456780");
    }

    #[test]
    fn a_bad_line_is_named() {
        let refused = |text: &str| Numbering::default().boards(text.as_bytes()).unwrap_err();
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
