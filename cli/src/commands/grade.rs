//! `puzzledb grade`

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::io::{ErrorKind, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::ArgAction;
use indicatif::ProgressBar;

use crate::form::Form;
use crate::grade::grader::OUTPUT_FILE;
use crate::grade::mistake::withdraw;
use crate::grade::template::words_of;
use crate::grade::{Grade, Grader, Outcome, Preset, Report};
use crate::text::{plural, visible};
use puzzledb::oracle::Oracle;
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::puzzle::{Board, Numbering, random_board};

use super::database::Databases;
use super::error::{CliError, Result, Status, bail, print_note, print_warning};
use super::output::{Output, output_file, write_output};
use super::render::progress_bar;
use super::watch::check_files;
use super::{input, interrupt};

/// Run a solver on many boards and judge its answers
///
/// In the arguments and in --stdin, {board} stands for 704851632, {board:spaced} for 7 0 4 8 5 1 6 3 2,
/// {board:commas} for 7,0,4,8,5,1,6,3,2, {board:rows} for 704/851/632, {board:size-first} for
/// 3 7 0 4 8 5 1 6 3 2 and {board:xy} for the column and row of each number, 1,0 2,1 ...; {rows} and so on are short for these, and {goal:rows} is the goal. In --stdin and in
/// files, rows and size-first have a line for each row, xy one for each number. {board:file}, {board:file:spaced} and so on stand for
/// the path of a file with the board in that form; it is removed after the run. Without a board among them, it
/// is on standard input. The answer is searched for in what the program prints: a path in almost any notation,
/// a length, or `unsolvable`; at the goal nothing at all is right too. The boards are the same each time, so that
/// programs and versions compare.
///
/// With --each, {submission} stands for the path of a file or folder in DIR. Hidden ones are skipped. The command
/// is split at spaces outside of quotation marks before paths are filled in. Each run has its own limits; a
/// submission that crashes, cannot be started or kills the process that runs it does not end the course.
///
/// A run may also print 16 MiB and have 256 processes at a time. When it ends, everything that the
/// program started is killed. Ctrl-C ends it, and the boards done by then are reported. The exit code
/// is 0 if every answer is right: a shortest solution, or rightly none; on boards of more than 16 cells,
/// whose optimum is unknown, any solution.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(override_usage = "puzzledb grade [OPTIONS] <-- CMD...|--each COMMAND DIR>")]
#[command(mut_arg("format", |format| format
    .alias("report")
    .value_parser(Form::parser(&[Form::Text, Form::Tsv, Form::Csv, Form::Json, Form::Junit, Form::Html]))
    .help("How the report is written [default: text]")))]
#[command(mut_arg("blank", |blank| blank.help(
    "The number that stands for the blank in the boards that the program gets and prints, in --boards and in --goal: \
     9, or 8 where tiles are counted from 0 (3x3); the report has 0"
)))]
pub(super) struct Args {
    /// Boards from a file, one a line; - is standard input
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["sample", "per_distance"])]
    boards: Option<PathBuf>,
    /// Draw this many of all solvable boards [default: 30 where there is no table]
    #[arg(long, value_name = "N", conflicts_with = "per_distance")]
    sample: Option<NonZero<usize>>,
    /// Draw this many boards at every distance, or all where there are fewer [default: 3]
    #[arg(long, value_name = "K")]
    per_distance: Option<NonZero<usize>>,
    /// Add boards that cannot be solved: 10, or as many as are asked for with =N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
          default_missing_value = "10")]
    with_unsolvable: Option<NonZero<usize>>,
    /// Where the draw begins; equal seeds draw equal boards
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    reading: Numbering,
    #[command(flatten)]
    grader: Grader,
    #[command(flatten)]
    form: Output,
    /// Write the report to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Run this command for each file and folder in DIR, whose path is {submission}
    #[arg(long, value_names = ["COMMAND", "DIR"], num_args = 2, action = ArgAction::Set, conflicts_with = "command")]
    each: Option<Vec<OsString>>,
    /// The program and its arguments
    #[arg(last = true, required_unless_present = "each", value_name = "CMD")]
    command: Vec<OsString>,
}

