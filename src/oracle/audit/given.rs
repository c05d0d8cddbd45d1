//! Heuristics that are not ours: values in a table, or from a program.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, ExitStatus, Stdio};

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, ParseError, parse_board};
use crate::space::{SpaceError, StateIndex};

/// Why somebody's values cannot be audited. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum ValuesError {
    /// A line has not the form `board,value`.
    #[error("line {line}: {text:?} is not a board, a comma and a number")]
    NoPair {
        /// Which line.
        line: u64,
        /// Its text, shortened.
        text: String,
    },
    /// A board cannot be read.
    #[error("line {line}: {source}")]
    Board {
        /// Which line.
        line: u64,
        /// What is wrong with it.
        source: ParseError,
    },
    /// A board is of another shape.
    #[error("line {line}: {source}")]
    Shape {
        /// Which line.
        line: u64,
        /// What is wrong with it.
        source: SpaceError,
    },
    /// A value is no finite number.
    #[error("line {line}: {text:?} is no number")]
    NoNumber {
        /// Which line.
        line: u64,
        /// Its text, shortened.
        text: String,
    },
    /// A board has two values.
    #[error("line {line}: {board} has the value {now} here and {before} before")]
    Twice {
        /// Which line.
        line: u64,
        /// The board.
        board: Board,
        /// The value that it had.
        before: f64,
        /// The value here.
        now: f64,
    },
    /// Boards are missing: an audit is over all of them.
    #[error("{missing} of {boards} boards have no value; the first of them is {first}")]
    Missing {
        /// Boards without a value.
        missing: u64,
        /// All boards.
        boards: u64,
        /// The first board without one, by its state index.
        first: Board,
    },
    /// The program ended before it had answered for every board.
    #[error("the program answered for {answers} of {boards} boards and ended ({status})")]
    Ended {
        /// Values that it printed.
        answers: u64,
        /// All boards.
        boards: u64,
        /// How it ended.
        status: ExitStatus,
    },
    /// It cannot be read, or the program cannot be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table of distances is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// The part of a line that an error shows.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Reads a number that is finite.
fn number(text: &str, line: u64) -> Result<f64, ValuesError> {
    let value = text
        .trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| ValuesError::NoNumber {
        line,
        text: shortened(text),
    })
}

/// The values by state index, from lines `board,value`; a tab, a semicolon or spaces do as well as the comma.
///
/// Empty lines, lines that begin with `#`, a heading in the first line, and boards that cannot be
/// solved are passed over.
///
/// # Errors
/// [`ValuesError`] names the line.
pub fn values_of_table<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    table: impl BufRead,
) -> Result<Vec<f64>, ValuesError> {
    let mut values = vec![f64::NAN; oracle.table().header().states() as usize];
    let mut headings = 1;
    for (line, text) in (1..).zip(table.lines()) {
        let text = text?;
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let first = std::mem::take(&mut headings) == 1;
        let at = text.rfind([',', '\t', ';', ' ']);
        let Some((board, value)) = at.map(|at| (&text[..at], &text[at + 1..])) else {
            let text = shortened(text);
            return Err(ValuesError::NoPair { line, text });
        };
        let board = board.trim_matches(|c: char| c.is_whitespace() || ",;\"".contains(c));
        if first && !text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let board = parse_board(board.as_bytes(), Some(oracle.shape()))
            .map_err(|source| ValuesError::Board { line, source })?;
        let now = number(value, line)?;
        match oracle.rank(&board) {
            Ok(index) => {
                let known = &mut values[index.0 as usize];
                let before = std::mem::replace(known, now);
                if !before.is_nan() && before != now {
                    return Err(ValuesError::Twice {
                        line,
                        board,
                        before,
                        now,
                    });
                }
            }
            Err(SpaceError::Unsolvable { .. }) => {}
            Err(source) => return Err(ValuesError::Shape { line, source }),
        }
    }
    let missing = values.iter().filter(|value| value.is_nan()).count() as u64;
    match values.iter().position(|value| value.is_nan()) {
        None => Ok(values),
        Some(first) => Err(ValuesError::Missing {
            missing,
            boards: values.len() as u64,
            first: oracle.unrank(StateIndex(first as u64)),
        }),
    }
}

/// The values by state index, from a program that is started once, gets a board a line and prints
/// a number a line. It may answer each line at once or all of them at the end.
///
/// # Errors
/// [`ValuesError`]; lines are those that the program prints. The program is ended.
pub fn values_of_program<B: AsRef<[u8]> + Sync>(
    oracle: &Oracle<B>,
    program: &mut Command,
) -> Result<Vec<f64>, ValuesError> {
    let boards = oracle.table().header().states();
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = BufWriter::new(child.stdin.take().expect("it is piped"));
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let read = std::thread::scope(|scope| {
        // Boards are sent by a thread of their own, since the program may wait until its answers
        // are read. If it has enough of them, its answers will tell.
        scope.spawn(move || -> io::Result<()> {
            for index in 0..boards {
                writeln!(input, "{}", oracle.unrank(StateIndex(index)))?;
            }
            input.flush()
        });
        let read = read_values(output, boards);
        if read
            .as_ref()
            .map_or(true, |values| (values.len() as u64) < boards)
        {
            let _ = child.kill(); // so that the thread's pipe ends, if it has not ended itself
        }
        read
    });
    let status = child.wait()?;
    let values = read?;
    let answers = values.len() as u64;
    if answers < boards {
        return Err(ValuesError::Ended {
            answers,
            boards,
            status,
        });
    }
    Ok(values)
}

fn read_values(output: impl BufRead, boards: u64) -> Result<Vec<f64>, ValuesError> {
    let lines = (1..=boards).zip(output.lines());
    lines.map(|(line, text)| number(&text?, line)).collect()
}
