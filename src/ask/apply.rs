//! Moves that are made on a board.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::verify::Moves;
use crate::judge::records::Reader;
use crate::puzzle::{Board, Numbering, Shape, letters};

/// A board and moves to make on it.
///
/// ```
/// use puzzledb::ask::Apply;
///
/// let question = Apply {
///     board: "123405786".to_owned(),
///     path: "right, down".to_owned(),
///     ..Apply::default()
/// };
/// let record = question.answer()?;
/// assert_eq!((record.moves.as_str(), record.end.to_string()), ("RD", "123456780".to_owned()));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The board
    pub board: String,
    /// The moves: directions, also with counts, words, arrows, the numbers of the tiles, or boards
    pub path: String,
    /// How the moves are written [default: directions are the blank's, numbers are tiles]
    #[serde(default)]
    pub moves: Moves,
    /// What a direction over the edge of the board is [default: an error]
    #[serde(default)]
    pub edges: Edges,
    /// Rows x columns, for boards that are not square
    pub shape: Option<Shape>,
    /// The number that stands for the blank [default: 0]
    #[serde(default)]
    pub blank: u8,
}

/// What a direction over the edge of the board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Edges {
    /// An error
    #[default]
    Refuse,
    /// No move: the board stays as it is
    Stay,
}

/// A path that was made on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PathRecord {
    /// The board.
    pub board: Board,
    /// The blank's moves, a letter each.
    pub moves: String,
    /// The tile that slides in each move.
    pub tiles: Vec<u8>,
    /// Number of moves.
    pub length: usize,
    /// The board after the moves.
    pub end: Board,
}

impl Apply {
    /// Makes the moves.
    ///
    /// # Errors
    /// [`Refusal`] if the board or the moves cannot be read, or a move is impossible.
    pub fn answer(&self) -> Result<PathRecord, Refusal> {
        let &Apply { shape, blank, .. } = self;
        let reader = Reader {
            numbering: Numbering { shape, blank },
            only: self.moves.only(),
            ..Reader::default()
        };
        let board = reader.numbering.board(self.board.as_bytes())?;
        let moves = reader.moves(&board, self.path.as_bytes(), self.edges == Edges::Stay)?;
        let end = board.replay(&moves).expect("the reader made these moves");
        Ok(PathRecord {
            board,
            moves: letters(&moves),
            tiles: board.tiles_slid(&moves).collect(),
            length: moves.len(),
            end,
        })
    }
}
