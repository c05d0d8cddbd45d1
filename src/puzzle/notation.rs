//! Lists of moves as text.

use crate::basics::text::joined;

use super::board::Board;
use super::moves::Move;

/// Notation of a list of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Notation {
    /// U D L R, where the blank goes
    ///
    /// The letters have no separators: `URRD`.
    #[default]
    Blank,
    /// U D L R, where the tile goes
    ///
    /// That is the opposite direction: `DLLU`.
    Tile,
    /// The tiles that slide
    ///
    /// The numbers are separated by spaces: `5 8 2`.
    Numbers,
}

impl Notation {
    /// Formats `moves`, made from `start`. A move that leaves the board ends the list of numbers.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Move, Notation};
    ///
    /// let (start, moves): (Board, _) = ("123405786".parse()?, [Move::Right, Move::Down]);
    /// assert_eq!(Notation::Blank.text(&start, &moves), "RD");
    /// assert_eq!(Notation::Tile.text(&start, &moves), "LU");
    /// assert_eq!(Notation::Numbers.text(&start, &moves), "5 6");
    /// # Ok::<(), puzzledb::puzzle::ParseError>(())
    /// ```
    pub fn text(self, start: &Board, moves: &[Move]) -> String {
        match self {
            Notation::Blank => letters(moves),
            Notation::Tile => moves.iter().map(|mv| mv.opposite().letter()).collect(),
            Notation::Numbers => joined(start.tiles_slid(moves), " "),
        }
    }
}

/// Moves in one word, a letter each for the way the blank travels.
///
/// ```
/// use puzzledb::puzzle::{Move, letters};
///
/// assert_eq!(letters(&[Move::Right, Move::Down]), "RD");
/// ```
pub fn letters(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.letter()).collect()
}
