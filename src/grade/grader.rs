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
use super::limits::Limits;
use super::outcome::{Crash, Grade, Outcome, beginning, ending};
use super::process_tree::Supervisor;
use super::run::{RunEnd, RunResult, run};
use super::template::Template;

/// Runs a program on boards and judges what it prints.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::grade::{Grader, Template};
/// use puzzledb::oracle::Oracle;
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let grader = Grader::new(Template::new(["echo", "unsolvable"])?);
/// let boards = ["123456870".parse()?, "704851632".parse()?];
/// let grades = grader.grade(&oracle, &boards, &|| ControlFlow::Continue(()), &|_| {})?;
/// let outcomes: Vec<String> = grades.iter().map(|g| g.outcome.to_string()).collect();
/// assert_eq!(outcomes, ["unsolvable (rightly said)", "wrongly said unsolvable"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grader {
    /// The program and its arguments.
    pub template: Template,
    /// What it may use for one board.
    pub limits: Limits,
    /// Boards at a time. More than one makes each of them slower, so times compare only with one.
    pub jobs: NonZero<usize>,
    /// How moves are read; `None` to try every way.
    pub reading: Option<Reading>,
    /// A file that the program writes its answer to. It is removed before each run; where it is
    /// missing afterwards, the answer is searched for in what the program prints. It is for one
    /// job at a time: several would write it at once.
    pub answer_file: Option<PathBuf>,
}

impl Grader {
    /// A grader with the default limits, one job, any reading and no answer file.
    pub fn new(template: Template) -> Grader {
        Grader {
            template,
            limits: Limits::default(),
            jobs: NonZero::<usize>::MIN,
            reading: None,
            answer_file: None,
        }
    }

    /// Runs the program once for every board and judges its answers; the grades are in the order
    /// of the boards.
    ///
    /// Each run has a process group of its own, and when it ends everything that it started is
    /// killed. `done` is called with each grade as it comes, by several threads if there are
    /// several jobs; `go_on` is asked at least ten times a second.
    ///
    /// On Linux this process adopts the orphans of its descendants meanwhile, and ends them; so it
    /// must not start other processes that lose their parents. On other systems, processes that
    /// leave the group are not found, and memory is not watched.
    ///
    /// # Errors
    /// [`GradeError`]; no process of the program runs any more then.
    pub fn grade<B: AsRef<[u8]> + Sync>(
        &self,
        oracle: &Oracle<B>,
        boards: &[Board],
        go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
        done: &(dyn Fn(&Grade) + Sync),
    ) -> Result<Vec<Grade>, GradeError> {
        let supervisor = Supervisor::new();
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(boards.len()));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(board) = boards.get(number) else {
                    return;
                };
                let graded = self.grade_board(oracle, board, &supervisor, go_on);
                match &graded {
                    Ok(grade) => done(grade),
                    Err(_) => next.store(boards.len(), Ordering::Relaxed),
                }
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.push((number, graded));
            }
        };
        std::thread::scope(|scope| {
            let jobs = self.jobs.get().min(boards.len());
            (1..jobs).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|&(number, _)| number);
        results.into_iter().map(|(_, graded)| graded).collect()
    }

    fn grade_board<B: AsRef<[u8]>>(
        &self,
        oracle: &Oracle<B>,
        board: &Board,
        supervisor: &Supervisor,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Grade, GradeError> {
        let template = &self.template;
        if let Some(path) = &self.answer_file {
            let _ = std::fs::remove_file(path);
        }
        let mut command = Command::new(template.program());
        command.args(template.arguments(board, oracle.goal()));
        let input = template.input(board);
        let result = run(
            &mut command,
            input.as_deref(),
            &self.limits,
            supervisor,
            go_on,
        );
        let result = result.map_err(|source| GradeError::CannotStart {
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
            outcome: self.outcome(oracle, board, &result)?,
            time: result.time,
            memory: result.memory,
            output: beginning(&result.output),
            errors: ending(&result.errors),
            solution,
            survivors: result.survivors,
        })
    }

    fn outcome<B: AsRef<[u8]>>(
        &self,
        oracle: &Oracle<B>,
        board: &Board,
        result: &RunResult,
    ) -> Result<Outcome, GradeError> {
        let crash = match result.end {
            RunEnd::Timeout => return Ok(Outcome::Timeout),
            RunEnd::OutOfMemory => return Ok(Outcome::OutOfMemory),
            RunEnd::TooMuchOutput => return Ok(Outcome::TooMuchOutput),
            RunEnd::TooManyProcesses => return Ok(Outcome::TooManyProcesses),
            RunEnd::Interrupted => return Err(GradeError::Interrupted),
            RunEnd::Exited(status) => Crash::from_status(status),
        };
        if let Some(crash @ Crash::Signal(_)) = crash {
            return Ok(Outcome::Crash(crash));
        }
        let mut found = find_answer(&result.output, board);
        if let Some(path) = &self.answer_file {
            found = read_beginning(path, self.limits.output)
                .and_then(|text| find_answer(&text, board))
                .or(found);
        }
        let found = found.and_then(|answer| answer.written_as(self.reading));
        Ok(match (found, crash) {
            // Many programs exit with a failing code when a board is unsolvable, so that a path or
            // `unsolvable` counts all the same; a mere number printed by a failing program does not.
            (Some(answer), Some(crash)) if answer.ways.is_empty() && !answer.unsolvable => {
                Outcome::Crash(crash)
            }
            (Some(answer), _) => Outcome::Judged(oracle.judge(board, &answer, self.reading)?),
            (None, Some(crash)) => Outcome::Crash(crash),
            (None, None) => Outcome::NoAnswer,
        })
    }
}

/// The first bytes of a file that can be read.
fn read_beginning(path: &Path, most: usize) -> Option<Vec<u8>> {
    // A pipe or a device in the file's place would never end.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