/// More boards at a time than this only slow each other down.
const MAX_JOBS: NonZero<usize> = NonZero::new(256).expect("256 is not 0");

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let databases = &databases.read_with(&args.reading);
    let graders = args.graders(databases)?;
    let file = args.output.as_deref().map(output_file).transpose()?; // before the programs run, which can take hours
    let (oracle, boards) = args.oracle_and_boards(databases)?;
    interrupt::listen();
    let runs = (boards.len() * graders.len()) as u64;
    let bar = progress_bar(
        runs,
        "{pos}/{len} boards {wide_bar} {msg} not right {elapsed}, about {eta} left",
    );
    bar.set_message("0");
    let (wrong, mut reports) = (AtomicUsize::new(0), Vec::new());
    let ended = graders.iter().try_for_each(|grader| {
        let (mut grades, ended) = grade_all(grader, &oracle, &boards, &bar, &wrong);
        if grader.answer.is_none() && grader.read.is_none() {
            withdraw(&mut grades);
        }
        if !grades.is_empty() {
            reports.push(Report::new(grader, oracle.goal(), grades));
        }
        ended
    });
    bar.finish_and_clear();
    check_files()?; // a grade by a database that was changed may be wrong
    let figures = || reports.iter().map(|report| &report.summary.all);
    let right: u64 = figures().map(|all| all.right).sum();
    let boards: u64 = figures().map(|all| all.boards).sum();
    let interrupted = matches!(ended, Err(CliError::Interrupted));
    if interrupted {
        let all = plural(runs, "board");
        print_note(format!("interrupted after {boards} of {all}"));
    }
    if boards == 0 || (ended.is_err() && !interrupted) {
        return ended.map(|()| Status::Yes);
    }
    let form = args.form.asked().unwrap_or(Form::Text);
    let text = Report::format(&reports, form);
    match (file, &args.output) {
        (Some(file), Some(path)) => {
            write_output(path, file, text.as_bytes())?;
            let boards = plural(boards, "board");
            print_note(format!("{right} of {boards} right: {}", path.display()));
        }
        _ => match std::io::stdout().lock().write_all(text.as_bytes()) {
            // The exit code is that of the grading even if the reader has gone away.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            written => written?,
        },
    }
    reports.iter().for_each(print_hints);
    ended.map(|()| (right == boards).into())
}

/// Runs a program on each board. Returns the grades, those that are done if there is an error, and counts the wrong ones.
fn grade_all(
    grader: &Grader,
    oracle: &Oracle,
    boards: &[Board],
    bar: &ProgressBar,
    wrong: &AtomicUsize,
) -> (Vec<Grade>, Result<()>) {
    let grades = Mutex::new(BTreeMap::new());
    let go_on = || check_files().map_or(ControlFlow::Break(()), |()| interrupt::go_on());
    let ended = grader.grade(oracle, boards, &go_on, &|board, grade| {
        if grade.survivors > 0 {
            let (left, board) = (grade.survivors, grade.board);
            let left = format!("processes of the program that could not be ended: {left}");
            bar.suspend(|| print_warning(format!("{board}: {left}")));
        }
        let is_wrong = usize::from(!grade.outcome.is_right());
        let wrong = wrong.fetch_add(is_wrong, Ordering::Relaxed) + is_wrong;
        bar.set_message(wrong.to_string());
        bar.inc(1);
        let mut grades = grades.lock().unwrap_or_else(PoisonError::into_inner);
        grades.insert(board, grade);
    });
    let grades = grades.into_inner().unwrap_or_else(PoisonError::into_inner);
    (grades.into_values().collect(), ended)
}

