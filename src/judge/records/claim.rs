//! A claim, how it is read, and why it cannot be.

use crate::basics::{Cancel, text::beginning};
use crate::judge::answer::{Answer, Reading};
use crate::judge::reading::ReadAs;
use crate::puzzle::{Board, Numbering, ParseError, UsualGoal};

/// A board and an answer about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board.
    pub board: Board,
    /// The goal that stands beside it.
    pub goal: Option<Board>,
    /// The answer about it.
    pub answer: Answer,
}

impl Claim {
    /// Returns the claim that is this answer about a board.
    pub(in crate::judge) fn new(board: Board, goal: Option<Board>, answer: Answer) -> Claim {
        Claim {
            board,
            goal,
            answer,
        }
    }
}

/// Reads claims, one from each record of a file.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The shape of the boards and the number of the blank.
    pub numbering: Numbering,
    /// The notation of the moves, if it is known.
    pub only: Option<Reading>,
    /// The kind of claim that a text for people is held to, if a person decides.
    pub read: Option<ReadAs>,
    /// The goal of boards of its shape that come without one; `None` is [`UsualGoal::Last`].
    pub goal: Option<Board>,
    /// Ends the reading of a text for people: the parts of it that are not read by then give
    /// [`ClaimError::Cancelled`]. It may have a deadline.
    pub cancel: Cancel,
}

impl Reader {
    /// Returns this reader, for a text about a board.
    pub(in crate::judge) fn about(&self, board: &Board) -> Reader {
        let mut reader = self.clone();
        reader.numbering = reader.numbering.of(board.shape());
        reader
    }

    /// The board that a claim is about and its goal: the one beside it, or that of boards that come without one.
    pub(in crate::judge) fn ends(&self, board: Board, goal: Option<Board>) -> [Board; 2] {
        let usual = UsualGoal::Last.board(board.shape());
        let own = self.goal.filter(|goal| goal.shape() == usual.shape());
        [board, goal.or(own).unwrap_or(usual)]
    }
}

/// Why a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The board, or the goal beside it, cannot be read.
    #[error(transparent)]
    Board(#[from] ParseError),
    /// There is a board and nothing about it.
    #[error("nothing is claimed here: after the board write a length, moves, or unsolvable")]
    Nothing,
    /// A text for people in which no board was found.
    #[error("no board was found in this text")]
    NoBoardInText,
    /// A text for people in which nothing was found that is beyond doubt an answer.
    #[error("no answer was found in this text: {seen}")]
    NoAnswer {
        /// What there is instead.
        seen: String,
        /// The board and its goal.
        ends: [Board; 2],
        /// What it claims where the reader is held to one kind of claim.
        readings: Vec<(ReadAs, Answer)>,
    },
    /// The reading was cancelled, or not done by its deadline.
    #[error("the reading of the text was cancelled, or took longer than it may")]
    Cancelled,
    /// A record, or a field of it, does not have the form of one: what is wrong.
    #[error("{0}")]
    Malformed(String),
    /// A move is impossible: which, and on what board.
    #[error("{0}")]
    Impossible(String),
    /// Moves in another notation than was asked for.
    #[error("{text:?} is not written in the notation {only}, which was asked for")]
    Notation {
        /// What stands there, shortened.
        text: String,
        /// What was asked for.
        only: Reading,
    },
}

/// The beginning of a text, for messages.
pub(in crate::judge) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    beginning(text, MOST)
}
