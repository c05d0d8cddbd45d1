//! Moves and their notations.

use std::fmt;

use serde::{Serialize, Serializer};

use super::board::Board;

/// The direction in which the **blank** travels; the tile goes the other way.
///
/// The order `Up, Down, Left, Right` is the order in which ties are broken everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Move {
    /// To the row above.
    Up = 0,
    /// To the row below.
    Down = 1,
    /// To the column on the left.
    Left = 2,
    /// To the column on the right.
    Right = 3,
}

impl Move {
    /// All four, in their order.
    pub const ALL: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];

    /// The move whose number (its place in [`Move::ALL`]) is the low two bits of `code`.
    pub const fn from_code(code: u8) -> Move {
        match code & 3 {
            0 => Move::Up,
            1 => Move::Down,
            2 => Move::Left,
            _ => Move::Right,
        }
    }

    /// The place in [`Move::ALL`], 0 to 3.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The move that takes this one back.
    pub const fn opposite(self) -> Move {
        Move::from_code(self.code() ^ 1)
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Move::Up => 'U',
            Move::Down => 'D',
            Move::Left => 'L',
            Move::Right => 'R',
        }
    }

    /// Reads a letter, capital or small; `None` for any other.
    pub const fn from_letter(letter: char) -> Option<Move> {
        match letter.to_ascii_uppercase() {
            'U' => Some(Move::Up),
            'D' => Some(Move::Down),
            'L' => Some(Move::Left),
            'R' => Some(Move::Right),
            _ => None,
        }
    }
}

impl Serialize for Move {
    /// Its letter.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// How a list of moves is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// `U D L R` for the way the blank travels, without separators: `URRD`.
    #[default]
    Blank,
    /// `U D L R` for the way the tile travels, the opposite: `DLLU`.
    Tile,
    /// The numbers of the tiles that slide, separated by spaces: `5 8 2`.
    Numbers,
}

impl Notation {
    /// Writes `moves`, made from `start`, to `out`.
    ///
    /// A move that leaves the board ends the list of numbers.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Move, Notation};
    ///
    /// let start: Board = "123405786".parse()?;
    /// let moves = [Move::Right, Move::Down];
    /// let written = |notation: Notation| {
    ///     let mut out = String::new();
    ///     notation.write(&start, &moves, &mut out).map(|()| out)
    /// };
    /// assert_eq!(written(Notation::Blank)?, "RD");
    /// assert_eq!(written(Notation::Tile)?, "LU");
    /// assert_eq!(written(Notation::Numbers)?, "5 6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_codes_and_opposites_agree() {
        for mv in Move::ALL {
            assert_eq!(Move::from_code(mv.code()), mv);
            assert_eq!(Move::from_letter(mv.letter()), Some(mv));
            assert_eq!(
                Move::from_letter(mv.letter().to_ascii_lowercase()),
                Some(mv)
            );
            assert_ne!(mv.opposite(), mv);
            assert_eq!(mv.opposite().opposite(), mv);
        }
        assert_eq!(Move::Up.opposite(), Move::Down);
        assert_eq!(Move::Left.opposite(), Move::Right);
        assert_eq!(Move::from_letter('x'), None);
    }
}
