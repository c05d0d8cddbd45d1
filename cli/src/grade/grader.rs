//! Running a program on every board and judging its answers.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use clap::ValueEnum;
use regex_lite::Regex;
use tempfile::TempDir;

use puzzledb::Cancel;
use puzzledb::ask::Moves;
use puzzledb::internals::{Reader, find_answer_by, find_readings};
use puzzledb::judge::{Answer, OtherReading, ReadAs};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;

use super::excerpt::{beginning, ending, last_match};
use super::mistake::accusation;
use super::outcome::{Grade, Outcome};
use super::supervise::pipe::{Input, first_bytes};
use super::supervise::run::{RunEnd, RunResult};
use super::supervise::{Limit, Supervision, defaults};
use super::template::Template;
use crate::error::CliError;

/// The file that many courses make a solver write its answer to.
pub(crate) const OUTPUT_FILE: &str = "output.txt";

/// Runs a program on boards and judges its answers.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Mutex;
/// use puzzledb_cli::grade::{Grader, Template};
/// use puzzledb::oracle::Oracle;
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let grader = Grader::new(Template::new(["echo", "unsolvable"])?);
/// let boards = ["123456870".parse()?, "704851632".parse()?];
/// let outcomes = Mutex::new(Vec::new());
/// let go_on = || ControlFlow::Continue(());
/// grader.grade(&oracle, &boards, &go_on, &|_, grade| {
///     outcomes.lock().unwrap().push(grade.outcome.to_string());
/// })?;
/// let outcomes = outcomes.into_inner()?;
/// assert_eq!(outcomes, ["unsolvable (rightly said)", "wrongly said unsolvable"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, clap::Args)]
#[non_exhaustive]
pub struct Grader {
    /// Its limits for one board, and the way its processes are found at the end.
    #[command(flatten)]
    pub supervision: Supervision,
    /// Boards at a time; more than one makes each slower, so times compare only with one
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZero<usize>,
    /// The program, its arguments and its standard input.
    #[command(flatten)]
    pub template: Template,
    /// How moves are read
    #[arg(long, value_name = "HOW", default_value = "auto", value_enum)]
    pub moves: Moves,
    /// Where the answer is
    #[arg(long, value_enum, value_name = "NAME")]
    pub preset: Option<Preset>,
    /// Hold what the program prints to one kind of claim
    #[arg(long, value_enum, value_name = "KIND")]
    pub read: Option<ReadAs>,
    /// Where the answer stands in the output: the first group of this regular expression, at its last
    /// match; that there is no solution may be said anywhere
    #[arg(long, value_name = "REGEX")]
    pub answer: Option<Regex>,
}

/// Known programs whose output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// path_to_goal: [...], cost_of_path: N, in a file output.txt
    Columbia,
    /// A table: ALGORITHM,INIT_STATE,GOAL_STATE,PATH_LENGTH,...,PATH
    Massey,
}

impl Grader {
    /// A grader with the default [`Supervision`], one job, any reading and no preset.
    pub fn new(template: Template) -> Grader {
        Grader {
            template,
            ..defaults()
        }
    }

