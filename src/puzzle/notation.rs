//! Lists of moves as text.

use std::fmt;

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
    /// Formats `moves`, made from `start`.
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
        let mut text = String::new();
        let written = self.write(start, moves, &mut text);
        written.expect("a String takes everything");
        text
    }

    /// Writes `moves`, made from `start`, to `out`.
    ///
    /// A move that leaves the board ends the list of numbers.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(self, start: &Board, moves: &[Move], out: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Notation::Blank => moves.iter().try_for_each(|m| out.write_char(m.letter())),
            Notation::Tile => moves
                .iter()
                .try_for_each(|m| out.write_char(m.opposite().letter())),
            Notation::Numbers => {
                let mut separator = "";
                for tile in start.tiles_slid(moves) {
                    write!(out, "{separator}{tile}")?;
                    separator = " ";
                }
                Ok(())
            }
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
