//! Heuristic values from a program.

use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grade::form::BoardForm;
use crate::grade::supervise::pipe::{Demand, Input, Output};
use crate::grade::supervise::run::{Program, RunEnd};
use crate::grade::supervise::{Supervision, Supervisor};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Numbering;
use puzzledb::search::audit::checked_space;
use puzzledb::space::{Space, StateIndex};

use super::error::ValuesError;
use super::table::{MAX_LINE, parse_value};

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
/// use puzzledb::search::audit::audit_values;
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
/// [`ValuesError`]; lines are those that the program prints.
pub fn values_of_program(
    oracle: &Oracle,
    program: &mut Command,
    numbering: Numbering,
    supervision: &Supervision,
    go_on: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<f64>, ValuesError> {
    let space = checked_space(oracle)?;
    let boards = space.ranking().states();
    let taken = Arc::new(AtomicU64::new(0));
    let program = Program {
        command: program,
        input: Some(board_lines(space, numbering, Arc::clone(&taken))),
        output: Values::new(boards),
        measures_memory: false,
        keeps_stderr: false,
        timeout_restarts: true,
    };
    let mut result =
        Supervisor::new(supervision).run(program, &|| go_on(taken.load(Ordering::Relaxed)))?;
    if let RunEnd::Exited(_) = result.end {
        result.output.take_last_line();
    }
    let Values { values, error, .. } = result.output;
    if let Some(error) = error {
        return Err(error);
    }
    let answers = values.len() as u64;
    if answers == boards {
        return Ok(values);
    }
    Err(match result.end {
        RunEnd::Exited(_) | RunEnd::Stopped => ValuesError::Ended { answers, boards },
        RunEnd::Timeout => ValuesError::Timeout {
            answers,
            boards,
            timeout: supervision.timeout,
        },
        RunEnd::CpuTimeout => ValuesError::CpuTimeout { answers, boards },
        RunEnd::OutOfMemory => ValuesError::OutOfMemory {
            limit: supervision.memory,
        },
        RunEnd::TooManyProcesses => ValuesError::TooManyProcesses {
            limit: supervision.processes,
        },
        RunEnd::Interrupted => ValuesError::Interrupted,
    })
}

/// Boards in a chunk of input: few enough for a slow program to take a chunk within the time limit.
const CHUNK_BOARDS: usize = 100;

/// All boards by state index, one per line; `taken` is the number of those that were taken.
fn board_lines(space: Space, numbering: Numbering, taken: Arc<AtomicU64>) -> Input {
    let boards = space.ranking().states();
    let chunks = (0..boards).step_by(CHUNK_BOARDS);
    Box::new(chunks.map(move |first| {
        taken.store(first, Ordering::Relaxed);
        let mut lines = String::new();
        for index in first..boards.min(first + CHUNK_BOARDS as u64) {
            let board = space.unrank(StateIndex(index));
            lines += &BoardForm::Plain.text(&board, numbering);
        }
        lines.into_bytes()
    }))
}

/// The values that a program has printed.
struct Values {
    boards: u64,
    values: Vec<f64>,
    /// The beginning of a line that has not ended yet.
    line: Vec<u8>,
    error: Option<ValuesError>,
}

impl Values {
    fn new(boards: u64) -> Values {
        Values {
            boards,
            values: Vec::new(),
            line: Vec::new(),
            error: None,
        }
    }

    /// Takes a whole line as the next board's value.
    fn take_line(&mut self) {
        let boards = self.boards;
        let line = std::mem::take(&mut self.line);
        let number = self.values.len() as u64 + 1;
        let value = if number > boards {
            Err(ValuesError::TooMany { boards })
        } else {
            parse_value(String::from_utf8_lossy(&line).trim(), number)
        };
        match value {
            Ok(value) => self.values.push(value),
            Err(error) => self.error = Some(error),
        }
    }

    /// Takes the last line of a program that has ended, which may lack the newline.
    fn take_last_line(&mut self) {
        if !self.line.is_empty() && self.error.is_none() {
            self.take_line();
        }
    }
}

impl Output for Values {
    fn take(&mut self, bytes: &[u8]) -> Demand {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") || self.line.len() >= MAX_LINE {
                self.take_line();
            }
            if self.error.is_some() {
                return Demand::Stop;
            }
        }
        if self.values.len() as u64 == self.boards {
            Demand::Complete
        } else {
            Demand::More
        }
    }
}
