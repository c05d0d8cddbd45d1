//! The fields of a claim: a length, a path, or the word that there is none.

use crate::judge::answer::{Answer, Path, Reading};
use crate::puzzle::{Board, Numbering};

use super::claim::{ClaimError, shorten};
use super::length::whole_number;
use super::moves::paths;
use crate::judge::reading::{Statement, statement_of};

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
    let number = whole_number(length);
    let no_path = path.is_empty() || is_none(path) || path == b"[]";
    if is_none(length) && no_path || number.is_none() && is_none(path) {
        return Ok(Answer::none());
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
        answer.length = whole_number(path);
        if answer.length.is_some() {
            return Ok(answer);
        }
    }
    answer.candidates = paths(path, board.shape(), numbering).ok_or_else(|| ClaimError::Moves {
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
        .filter(|_| length.trim_ascii().is_empty() && answer.candidates.is_empty())
    {
        Some(number) if only.is_none() => Ok(lone_number(number, board, numbering)),
        _ => Ok(answer),
    }
}

/// What a number alone says in the place of a path: its length, or the tile that slides. A one
/// is the tile, since a path of one move is no longer than its length.
pub(in crate::judge) fn lone_number(number: u64, board: &Board, numbering: Numbering) -> Answer {
    let tile = u32::try_from(number)
        .ok()
        .and_then(|n| numbering.tile(board.shape(), n));
    let Some(tile) = tile.filter(|&tile| tile != 0) else {
        return Answer::of_length(number);
    };
    Answer {
        length: (number != 1).then_some(number),
        candidates: vec![Path::Tiles(vec![tile])],
        length_or_tile: number != 1,
        ..Answer::default()
    }
}

/// Whether a text is a whole board of the same shape.
pub(super) fn is_board(text: &[u8], board: &Board, numbering: Numbering) -> bool {
    text.len() >= board.shape().cells() && numbering.of(board.shape()).board(text).is_ok()
}

/// Whether a field says that there is no solution.
pub(in crate::judge) fn is_none(field: &[u8]) -> bool {
    const LONGEST: usize = 40;
    const NOTHING: [&str; 10] = [
        "none", "null", "nil", "inf", "infinity", "∞", "false", "-1", "n/a", "nan",
    ];
    let field = field.trim_ascii();
    let text = std::str::from_utf8(field)
        .ok()
        .filter(|text| text.len() <= LONGEST);
    text.is_some_and(|text| {
        let is = |word: &&str| text.eq_ignore_ascii_case(word);
        NOTHING.iter().any(is) || statement_of(text) == Some(Statement::Unsolvable)
    })
}
