//! A claim in one line.

use crate::judge::answer::{Answer, Path};
use crate::puzzle::{Board, Move, Numbering, Shape};

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{self, is_none};
use super::length::whole_number;
use super::moves::paths;

impl Reader {
    /// Reads a claim in one line: a board in any form, then a length, moves, both, or the word
    /// that there is no solution.
    ///
    /// ```
    /// use puzzledb::judge::reading::Reader;
    ///
    /// let reader = Reader::default();
    /// for line in ["704851632 19", "704851632\t19\tRDDLLUURRDDLLUURRDD", "[[7,0,4],[8,5,1],[6,3,2]]: 19"] {
    ///     let claim = reader.line(line.as_bytes())?;
    ///     assert_eq!(claim.board.to_string(), "704851632");
    ///     assert_eq!(claim.answer.length, Some(19));
    /// }
    /// # Ok::<(), puzzledb::judge::reading::ClaimError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn line(&self, line: &[u8]) -> Result<Claim, ClaimError> {
        let line = without_mark(line);
        read(line, self).unwrap_or_else(|| {
            let word = first_word(line);
            let text = if word.len() >= LEAST { word } else { line };
            Err(match self.numbering.board(text) {
                Err(error) => error.into(),
                Ok(_) => ClaimError::Nothing,
            })
        })
    }
}

/// Characters of the smallest board.
const LEAST: usize = 4;

/// Reads a board and the claim about it; `None` if no board is found.
fn read(line: &[u8], reader: &Reader) -> Option<Result<Claim, ClaimError>> {
    // The usual case: the board is one word.
    let word = first_word(line);
    if word.len() >= LEAST
        && let Ok(board) = reader.numbering.board(word)
    {
        return Some(claim(board, &line[word.len()..], reader));
    }
    if let Some((board, rest)) = board_and_rest(line, reader.numbering) {
        return Some(claim(board, rest, reader));
    }
    list_of_boards(line, reader.numbering).map(Ok)
}

/// A line without a byte order mark and without spaces around it.
fn without_mark(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    line.trim_ascii()
}

fn first_word(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&byte| separates(byte));
    &line[..end.unwrap_or(line.len())]
}

fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",;:|=".contains(&byte)
}

/// A board of several words, in quotes or in brackets, and what comes after it.
fn board_and_rest(line: &[u8], numbering: Numbering) -> Option<(Board, &[u8])> {
    if let Some(tab) = line.iter().position(|&byte| byte == b'\t')
        && let Ok(board) = numbering.board(&line[..tab])
    {
        return Some((board, &line[tab..]));
    }
    let end = match line.first()? {
        b'[' | b'(' => closing_bracket(line)?,
        quote @ (b'"' | b'\'') => 1 + line[1..].iter().position(|byte| byte == quote)?,
        _ => return first_cells(line, numbering),
    };
    let (board, rest) = line.split_at(end + 1);
    Some((numbering.board(board).ok()?, rest))
}

