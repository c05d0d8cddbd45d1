//! The four moves of the blank.

use std::fmt;
use std::str::FromStr;

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
        Move::ALL[(code & 3) as usize]
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
        ['U', 'D', 'L', 'R'][self as usize]
    }

    /// The move of a letter in upper or lower case; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Move> {
        let letter = letter.to_ascii_uppercase();
        Move::ALL.into_iter().find(|mv| mv.letter() == letter)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Text that is not a move of the blank.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a move of the blank: U, D, L or R")]
pub struct MoveError(pub String);

impl FromStr for Move {
    type Err = MoveError;

    /// Reads a letter in upper or lower case.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        let mut letters = text.chars();
        match (letters.next().and_then(Move::from_letter), letters.next()) {
            (Some(mv), None) => Ok(mv),
            _ => Err(MoveError(text.to_owned())),
        }
    }
}

/// Reads moves of the blank: the letters U, D, L and R in upper or lower case, with or without white space and commas
/// between them. It is the inverse of [`letters`](super::letters).
///
/// ```
/// use puzzledb::{letters, parse_moves};
///
/// let moves = parse_moves("RDDL, luur")?;
/// assert_eq!(letters(&moves), "RDDLLUUR");
/// # Ok::<(), puzzledb::MoveError>(())
/// ```
///
/// # Errors
/// [`MoveError`] with the first character that is not a move.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, MoveError> {
    let letters = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    letters
        .map(|letter| Move::from_letter(letter).ok_or_else(|| MoveError(letter.to_string())))
        .collect()
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

    #[test]
    fn text_is_read_as_moves_and_a_wrong_letter_is_named() {
        assert_eq!("l".parse(), Ok(Move::Left));
        for wrong in ["", "x", "UD", "up"] {
            assert_eq!(wrong.parse::<Move>(), Err(MoveError(wrong.to_owned())));
        }
        use Move::{Down, Up};
        assert_eq!(parse_moves(" U, d\nU "), Ok(vec![Up, Down, Up]));
        assert_eq!(parse_moves("UxD"), Err(MoveError("x".to_owned())));
        let json = serde_json::to_string(&[Up, Down]).unwrap();
        assert_eq!(
            serde_json::from_str::<Vec<Move>>(&json).unwrap(),
            [Up, Down]
        );
    }
}
