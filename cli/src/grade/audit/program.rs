//! Heuristic values from a program.

use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grade::GradeError;
use crate::grade::form::BoardForm;
use crate::grade::supervise::pipe::{Event, Input};
use crate::grade::supervise::run::{Program, RunEnd};
use crate::grade::supervise::{Limit, Supervision, Supervisor};
use crate::text::time_text;
use puzzledb::internals::basics::size_text;
use puzzledb::internals::search::checked_space;
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Numbering;
use puzzledb::space::{Space, StateIndex};

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
/// [`GradeError`]; lines are those that the program prints.
pub fn values_of_program(
    oracle: &Oracle,
    program: &mut Command,
    numbering: Numbering,
    supervision: &Supervision,
    go_on: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<f64>, GradeError> {
    let space = checked_space(oracle)?;
    let boards = space.ranking().states();
    let taken = Arc::new(AtomicU64::new(0));
    let program = Program {
        command: program,
        input: Some(board_lines(space, numbering, Arc::clone(&taken))),
        output: Values::default(),
        take: Box::new(move |values: &mut Values, bytes| values.take(bytes, boards)),
        is_filter: true,
    };
    let go_on = || go_on(taken.load(Ordering::Relaxed));
    let mut result = Supervisor::new(supervision).run(program, &go_on)?;
    if matches!(result.end, RunEnd::Exited(_)) && !result.output.line.is_empty() {
        result.output.take_line(boards); // the last line, which may lack the newline
    }
    let Values { values, error, .. } = result.output;
    if let Some(error) = error {
        return Err(error);
    }
    let (answers, limits) = (values.len() as u64, supervision);
    if answers == boards {
        return Ok(values);
    }
    let answered = format!("answered for {answers} of {boards} boards");
    let ended = || GradeError::Invalid(format!("the program {answered} and ended"));
    let limit = match result.end {
        RunEnd::Exited(_) => return Err(ended()),
        RunEnd::Interrupted => return Err(GradeError::Interrupted),
        RunEnd::Exceeded(limit) => limit,
    };
    let what = match limit {
        Limit::Output => return Err(ended()),
        Limit::Time => format!(
            "{answered}, and then neither read nor printed anything for {}",
            time_text(limits.timeout)
        ),
        Limit::CpuTime => format!("{answered} in the CPU time that it has"),
        Limit::Memory => format!("used more than {} of memory", size_text(limits.memory)),
        Limit::Processes => format!("had more than {} processes at a time", limits.processes),
    };
    Err(GradeError::Exceeded(limit, what))
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
#[derive(Default)]
struct Values {
    values: Vec<f64>,
    /// The beginning of a line that has not ended yet.
    line: Vec<u8>,
    error: Option<GradeError>,
}

impl Values {
    /// Takes a whole line as the next board's value, of so many boards.
    fn take_line(&mut self, boards: u64) {
        let line = std::mem::take(&mut self.line);
        let number = self.values.len() as u64 + 1;
        if number > boards {
            let too_many =
                format!("the program printed more than {boards} lines, one for each board");
            self.error = Some(GradeError::Invalid(too_many));
            return;
        }
        match parse_value(String::from_utf8_lossy(&line).trim(), number) {
            Ok(value) => self.values.push(value),
            Err(error) => self.error = Some(error),
        }
    }

    fn take(&mut self, bytes: &[u8], boards: u64) -> Event {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") || self.line.len() >= MAX_LINE {
                self.take_line(boards);
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
