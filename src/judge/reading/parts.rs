//! A text about several boards, cut into the parts about each.

use crate::judge::records::{Claim, ClaimError, Reader, Role, role, whole_number};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::{Boards, Placed};
use super::decision::find_answers;
use super::lengths::sense_of;
use super::lex::lex;
use super::scan::end_of;
use super::words::Sense;

type Claimed = Result<Claim, ClaimError>;

/// Reads every claim in a text; all of it is about `board` if that is given.
///
/// A part begins with a label such as `Initial state:` or a heading such as `704851632: 19 moves`.
/// A text without any is about its first board, since searches print boards for many reasons.
pub(in crate::judge) fn claims(
    text: &str,
    reader: &Reader,
    board: Option<&Board>,
    mut each: impl FnMut(u64, Claimed),
) {
    if let Some(board) = board {
        let claims = about(text, board, None, reader).into_iter();
        return claims.for_each(|claim| each(0, claim));
    }
    let shape = reader.numbering.shape.unwrap_or(Shape::EIGHT_PUZZLE);
    let numbering = reader.numbering.of(shape);
    let begins = |(at, line)| starts_part(line, numbering).then_some(at);
    let mut starts: Vec<usize> = lines(text).filter_map(begins).collect();
    if starts.is_empty() {
        starts.push(
            boards(text, numbering)
                .first()
                .map_or(0, |first| first.line),
        );
    }
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let (mut number, mut at) = (0, 0);
    for (&from, to) in starts.iter().zip(ends) {
        number += text[at..from].matches('\n').count() as u64;
        at = from;
        let claims = part(&text[from..to], numbering, reader).into_iter();
        claims.for_each(|claim| each(number, claim));
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
fn boards(text: &str, numbering: Numbering) -> Vec<Placed> {
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

/// The claims in a part of a text.
fn part(text: &str, numbering: Numbering, reader: &Reader) -> Vec<Claimed> {
    let (mut board, mut goal) = (None, None);
    let label = |at: usize| labelled(text[at..].split('\n').next()?);
    if let Some((Some(Role::Board), value @ [_, ..])) = label(0) {
        match numbering.board(value) {
            Ok(labelled) => board = Some(labelled),
            Err(error) => return vec![Err(error.into())],
        }
    }
    for placed in boards(text, numbering) {
        // The label of its line, or else the one that stands alone over it.
        let over = text[..placed.line]
            .rsplit('\n')
            .find(|line| !line.trim().is_empty());
        let over = over
            .and_then(labelled)
            .filter(|(_, value)| value.is_empty());
        let role = label(placed.line).or(over).and_then(|label| label.0);
        let first = if role == Some(Role::Goal) {
            &mut goal
        } else {
            &mut board
        };
        first.get_or_insert(placed.board);
    }
    match board {
        Some(board) => about(text, &board, goal, reader),
        None => vec![Err(ClaimError::NoBoardInText)],
    }
}

/// The claims that a text makes about a board.
fn about(text: &str, board: &Board, goal: Option<Board>, reader: &Reader) -> Vec<Claimed> {
    let (board, end) = (*board, goal.unwrap_or_else(|| reader.goal_of(board)));
    let claim = |answer| Claim {
        board,
        goal,
        answer,
    };
    match find_answers(text.as_bytes(), &board, &end, reader) {
        Ok(answers) => answers.into_iter().map(claim).map(Ok).collect(),
        Err(error) => vec![Err(error)],
    }
}
