//! A text about several boards, cut into the parts about each.

use crate::judge::records::{Claim, ClaimError, Reader, Role, role, whole_number};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::Boards;
use super::decision::find_answer_by;
use super::lengths::sense_of;
use super::lex::lex;
use super::scan::end_of;
use super::words::Sense;

/// Reads every claim in a text; all of it is about `board` if that is given.
///
/// A part begins with a label such as `Initial state:` or a heading such as `704851632: 19 moves`.
/// A text without any is about its first board, since searches print boards for many reasons.
pub(in crate::judge) fn claims(
    text: &str,
    reader: &Reader,
    board: Option<&Board>,
    mut each: impl FnMut(u64, Result<Claim, ClaimError>),
) {
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let numbering = reader.numbering.of(shape);
    let begins = |(at, line)| (board.is_none() && starts_part(line, numbering)).then_some(at);
    let mut starts: Vec<usize> = lines(text).filter_map(begins).collect();
    if starts.is_empty() {
        let boards = board.map_or_else(|| boards(text, numbering), |_| Vec::new());
        starts.push(boards.first().map_or(0, |first| first.0));
    }
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let (mut number, mut at) = (0, 0);
    for (&from, to) in starts.iter().zip(ends) {
        number += text[at..from].matches('\n').count() as u64;
        at = from;
        let part = &text[from..to];
        let subject = board.map(|&board| Ok((board, None)));
        let subject = subject.unwrap_or_else(|| subject_of(part, numbering));
        each(
            number,
            subject.and_then(|subject| about(part, subject, reader)),
        );
    }
}

/// The lines of a text in which something stands, and where each begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let at = next;
        next += line.len();
        (at, line.trim_end())
    });
    lines.filter(|(_, line)| !line.is_empty())
}

/// The role of the label of a line, and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &[u8])> {
    let (label, value) = line.split_once([':', '='])?;
    let goal = (first_word(label) == "goal").then_some(Role::Goal);
    let role = role(label).map(|(role, _)| role);
    Some((role.or(goal), value.trim().as_bytes()))
}

/// Whether a label names the start board, rather than a state on the path.
fn starts_part(line: &str, numbering: Numbering) -> bool {
    const STARTS: &str = " init initial start starting puzzle input problem instance ";
    let is_board = labelled(line).is_some_and(|(role, _)| role == Some(Role::Board));
    let starts = is_board && STARTS.contains(&format!(" {} ", first_word(line)));
    starts || heading(line, numbering).is_some()
}

/// The first word of a line, in small letters.
fn first_word(line: &str) -> String {
    let mut words = line.split(|c: char| !c.is_alphabetic());
    let word = words.find(|word| !word.is_empty());
    word.unwrap_or("").to_lowercase()
}

/// All boards of a text, each with the place where its first line begins.
fn boards(text: &str, numbering: Numbering) -> Vec<(usize, Board)> {
    let mut boards = Boards::new(numbering);
    for (at, line) in lines(text) {
        boards.push(at, &lex(end_of(line)));
    }
    boards.placed
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(in crate::judge) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    whole_number(number.as_bytes())?;
    let board = numbering.board(word.as_bytes()).ok()?;
    (unit.trim().is_empty() || sense_of(unit).has(Sense::MOVES)).then_some(board)
}

/// The board that a part of a text is about, and the goal that stands in it.
fn subject_of(text: &str, numbering: Numbering) -> Result<(Board, Option<Board>), ClaimError> {
    let (mut board, mut goal) = (None, None);
    let label = |at: usize| labelled(text[at..].split('\n').next()?);
    if let Some((Some(Role::Board), value @ [_, ..])) = label(0) {
        board = Some(numbering.board(value)?);
    }
    for (at, placed) in boards(text, numbering) {
        // The label of its line, or else the one that stands alone over it.
        let mut above = text[..at]
            .rsplit('\n')
            .filter(|line| !line.trim().is_empty());
        let over = above.next().and_then(labelled);
        let over = over.filter(|(_, value)| value.is_empty());
        let is_goal = label(at)
            .or(over)
            .is_some_and(|it| it.0 == Some(Role::Goal));
        let first = if is_goal { &mut goal } else { &mut board };
        first.get_or_insert(placed);
    }
    Ok((board.ok_or(ClaimError::NoBoardInText)?, goal))
}

/// The claim that a text makes about a board, with the goal beside it.
fn about(
    text: &str,
    (board, goal): (Board, Option<Board>),
    reader: &Reader,
) -> Result<Claim, ClaimError> {
    let end = goal.unwrap_or_else(|| reader.goal_of(&board));
    let answer = find_answer_by(text.as_bytes(), &board, &end, reader)?;
    Ok(Claim {
        board,
        goal,
        answer,
    })
}
