//! A text about several boards, cut into the parts about each.

use crate::judge::records::{Claim, ClaimError, Reader, Role, role};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::Boards;
use super::decision::find_answer_by;
use super::lengths::sense_of;
use super::lex::{lex, whole_number};
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
    // Where each part begins, and the number of its first line.
    let (mut starts, mut at) = (Vec::new(), 0);
    for (number, line) in (0..).zip(text.split_inclusive('\n')) {
        if board.is_none() && starts_part(line, numbering) {
            starts.push((at, number));
        }
        at += line.len();
    }
    if starts.is_empty() {
        let boards = board.map_or_else(|| boards(text, numbering), |_| Vec::new());
        let first = boards.first().map_or(0, |first| first.0);
        starts.push((first, text[..first].matches('\n').count() as u64));
    }
    let ends = starts[1..].iter().map(|start| start.0).chain([at]);
    for (&(from, number), to) in starts.iter().zip(ends) {
        each(number, claim(&text[from..to], board, numbering, reader));
    }
}

/// The claim of a part, which is about `board` or about the first board in it that is not the goal.
fn claim(
    text: &str,
    board: Option<&Board>,
    numbering: Numbering,
    reader: &Reader,
) -> Result<Claim, ClaimError> {
    let (mut board, mut goal) = (board.copied(), None);
    if board.is_none() {
        let label = text.lines().next().and_then(labelled);
        if let Some((Some(Role::Board), value)) = label.filter(|label| !label.1.is_empty()) {
            board = Some(numbering.board(value.as_bytes())?);
        }
        for (_, role, placed) in boards(text, numbering) {
            match role {
                Some(Role::Goal) => goal.get_or_insert(placed),
                _ => board.get_or_insert(placed),
            };
        }
    }
    let board = board.ok_or(ClaimError::NoBoardInText)?;
    let [_, end] = reader.ends(board, goal);
    let answer = find_answer_by(text.as_bytes(), &board, &end, reader)?;
    Ok(Claim::new(board, goal, answer))
}

/// The role of the label of a line, and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &str)> {
    let (label, value) = line.split_once([':', '='])?;
    let role = role(label).map(|(role, _)| role);
    Some((role, value.trim()))
}

/// Whether a line begins a part: with a heading, or a label that names the start board, rather than a state on the path.
fn starts_part(line: &str, numbering: Numbering) -> bool {
    const STATES: [&str; 3] = ["board", "state", "configuration"];
    let label = line.split([':', '=']).next().unwrap_or("");
    let label = label.trim_matches(|c: char| !c.is_alphabetic());
    let is_board = labelled(line).is_some_and(|(role, _)| role == Some(Role::Board));
    is_board && !STATES.iter().any(|state| label.eq_ignore_ascii_case(state))
        || heading(line, numbering).is_some()
}

/// All boards of a text, each with the place where its first line begins, and the role of that line's label, or else of
/// the label that stands alone over it.
fn boards(text: &str, numbering: Numbering) -> Vec<(usize, Option<Role>, Board)> {
    let (mut boards, mut lines) = (Boards::new(numbering), Vec::new());
    let (mut at, mut over) = (0, None);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let label = labelled(line);
        lines.push((at, label.map_or(over, |label| label.0)));
        if !line.trim().is_empty() {
            over = label.and_then(|(role, value)| role.filter(|_| value.is_empty()));
        }
        boards.push(number, &lex(end_of(line.trim_end())));
        at += line.len();
    }
    let placed = boards.placed.into_iter();
    let placed = placed.map(|(line, board)| (lines[line].0, lines[line].1, board));
    placed.collect()
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(in crate::judge) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    whole_number(number)?;
    let board = numbering.board(word.as_bytes()).ok()?;
    (unit.trim().is_empty() || sense_of(unit).has(Sense::MOVES)).then_some(board)
}
