//! Heuristic values from a table of boards.

use std::io::{self, BufRead, Read};

use crate::grade::GradeError;
use puzzledb::internals::search::checked_space;
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::space::{SpaceError, StateIndex};

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
/// [`GradeError`], which names the line.
pub fn values_of_table(
    oracle: &Oracle,
    mut table: impl BufRead,
    numbering: Numbering,
) -> Result<Vec<f64>, GradeError> {
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
                    return Err(GradeError::at(line, twice));
                }
            }
            Err(SpaceError::Unsolvable { .. }) => {}
            Err(cause) => return Err(GradeError::at(line, cause)),
        }
    }
    let Some(first) = values.iter().position(|value| value.is_nan()) else {
        return Ok(values);
    };
    let missing = values.iter().filter(|value| value.is_nan()).count();
    let (boards, first) = (values.len(), space.unrank(StateIndex(first as u64)));
    Err(GradeError::Invalid(format!(
        "{missing} of {boards} boards have no value; the first of them is {first}"
    )))
}

/// A board and its value.
fn parse_pair(text: &str, line: u64, numbering: Numbering) -> Result<(Board, f64), GradeError> {
    let Some(at) = text.rfind([',', '\t', ';', ' ']) else {
        let no_pair = format!("{:?} is not a board, a comma and a number", shortened(text));
        return Err(GradeError::at(line, no_pair));
    };
    let (board, value) = (&text[..at], &text[at + 1..]);
    let board = board.trim_matches(|c: char| c.is_whitespace() || ",;\"".contains(c));
    let board = numbering.board(board.as_bytes());
    let board = board.map_err(|cause| GradeError::at(line, cause))?;
    Ok((board, parse_value(value, line)?))
}

/// Bytes of a line that are read at most; the rest counts as another line.
pub(super) const MAX_LINE: usize = 4096;

/// The largest absolute value that is accepted; no board needs that many moves.
const MAX_VALUE: f64 = 1e9;

/// Reads a value.
pub(super) fn parse_value(text: &str, line: u64) -> Result<f64, GradeError> {
    let value = text
        .trim_matches(|c: char| c.is_whitespace() || c == '"')
        .parse()
        .ok()
        .filter(|value: &f64| value.abs() <= MAX_VALUE);
    let no_number = || format!("{:?} is not a number of moves", shortened(text));
    value.ok_or_else(|| GradeError::at(line, no_number()))
}

/// The part of a line that an error shows.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
