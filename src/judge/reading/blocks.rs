//! A text about several boards, cut into the parts about each.

use crate::puzzle::{Board, Numbering, Shape};

use super::claim::{Claim, ClaimError, Reader};
use super::length::whole_number;
use super::roles::{Role, role};
use super::text::{Boards, Placed, Text, find_answers, is_step, is_unit, words};

/// Reads every claim in a text; all of it is about `board` if that is given.
///
/// A part begins with a label such as `Initial state:` or a heading such as `704851632: 19 moves`. In a
/// text without any, a part begins with each board that comes after other words and is not one move from
/// the board before, if each of these parts has a path of its own; otherwise all of the text is about
/// its first board, since searches print boards for many reasons.
pub(super) fn claims(
    text: &str,
    reader: &Reader,
    board: Option<&Board>,
    mut each: impl FnMut(u64, Result<Claim, ClaimError>),
) {
    if let Some(board) = board {
        return about(text, board, None, reader, |claim| each(0, claim));
    }
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let lines: Vec<&str> = text.lines().collect();
    let labels: Vec<usize> = (0..lines.len())
        .filter(|&i| starts_part(lines[i], reader.numbering.of(shape)))
        .collect();
    let starts = if labels.is_empty() {
        boards_after_words(&Text::new(text), reader.numbering.of(shape))
    } else {
        labels.clone()
    };
    let Some(&first) = starts.first() else {
        return each(0, Err(ClaimError::NoBoardInText));
    };
    let mut claims = Vec::new();
    let mut read = |from: usize, to: usize| {
        part(&lines[from..to], shape, reader, |claim| {
            claims.push((from as u64, claim));
        });
    };
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    starts
        .iter()
        .zip(ends)
        .for_each(|(&from, to)| read(from, to));
    let has_path = |claim: &Result<Claim, ClaimError>| {
        let answer = claim.as_ref().map(|claim| &claim.answer);
        answer.is_ok_and(|answer| answer.unsolvable || !answer.candidates.is_empty())
    };
    if labels.is_empty() && starts.len() > 1 && !claims.iter().all(|(_, claim)| has_path(claim)) {
        claims.clear();
        part(&lines[first..], shape, reader, |claim| {
            claims.push((first as u64, claim))
        });
    }
    claims
        .into_iter()
        .for_each(|(line, claim)| each(line, claim));
}

/// The label of a line and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &str)> {
    let (label, value) = line.split_once([':', '='])?;
    let names_goal = words(label)
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case("goal"));
    let role = match role(label) {
        None if names_goal => Some(Role::Goal),
        known => known.map(|(role, _)| role),
    };
    Some((role, value.trim()))
}

/// Whether a label names the start board, rather than a state on the path.
fn starts_part(line: &str, numbering: Numbering) -> bool {
    let names_start = |label: &str| {
        let first = words(label).next().unwrap_or("").to_ascii_lowercase();
        [
            "init", "initial", "start", "starting", "puzzle", "input", "problem", "instance",
        ]
        .contains(&first.as_str())
    };
    let label = line.split([':', '=']).next().unwrap_or("");
    labelled(line).is_some_and(|(role, _)| role == Some(Role::Board)) && names_start(label)
        || heading(line, numbering).is_some()
}

/// The boards that begin a line or stand behind its label, each with its line.
fn boards<'t>(text: &Text<'t>, numbering: Numbering) -> impl Iterator<Item = (usize, Placed)> {
    let drawn = Boards::of(text, numbering).all().into_iter();
    drawn.filter_map(|drawn| {
        let line = text.line_of(drawn.first);
        let begins = drawn.first == text.lines[line].atoms.start;
        (begins || text.before(drawn.first).contains([':', '='])).then_some((line, drawn))
    })
}

/// The lines of the boards that come after words and are not one move from the board before.
fn boards_after_words(text: &Text<'_>, numbering: Numbering) -> Vec<usize> {
    let mut before: Option<Board> = None;
    let mut starts = Vec::new();
    for (line, drawn) in boards(text, numbering) {
        let goes_on = |before: Board| !drawn.after_words || is_step(&before, &drawn.board);
        if !before.is_some_and(goes_on) {
            starts.push(line);
        }
        before = Some(drawn.board);
    }
    starts.dedup();
    starts
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(super) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    let board = || numbering.board(word.as_bytes()).ok();
    is_length(rest.trim()).then(board).flatten()
}

/// Whether this is a length, with a unit or without.
fn is_length(value: &str) -> bool {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    whole_number(number.as_bytes()).is_some() && (unit.trim().is_empty() || is_unit(unit.trim()))
}

/// The claims in a part of a text.
fn part(
    lines: &[&str],
    shape: Shape,
    reader: &Reader,
    mut each: impl FnMut(Result<Claim, ClaimError>),
) {
    let numbering = reader.numbering.of(shape);
    let (mut board, mut goal) = (None, None);
    if let Some((Some(Role::Board), value)) = labelled(lines[0])
        && !value.is_empty()
    {
        match numbering.board(value.as_bytes()) {
            Ok(labelled) => board = Some(labelled),
            Err(error) => return each(Err(error.into())),
        }
    }
    let part = lines.join("\n");
    let text = Text::new(&part);
    // The label of a line, or else the one that stands alone over it.
    let label = |line: usize| {
        let over = || lines[..line].iter().rfind(|line| !line.trim().is_empty());
        let over = || labelled(over()?).filter(|(_, value)| value.is_empty());
        labelled(lines[line]).or_else(over)?.0
    };
    for Placed {
        board: drawn,
        first,
        ..
    } in Boards::of(&text, numbering).all()
    {
        match label(text.line_of(first)) {
            Some(Role::Goal) => goal = goal.or(Some(drawn)),
            _ => board = board.or(Some(drawn)),
        }
    }
    match board {
        Some(board) => about(&part, &board, goal, reader, each),
        None => each(Err(ClaimError::NoBoardInText)),
    }
}

/// The claims that a text makes about a board.
fn about(
    text: &str,
    board: &Board,
    goal: Option<Board>,
    reader: &Reader,
    mut each: impl FnMut(Result<Claim, ClaimError>),
) {
    let end = goal.unwrap_or_else(|| reader.goal_of(board));
    match find_answers(text.as_bytes(), board, &end, reader) {
        Ok(answers) => answers.into_iter().for_each(|answer| {
            each(Ok(Claim {
                board: *board,
                goal,
                answer,
            }));
        }),
        Err(error) => each(Err(error)),
    }
}
