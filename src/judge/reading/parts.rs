//! A text about several boards, cut into the parts about each.

use crate::judge::records::{Claim, ClaimError, Reader, Role, role, whole_number};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::Boards;
use super::find_answers;
use super::lengths::sense_of;
use super::lex::lex;
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
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|&line| starts_part(lines[line], numbering));
    let mut starts: Vec<usize> = starts.collect();
    if starts.is_empty() {
        let first = boards(&lines, numbering).first().map(|(line, _)| *line);
        starts.push(first.unwrap_or(0));
    }
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    for (&from, to) in starts.iter().zip(ends) {
        let claims = part(&lines[from..to], numbering, reader).into_iter();
        claims.for_each(|claim| each(from as u64, claim));
    }
}

/// The role of the label of a line, and what stands behind it.
fn labelled(line: &str) -> Option<(Option<Role>, &str)> {
    let (label, value) = line.split_once([':', '='])?;
    let goal = (first_word(label) == "goal").then_some(Role::Goal);
    Some((role(label).map(|(role, _)| role).or(goal), value.trim()))
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

/// All boards of a text, and the lines where they begin.
fn boards(lines: &[&str], numbering: Numbering) -> Vec<(usize, Board)> {
    let (mut boards, mut tokens) = (Boards::new(numbering), Vec::new());
    for (number, line) in lines.iter().enumerate() {
        lex(line, &mut tokens);
        boards.push(number, &tokens);
    }
    let placed = boards.placed.iter();
    placed.map(|placed| (placed.line, placed.board)).collect()
}

/// The board that a heading such as `704851632: 19 moves` begins with.
pub(in crate::judge) fn heading(line: &str, numbering: Numbering) -> Option<Board> {
    let (word, rest) = line.trim().split_once(':')?;
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    whole_number(number.as_bytes())?;
    let is_length = unit.trim().is_empty() || sense_of(unit).has(Sense::MOVES);
    numbering.board(word.as_bytes()).ok().filter(|_| is_length)
}

/// The claims in a part of a text.
fn part(lines: &[&str], numbering: Numbering, reader: &Reader) -> Vec<Claimed> {
    let (mut board, mut goal) = (None, None);
    let label = lines.first().and_then(|line| labelled(line));
    if let Some((Some(Role::Board), value @ [_, ..])) =
        label.map(|(role, value)| (role, value.as_bytes()))
    {
        match numbering.board(value) {
            Ok(labelled) => board = Some(labelled),
            Err(error) => return vec![Err(error.into())],
        }
    }
    for (line, placed) in boards(lines, numbering) {
        // The label of its line, or else the one that stands alone over it.
        let over = || lines[..line].iter().rfind(|line| !line.trim().is_empty());
        let over = || labelled(over()?).filter(|(_, value)| value.is_empty());
        let label = labelled(lines[line]).or_else(over);
        let is_goal = label.is_some_and(|(role, _)| role == Some(Role::Goal));
        let first = if is_goal { &mut goal } else { &mut board };
        first.get_or_insert(placed);
    }
    match board {
        Some(board) => about(&lines.join("\n"), &board, goal, reader),
        None => vec![Err(ClaimError::NoBoardInText)],
    }
}

/// The claims that a text makes about a board.
fn about(text: &str, board: &Board, goal: Option<Board>, reader: &Reader) -> Vec<Claimed> {
    let (board, end) = (*board, goal.unwrap_or_else(|| reader.goal_of(board)));
    match find_answers(text.as_bytes(), &board, &end, reader) {
        Ok(answers) => {
            let claim = |answer| {
                Ok(Claim {
                    board,
                    goal,
                    answer,
                })
            };
            answers.into_iter().map(claim).collect()
        }
        Err(error) => vec![Err(error)],
    }
}