/// Prints what an option would help against.
fn print_hints(report: &Report<'_>) {
    let grades = &report.grades;
    let program = match &report.grader.template.submission {
        Some(path) => visible(&path.to_string_lossy()),
        None => "the program".to_owned(),
    };
    let unread = |grade: &&Grade| {
        matches!(grade.outcome, Outcome::NoAnswer | Outcome::NotUnderstood)
            && !grade.evidence.readings.is_empty()
    };
    if let Some(first) = grades.iter().find(unread) {
        let readings = first.evidence.readings.iter();
        let readings: String = readings.map(|reading| format!("\n  {reading}")).collect();
        print_note(format!(
            "what {program} prints for {} leaves a doubt; an option decides how it is read:{readings}",
            first.board
        ));
    }
    if grades.iter().any(|grade| grade.wrote_file) {
        print_note(format!(
            "{program} writes {OUTPUT_FILE}: --preset columbia reads its answer there"
        ));
    }
    if grades.iter().any(|grade| grade.asks_for_input) {
        print_note(format!(
            "{program} seems to ask for input that it does not get: --stdin TEXT gives it, as in --stdin '{{rows}}\\n'"
        ));
    }
}

impl Args {
    /// The program, or one program for each submission.
    fn graders(&self, databases: &Databases) -> Result<Vec<Grader>> {
        if self.grader.preset == Some(Preset::Columbia) && self.grader.jobs.get() > 1 {
            bail!("with --preset columbia every run writes output.txt: leave --jobs at 1");
        }
        let line = self.each.as_ref().map(|each| each[0].to_string_lossy());
        let command = line.map_or(Ok(self.command.clone()), |line| words_of(&line))?;
        let mut grader = self.grader.clone();
        grader.jobs = grader.jobs.min(MAX_JOBS);
        grader.template.numbering = databases.numbering;
        grader.template = grader.template.with_command(command)?;
        let Some([_, folder]) = self.each.as_deref() else {
            return Ok(vec![grader]);
        };
        if grader.template.submission_word().is_none() {
            bail!(
                "the command of --each has no {{submission}}, as in 'python3 {{submission}} {{board}}'"
            );
        }
        let of = |path| {
            let mut grader = grader.clone();
            grader.template.submission = Some(path);
            grader
        };
        let paths = submissions(Path::new(folder))?;
        Ok(paths.into_iter().map(of).collect())
    }

    fn oracle_and_boards(&self, databases: &Databases) -> Result<(Oracle, Vec<Board>)> {
        let read = |path: &PathBuf| input::boards(path, self.reading);
        let mut boards = self.boards.as_ref().map_or(Ok(Vec::new()), read)?;
        let named = boards.first().map(Board::shape).or(self.reading.shape);
        let goal = databases.goal(named)?;
        let oracle = databases.oracle_or_rules(&goal)?;
        let unsolvable = self.with_unsolvable.map_or(0, NonZero::get);
        let sample = self.sample.map(NonZero::get);
        let asked = self.boards.as_ref().map_or(sample, |_| Some(0));
        if oracle.table().is_some() {
            let each = Draw::PerDistance(self.per_distance.map_or(3, NonZero::get));
            let how = asked.map_or(each, Draw::Sample);
            boards.extend(draw(&oracle, how, unsolvable, self.seed)?);
        } else if asked.is_none() && self.per_distance.is_some() {
            bail!(
                "boards at each distance are drawn from a table, and there is none of this shape: name how many \
                 random boards with --sample"
            );
        } else {
            let count = asked.unwrap_or(30);
            boards.extend((0..count + unsolvable).map(|i| {
                let drawn = random_board(&goal, self.seed.wrapping_add(i as u64));
                match i < count {
                    true => drawn,
                    false => drawn.with_two_tiles_exchanged(),
                }
            }));
        }
        Ok((oracle, boards))
    }
}

/// The files and folders in a folder, by name, without hidden ones.
fn submissions(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |error| CliError::Usage(format!("cannot read {}: {error}", folder.display()));
    let entries = folder.read_dir().and_then(Iterator::collect);
    let entries: Vec<DirEntry> = entries.map_err(unreadable)?;
    let is_hidden = |entry: &&DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let shown = entries.iter().filter(|entry| !is_hidden(entry));
    let mut paths: Vec<_> = shown.map(DirEntry::path).collect();
    if paths.is_empty() {
        bail!("{} has no submissions", folder.display());
    }
    paths.sort();
    Ok(paths)
}
