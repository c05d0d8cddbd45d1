//! The fields of a claim: a length, a path, or the word that there is none.

use std::borrow::Cow;

use crate::judge::answer::{Answer, Path, Reading};
use crate::puzzle::{Board, Numbering, Shape, parse_goal};

use super::claim::{ClaimError, Reader, shorten};
use super::length::whole_number;
use super::moves::paths;
use super::roles::Role;
use crate::judge::reading::is_unsolvable;

const ROLES: usize = Role::ALL.len();

/// Sorts values by the roles of their names; of two in one role, the one whose name stands first in the list counts.
pub(super) fn by_role<T>(
    named: impl Iterator<Item = (Option<(Role, usize)>, T)>,
) -> [Option<T>; ROLES] {
    let mut best: [Option<(usize, T)>; ROLES] = std::array::from_fn(|_| None);
    for (role, value) in named {
        let Some((role, place)) = role else {
            continue;
        };
        let best = &mut best[role as usize];
        if best.as_ref().is_none_or(|(other, _)| place < *other) {
            *best = Some((place, value));
        }
    }
    best.map(|best| Some(best?.1))
}

/// The texts of a record by their roles, those of a row or of an object; `None` where no name has the role.
#[derive(Debug)]
pub(super) struct Fields<'a>(pub [Option<Cow<'a, [u8]>>; ROLES]);

impl Fields<'_> {
    /// The text of a role, empty if there is none.
    pub(super) fn text(&self, role: Role) -> &[u8] {
        self.0[role as usize].as_deref().unwrap_or_default()
    }

    /// The length and the path that are claimed, and whether the path's name is that of a path only, so that a number
    /// alone can be a tile. `moves` is the path, or its length where a path stands elsewhere.
    fn claimed(&self) -> (&[u8], &[u8], bool) {
        let roles = [Role::Length, Role::Moves, Role::Path, Role::Trace];
        let [length, moves, path, trace] = roles.map(|role| self.text(role));
        let solvable = self.text(Role::Solvable);
        let is = |no: &[u8]| solvable.eq_ignore_ascii_case(no);
        if is_none(solvable) || is(b"no") || is(b"0") {
            return (b"unsolvable", b"", false);
        }
        let is_count = whole_number(moves).is_some();
        let path_is_count = whole_number(path).is_some();
        if path_is_count && length.is_empty() && !is_count && !moves.is_empty() {
            return (path, moves, false); // {"solution": 2, "moves": "RD"}
        }
        let (length, path, is_path) = match (path.is_empty(), trace.is_empty()) {
            (false, _) if is_count && length.is_empty() => (moves, path, true),
            (false, _) => (length, path, true),
            (true, false) if is_count && length.is_empty() => (moves, trace, true),
            (true, false) if is_count || moves.is_empty() => (length, trace, true),
            (true, _) => (length, moves, false),
        };
        // A path that is empty, without any other column, says that no move is needed.
        let alone = [Role::Length, Role::Solvable]
            .iter()
            .all(|&role| self.0[role as usize].is_none());
        let nothing = path.is_empty() && length.is_empty() && alone;
        (length, if nothing { b"[]" } else { path }, is_path)
    }

    /// The answer in it.
    ///
    /// # Errors
    /// As [`answer`].
    pub(super) fn answer(&self, board: &Board, reader: &Reader) -> Result<Answer, ClaimError> {
        let (length, path, is_path) = self.claimed();
        let read = if is_path { answer_of_path } else { answer };
        read(length, path, board, reader.numbering, reader.only)
    }

    /// The board and the goal; a shape may stand beside them.
    ///
    /// # Errors
    /// [`ClaimError::Board`] if one of them cannot be read.
    pub(super) fn board_and_goal(
        &self,
        reader: &Reader,
    ) -> Result<(Board, Option<Board>), ClaimError> {
        let shape = String::from_utf8_lossy(self.text(Role::Shape));
        let numbering = match shape.trim().parse() {
            Ok(shape) => reader.numbering.of(shape),
            Err(_) => reader.numbering,
        };
        let board = numbering.board(self.text(Role::Board))?;
        let goal = goal(self.text(Role::Goal), board.shape(), reader)?;
        Ok((board, goal))
    }
}

/// A goal as it stands in a record: a board, the name of a usual goal, or nothing.
fn goal(text: &[u8], shape: Shape, reader: &Reader) -> Result<Option<Board>, ClaimError> {
    let text = text.trim_ascii();
    if text.is_empty() || text == b"None" {
        return Ok(None);
    }
    let named = std::str::from_utf8(text)
        .ok()
        .filter(|text| text.len() < 10);
    if let Some(Ok(goal)) = named.map(|text| parse_goal(text, shape)) {
        return Ok(Some(goal));
    }
    Ok(Some(reader.numbering.of(shape).board(text)?))
}

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
        NOTHING.iter().any(is) || is_unsolvable(text)
    })
}
