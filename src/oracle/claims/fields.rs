//! The fields of a claim: a length, a path, or the word that there is none.

use crate::oracle::{Answer, Reading};
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
    if number.is_none() && only != Some(Reading::Numbers) {
        answer.length = self::length(path);
        if answer.length.is_some() {
            return Ok(answer);
        }
    }
    answer.ways = ways(path, board.shape(), numbering).ok_or_else(|| ClaimError::Moves {
        text: shorten(path),
        shape: board.shape(),
    })?;
    Ok(answer)
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
