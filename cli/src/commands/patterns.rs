//! `puzzledb build --patterns`

use std::path::Path;

use indicatif::ProgressBar;

use puzzledb::pattern::{Partition, PatternNames, PatternPlan, PatternProgress, ensure};
use puzzledb::puzzle::Board;

use super::built::{notice_printer, print_built};
use super::database::Databases;
use super::error::CliError;
use super::info::DatabaseRecord;
use super::interrupt;
use super::output::Output;
use super::render;
use super::status::Status;

/// A build of the patterns of these names for a goal.
pub(super) fn plan(names: &PatternNames, goal: &Board) -> Result<PatternPlan, CliError> {
    let partition = Partition::new(goal, names);
    let partition = partition.map_err(|error| CliError::Usage(format!("--patterns: {error}")))?;
    Ok(PatternPlan::new(partition))
}

/// Builds a file of these patterns for a goal, unless a good one exists.
pub(super) fn build(
    plan: &PatternPlan,
    goal: &Board,
    path: Option<&Path>,
    output: Option<&Output>,
    databases: &Databases,
) -> Result<Status, CliError> {
    let partition = &plan.partition;
    let path = match path {
        Some(path) => path.to_owned(),
        None => databases.pattern_path(partition)?,
    };
    interrupt::listen();
    // Starts the threads of the search here, to report an error if the system gives none.
    let started = rayon::ThreadPoolBuilder::new().build_global();
    started.map_err(|error| CliError::Usage(format!("cannot start threads: {error}")))?;
    let bar = match output {
        None => ProgressBar::hidden(),
        Some(_) => render::progress_bar(
            0,
            "{msg} {wide_bar} {human_pos}/{human_len} states {per_sec} {elapsed}, {eta} left",
        ),
    };
    let observe = |progress: PatternProgress| {
        let ((pattern, of), distance) = (progress.pattern, progress.distance);
        bar.set_message(format!("pattern {pattern} of {of}, distance {distance}"));
        bar.set_length(progress.all);
        bar.set_position(progress.states);
        interrupt::go_on()
    };
    let mut print = notice_printer(&bar, output.is_none());
    let notice = |notice| {
        print(notice);
        interrupt::go_on()
    };
    let (file, built) = ensure(&path, plan, notice, observe)?;
    bar.finish_and_clear();
    let contents = format!(
        "{} boards of {goal}, patterns {partition}, {} states, {} bytes",
        goal.shape(),
        file.patterns().states(),
        file.bytes().len()
    );
    let record = || Ok(DatabaseRecord::of_patterns(&file, &path)?);
    print_built(&built, &path, output, record, &contents)
}
