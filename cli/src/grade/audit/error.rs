//! Errors in the values of a heuristic.

use std::io;
use std::time::Duration;

use crate::text::time_text;
use puzzledb::basics::size_text;
use puzzledb::oracle::QueryError;
use puzzledb::puzzle::{Board, ParseError};
use puzzledb::space::SpaceError;

/// Error in the values of a heuristic, or in their source. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// A line has not the form `board,value`.
    #[error("line {line}: {text:?} is not a board, a comma and a number")]
    NoPair {
        /// The line's number.
        line: u64,
        /// Its text, shortened.
        text: String,
    },
    /// A board cannot be read.
    #[error("line {line}: {cause}")]
    Board {
        /// The line's number.
        line: u64,
        /// The error in the board.
        cause: ParseError,
    },
    /// A board is not in the oracle's space.
    #[error("line {line}: {cause}")]
    Shape {
        /// The line's number.
        line: u64,
        /// The cause.
        cause: SpaceError,
    },
    /// A value is not a number, or larger than any number of moves can be.
    #[error("line {line}: {text:?} is not a number of moves")]
    NoNumber {
        /// The line's number.
        line: u64,
        /// Its text, shortened.
        text: String,
    },
    /// A board has two values.
    #[error("line {line}: {board} has the value {now} here and {before} before")]
    Twice {
        /// The line's number.
        line: u64,
        /// The board.
        board: Board,
        /// The value in an earlier line.
        before: f64,
        /// The value in this line.
        now: f64,
    },
    /// Boards have no value: an audit is over all boards.
    #[error("{missing} of {boards} boards have no value; the first of them is {first}")]
    Missing {
        /// The number of boards without a value.
        missing: u64,
        /// The number of all boards.
        boards: u64,
        /// The board without a value that has the smallest state index.
        first: Board,
    },
    /// The program ended before it had printed a value for every board.
    #[error("the program answered for {answers} of {boards} boards and ended")]
    Ended {
        /// Values that it printed.
        answers: u64,
        /// The number of all boards.
        boards: u64,
    },
    /// The program was killed because it neither read boards nor printed values for the time limit.
    #[error(
        "the program answered for {answers} of {boards} boards, and then neither read nor printed \
         anything for {}",
        time_text(*timeout)
    )]
    Timeout {
        /// Values that it printed.
        answers: u64,
        /// The number of all boards.
        boards: u64,
        /// The time limit.
        timeout: Duration,
    },
    /// The program was killed because it used more CPU time than it may.
    #[error("the program answered for {answers} of {boards} boards in the CPU time that it has")]
    CpuTimeout {
        /// Values that it printed.
        answers: u64,
        /// The number of all boards.
        boards: u64,
    },
    /// The program was killed because it used more memory than it may.
    #[error("the program used more than {} of memory", size_text(*limit))]
    OutOfMemory {
        /// The limit in bytes.
        limit: u64,
    },
    /// The program was killed because it had more processes than it may.
    #[error("the program had more than {limit} processes at a time")]
    TooManyProcesses {
        /// The limit.
        limit: usize,
    },
    /// The program printed more lines than it got boards, so that lines and boards cannot be matched.
    #[error("the program printed more than {boards} lines, one for each board")]
    TooMany {
        /// The number of all boards.
        boards: u64,
    },
    /// `go_on` returned `Break`.
    #[error("interrupted")]
    Interrupted,
    /// The table cannot be read, or the program cannot be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is too little memory, or the table of distances is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}
