//! A text about several boards, cut into the parts about each.

use crate::judge::reading::columns::{Role, role};
use crate::judge::reading::{Claim, ClaimError, Reader};
use crate::puzzle::{Board, Numbering, Shape};

use super::find;
use super::labels::leading_length;
use super::rows::{Row, Rows};
use super::trace::is_move;

/// Reads every claim in a text; all of it is about `board` if that is given.
///
/// A part begins with a label such as `Initial state:` or a heading such as `704851632: 19 moves`, or,
/// in a text without any, with each board
/// that comes after other words and is not one move from the board before.
pub(in crate::judge::reading) fn claims(
    text: &str,
    reader: &Reader,
    board: Option<&Board>,
    mut each: impl FnMut(u64, Result<Claim, ClaimError>),
) {
    if let Some(board) = board {
        return each(0, claim(text, *board, None, reader));
    }
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let lines: Vec<&str> = text.lines().collect();
    let mut starts: Vec<usize> = (0..lines.len())
        .filter(|&i| starts_part(lines[i], reader.numbering.of(shape)))
        .collect();
    if starts.is_empty() {
        starts = boards_after_words(&lines, shape, reader.numbering);
    }
    if starts.is_empty() {
        return each(0, Err(ClaimError::NoBoardInText));
    }
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    for (&from, to) in starts.iter().zip(ends) {
        each(from as u64, part(&lines[from..to], shape, reader));
    }
}

/// The label of a line and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &str)> {
    let (label, value) = line.split_once([':', '='])?;
    Some((role(label).map(|(role, _)| role), value.trim()))
}

fn starts_part(line: &str, numbering: Numbering) -> bool {
    labelled(line).is_some_and(|(role, _)| role == Some(Role::Board))
        || heading(line, numbering).is_some()
}

fn boards_after_words(lines: &[&str], shape: Shape, numbering: Numbering) -> Vec<usize> {
    let mut rows = Rows::new(shape, numbering);
    let mut starts = Vec::new();
    let (mut words, mut first_row) = (true, None);
    let mut before: Option<Board> = None;
    for (i, line) in lines.iter().enumerate() {
        match rows.take(line.trim()) {
            Row::Part => first_row = first_row.or(Some(i)),
            Row::Board(board) => {
                let goes_on = before.is_some_and(|b| is_move(&b, &board));
                if words && !goes_on {
                    starts.push(first_row.unwrap_or(i));
                }
                (words, first_row, before) = (false, None, Some(board));
            }
            Row::Frame => {}
            Row::No => {
                first_row = None;
                words |= !line.trim().is_empty();
            }
        }
    }
    starts
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(in crate::judge::reading) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    leading_length(rest.trim())?;
    numbering.board(word.as_bytes()).ok()
}

/// The claim in a part of a text.
fn part(lines: &[&str], shape: Shape, reader: &Reader) -> Result<Claim, ClaimError> {
    let numbering = reader.numbering.of(shape);
    let mut rows = Rows::new(shape, numbering);
    let (mut board, mut goal) = (None, None);
    for (i, line) in lines.iter().enumerate() {
        match labelled(line) {
            Some((Some(Role::Board), value)) if i == 0 && !value.is_empty() => {
                board = Some(numbering.board(value.as_bytes())?);
            }
            Some((Some(Role::Goal), value)) => goal = numbering.board(value.as_bytes()).ok(),
            _ => {}
        }
        let drawn = match rows.take(line.trim()) {
            Row::Board(drawn) => Some(drawn),
            Row::No => heading(line, numbering),
            Row::Part | Row::Frame => None,
        };
        board = board.or(drawn);
    }
    let board = board.ok_or(ClaimError::NoBoardInText)?;
    claim(&lines.join("\n"), board, goal, reader)
}

fn claim(
    text: &str,
    board: Board,
    goal: Option<Board>,
    reader: &Reader,
) -> Result<Claim, ClaimError> {
    let answer = find(text, &board, reader.numbering).ok_or(ClaimError::NoAnswer)?;
    let answer = answer.written_as(reader.only).ok_or(ClaimError::NoAnswer)?;
    Ok(Claim {
        board,
        goal,
        answer,
    })
}
