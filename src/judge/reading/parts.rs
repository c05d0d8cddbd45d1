//! A text about several boards, cut into the parts about each.

use crate::judge::records::{Claim, ClaimError, Reader, Role, role, whole_number};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::{Boards, Placed, is_step};
use super::find_answers;
use super::lengths::sense_of;
use super::lex::lex;
use super::words::Sense;

/// Reads every claim in a text; all of it is about `board` if that is given.
///
/// A part begins with a label such as `Initial state:` or a heading such as `704851632: 19 moves`.
/// In a text without any, a part begins with each board that comes after other words and is not
/// one move from the board before, if each of these parts has a path of its own; otherwise all of
/// the text is about its first board, since searches print boards for many reasons.
pub(in crate::judge) fn claims(
    text: &str,
    reader: &Reader,
    board: Option<&Board>,
    mut each: impl FnMut(u64, Result<Claim, ClaimError>),
) {
    if let Some(board) = board {
        return about(text, board, None, reader)
            .into_iter()
            .for_each(|claim| each(0, claim));
    }
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let numbering = reader.numbering.of(shape);
    let lines: Vec<&str> = text.lines().collect();
    let mut starts: Vec<usize> = (0..lines.len())
        .filter(|&line| starts_part(lines[line], numbering))
        .collect();
    let is_labelled = !starts.is_empty();
    if !is_labelled {
        starts = boards_after_words(text, numbering.of(shape));
    }
    let Some(&first) = starts.first() else {
        return each(0, Err(ClaimError::NoBoardInText));
    };
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    let parts = starts
        .iter()
        .zip(ends)
        .map(|(&from, to)| (from, part(&lines[from..to], reader)));
    let mut parts: Vec<(usize, Vec<Result<Claim, ClaimError>>)> = parts.collect();
    let has_path = |claim: &Result<Claim, ClaimError>| {
        let answer = claim.as_ref().map(|claim| &claim.answer);
        answer.is_ok_and(|answer| answer.unsolvable || !answer.candidates.is_empty())
    };
    if !is_labelled && parts.len() > 1 && !parts.iter().flat_map(|part| &part.1).all(has_path) {
        parts = vec![(first, part(&lines[first..], reader))];
    }
    for (line, claims) in parts {
        claims
            .into_iter()
            .for_each(|claim| each(line as u64, claim));
    }
}

/// The label of a line and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &str)> {
    let (label, value) = line.split_once([':', '='])?;
    let goal = Some(first_word(label)).filter(|first| first == "goal");
    let known = role(label).map(|(role, _)| role);
    Some((known.or(goal.map(|_| Role::Goal)), value.trim()))
}

/// Whether a label names the start board, rather than a state on the path.
fn starts_part(line: &str, numbering: Numbering) -> bool {
    const STARTS: &str = " init initial start starting puzzle input problem instance ";
    let first = first_word(line);
    let is_board = labelled(line).is_some_and(|(role, _)| role == Some(Role::Board));
    is_board && STARTS.contains(&format!(" {first} ")) || heading(line, numbering).is_some()
}

/// The first word of a line, in small letters.
fn first_word(line: &str) -> String {
    let mut words = line
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    words.next().unwrap_or("").to_lowercase()
}

/// All boards of a text.
fn boards(text: &str, numbering: Numbering) -> Vec<Placed> {
    let mut boards = Boards::new(numbering);
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        lex(line, &mut tokens);
        boards.push(number, &tokens);
    }
    boards.placed
}

/// The lines of the boards that come after words and are not one move from the board before.
fn boards_after_words(text: &str, numbering: Numbering) -> Vec<usize> {
    let placed = boards(text, numbering);
    let starts = placed.iter().enumerate().filter(|(at, next)| {
        let before = at.checked_sub(1).map(|before| &placed[before].board);
        before.is_none_or(|before| next.said.is_some() && !is_step(before, &next.board))
    });
    let mut lines: Vec<usize> = starts.map(|(_, next)| next.line).collect();
    lines.dedup();
    lines
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(in crate::judge) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    whole_number(number.as_bytes())?;
    let is_length = unit.trim().is_empty() || sense_of(unit).has(Sense::MOVES);
    is_length
        .then(|| numbering.board(word.as_bytes()).ok())
        .flatten()
}

/// The claims in a part of a text.
fn part(lines: &[&str], reader: &Reader) -> Vec<Result<Claim, ClaimError>> {
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let numbering = reader.numbering.of(shape);
    let (mut board, mut goal) = (None, None);
    if let Some((Some(Role::Board), value)) = labelled(lines[0])
        && !value.is_empty()
    {
        match numbering.board(value.as_bytes()) {
            Ok(labelled) => board = Some(labelled),
            Err(error) => return vec![Err(error.into())],
        }
    }
    let part = lines.join("\n");
    // The label of a line, or else the one that stands alone over it.
    let label = |line: usize| {
        let over = || lines[..line].iter().rfind(|line| !line.trim().is_empty());
        let over = || labelled(over()?).filter(|(_, value)| value.is_empty());
        labelled(lines[line]).or_else(over)?.0
    };
    for placed in boards(&part, numbering.of(shape)) {
        let is_goal = label(placed.line) == Some(Role::Goal);
        let first = if is_goal { &mut goal } else { &mut board };
        first.get_or_insert(placed.board);
    }
    match board {
        Some(board) => about(&part, &board, goal, reader),
        None => vec![Err(ClaimError::NoBoardInText)],
    }
}

/// The claims that a text makes about a board.
fn about(
    text: &str,
    board: &Board,
    goal: Option<Board>,
    reader: &Reader,
) -> Vec<Result<Claim, ClaimError>> {
    let end = goal.unwrap_or_else(|| reader.goal_of(board));
    let claim = |answer| {
        Ok(Claim {
            board: *board,
            goal,
            answer,
        })
    };
    match find_answers(text.as_bytes(), board, &end, reader) {
        Ok(answers) => answers.into_iter().map(claim).collect(),
        Err(error) => vec![Err(error)],
    }
}