    /// The file that the program writes its answer to. It is removed before each run; if it is missing afterwards, the
    /// answer is searched for in the program's output. It is for one job at a time: several would write it at once.
    fn answer_file(&self) -> Option<&'static Path> {
        (self.preset == Some(Preset::Columbia)).then_some(Path::new(OUTPUT_FILE))
    }

    /// Runs the program once for every board and judges its answers.
    ///
    /// When a run ends, everything that it started is killed; [`Supervision`] describes how it is found. `progress` is
    /// called with the number of each board and its grade, by several threads if there are several jobs; `go_on` is
    /// called at least ten times a second.
    ///
    /// # Errors
    /// [`CliError`]; no process of the program runs any more then.
    pub fn grade(
        &self,
        oracle: &Oracle,
        boards: &[Board],
        go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
        progress: &(dyn Fn(usize, Grade) + Sync),
    ) -> Result<(), CliError> {
        let next = Mutex::new(boards.iter().enumerate());
        let lock = || next.lock().unwrap_or_else(PoisonError::into_inner);
        // Not threads of rayon: searches of the oracle use those, all of them.
        let work = || {
            while let Some((number, board)) = { lock().next() } {
                let grade = self.grade_board(oracle, board, go_on);
                let grade = grade.inspect_err(|_| *lock() = [].iter().enumerate())?;
                progress(number, grade);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let jobs = self.jobs.get().min(boards.len());
            let jobs: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            let mut jobs = jobs.into_iter();
            jobs.try_for_each(|job| job.join().unwrap_or_else(|e| resume_unwind(e)))
        })
    }

    fn grade_board(
        &self,
        oracle: &Oracle,
        board: &Board,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Grade, CliError> {
        let (template, answer_file) = (&self.template, self.answer_file());
        if let Some(path) = answer_file {
            let _ = std::fs::remove_file(path);
        }
        let goal = oracle.goal();
        let prepared = || -> io::Result<_> {
            // It is removed with the files when it goes out of scope.
            let folder = template.uses_files().then(tempfile::tempdir).transpose()?;
            let path = folder.as_ref().map_or(Path::new(""), TempDir::path);
            let words = template.words(board, goal, path)?;
            Ok((words, template.input(board, goal, path)?, folder))
        };
        let (words, input, _folder) = prepared().map_err(|cause| {
            CliError::Usage(format!(
                "cannot write a temporary file with a board: {cause}"
            ))
        })?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        let input = input.map(|bytes| Box::new(std::iter::once(bytes)) as Input);
        let take = first_bytes(self.supervision.output);
        let written_before = output_file_written();
        let mut grade = Grade::without_run(oracle, board, Outcome::NotStarted)?;
        let is_submission = template.submission.is_some() && template.submission_word() == Some(0);
        let ran = match self.supervision.run(&mut command, input, take, go_on) {
            Err(cause) if is_submission => {
                grade.errors = ending(cause.to_string().as_bytes());
                return Ok(grade);
            }
            ran => ran.map_err(|cause| cannot_start(&words[0], &cause))?,
        };
        let (output, result) = &ran;
        grade.outcome = match &result.end {
            RunEnd::Interrupted => return Err(CliError::Interrupted),
            RunEnd::KilledGrader => Outcome::KilledGrader,
            RunEnd::Exceeded(limit) => Outcome::Exceeded(*limit),
            RunEnd::Signalled(signal) => Outcome::Crash(signal.clone()),
            RunEnd::Exited(crash) => self.read_answer(oracle, &mut grade, &ran, crash.clone())?,
        };
        grade.time = result.time;
        grade.cpu = result.used.cpu;
        grade.memory = result.used.memory;
        grade.output = beginning(output);
        grade.errors = ending(&result.stderr);
        grade.survivors = result.survivors;
        let written = output_file_written();
        let is_unread = grade.outcome == Outcome::NoAnswer && answer_file.is_none();
        grade.wrote_file = is_unread && written.is_some() && written != written_before;
        grade.asks_for_input =
            !matches!(grade.outcome, Outcome::Judged(_)) && asks_for_input(output, &result.stderr);
        Ok(grade)
    }

    /// Finds the answer of a program that ended by itself, and judges it. Where it is not right, the evidence is what the
    /// output shows.
    fn read_answer(
        &self,
        oracle: &Oracle,
        grade: &mut Grade,
        (output, result): &(Vec<u8>, RunResult),
        crash: Option<String>,
    ) -> Result<Outcome, CliError> {
        let (board, optimum) = (grade.board, grade.optimum);
        let reader = Reader {
            numbering: self.template.numbering,
            only: self.moves.only(),
            read: self.read,
            goal: None,
            cancel: Cancel::new().within(self.supervision.timeout.saturating_sub(result.time)),
        };
        let file = self.answer_file();
        let file = file.and_then(|path| read_beginning(path, self.supervision.output));
        let is_blank = |text: &[u8]| text.trim_ascii().is_empty();
        let is_done = board == *oracle.goal() && crash.is_none();
        let is_done = is_done && file.as_deref().is_none_or(is_blank);
        let read = |text: &[u8]| match is_done && is_blank(text) {
            true => Some(Answer::of_moves(&[])), // nothing to print at the goal
            false => find_answer_by(text, &board, oracle.goal(), &reader).ok(),
        };
        let find = |text: &[u8]| {
            let Some(pattern) = &self.answer else {
                return read(text);
            };
            let lossy = String::from_utf8_lossy(text);
            let found = last_match(pattern, &lossy);
            let found = found.or(is_blank(text).then_some(""));
            let found = found.and_then(|found| read(found.as_bytes()));
            let mut lines = lossy.lines().filter_map(|line| read(line.as_bytes()));
            found.or_else(|| lines.find(|answer| answer.unsolvable))
        };
        let found = file.as_deref().and_then(find);
        let found = found.or_else(|| find(output));
        // An exception that says that there is no solution is printed to standard error.
        let found = found.or_else(|| find(&result.stderr).filter(|answer| answer.unsolvable));
        let outcome = match (&found, crash) {
            _ if reader.cancel.is_cancelled() => Outcome::Exceeded(Limit::Time),
            // Many programs exit with a failing code when a board is unsolvable, so that a path or
            // `unsolvable` counts all the same; a mere number printed by a failing program does not.
            (Some(answer), Some(crash)) if answer.candidates.is_empty() && !answer.unsolvable => {
                Outcome::Crash(crash)
            }
            (Some(answer), _) => {
                Outcome::Judged(oracle.judge_with_optimum(&board, optimum, answer, reader.only)?)
            }
            (None, Some(crash)) => Outcome::Crash(crash),
            (None, None) => Outcome::NoAnswer,
        };
        if outcome == Outcome::NoAnswer || accusation(&outcome).is_some() {
            if let Some(answer) = &found {
                grade.add_evidence(answer, oracle.goal());
            }
            let text = file.as_deref().unwrap_or(output);
            let readings = find_readings(text, &board, oracle.goal(), &reader);
            let readings = readings.unwrap_or_default();
            grade.evidence.readings =
                OtherReading::best(&readings, &board, oracle, optimum, reader.only)?;
        }
        Ok(outcome)
    }
}

