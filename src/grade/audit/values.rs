//! Heuristics that are not ours: values in a table, or from a program.

use std::io::{self, BufRead, Read};
#[cfg(unix)]
use std::{
    io::{BufReader, Write},
    ops::ControlFlow,
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    time::Duration,
};

use crate::basics::available_memory;
#[cfg(unix)]
use crate::grade::process_tree::Supervisor;
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
    /// A value is no number of moves.
    #[error("line {line}: {text:?} is no number of moves")]
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
    #[error("the program answered for {answers} of {boards} boards and ended")]
    Ended {
        /// Values that it printed.
        answers: u64,
        /// All boards.
        boards: u64,
    },
    /// The program printed more lines than it got boards, so that it is not known which is whose.
    #[error("the program printed more than {boards} lines, one for each board")]
    TooMany {
        /// All boards.
        boards: u64,
    },
    /// `go_on` said to stop.
    #[error("interrupted")]
    Interrupted,
    /// It cannot be read, or the program cannot be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table of distances is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Is there memory for a value and a distance of every board?
pub(super) fn check_memory<B: AsRef<[u8]>>(oracle: &Oracle<B>) -> Result<(), QueryError> {
    let needed = oracle.table().header().states() * (size_of::<f64>() + 2) as u64;
    match available_memory() {
        Some(available) if available < needed => {
            Err(QueryError::TooLittleMemory { needed, available })
        }
        _ => Ok(()),
    }
}

/// The part of a line that an error shows.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// No estimate of a number of moves is larger.
const LARGEST: f64 = 1e9;

/// Reads a number of moves.
fn number(text: &str, line: u64) -> Result<f64, ValuesError> {
    let value = text
        .trim_matches(|c: char| c.is_whitespace() || c == '"')
        .parse()
        .ok()
        .filter(|value: &f64| value.abs() <= LARGEST);
    value.ok_or_else(|| ValuesError::NoNumber {
        line,
        text: shortened(text),
    })
}

/// No line is longer: what follows is left.
const LONGEST_LINE: usize = 4096;

/// How long a program may take to show that it prints more than it should.
#[cfg(unix)]
const MORE: Duration = Duration::from_millis(200);

/// The next line, of which at most [`LONGEST_LINE`] bytes are kept; `None` at the end.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut limited = lines.take(LONGEST_LINE as u64);
    match limited.read_until(b'\n', &mut line)? {
        0 => Ok(None),
        _ => Ok(Some(String::from_utf8_lossy(&line).trim().to_owned())),
    }
}

/// The values by state index, from lines `board,value`; a tab, a semicolon or spaces do as well
/// as the comma.
///
/// Empty lines, lines that begin with `#`, a heading in the first line, and boards that cannot be
/// solved are passed over.
///
/// # Errors
/// [`ValuesError`] names the line.
pub fn values_of_table<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    mut table: impl BufRead,
) -> Result<Vec<f64>, ValuesError> {
    check_memory(oracle)?;
    let mut values = vec![f64::NAN; oracle.table().header().states() as usize];
    let mut is_first = true;
    for line in 1.. {
        let Some(text) = next_line(&mut table)? else {
            break;
        };
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let may_be_heading = std::mem::take(&mut is_first);
        if may_be_heading && !text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (board, now) = pair(&text, line, oracle)?;
        match oracle.rank(&board) {
            Ok(index) => {
                let before = std::mem::replace(&mut values[index.0 as usize], now);
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

/// A board and its value.
fn pair<B: AsRef<[u8]>>(
    text: &str,
    line: u64,
    oracle: &Oracle<B>,
) -> Result<(Board, f64), ValuesError> {
    let at = text.rfind([',', '\t', ';', ' ']);
    let (board, value) =
        at.map(|at| (&text[..at], &text[at + 1..]))
            .ok_or_else(|| ValuesError::NoPair {
                line,
                text: shortened(text),
            })?;
    let board = board.trim_matches(|c: char| c.is_whitespace() || ",;\"".contains(c));
    let board = parse_board(board.as_bytes(), Some(oracle.shape()))
        .map_err(|source| ValuesError::Board { line, source })?;
    Ok((board, number(value, line)?))
}

/// The values by state index, from a program that is started once, gets a board a line and prints
/// a number a line. It may answer each line at once or all of them at the end. It and all that it
/// started are ended, as soon as it has answered for every board. `go_on` is asked now and then.
///
/// # Errors
/// [`ValuesError`]; lines are those that the program prints.
#[cfg(unix)]
pub fn values_of_program<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    program: &mut Command,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> Result<Vec<f64>, ValuesError> {
    check_memory(oracle)?;
    let boards = oracle.table().header().states();
    let lines = (0..boards).map(|index| format!("{}\n", oracle.unrank(StateIndex(index))));
    let lines: String = lines.collect();
    let supervisor = Supervisor::new();
    program.stdin(Stdio::piped()).stdout(Stdio::piped());
    let (mut child, tree) = supervisor.start(program)?;
    let mut input = child.stdin.take().expect("it is piped");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    // Threads of their own write and read, since the program may wait for either. They end when
    // the program has been ended and its pipes are closed.
    std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let (sender, answers) = mpsc::sync_channel(4096);
    std::thread::spawn(move || {
        for line in 1..=boards + 1 {
            let answer = match next_line(&mut output) {
                Ok(Some(text)) => number(&text, line),
                Ok(None) => return,
                Err(error) => Err(error.into()),
            };
            let is_last = answer.is_err();
            if sender.send(answer).is_err() || is_last {
                return;
            }
        }
    });
    let values =
        receive(&answers, boards, go_on).and_then(|values| match answers.recv_timeout(MORE) {
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(values),
            Ok(_) => Err(ValuesError::TooMany { boards }),
        });
    tree.end();
    child.wait()?;
    values
}

/// The values that arrive, until there is one for each board.
#[cfg(unix)]
fn receive(
    answers: &mpsc::Receiver<Result<f64, ValuesError>>,
    boards: u64,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> Result<Vec<f64>, ValuesError> {
    let mut values = Vec::new();
    while (values.len() as u64) < boards {
        match answers.recv_timeout(Duration::from_millis(50)) {
            Ok(answer) => values.push(answer?),
            Err(RecvTimeoutError::Timeout) if go_on().is_continue() => {}
            Err(RecvTimeoutError::Timeout) => return Err(ValuesError::Interrupted),
            Err(RecvTimeoutError::Disconnected) => {
                let answers = values.len() as u64;
                return Err(ValuesError::Ended { answers, boards });
            }
        }
    }
    Ok(values)
}
