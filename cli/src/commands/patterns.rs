//! Files of pattern databases: `build --patterns`, and their output in `info` and `check`.

use std::fmt::{self, Write};
use std::path::Path;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::digest::sha256_of;
use crate::text::visible;
use puzzledb::pattern::{
    Partition, PatternFile, PatternNames, PatternPlan, PatternProgress, check, ensure,
};
use puzzledb::puzzle::Board;
use puzzledb::space::GoalClass;

use super::built::{tell_built, teller};
use super::database::{Databases, goal_of};
use super::error::CliError;
use super::info::SectionRecord;
use super::interrupt;
use super::output::Output;
use super::quoted::quoted;
use super::render;
use super::status::Status;

/// Contents of a file of patterns.
#[derive(Serialize)]
pub(super) struct PatternRecord {
    path: String,
    format_version: u32,
    shape: String,
    goal: String,
    encoding: &'static str,
    patterns: String,
    states: u64,
    bytes: u64,
    digest: String,
    sections: Vec<SectionRecord>,
}

impl PatternRecord {
    pub(super) fn new(file: &PatternFile, path: &Path) -> Result<PatternRecord, CliError> {
        let partition = file.patterns().partition();
        Ok(PatternRecord {
            path: path.display().to_string(),
            format_version: file.version(),
            shape: partition.shape().to_string(),
            goal: partition.goal().to_string(),
            encoding: "patterns",
            patterns: partition.to_string(),
            states: file.patterns().states(),
            bytes: file.bytes().len(),
            digest: sha256_of(file.bytes().reader())?,
            sections: file.sections().iter().map(SectionRecord::new).collect(),
        })
    }
}

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
    let mut tell = teller(&bar, output.is_none());
    let notice = |notice| {
        tell(notice);
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
    let record = || PatternRecord::new(&file, &path);
    tell_built(&built, &path, output, record, &contents)
}

/// Result of a proof.
#[derive(Serialize)]
struct PatternProofRecord {
    path: String,
    right: bool,
    states: u64,
    sampled: u64,
    max_distance: u8,
}

/// Proves a file.
pub(super) fn prove(
    file: &PatternFile,
    path: &Path,
    output: &Output,
    databases: &Databases,
) -> Result<Status, CliError> {
    let name = path.display().to_string();
    let proof = check(file).map_err(|error| {
        let partition = file.patterns().partition();
        let canonical = partition.goal();
        let goal = GoalClass::new(canonical.shape(), canonical.blank()).map_or(canonical, goal_of);
        let build = databases.build_command(&goal);
        let output = quoted(&name);
        CliError::Database(format!(
            "{name} {error}\n  `{build} --patterns {partition} --force --output {output}` makes it anew"
        ))
    })?;
    let record = PatternProofRecord {
        path: name,
        right: true,
        states: proof.states,
        sampled: proof.sampled,
        max_distance: proof.max_distance,
    };
    output.print(&record, |out| write_proof(out, &record))?;
    Ok(Status::Yes)
}

fn write_proof(out: &mut String, proof: &PatternProofRecord) -> fmt::Result {
    writeln!(out, "{} is right:", visible(&proof.path))?;
    writeln!(out, "- every byte has its checksum")?;
    writeln!(
        out,
        "- each of {} states has the bit of its distance, up to {}, that a search from the goal finds",
        proof.states, proof.max_distance
    )?;
    writeln!(
        out,
        "- from {} states of each pattern, one move apart, walks by look-ups lead to the goal, each longer or shorter \
         than the last by exactly 1",
        proof.sampled
    )?;
    writeln!(
        out,
        "So no sum of its distances is more than a board's distance."
    )
}
