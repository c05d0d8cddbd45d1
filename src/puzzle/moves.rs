//! The four moves of the blank.

use std::fmt;

use serde::{Serialize, Serializer};

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

    /// The move that undoes this one.
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

    /// The move of a letter in upper or lower case; `None` for any other character.
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
    /// Writes the letter.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
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
