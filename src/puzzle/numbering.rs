//! Numbers that stand for the tiles in a text.

use super::board::Board;
use super::parse_error::ParseError;
use super::shape::Shape;

/// Numbering of the tiles and the blank in a text, and the shape of its boards.
///
/// Where the blank is 0 (the usual number) or the number of cells (9 on 3x3), tile t is written as t. With a number b
/// between, the tiles are the other numbers in their order: tile t is written as t - 1 up to t = b, and as t above.
///
/// ```
/// use puzzledb::puzzle::Numbering;
///
/// let from_zero = Numbering { blank: 8, ..Numbering::default() };
/// assert_eq!(from_zero.board(b"0 1 2 3 4 5 6 8 7")?.to_string(), "123456708");
/// let nine = Numbering { blank: 9, ..Numbering::default() };
/// assert_eq!(nine.board(b"123456798")?.to_string(), "123456708");
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Numbering {
    /// Rows x columns, for boards that are not square
    #[cfg_attr(feature = "cli", arg(long, value_name = "RxC"))]
    pub shape: Option<Shape>,
    /// The number that stands for the blank in boards, tile numbers and goals that are read: 9, or
    /// 8 where tiles are counted from 0, as in "0 1 2 3 4 5 6 8 7" (3x3); what is printed has 0
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0))]
    pub blank: u8,
}

impl Numbering {
    /// The same numbering, for boards of this shape only.
    #[must_use]
    pub fn of(self, shape: Shape) -> Numbering {
        Numbering {
            shape: Some(shape),
            ..self
        }
    }

    /// The tile that a number stands for on a board of `shape`, 0 for the blank; `None` if there is
    /// no such tile.
    pub fn tile(self, shape: Shape, number: u32) -> Option<u8> {
        let (cells, blank) = (shape.cells() as u32, u32::from(self.blank));
        let tile = match number {
            _ if number == blank => 0,
            0 if blank == cells => return None,
            _ if blank == cells || number > blank => number,
            _ => number + 1,
        };
        (tile < cells && blank <= cells).then_some(tile as u8)
    }

    /// Numbers of a board's cells, row by row, as [`Numbering::board_of`] reads them.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Numbering};
    ///
    /// let from_zero = Numbering { blank: 8, ..Numbering::default() };
    /// let board: Board = "123456708".parse()?;
    /// assert_eq!(from_zero.numbers(&board), [0, 1, 2, 3, 4, 5, 6, 8, 7]);
    /// # Ok::<(), puzzledb::puzzle::ParseError>(())
    /// ```
    pub fn numbers(self, board: &Board) -> Vec<u32> {
        let (shape, cells) = (board.shape(), board.shape().cells() as u32);
        let number = |&tile: &u8| {
            (0..=cells)
                .find(|&number| self.tile(shape, number) == Some(tile))
                .unwrap_or(u32::from(tile))
        };
        board.tiles().iter().map(number).collect()
    }

    /// The board with these numbers in its cells, row by row.
    ///
    /// # Errors
    /// [`ParseError`] if they are not each number once.
    pub fn board_of(self, shape: Shape, numbers: &[u32]) -> Result<Board, ParseError> {
        if self.blank == 0 {
            return Ok(Board::from_numbers(shape, numbers)?);
        }
        let cells: Option<Vec<u8>> = numbers.iter().map(|&n| self.tile(shape, n)).collect();
        let board = cells.and_then(|cells| Board::new(shape, &cells).ok());
        board.ok_or(ParseError::OtherBlank {
            blank: self.blank,
            shape,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(blank: u8, text: &str) -> Result<String, String> {
        let numbering = Numbering { shape: None, blank };
        let board = numbering.board(text.as_bytes());
        board.map(|b| b.to_string()).map_err(|e| e.to_string())
    }

    #[test]
    fn every_numbering_of_the_goal_is_the_goal() {
        let goal = Ok("123456780".to_owned());
        assert_eq!(read(0, "123456780"), goal);
        assert_eq!(read(9, "[[1,2,3],[4,5,6],[7,8,9]]"), goal);
        assert_eq!(read(9, "123456789"), goal);
        assert_eq!(read(8, "0 1 2 3 4 5 6 7 8"), goal);
        assert_eq!(read(4, "0 1 2 3 5 6 7 8 4"), goal, "tiles keep their order");
        let fifteen = read(16, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 16");
        assert_eq!(fifteen, Ok("123456789abcdef0".to_owned()));
        assert_eq!(read(15, "0123456789abcdef"), fifteen);
    }

    #[test]
    fn another_blank_says_which_numbers_are_expected() {
        let error = read(9, "123456780").unwrap_err();
        assert_eq!(
            error,
            "with 9 for the blank a 3x3 board has each number from 1 to 9 once"
        );
        let error = read(8, "123456798").unwrap_err();
        assert!(error.contains("from 0 to 8 once"), "{error}");
        assert!(
            read(8, "1234")
                .unwrap_err()
                .contains("8 for the blank is not a number")
        );
        assert!(read(9, "12345").unwrap_err().starts_with("5 cells"));
    }
}
