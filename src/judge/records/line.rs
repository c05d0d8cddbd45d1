//! A claim in one line.

use crate::judge::answer::{Answer, Path};
use crate::judge::replay::best;
use crate::puzzle::{Board, Shape};

use super::claim::{Claim, ClaimError, Reader};
use super::fields::is_none;
use crate::judge::reading::whole_number;

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
    /// use puzzledb::internals::Reader;
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
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches('\u{feff}').trim_ascii();
        // The boards of a list stand in one more pair of brackets.
        let listed = || self.first_board(line.get(1..line.len().saturating_sub(1))?);
        let Some((board, rest)) = self.first_board(line).or_else(listed) else {
            let word = line.split(separates).next();
            let word = word.filter(|word| word.len() >= LEAST);
            let text = word.unwrap_or(line).as_bytes();
            let board = self.numbering.board(&text[..text.len().min(LONGEST)]);
            return Err(board.map_or_else(ClaimError::from, |_| ClaimError::Nothing));
        };
        let (goal, rest) = self.goal_beside(board.shape(), after_separators(rest));
        let answer = self.answer_beside(&board, without_bound(rest))?;
        Ok(Claim::new(board, goal, answer))
    }

    /// The board at the beginning of a line, and what comes after it: a word, a field before a tab, or words, cells or
    /// rows as many as a square board has, in whole brackets.
    fn first_board<'l>(&self, line: &'l str) -> Option<(Board, &'l str)> {
        let is_size = |count| match self.numbering.shape {
            Some(shape) => shape.cells() == count,
            None => Shape::square_of(count).is_some(),
        };
        let until = |end: usize| {
            let (text, rest) = line.split_at(line[..end].trim_end_matches(separates).len());
            let is_long = (LEAST..LONGEST).contains(&text.len());
            let board = is_long.then(|| self.numbering.board(text.as_bytes()).ok());
            Some((board.flatten()?, rest))
        };
        let (mut end, mut words, mut characters, mut depth, mut small) = (0, 0, 0, 0, None);
        for part in line.split_inclusive(separates) {
            let is_first = end == 0;
            end += part.len();
            if let Some(found) = is_first.then(|| until(end)).flatten() {
                return Some(found);
            }
            let cells = part.split(|c| separates(c) || "[]()\"'/".contains(c));
            for cell in cells.filter(|cell| !cell.is_empty()) {
                words += 1;
                characters += cell.chars().count();
            }
            let count = |brackets: [char; 2]| part.matches(brackets).count() as i32;
            depth += count(['[', '(']) - count([']', ')']);
            let is_field = part.ends_with('\t') || end == line.len();
            let fits = depth == 0 && (is_field || is_size(words) || is_size(characters));
            if let Some((board, rest)) = fits.then(|| until(end)).flatten() {
                if board.shape().cells() > LEAST {
                    return Some((board, rest));
                }
                small = small.or(Some((board, rest))); // unless it is a part of a larger one
            }
            if words > MOST {
                break;
            }
        }
        small
    }

    /// The goal in a field of its own before the claim, if there is one.
    fn goal_beside<'l>(&self, shape: Shape, rest: &'l str) -> (Option<Board>, &'l str) {
        let field = rest.split_once('\t');
        let field = field.filter(|(_, others)| !others.trim_ascii().is_empty());
        let goal = |goal: &str| self.numbering.of(shape).board(goal.as_bytes()).ok();
        match field.and_then(|(field, others)| Some((goal(field)?, others))) {
            Some((goal, others)) => (Some(goal), after_separators(others)),
            None => (None, rest),
        }
    }

    /// A length, moves, or both, in either order. A number before the moves is one of the tiles where more of the moves
    /// are legal with it.
    fn answer_beside(&self, board: &Board, rest: &str) -> Result<Answer, ClaimError> {
        let ahead = rest.split_once(separates);
        let behind = rest.rsplit_once(separates).map(|(path, it)| (it, path));
        let is_length = |(text, _): &(&str, &str)| whole_number(text).is_some() || is_none(text);
        let Some((length, path)) = [ahead, behind].into_iter().flatten().find(is_length) else {
            return self.answer(board, "", rest);
        };
        let two = self.answer(board, length, after_separators(path));
        if let Ok([] | [Path::Directions(_), ..]) = two.as_ref().map(|two| &two.candidates[..]) {
            return two;
        }
        let all = self.answer(board, "", rest);
        let worth = |answer: &Result<Answer, ClaimError>| {
            let answer = answer.as_ref().ok()?;
            let legal = best(&answer.candidates, board, None, self.only);
            let legal = legal.map_or(0, |(_, _, replay)| replay.moves.len());
            let is_counted = legal > 0 && answer.length == Some(answer.steps() as u64);
            Some((is_counted, legal))
        };
        let boards = |all: &Answer| matches!(all.candidates[..], [Path::Boards(_), ..]);
        let may_be_all = two.is_ok() || all.as_ref().is_ok_and(boards);
        let is_all = may_be_all && worth(&all) > worth(&two);
        if is_all { all } else { two }
    }
}

fn separates(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, ',' | ';' | ':' | '|' | '=')
}

/// Without the last column of a solution that may not be a shortest, `at least 104`.
fn without_bound(rest: &str) -> &str {
    let last = rest.rsplit_once('\t');
    let last = last.filter(|(_, bound)| bound.starts_with("at least "));
    last.map_or(rest, |(before, _)| before)
}

/// The text behind what stands between a board and a claim, arrows too.
fn after_separators(mut text: &str) -> &str {
    let signs = ["->", "=>", " ", "\t", ",", ";", ":", "|", "="];
    while let Some(after) = signs.iter().find_map(|sign| text.strip_prefix(sign)) {
        text = after;
    }
    text
}
