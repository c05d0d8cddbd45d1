//! A heuristic's value of every board, from a table or from a program, for
//! [`audit_values`](puzzledb::search::audit_values).

use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use puzzledb::internals::{checked_space, size_text};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::space::{Space, SpaceError, StateIndex};

use super::form::BoardForm;
use super::supervise::pipe::{Event, Input};
use super::supervise::run::RunEnd;
use super::supervise::{Limit, Supervision};
use crate::error::{CliError, bail};
use crate::text::time_text;

/// The values by state index, from a program that is started once, reads one board per line and prints
/// one value per line. It may answer each line at once or all of them at the end. Its standard error
/// is that of this process.
///
/// The program runs under the limits of `supervision`, whose [`timeout`](Supervision::timeout) starts again whenever it
/// reads or prints something. It is killed, with everything that it started, as soon as it has printed a value for
/// every board. `go_on` is called at least ten times a second, with the number of boards that the program has taken.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::process::Command;
/// use puzzledb_cli::grade::Supervision;
/// use puzzledb::search::audit_values;
/// use puzzledb_cli::grade::audit::values_of_program;
/// use puzzledb::oracle::Oracle;
/// use puzzledb::puzzle::Numbering;
///
/// let oracle = Oracle::for_goal(&"1230".parse()?)?; // 12 boards of 2x2
/// let mut zero = Command::new("sed");
/// zero.arg("s/.*/0/");
/// let numbering = Numbering::default();
/// let go_on = |_taken| ControlFlow::Continue(());
/// let values = values_of_program(&oracle, &mut zero, numbering, &Supervision::default(), &go_on)?;
/// assert!(audit_values(&oracle, &values)?.consistent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CliError`]; lines are those that the program prints.
pub fn values_of_program(
    oracle: &Oracle,
    program: &mut Command,
    numbering: Numbering,
    supervision: &Supervision,
    go_on: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<f64>, CliError> {
    let space = checked_space(oracle)?;
    let boards = space.ranking().states();
    let taken = Arc::new(AtomicU64::new(0));
    let input = board_lines(space, numbering, Arc::clone(&taken));
    let take = Box::new(move |values: &mut Values, bytes: &[u8]| values.take(bytes, boards));
    let go_on = || go_on(taken.load(Ordering::Relaxed));
    let filter = Supervision {
        runs_filters: true,
        ..*supervision
    };
    let (mut output, result) = filter.run(program, Some(input), take, &go_on)?;
    if let Some(error) = output.error {
        return Err(error);
    }
    let has_exited = matches!(result.end, RunEnd::Exited(_) | RunEnd::Signalled(_));
    if has_exited && !output.line.is_empty() {
        output.take_line(boards)?; // the last line, which may lack the newline
    }
    let (values, limits) = (output.values, supervision);
    let answers = values.len() as u64;
    if answers == boards {
        return Ok(values);
    }
    let answered = format!("answered for {answers} of {boards} boards");
    let what = match result.end {
        RunEnd::Interrupted | RunEnd::KilledGrader => return Err(CliError::Interrupted),
        RunEnd::Exited(_) | RunEnd::Signalled(_) | RunEnd::Exceeded(Limit::Output) => {
            format!("{answered} and ended")
        }
        RunEnd::Exceeded(Limit::Time) => format!(
            "{answered}, and then neither read nor printed anything for {}; --time allows more",
            time_text(limits.timeout)
        ),
        RunEnd::Exceeded(Limit::CpuTime) => format!("{answered} in the CPU time that it has"),
        RunEnd::Exceeded(Limit::Memory) => {
            let memory = size_text(limits.memory);
            format!("used more than {memory} of memory; --memory allows more")
        }
        RunEnd::Exceeded(Limit::Processes) => {
            format!("had more than {} processes at a time", limits.processes)
        }
    };
    bail!("the program {what}")
}

/// The error in a line, counted from 1.
fn at_line(line: u64, error: impl Display) -> CliError {
    CliError::Usage(format!("line {line}: {error}"))
}

/// Boards in a chunk of input: few enough for a slow program to take a chunk within the time limit.
const CHUNK_BOARDS: usize = 100;

/// All boards by state index, one per line; `taken` is the number of those that were taken.
fn board_lines(space: Space, numbering: Numbering, taken: Arc<AtomicU64>) -> Input {
    let boards = space.ranking().states();
    let chunks = (0..boards).step_by(CHUNK_BOARDS);
    Box::new(chunks.map(move |first| {
        taken.store(first, Ordering::Relaxed);
        let board = |index| space.unrank(StateIndex(index));
        let boards = (first..boards.min(first + CHUNK_BOARDS as u64)).map(board);
        let lines = boards.map(|board| BoardForm::Plain.text(&board, numbering));
        lines.collect::<String>().into_bytes()
    }))
}

/// The values that a program has printed.
#[derive(Default)]
struct Values {
    values: Vec<f64>,
    /// The beginning of a line that has not ended yet.
    line: Vec<u8>,
    error: Option<CliError>,
}

impl Values {
    /// Takes a whole line as the next board's value, of so many boards.
    fn take_line(&mut self, boards: u64) -> Result<(), CliError> {
        let line = std::mem::take(&mut self.line);
        let number = self.values.len() as u64 + 1;
        if number > boards {
            bail!("the program printed more than {boards} lines, one for each board");
        }
        let value = parse_value(String::from_utf8_lossy(&line).trim(), number)?;
        self.values.push(value);
        Ok(())
    }

    fn take(&mut self, bytes: &[u8], boards: u64) -> Event {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") || self.line.len() >= MAX_LINE {
                self.error = self.take_line(boards).err();
            }
            if self.error.is_some() {
                return Event::Stop;
            }
        }
        if self.values.len() as u64 == boards {
            Event::Complete
        } else {
            Event::Active
        }
    }
}

