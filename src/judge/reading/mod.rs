//! Reading claims from what other solvers print, in the dialects that they print it in.

mod columns;
mod fields;
mod format;
mod json;
mod line;
mod phrases;
mod python;
mod records;
mod table;
mod text;
mod ways;

use crate::puzzle::{Board, Numbering, ParseError, Shape};

use super::verdict::{Answer, Reading};

pub use format::{FIRST_LINES, Format};
pub use records::{End, Records};
pub use table::Table;

/// A board and what somebody says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board.
    pub board: Board,
    /// The goal that stands beside it.
    pub goal: Option<Board>,
    /// What is said.
    pub answer: Answer,
}

/// Reads claims, one from each record of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    /// The shape of the boards and the number of the blank.
    pub numbering: Numbering,
    /// The notation of the moves, if it is known.
    pub only: Option<Reading>,
}

impl Reader {
    /// Reads a claim in one line: a board in any form, then a length, moves, both, or the word
    /// that there is no solution.
    ///
    /// ```
    /// use puzzledb::judge::reading::Reader;
    ///
    /// let reader = Reader::default();
    /// for line in ["704851632 19", "704851632\t19\tRDDLLUURRDDLLUURRDD", "[[7,0,4],[8,5,1],[6,3,2]]: 19"] {
    ///     let claim = reader.line(line.as_bytes())?;
    ///     assert_eq!(claim.board.to_string(), "704851632");
    ///     assert_eq!(claim.answer.length, Some(19));
    /// }
    /// # Ok::<(), puzzledb::judge::reading::ClaimError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn line(&self, line: &[u8]) -> Result<Claim, ClaimError> {
        line::read(line, self)
    }

    /// Reads a claim in a JSON object, by the names of its keys.
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn object(&self, json: &[u8]) -> Result<Claim, ClaimError> {
        json::read(json, self)
    }
}

/// Why a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The board, or the goal beside it, cannot be read.
    #[error(transparent)]
    Board(#[from] ParseError),
    /// There is a board and nothing about it.
    #[error("nothing is claimed here: after the board write a length, moves, or unsolvable")]
    Nothing,
    /// A text for people in which no board was found.
    #[error("no board was found in this text: name it with --board")]
    NoBoardInText,
    /// A text for people in which nothing was found about the board.
    #[error("no answer was found in this text: no path, no length, no word that there is none")]
    NoAnswer,
    /// It is no JSON object.
    #[error("this is no JSON object: {0}")]
    Json(String),
    /// No key or column has the board.
    #[error("there is no board: name it board, initial, init_state, start, state or puzzle")]
    NoBoard,
    /// A row with fewer fields than the header.
    #[error("{found} fields where the header names {expected}")]
    ShortRow {
        /// Fields of the row.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
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
    /// Moves in another notation than was asked for.
    #[error("{text:?} is not written as --moves {only} asks")]
    Notation {
        /// What stands there, shortened.
        text: String,
        /// What was asked for.
        only: Reading,
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
/// use puzzledb::judge::Way;
/// use puzzledb::judge::reading::find_answer;
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

#[cfg(test)]
mod tests;
