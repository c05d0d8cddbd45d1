//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::text::visible;
use puzzledb::basics::{available_memory, free_disk, size_text};
use puzzledb::pattern::PatternPlan;
use puzzledb::space::GoalClass;
use puzzledb::table::{Forecast, Needs, Plan, machines};

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
    #[serde(skip)]
    of_table: Option<(GoalClass, Forecast)>,
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

/// Memory and disk that a build may take; without limit if that is not known.
struct Spare {
    memory: Option<u64>,
    disk: Option<u64>,
}

impl Spare {
    fn requirement(&self, needs: Needs) -> Requirement {
        let suffices = |has: Option<u64>, bytes: u64| has.is_none_or(|has| bytes <= has);
        let fits = suffices(self.memory, needs.memory) && suffices(self.disk, needs.disk);
        Requirement { needs, fits }
    }
}

impl PlanRecord {
    /// Measures this machine for the bit table of a plan.
    pub(super) fn of_table(plan: &Plan, databases: &Databases) -> Result<PlanRecord, CliError> {
        let (class, path) = (plan.class, databases.path(plan.class)?);
        let folder = path.parent().unwrap_or(Path::new("."));
        let place = existing(plan.scratch.as_deref().unwrap_or(folder));
        let (memory, disk) = (available_memory(), free_disk(place));
        let forecast = Forecast::measure(class, plan.threads, plan.memory, place)?;
        let spare = Spare {
            memory: plan.memory.or(memory),
            disk,
        };
        Ok(PlanRecord {
            shape: class.shape().transposed().to_string(),
            patterns: None,
            states: class.states(),
            memory_to_spare: memory,
            disk_free: disk,
            in_memory: spare.requirement(forecast.in_memory),
            in_scratch: Some(spare.requirement(forecast.in_scratch)),
            on_machines: None,
            place: place.to_owned(),
            of_table: Some((class, forecast)),
        })
    }

    /// Adds the needs of several machines with a network.
    pub(super) fn on_machines(self, machines: Option<NonZero<u16>>, network: f64) -> PlanRecord {
        let (Some(machines), Some((class, forecast))) = (machines, &self.of_table) else {
            return self;
        };
        let machines = machines.get().into();
        let on = machines::OnMachines::new(*class, forecast, machines, network);
        let on_machines = OnMachines {
            machines,
            sent_by_each: on.sent,
            needs: on.needs,
        };
        PlanRecord {
            on_machines: Some(on_machines),
            ..self
        }
    }

    /// Measures this machine for databases of patterns.
    pub(super) fn of_patterns(
        plan: &PatternPlan,
        databases: &Databases,
    ) -> Result<PlanRecord, CliError> {
        let (partition, path) = (&plan.partition, databases.pattern_path(&plan.partition)?);
        let place = existing(path.parent().unwrap_or(Path::new(".")));
        let (memory, disk) = (available_memory(), free_disk(place));
        let spare = Spare {
            memory: plan.memory.into_iter().chain(memory).min(),
            disk,
        };
        Ok(PlanRecord {
            shape: partition.shape().transposed().to_string(),
            patterns: Some(partition.to_string()),
            states: partition.states(),
            memory_to_spare: memory,
            disk_free: disk,
            in_memory: spare.requirement(plan.measure()?),
            in_scratch: None,
            on_machines: None,
            place: place.to_owned(),
            of_table: None,
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
        if let Some(in_scratch) = &self.in_scratch {
            print_row(out, "--scratch DIR", in_scratch)?;
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

/// The first existing folder among this one and its ancestors.
fn existing(folder: &Path) -> &Path {
    let there = folder.ancestors().find(|folder| folder.is_dir());
    there.unwrap_or(Path::new("."))
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
