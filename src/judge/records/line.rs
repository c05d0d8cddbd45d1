//! A claim in one line.

use crate::judge::answer::{Answer, Path};
use crate::judge::replay::best;
use crate::puzzle::{Board, Shape};

use super::claim::{Claim, ClaimError, Reader};
use super::fields::is_none;
use super::length::whole_number;

/// Characters of the smallest board.
const LEAST: usize = 4;

/// No board is written in more bytes.
const LONGEST: usize = 1 << 12;

/// Cells of the largest board.
const MOST: usize = 64;

impl Reader {
    /// Reads a claim in one line: a board in any form, then a length, moves, both, or the word
    /// that there is no solution.
    ///
    /// ```
    /// use puzzledb::internals::judge::Reader;
    ///
    /// let reader = Reader::default();
    /// for line in ["704851632 19", "704851632\t19\tRDDLLUURRDDLLUURRDD", "[[7,0,4],[8,5,1],[6,3,2]]: 19"] {
    ///     let claim = reader.line(line.as_bytes())?;
    ///     assert_eq!(claim.board.to_string(), "704851632");
    ///     assert_eq!(claim.answer.length, Some(19));
    /// }
    /// # Ok::<(), puzzledb::judge::ClaimError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn line(&self, line: &[u8]) -> Result<Claim, ClaimError> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let line = line.trim_ascii();
        // The boards of a list stand in one more pair of brackets.
        let listed = || self.first_board(line.get(1..)?.split_last()?.1);
        let Some((board, rest)) = self.first_board(line).or_else(listed) else {
            let word = line.split(|&byte| separates(byte)).next();
            let text = word.filter(|word| word.len() >= LEAST).unwrap_or(line);
            return Err(
                match self.numbering.board(&text[..text.len().min(LONGEST)]) {
                    Err(error) => error.into(),
                    Ok(_) => ClaimError::Nothing,
                },
            );
        };
        let (goal, rest) = self.goal_beside(board.shape(), after_separators(rest));
        Ok(Claim {
            board,
            goal,
            answer: self.answer_beside(&board, without_bound(rest))?,
        })
    }

    /// The board at the beginning of a line, and what comes after it: a word, a field before a tab, or words, cells or
    /// rows as many as a square board has, in whole brackets.
    fn first_board<'l>(&self, line: &'l [u8]) -> Option<(Board, &'l [u8])> {
        let is_size = |count| match self.numbering.shape {
            Some(shape) => shape.cells() == count,
            None => Shape::square_of(count).is_some(),
        };
        let word = line.iter().position(|&byte| separates(byte));
        let (word, rest) = line.split_at(word.unwrap_or(line.len()));
        if (LEAST..LONGEST).contains(&word.len())
            && let Ok(board) = self.numbering.board(word)
        {
            return Some((board, rest));
        }
        let (mut words, mut characters, mut depth) = (0, 0, 0i32);
        let (mut before, mut small) = (b' ', None);
        for (end, &byte) in line.iter().chain(b"\t").enumerate() {
            match byte {
                b'[' | b'(' => depth += 1,
                b']' | b')' => depth -= 1,
                _ if separates(byte) => {
                    let whole = byte == b'\t';
                    let fits = whole || is_size(words) || is_size(characters);
                    if depth == 0
                        && fits
                        && (LEAST..LONGEST).contains(&end)
                        && let Ok(board) = self.numbering.board(&line[..end])
                    {
                        let found = Some((board, &line[end..]));
                        if whole || board.shape().cells() > LEAST {
                            return found;
                        }
                        small = small.or(found); // unless it is a part of a larger one
                    }
                }
                b'"' | b'\'' | b'/' => {}
                _ => {
                    words += usize::from(separates(before) || b"[(\"'/".contains(&before));
                    characters += 1;
                }
            }
            before = byte;
            if words > MOST {
                break;
            }
        }
        small
    }

    /// The goal in a field of its own before the claim, if there is one.
    fn goal_beside<'l>(&self, shape: Shape, rest: &'l [u8]) -> (Option<Board>, &'l [u8]) {
        let tab = rest.iter().position(|&byte| byte == b'\t');
        let goal = tab.and_then(|tab| self.numbering.of(shape).board(&rest[..tab]).ok());
        let others = &rest[tab.unwrap_or(0)..];
        match goal.filter(|_| !others.trim_ascii().is_empty()) {
            Some(goal) => (Some(goal), after_separators(others)),
            None => (None, rest),
        }
    }

    /// A length, moves, or both, in either order. A number before the moves is one of the tiles where more of the moves
    /// are legal with it.
    fn answer_beside(&self, board: &Board, rest: &[u8]) -> Result<Answer, ClaimError> {
        let first = rest.iter().position(|&byte| separates(byte));
        let last = rest.iter().rposition(|&byte| separates(byte));
        let ahead = first.map(|at| (&rest[..at], after_separators(&rest[at..])));
        let behind = last.map(|at| (&rest[at + 1..], &rest[..at]));
        let is_length = |text: &[u8]| whole_number(text).is_some() || is_none(text);
        let mut both = [ahead, behind].into_iter().flatten();
        let Some((length, path)) = both.find(|both| is_length(both.0)) else {
            return self.answer(board, b"", rest);
        };
        let two = self.answer(board, length, path);
        if let Ok([] | [Path::Directions(_), ..]) = two.as_ref().map(|two| &two.candidates[..]) {
            return two;
        }
        let all = self.answer(board, b"", rest);
        let worth = |answer: &Result<Answer, ClaimError>| {
            let Answer {
                candidates, length, ..
            } = answer.as_ref().ok()?;
            let legal = best(candidates, board, None, self.only);
            let legal = legal.map_or(0, |(_, _, replay)| replay.moves.len());
            let steps = candidates.first().map(|path| path.steps() as u64);
            Some((legal > 0 && steps == *length, legal))
        };
        let boards = |all: &Answer| matches!(all.candidates[..], [Path::Boards(_), ..]);
        let may_be_all = two.is_ok() || all.as_ref().is_ok_and(boards);
        let is_all = may_be_all && worth(&all) > worth(&two);
        if is_all { all } else { two }
    }
}

fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",;:|=".contains(&byte)
}

/// Without the last column of a solution that may not be a shortest, `at least 104`.
fn without_bound(rest: &[u8]) -> &[u8] {
    let last = rest.iter().rposition(|&byte| byte == b'\t');
    let last = last.filter(|&tab| rest[tab + 1..].starts_with(b"at least "));
    &rest[..last.unwrap_or(rest.len())]
}

/// The text behind what stands between a board and a claim, arrows too.
fn after_separators(mut text: &[u8]) -> &[u8] {
    while let [b'-' | b'=', b'>', after @ ..]
    | [b' ' | b'\t' | b',' | b';' | b':' | b'|' | b'=', after @ ..] = text
    {
        text = after;
    }
    text
}
