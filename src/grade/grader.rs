//! Running a program on every board and judging its answers.

use std::fs::File;
use std::io::Read;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::judge::Reading;
use crate::judge::reading::find_answer;
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::Board;
use crate::space::SpaceError;

use super::error::GradeError;
use super::family::Families;
use super::limits::Limits;
use super::outcome::{Crash, Grade, Outcome, beginning, ending};
use super::run::{End, Ran, run};
use super::template::Template;

/// How a program is run and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exam {
    /// The program.
    pub template: Template,
    /// What it may take for a board.
    pub limits: Limits,
    /// Boards at a time. More than one makes each of them slower, so times compare only with one.
    pub jobs: NonZero<usize>,
    /// How moves are to be read, if that is known.
    pub only: Option<Reading>,
    /// A file that the program writes its answer to. It is removed before each run, and what is
    /// printed counts only where it is not there. Several jobs would write it at the same time.
    pub answer_file: Option<PathBuf>,
}

/// Runs a program on every board and judges its answers. The grades are in the order of the boards.
///
/// Each run has a process group of its own, and when it ends everything that it started is
/// killed. `done` is called with each grade as it comes, by several threads if there are several
/// jobs; `go_on` is asked ten times a second or more.
///
/// On Linux this process adopts the orphans of its descendants meanwhile, and ends them; so it
/// must not start other processes that lose their parents. On other systems, processes that leave
/// the group are not found, and memory is not watched.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::grade::{Exam, Limits, Template, grade};
/// use puzzledb::oracle::Oracle;
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let exam = Exam {
///     template: Template::new(["echo", "unsolvable"])?,
///     limits: Limits::default(),
///     jobs: 1.try_into()?,
///     only: None,
///     answer_file: None,
/// };
/// let boards = ["123456870".parse()?, "704851632".parse()?];
/// let grades = grade(&oracle, &exam, &boards, &|| ControlFlow::Continue(()), &|_| {})?;
/// let outcomes: Vec<String> = grades.iter().map(|g| g.outcome.to_string()).collect();
/// assert_eq!(outcomes, ["unsolvable (rightly said)", "wrongly said unsolvable"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GradeError`]; nothing runs any more then.
pub fn grade<B: AsRef<[u8]> + Send + Sync>(
    oracle: &Oracle<B>,
    exam: &Exam,
    boards: &[Board],
    go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
    done: &(dyn Fn(&Grade) + Sync),
) -> Result<Vec<Grade>, GradeError> {
    let families = Families::new();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(boards.len()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(board) = boards.get(number) else {
                return;
            };
            let graded = grade_one(oracle, exam, board, &families, go_on);
            match &graded {
                Ok(grade) => done(grade),
                Err(_) => next.store(boards.len(), Ordering::Relaxed),
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((number, graded));
        }
    };
    std::thread::scope(|scope| {
        let jobs = exam.jobs.get().min(boards.len());
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, graded)| graded).collect()
}

fn grade_one<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    exam: &Exam,
    board: &Board,
    families: &Families,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> Result<Grade, GradeError> {
    let template = &exam.template;
    if let Some(path) = &exam.answer_file {
        let _ = std::fs::remove_file(path);
    }
    let mut command = Command::new(template.program());
    command.args(template.arguments(board, oracle.goal()));
    let input = template.input(board);
    let ran = run(
        &mut command,
        input.as_deref(),
        &exam.limits,
        families,
        go_on,
    );
    let ran = ran.map_err(|source| GradeError::CannotStart {
        program: template.program().to_owned(),
        source,
    })?;
    let solution = match oracle.solve(board) {
        Ok(moves) => Some(moves),
        Err(QueryError::Space(SpaceError::Unsolvable { .. })) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Grade {
        board: *board,
        distance: solution.as_ref().map(|moves| moves.len() as u8),
        outcome: outcome(oracle, exam, board, &ran)?,
        time: ran.time,
        memory: ran.memory,
        said: beginning(&ran.output),
        errors: ending(&ran.errors),
        solution,
        left: ran.left,
    })
}

fn outcome<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    exam: &Exam,
    board: &Board,
    ran: &Ran,
) -> Result<Outcome, GradeError> {
    let crash = match ran.end {
        End::Timeout => return Ok(Outcome::Timeout),
        End::OutOfMemory => return Ok(Outcome::OutOfMemory),
        End::TooMuchOutput => return Ok(Outcome::TooMuchOutput),
        End::TooManyProcesses => return Ok(Outcome::TooManyProcesses),
        End::Interrupted => return Err(GradeError::Interrupted),
        End::Exited(status) => Crash::of(status),
    };
    if let Some(crash @ Crash::Signal(_)) = crash {
        return Ok(Outcome::Crash(crash));
    }
    let mut found = find_answer(&ran.output, board, oracle.goal());
    if let Some(path) = &exam.answer_file {
        found = read_beginning(path, exam.limits.output)
            .and_then(|text| find_answer(&text, board, oracle.goal()))
            .or(found);
    }
    let found = found.and_then(|answer| answer.written_as(exam.only));
    Ok(match (found, crash) {
        // Many programs say by their exit code that a board is unsolvable, or nothing at all; but
        // a number in what a failing program printed need not be an answer.
        (Some(answer), Some(crash)) if answer.candidates.is_empty() && !answer.unsolvable => {
            Outcome::Crash(crash)
        }
        (Some(answer), _) => Outcome::Judged(oracle.judge(board, &answer, exam.only)?),
        (None, Some(crash)) => Outcome::Crash(crash),
        (None, None) => Outcome::NoAnswer,
    })
}

/// The first bytes of a file that can be read.
fn read_beginning(path: &Path, most: usize) -> Option<Vec<u8>> {
    // A pipe or a device in the file's place would never end.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
