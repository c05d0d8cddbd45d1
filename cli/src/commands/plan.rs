//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::text::visible;
use puzzledb::basics::{available_memory, free_disk, size_text};
use puzzledb::table::{Forecast, Needs, machines};

use super::build::{Args, Build};
use super::database::Databases;
use super::error::CliError;

/// Needs of a build.
#[derive(Serialize)]
pub(super) struct PlanRecord {
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    patterns: Option<String>,
    states: u64,
    memory_to_spare: Option<u64>,
    disk_free: Option<u64>,
    in_memory: Requirement,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_scratch: Option<Requirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_machines: Option<OnMachines>,
    /// Folder whose disk was measured.
    #[serde(skip)]
    place: PathBuf,
}

/// Needs of several machines that share the search.
#[derive(Serialize)]
struct OnMachines {
    machines: usize,
    /// Bytes that each machine sends to the others.
    sent_by_each: u64,
    #[serde(flatten)]
    needs: Needs,
}

/// Needs of a build in memory or in a scratch folder, and whether this machine has it.
#[derive(Serialize)]
struct Requirement {
    #[serde(flatten)]
    needs: Needs,
    fits: bool,
}

impl PlanRecord {
    /// Measures this machine for a build.
    pub(super) fn new(args: &Args, databases: &Databases) -> Result<PlanRecord, CliError> {
        let build = args.build(&databases.goal(args.shape)?)?;
        let path = build.path(databases)?;
        let folder = args.resources.scratch.as_deref().or(path.parent());
        let mut folders = folder.into_iter().flat_map(Path::ancestors);
        let place = folders.find(|folder| folder.is_dir());
        let place = place.unwrap_or(Path::new("."));
        let (memory_to_spare, disk_free) = (available_memory(), free_disk(place));
        let asked = args.resources.memory.into_iter();
        let memory = asked.chain(memory_to_spare).min();
        let requirement = |needs: Needs| {
            let suffices = |has: Option<u64>, bytes: u64| has.is_none_or(|has| bytes <= has);
            let fits = suffices(memory, needs.memory) && suffices(disk_free, needs.disk);
            Requirement { needs, fits }
        };
        let (shape, states, needs, forecast) = match &build {
            Build::Patterns(plan) => {
                let partition = &plan.partition;
                (partition.shape(), partition.states(), plan.measure()?, None)
            }
            Build::Table(plan) => {
                let class = plan.class;
                let forecast = Forecast::measure(class, plan.threads, plan.memory, place)?;
                let on = args.machines.map(|machines| {
                    let (machines, network) = (machines.get().into(), args.network);
                    let on = machines::OnMachines::new(class, &forecast, machines, network);
                    let (sent_by_each, needs) = (on.sent, on.needs);
                    OnMachines {
                        machines,
                        sent_by_each,
                        needs,
                    }
                });
                (
                    class.shape(),
                    class.states(),
                    forecast.in_memory,
                    Some((forecast.in_scratch, on)),
                )
            }
        };
        let (in_scratch, on_machines) = forecast.unzip();
        Ok(PlanRecord {
            shape: shape.transposed().to_string(),
            patterns: match &build {
                Build::Patterns(plan) => Some(plan.partition.to_string()),
                Build::Table(_) => None,
            },
            states,
            memory_to_spare,
            disk_free,
            in_memory: requirement(needs),
            in_scratch: in_scratch.map(requirement),
            on_machines: on_machines.flatten(),
            place: place.to_owned(),
        })
    }

    /// Writes the needs for people.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        let (shape, states) = (&self.shape, self.states);
        match &self.patterns {
            Some(patterns) => write!(out, "databases of the patterns {patterns} of {shape}")?,
            None => write!(out, "bit table of {shape}")?,
        }
        writeln!(out, ": {states} states\n\n{HEADING}")?;
        print_row(out, "in memory", &self.in_memory)?;
        if let Some(way) = &self.in_scratch {
            print_row(out, "--scratch DIR", way)?;
        }
        if let Some(on) = &self.on_machines {
            let [memory, disk, sent] =
                [on.needs.memory, on.needs.disk, on.sent_by_each].map(size_text);
            writeln!(
                out,
                "\n--mpi on {} such machines, in a folder that all see: {memory} of memory on each, {disk} of disk, \
                 {sent} sent by each, {}",
                on.machines,
                duration(on.needs.seconds)
            )?;
        }
        let has = |bytes: Option<u64>| bytes.map_or("an unknown amount".to_owned(), size_text);
        writeln!(
            out,
            "\nto spare: {} of memory, {} of disk at {}",
            has(self.memory_to_spare),
            has(self.disk_free),
            visible(&self.place.display().to_string())
        )
    }
}

const HEADING: &str =
    "                memory        disk        read     written        time  fits";

fn print_row(out: &mut String, name: &str, requirement: &Requirement) -> fmt::Result {
    let needs = &requirement.needs;
    let bytes = [needs.memory, needs.disk, needs.read, needs.written].map(size_text);
    write!(out, "{name:<13}")?;
    bytes
        .iter()
        .try_for_each(|bytes| write!(out, "{bytes:>11} "))?;
    let fits = if requirement.fits { "yes" } else { "no" };
    writeln!(out, "{:>11}  {fits:>4}", duration(needs.seconds))
}

/// A time that is not known exactly: `0.3 s`, `140 s`, `25 min`, `7.2 h`, `12 d`.
fn duration(seconds: f64) -> String {
    match seconds {
        0.0..10.0 => format!("{seconds:.1} s"),
        10.0..300.0 => format!("{seconds:.0} s"),
        300.0..7200.0 => format!("{:.0} min", seconds / 60.0),
        7200.0..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.0} d", seconds / 86_400.0),
    }
}