fn closing_bracket(line: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    line.iter().position(|byte| {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// The shapes that a line can have; the eight-puzzle before those that it could be a part of.
fn shapes(numbering: Numbering) -> Vec<Shape> {
    match numbering.shape {
        Some(shape) => vec![shape],
        None => [3, 4, 5, 6, 7, 8, 2]
            .iter()
            .filter_map(|&side| Shape::new(side, side).ok())
            .collect(),
    }
}

/// A board at the beginning whose cells or rows are apart: `7 0 4 8 5 1 6 3 2 19`.
fn first_cells(line: &[u8], numbering: Numbering) -> Option<(Board, &[u8])> {
    for shape in shapes(numbering) {
        let (mut words, mut characters, mut at) = (0, 0, 0);
        while at < line.len() && words <= shape.cells() {
            let apart = |byte: &u8| byte.is_ascii_whitespace() || b",;/".contains(byte);
            at += line[at..].iter().take_while(|byte| apart(byte)).count();
            let length = line[at..]
                .iter()
                .take_while(|byte| !apart(byte) && **byte != b':')
                .count();
            if length == 0 {
                break;
            }
            at += length;
            words += 1;
            characters += length;
            if (words == shape.cells() || characters == shape.cells())
                && let Ok(board) = numbering.of(shape).board(&line[..at])
            {
                return Some((board, &line[at..]));
            }
        }
    }
    None
}

/// A list of boards from the start on.
fn list_of_boards(line: &[u8], numbering: Numbering) -> Option<Claim> {
    shapes(numbering).into_iter().find_map(|shape| {
        match paths(line, shape, numbering)?.first()? {
            Path::Boards(boards) => Some(Claim {
                board: *boards.first()?,
                goal: None,
                answer: Answer {
                    candidates: vec![Path::Boards(boards.clone())],
                    ..Answer::default()
                },
            }),
            _ => None,
        }
    })
}

/// Reads the claim in the rest of the line.
fn claim(board: Board, rest: &[u8], reader: &Reader) -> Result<Claim, ClaimError> {
    let rest = without_bound(after_separators(rest));
    let mut goal = None;
    let answer = match rest.split_once_at(|byte| byte == b'\t') {
        Some((first, others)) => {
            let (mut first, mut others) = (first, others);
            if let Ok(other) = reader.numbering.of(board.shape()).board(first)
                && !others.trim_ascii().is_empty()
            {
                goal = Some(other);
                (first, others) = others
                    .split_once_at(|b| b == b'\t')
                    .unwrap_or((others, b""));
            }
            two_fields(first, others, &board, reader)?
        }
        None => unseparated(rest, &board, reader)?,
    };
    Ok(Claim {
        board,
        goal,
        answer,
    })
}

/// Without the last column of a solution that may not be a shortest, `at least 104`.
fn without_bound(rest: &[u8]) -> &[u8] {
    let last = rest.iter().rposition(|&byte| byte == b'\t');
    let last = last.filter(|&tab| rest[tab + 1..].starts_with(b"at least "));
    &rest[..last.unwrap_or(rest.len())]
}

/// A length and moves, in either order.
fn two_fields(
    first: &[u8],
    second: &[u8],
    board: &Board,
    reader: &Reader,
) -> Result<Answer, ClaimError> {
    let answer = |length, path| fields::answer(length, path, board, reader.numbering, reader.only);
    if whole_number(first).is_none() && !is_none(first) {
        return match whole_number(second) {
            Some(_) => answer(second, first),
            None if second.trim_ascii().is_empty() => answer(b"", first),
            None => answer(first, second),
        };
    }
    answer(first, second)
}

/// A length, moves, or both, with spaces or commas between them.
fn unseparated(rest: &[u8], board: &Board, reader: &Reader) -> Result<Answer, ClaimError> {
    let answer = |length, path| fields::answer(length, path, board, reader.numbering, reader.only);
    let Some((first, others)) = rest.split_once_at(separates) else {
        return answer(b"", rest);
    };
    let others = after_separators(others);
    if others.is_empty() {
        return answer(b"", first);
    }
    let is_board = |text| fields::is_board(text, board, reader.numbering);
    if whole_number(first).is_some()
        && !is_board(first)
        && !is_board(rest)
        && !is_first_tile(first, others, board, reader)
    {
        let two = two_fields(first, others, board, reader);
        let boards = two.is_err() && begins_with_board(rest, board, reader);
        return if boards { answer(b"", rest) } else { two };
    }
    let all = answer(b"", rest);
    if all.is_err()
        && let Some(cut) = rest.iter().rposition(|&byte| separates(byte))
        && whole_number(&rest[cut + 1..]).is_some()
    {
        return answer(&rest[cut + 1..], &rest[..cut]);
    }
    all
}

/// Whether a list of boards begins here, whose cells are apart.
fn begins_with_board(rest: &[u8], board: &Board, reader: &Reader) -> bool {
    first_cells(rest, reader.numbering.of(board.shape())).is_some()
}

/// Whether the number `first` is the first of the tiles that slide, rather than the length of the path in
/// `others`.
///
/// It can only be one: if the tile in front of `others` is beside the blank, `first` is the length,
/// since no two tiles beside the blank are beside each other. Only a tile that goes there and back
/// at once leaves a doubt; then the length must be right.
fn is_first_tile(first: &[u8], others: &[u8], board: &Board, reader: &Reader) -> bool {
    let shape = board.shape();
    let Some(list) = paths(others, shape, reader.numbering) else {
        return false;
    };
    let [Path::Tiles(tiles), ..] = &list[..] else {
        return false;
    };
    let number = whole_number(first).and_then(|n| u32::try_from(n).ok());
    let Some(tile) = number.and_then(|n| reader.numbering.tile(shape, n)) else {
        return false;
    };
    let beside = |tile: u8| {
        let next = Move::ALL.into_iter().filter_map(|mv| board.slide(mv));
        next.into_iter()
            .any(|next| tile != 0 && next.tiles()[board.blank()] == tile)
    };
    if tiles.first() == Some(&tile) {
        return number != Some(tiles.len() as u32);
    }
    beside(tile) && !tiles.first().is_some_and(|&tile| beside(tile))
}

/// The text behind what stands between a board and a claim, arrows too.
fn after_separators(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        rest = match rest {
            [byte, after @ ..] if separates(*byte) => after,
            [b'-' | b'=', b'>', after @ ..] => after,
            _ => return rest,
        };
    }
}

trait SplitOnce {
    /// What is before and after the first byte for which `at` holds.
    fn split_once_at(&self, at: impl Fn(u8) -> bool) -> Option<(&[u8], &[u8])>;
}

impl SplitOnce for [u8] {
    fn split_once_at(&self, at: impl Fn(u8) -> bool) -> Option<(&[u8], &[u8])> {
        let cut = self.iter().position(|&byte| at(byte))?;
        Some((&self[..cut], &self[cut + 1..]))
    }
}
