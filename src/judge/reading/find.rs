//! Finding the answer to a board in a solver's whole output.

use std::ops::ControlFlow;

use crate::judge::answer::Answer;
use crate::puzzle::Board;

use super::choose::choose;
use super::claim::{ClaimError, Reader};
use super::extract::Finder;
use super::lines;

/// Bytes that are read between two checks of the flag.
const UNCHECKED: usize = 64 << 10;

/// Searches a solver's whole output for its answer to `board`; `None` if there is none in it that can be
/// read beyond doubt.
///
/// Found are labelled lines (`path_to_goal: ['Up', 'Left']`, `Cost to the path: 26`,
/// `Solution (19 moves): RDDL...`), tables with a header (`...,PATH_LENGTH,...,PATH`), JSON
/// objects, moves or a length on a line of their own, a move or a board a line, and words such as
/// `no solution`. Where an output holds several answers, the last counts.
///
/// ```
/// use puzzledb::judge::Path;
/// use puzzledb::judge::reading::find_answer;
/// use puzzledb::puzzle::Move;
///
/// let output = b"Searching...\npath_to_goal: ['Right', 'Down']\ncost_of_path: 2\nnodes_expanded: 5\n";
/// let answer = find_answer(output, &"123405786".parse()?, &"123456780".parse()?).unwrap();
/// assert_eq!(answer.length, Some(2));
/// assert_eq!(answer.candidates, [Path::Directions(vec![Move::Right, Move::Down])]);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
pub fn find_answer(output: &[u8], board: &Board, goal: &Board) -> Option<Answer> {
    let answers = find_answers(output, board, goal, &Reader::default());
    answers.ok()?.pop()
}

/// As [`find_answer`], with a reader of one's own, and every answer where several algorithms give one each.
///
/// # Errors
/// [`ClaimError::NoAnswer`] says what there is instead; [`ClaimError::Cancelled`] that it was cancelled or took too long.
pub fn find_answers(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
) -> Result<Vec<Answer>, ClaimError> {
    let text = String::from_utf8_lossy(output);
    let mut finder = Finder::new(board, goal, reader);
    if !finder.object(text.trim()) {
        let mut unchecked = 0;
        let in_time = lines::each(&text, |line| {
            unchecked += line.len() + 1;
            if unchecked > UNCHECKED {
                unchecked = 0;
                if reader.cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
            }
            finder.take(line);
            ControlFlow::Continue(())
        });
        if in_time.is_break() {
            return Err(ClaimError::Cancelled);
        }
    }
    finder.finish();
    choose(&finder, goal)
}