/// The error of a program that cannot be started, with advice.
fn cannot_start(program: &OsStr, error: &io::Error) -> CliError {
    let name = program.display();
    let is_path = Path::new(program).components().count() > 1;
    let advice = match error.kind() {
        ErrorKind::NotFound if !is_path && Path::new(program).exists() => {
            format!("; the one in this folder is ./{name}")
        }
        ErrorKind::NotFound => {
            "; is its name right, and that of the interpreter in its first line?".to_owned()
        }
        ErrorKind::PermissionDenied => format!(
            "; is it executable? `chmod +x {name}` makes it so, or name its interpreter, as in \
             python3 {name}"
        ),
        _ => String::new(),
    };
    CliError::Usage(format!("cannot start {name}: {error}{advice}"))
}

/// Returns whether a program seems to have asked for more input than it got: its output ends with a prompt, or it ended
/// by an exception of Python or Java for the end of the input.
fn asks_for_input(output: &[u8], errors: &[u8]) -> bool {
    let last = output.trim_ascii_end().last();
    let is_prompt = last.is_some_and(|last| b":?>".contains(last)) && !output.ends_with(b"\n");
    let errors = String::from_utf8_lossy(errors);
    is_prompt || errors.contains("EOFError") || errors.contains("java.util.Scanner")
}

/// Time at which [`OUTPUT_FILE`] was last written, the usual file of programs that print no answer.
fn output_file_written() -> Option<SystemTime> {
    let file = std::fs::metadata(OUTPUT_FILE).ok()?;
    file.is_file().then(|| file.modified().ok())?
}

/// The first bytes of a file that can be read.
fn read_beginning(path: &Path, most: usize) -> Option<Vec<u8>> {
    // A pipe or a device in the file's place would never end.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
