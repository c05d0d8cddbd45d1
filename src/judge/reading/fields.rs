//! The fields of a claim: a length, a path, or the word that there is none.

use crate::judge::{Answer, Reading, Way};
use crate::puzzle::{Board, Numbering};

use super::phrases::is_none;
use super::ways::ways;
use super::{ClaimError, shorten};

/// The answer in a length and a path, either of which may be empty.
///
/// A number alone in the path's place is a length, since `19` is how many solvers print one,
/// unless the moves are known to be tile numbers.
///
/// # Errors
/// [`ClaimError`] if one of them cannot be read, or both are empty.
pub(super) fn answer(
    length: &[u8],
    path: &[u8],
    board: &Board,
    numbering: Numbering,
    only: Option<Reading>,
) -> Result<Answer, ClaimError> {
    let (length, path) = (length.trim_ascii(), path.trim_ascii());
    let number = self::length(length);
    let no_path = path.is_empty() || is_none(path) || path == b"[]";
    if is_none(length) && no_path || number.is_none() && is_none(path) {
        return Ok(Answer {
            unsolvable: true,
            ..Answer::default()
        });
    }
    if number.is_none() && !length.is_empty() && !is_none(length) {
        return Err(ClaimError::Length(shorten(length)));
    }
    let mut answer = Answer {
        length: number,
        ..Answer::default()
    };
    if path.is_empty() || is_none(path) {
        return number.map(|_| answer).ok_or(ClaimError::Nothing);
    }
    if number.is_none() && only != Some(Reading::Numbers) && !is_board(path, board, numbering) {
        answer.length = self::length(path);
        if answer.length.is_some() {
            return Ok(answer);
        }
    }
    answer.ways = ways(path, board.shape(), numbering).ok_or_else(|| ClaimError::Moves {
        text: shorten(path),
        shape: board.shape(),
    })?;
    let notation = |_| ClaimError::Notation {
        text: shorten(path),
        only: only.unwrap_or(Reading::Blank),
    };
    answer.written_as(only).ok_or(()).map_err(notation)
}

/// As [`answer`], under a name that says that the path stands there: a number alone may be the one
/// tile that slides.
pub(super) fn answer_of_path(
    length: &[u8],
    path: &[u8],
    board: &Board,
    numbering: Numbering,
    only: Option<Reading>,
) -> Result<Answer, ClaimError> {
    let answer = answer(length, path, board, numbering, only)?;
    match answer
        .length
        .filter(|_| length.trim_ascii().is_empty() && answer.ways.is_empty())
    {
        Some(number) if only.is_none() => Ok(lone_number(number, board, numbering)),
        _ => Ok(answer),
    }
}

/// What a number alone says in the place of a path: its length, or the tile that slides. A one
/// is the tile, since a path of one move is no longer than its length.
pub(super) fn lone_number(number: u64, board: &Board, numbering: Numbering) -> Answer {
    let tile = u32::try_from(number)
        .ok()
        .and_then(|n| numbering.tile(board.shape(), n));
    let Some(tile) = tile.filter(|&tile| tile != 0) else {
        return Answer {
            length: Some(number),
            ..Answer::default()
        };
    };
    Answer {
        length: (number != 1).then_some(number),
        ways: vec![Way::Tiles(vec![tile])],
        either: number != 1,
        ..Answer::default()
    }
}

/// Is this a whole board of the same shape?
pub(super) fn is_board(text: &[u8], board: &Board, numbering: Numbering) -> bool {
    text.len() >= board.shape().cells() && numbering.of(board.shape()).board(text).is_ok()
}

/// A length: a whole number, also with a fraction of zero as in `19.0`.
pub(super) fn length(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    let whole = match text.iter().position(|&b| b == b'.') {
        Some(point) if text.len() > point + 1 && text[point + 1..].iter().all(|&b| b == b'0') => {
            &text[..point]
        }
        Some(_) => return None,
        None => text,
    };
    if whole.is_empty() || whole.len() > 18 || !whole.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(whole.iter().fold(0, |n, &b| n * 10 + u64::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_are_whole_numbers() {
        assert_eq!(length(b" 19 "), Some(19));
        assert_eq!(length(b"19.0"), Some(19));
        for text in [
            "",
            ".",
            "-1",
            "19.5",
            "1e3",
            "+3",
            "9999999999999999999",
            "x",
        ] {
            assert_eq!(length(text.as_bytes()), None, "{text:?}");
        }
    }
}
