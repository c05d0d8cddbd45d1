//! The shape of a board, and the steps from cell to cell.

use std::fmt;
use std::str::FromStr;

use super::moves::Move;

/// Largest number of cells of a [`Shape`]: 64, an 8x8 board.
pub const MAX_CELLS: usize = 64;

/// Rows x columns of a board, both at least 2, with at most [`MAX_CELLS`] cells.
///
/// Cells are numbered row by row from 0, so cell `c` is in row `c / cols` and column `c % cols`.
///
/// ```
/// use puzzledb::puzzle::{Move, Shape};
///
/// let shape: Shape = "2x3".parse()?;
/// assert_eq!((shape.rows(), shape.cols(), shape.cells()), (2, 3, 6));
/// assert_eq!(shape.step(4, Move::Up), Some(1));
/// assert_eq!(shape.step(4, Move::Down), None);
/// # Ok::<(), puzzledb::puzzle::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

/// Reason why a pair of numbers or a text is not a [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A side is shorter than 2.
    #[error("a {rows}x{cols} board has no puzzle in it: rows and columns must be 2 or more")]
    TooSmall {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// More than [`MAX_CELLS`] cells.
    #[error("a {rows}x{cols} board is too large: boards have at most {MAX_CELLS} cells")]
    TooLarge {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// The text is not two numbers with an `x` between them.
    #[error("{0:?} is not a shape: write rows x columns, as in 3x3 or 2x5")]
    Unreadable(String),
}

impl Shape {
    /// The 3x3 board of the 8-puzzle.
    pub const EIGHT_PUZZLE: Shape = Shape { rows: 3, cols: 3 };

    /// Builds a shape of `rows` x `cols`.
    ///
    /// # Errors
    /// [`ShapeError::TooSmall`] below 2x2, [`ShapeError::TooLarge`] above [`MAX_CELLS`] cells.
    pub fn new(rows: usize, cols: usize) -> Result<Shape, ShapeError> {
        if rows < 2 || cols < 2 {
            return Err(ShapeError::TooSmall { rows, cols });
        }
        match rows.checked_mul(cols) {
            Some(cells) if cells <= MAX_CELLS => Ok(Shape {
                rows: rows as u8,
                cols: cols as u8,
            }),
            _ => Err(ShapeError::TooLarge { rows, cols }),
        }
    }

    /// The square shape with this many cells, if there is one.
    pub fn square_of(cells: usize) -> Option<Shape> {
        (2..=8)
            .find(|side| side * side == cells)
            .and_then(|side| Shape::new(side, side).ok())
    }

    /// Number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of cells, rows x columns.
    pub const fn cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Number of tiles, one fewer than cells.
    pub const fn tiles(self) -> usize {
        self.cells() - 1
    }

    /// The shape with rows and columns exchanged.
    pub const fn transposed(self) -> Shape {
        Shape {
            rows: self.cols,
            cols: self.rows,
        }
    }

    /// The cell that the blank reaches from `cell` by `mv`; `None` at the border.
    pub const fn step(self, cell: usize, mv: Move) -> Option<usize> {
        let cols = self.cols();
        match mv {
            Move::Up if cell >= cols => Some(cell - cols),
            Move::Down if cell + cols < self.cells() => Some(cell + cols),
            Move::Left if !cell.is_multiple_of(cols) => Some(cell - 1),
            Move::Right if cell % cols + 1 < cols => Some(cell + 1),
            _ => None,
        }
    }

    /// The moves from one cell to another, over other cells.
    pub(crate) const fn steps(self, a: usize, b: usize) -> usize {
        let cols = self.cols();
        (a / cols).abs_diff(b / cols) + (a % cols).abs_diff(b % cols)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let unreadable = || ShapeError::Unreadable(text.to_owned());
        let (rows, cols) = text
            .trim()
            .split_once(['x', 'X', '×'])
            .ok_or_else(unreadable)?;
        let side = |s: &str| s.trim().parse::<usize>().map_err(|_| unreadable());
        Shape::new(side(rows)?, side(cols)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_prints_as_it_is_read() {
        for text in ["2x2", "3x3", "2x5", "4x3", "5x5", "8x8", "2x32"] {
            let shape: Shape = text.parse().unwrap();
            assert_eq!(shape.to_string(), text);
            let json = serde_json::to_string(&shape).unwrap();
            assert_eq!(serde_json::from_str::<Shape>(&json).unwrap(), shape);
        }
    }

    #[test]
    fn what_is_no_shape_says_why() {
        let refused = |text: &str| text.parse::<Shape>().unwrap_err();
        assert_eq!(refused("1x9"), ShapeError::TooSmall { rows: 1, cols: 9 });
        assert_eq!(refused("5x13"), ShapeError::TooLarge { rows: 5, cols: 13 });
        let huge = "4294967296x4294967296";
        assert!(matches!(refused(huge), ShapeError::TooLarge { .. }));
        for text in ["", "3", "x", "3x", "3x3x3", "-3x3", "3 by 3"] {
            assert_eq!(refused(text), ShapeError::Unreadable(text.to_owned()));
        }
    }

    #[test]
    fn a_step_and_its_opposite_cancel() {
        for (rows, cols) in [(2, 2), (3, 3), (2, 5), (5, 2), (5, 5), (8, 8)] {
            let shape = Shape::new(rows, cols).unwrap();
            let mut edges = 0;
            for cell in 0..shape.cells() {
                for mv in Move::ALL {
                    if let Some(to) = shape.step(cell, mv) {
                        assert_eq!(shape.step(to, mv.opposite()), Some(cell));
                        edges += 1;
                    }
                }
            }
            assert_eq!(edges, 2 * (rows * (cols - 1) + cols * (rows - 1)));
        }
    }
}
