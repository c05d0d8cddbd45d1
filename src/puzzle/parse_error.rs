//! Errors of texts that are not boards.

use crate::basics::text::joined;

use super::board::BoardError;
use super::shape::Shape;

/// Reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Nothing but separators.
    #[error("no board here: write its cells row by row, as in 704851632, with 0 for the blank")]
    Empty,
    /// A byte sequence that is not UTF-8 text.
    #[error("byte {} is not UTF-8 text", at + 1)]
    NotUtf8 {
        /// Offset of the first bad byte.
        at: usize,
    },
    /// A cell that is neither a number, nor a letter for a number above 9, nor a blank.
    #[error("{text:?} in cell {} is not a tile: use numbers (letters from a = 10) and 0 for the blank", cell + 1)]
    NotACell {
        /// Text of the cell, shortened.
        text: String,
        /// Number of the cell, from 0.
        cell: usize,
    },
    /// No shape was named, and no square board has this many cells.
    #[error(
        "{found} {}: square boards have 4, 9, 16, 25, 36, 49 or 64; the shape of another must be named, as in 2x5",
        if *found == 1 { "cell" } else { "cells" }
    )]
    NotSquare {
        /// Cells that were given.
        found: usize,
    },
    /// Rows, split by `/` or brackets, that are not those of the shape.
    #[error("the rows have {} cells, and a {shape} board has {} rows of {}", joined(rows, ", "), shape.rows(), shape.cols())]
    OtherRows {
        /// Number of cells in each row.
        rows: Vec<usize>,
        /// The shape that was named, or that follows from the number of cells.
        shape: Shape,
    },
    /// The blank is written as another number than 0, and the cells are not each number once.
    #[error("{}", other_blank(*blank, *shape))]
    OtherBlank {
        /// The number that stands for the blank.
        blank: u8,
        /// The shape of the board.
        shape: Shape,
    },
    /// The cells were read, but they are not a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

fn other_blank(blank: u8, shape: Shape) -> String {
    let cells = shape.cells();
    if usize::from(blank) > cells {
        return format!(
            "{blank} for the blank is not a number of a {shape} board: it has 0 to {cells}"
        );
    }
    let least = usize::from(usize::from(blank) == cells);
    let most = least + shape.tiles();
    format!(
        "with {blank} for the blank a {shape} board has each number from {least} to {most} once"
    )
}