/// The next line, or [`MAX_LINE`] bytes of it; `None` at the end.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut limited = lines.take(MAX_LINE as u64);
    match limited.read_until(b'\n', &mut line)? {
        0 => Ok(None),
        _ => Ok(Some(String::from_utf8_lossy(&line).trim().to_owned())),
    }
}

/// The values by state index, from lines `board,value`. Instead of the comma there may be a tab, a
/// semicolon or spaces. The boards are numbered as `numbering` says.
///
/// Empty lines, lines that begin with `#`, a heading in the first line, and unsolvable boards are
/// skipped.
///
/// ```
/// use puzzledb_cli::grade::audit::values_of_table;
/// use puzzledb::oracle::Oracle;
/// use puzzledb::puzzle::Numbering;
///
/// let oracle = Oracle::for_goal(&"1230".parse()?)?; // 12 boards of 2x2
/// let incomplete = values_of_table(&oracle, &b"board,h\n1230,0\n"[..], Numbering::default()).unwrap_err();
/// assert!(incomplete.to_string().starts_with("11 of 12 boards have no value"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CliError`], which names the line.
pub fn values_of_table(
    oracle: &Oracle,
    mut table: impl BufRead,
    numbering: Numbering,
) -> Result<Vec<f64>, CliError> {
    let space = checked_space(oracle)?;
    let mut values = vec![f64::NAN; space.ranking().states() as usize];
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
        let (board, now) = parse_pair(&text, line, numbering.of(oracle.shape()))?;
        match space.rank(&board) {
            Ok(index) => {
                let before = std::mem::replace(&mut values[index.0 as usize], now);
                if !before.is_nan() && before != now {
                    let twice = format!("{board} has the value {now} here and {before} before");
                    return Err(at_line(line, twice));
                }
            }
            Err(SpaceError::Unsolvable { .. }) => {}
            Err(cause) => return Err(at_line(line, cause)),
        }
    }
    let Some(first) = values.iter().position(|value| value.is_nan()) else {
        return Ok(values);
    };
    let missing = values.iter().filter(|value| value.is_nan()).count();
    let (boards, first) = (values.len(), space.unrank(StateIndex(first as u64)));
    bail!("{missing} of {boards} boards have no value; the first of them is {first}")
}

/// A board and its value.
fn parse_pair(text: &str, line: u64, numbering: Numbering) -> Result<(Board, f64), CliError> {
    let Some(at) = text.rfind([',', '\t', ';', ' ']) else {
        let no_pair = format!("{:?} is not a board, a comma and a number", shortened(text));
        return Err(at_line(line, no_pair));
    };
    let (board, value) = (&text[..at], &text[at + 1..]);
    let board = board.trim_matches(|c: char| c.is_whitespace() || ",;\"".contains(c));
    let board = numbering.board(board.as_bytes());
    let board = board.map_err(|cause| at_line(line, cause))?;
    Ok((board, parse_value(value, line)?))
}

/// Bytes of a line that are read at most; the rest counts as another line.
const MAX_LINE: usize = 4096;

/// The largest absolute value that is accepted; no board needs that many moves.
const MAX_VALUE: f64 = 1e9;

/// Reads a value.
fn parse_value(text: &str, line: u64) -> Result<f64, CliError> {
    let number = text.trim_matches(|c: char| c.is_whitespace() || c == '"');
    let value = number.parse().ok();
    let value = value.filter(|value: &f64| value.abs() <= MAX_VALUE);
    let no_number = || format!("{:?} is not a number of moves", shortened(text));
    value.ok_or_else(|| at_line(line, no_number()))
}

/// The part of a line that an error shows.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
