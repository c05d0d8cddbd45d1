//! Claims: what other solvers print, read in the dialects that they print it in.

mod columns;
mod fields;
mod phrases;
mod text;
mod ways;

use crate::puzzle::{Board, Numbering, ParseError, Shape};

use super::Answer;

/// Why a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The board, or the goal beside it, cannot be read.
    #[error(transparent)]
    Board(#[from] ParseError),
    /// There is a board and nothing about it.
    #[error("nothing is claimed here: after the board write a length, moves, or unsolvable")]
    Nothing,
    /// What stands in the place of a length is none.
    #[error("{0:?} is no length: write a whole number, or unsolvable")]
    Length(String),
    /// What stands in the place of moves cannot be read.
    #[error(
        "{text:?} cannot be read as moves of a {shape} board: write UDLR, words, the numbers of \
         the tiles, or the boards on the way"
    )]
    Moves {
        /// What stands there, shortened.
        text: String,
        /// The shape of the board.
        shape: Shape,
    },
}

/// The beginning of a text, for messages.
fn shorten(text: &[u8]) -> String {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * MOST)]);
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Searches a solver's whole output for its answer to `board`; `None` if there is none in it.
///
/// Found are labelled lines (`path_to_goal: ['Up', 'Left']`, `Cost to the path: 26`,
/// `Solution (19 moves): RDDL...`), tables with a header (`...,PATH_LENGTH,...,PATH`), JSON
/// objects, moves or a length on a line of their own, a move or a board a line, and words such as
/// `no solution`. Where an output holds several answers, the last counts.
///
/// ```
/// use puzzledb::oracle::Way;
/// use puzzledb::oracle::claims::find_answer;
/// use puzzledb::puzzle::Move;
///
/// let output = b"Searching...\npath_to_goal: ['Right', 'Down']\ncost_of_path: 2\nnodes_expanded: 5\n";
/// let answer = find_answer(output, &"123405786".parse()?).unwrap();
/// assert_eq!(answer.length, Some(2));
/// assert_eq!(answer.ways, [Way::Directions(vec![Move::Right, Move::Down])]);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
pub fn find_answer(output: &[u8], board: &Board) -> Option<Answer> {
    find_answer_as(output, board, Numbering::default())
}

/// As [`find_answer`], for outputs in which another number stands for the blank.
pub fn find_answer_as(output: &[u8], board: &Board, numbering: Numbering) -> Option<Answer> {
    text::find(&String::from_utf8_lossy(output), board, numbering)
}
