//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::text::visible;
use puzzledb::basics::{available_memory, free_disk, size_text};
use puzzledb::pattern::PatternPlan;
use puzzledb::space::GoalClass;
use puzzledb::table::{Forecast, Needs, machines};

use super::database::Databases;
use super::error::CliError;
use super::output::Output;
use super::resources::SearchResources;
use super::status::Status;

#[derive(Serialize)]
struct TablePlan {
    shape: String,
    states: u64,
    memory_to_spare: Option<u64>,
    disk_free: Option<u64>,
    in_memory: Requirement,
    in_scratch: Requirement,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_machines: Option<OnMachines>,
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

/// Measures this machine and prints the needs of the bit table of a class.
pub(super) fn print(
    class: GoalClass,
    threads: usize,
    resources: &SearchResources,
    machines: Option<(usize, f64)>,
    output: &Output,
    databases: &Databases,
) -> Result<Status, CliError> {
    let path = databases.path(class)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let scratch = resources.scratch.as_deref().unwrap_or(folder);
    let place = existing(scratch);
    let (memory, disk) = (available_memory(), free_disk(place));
    let forecast = Forecast::measure(class, threads, resources.memory, place)?;
    let most = resources.memory.or(memory).unwrap_or(u64::MAX);
    let requirement = |needs: Needs| Requirement {
        needs,
        fits: needs.memory <= most && needs.disk <= disk.unwrap_or(u64::MAX),
    };
    let record = TablePlan {
        shape: class.shape().transposed().to_string(),
        states: class.states(),
        memory_to_spare: memory,
        disk_free: disk,
        in_memory: requirement(forecast.in_memory),
        in_scratch: requirement(forecast.in_scratch),
        on_machines: machines.map(|(machines, network)| {
            let on = machines::OnMachines::new(class, &forecast, machines, network);
            OnMachines {
                machines,
                sent_by_each: on.sent,
                needs: on.needs,
            }
        }),
    };
    output.print(&record, |out| {
        write_table_plan(out, &record)?;
        print_spare(out, memory, disk, place)
    })?;
    Ok(Status::Yes)
}

fn write_table_plan(out: &mut String, plan: &TablePlan) -> fmt::Result {
    writeln!(out, "bit table of {}: {} states\n", plan.shape, plan.states)?;
    writeln!(out, "{HEADING}")?;
    print_row(out, "in memory", &plan.in_memory)?;
    print_row(out, "--scratch DIR", &plan.in_scratch)?;
    let Some(on) = &plan.on_machines else {
        return Ok(());
    };
    let [memory, disk, sent] = [on.needs.memory, on.needs.disk, on.sent_by_each].map(size_text);
    writeln!(
        out,
        "\n--mpi on {} such machines, in a folder that all see: {memory} of memory on each, {disk} of disk, {sent} \
         sent by each, {}",
        on.machines,
        duration(on.needs.seconds)
    )
}

#[derive(Serialize)]
struct PatternsPlan {
    shape: String,
    patterns: String,
    states: u64,
    memory_to_spare: Option<u64>,
    disk_free: Option<u64>,
    in_memory: Requirement,
}

/// Measures this machine and prints the needs of the databases of patterns.
pub(super) fn print_patterns(
    plan: &PatternPlan,
    output: &Output,
    databases: &Databases,
) -> Result<Status, CliError> {
    let path = databases.pattern_path(&plan.partition)?;
    let place = existing(path.parent().unwrap_or(Path::new(".")));
    let (memory, disk) = (available_memory(), free_disk(place));
    let needs = plan.measure()?;
    let most = plan.memory.into_iter().chain(memory).min();
    let record = PatternsPlan {
        shape: plan.partition.shape().transposed().to_string(),
        patterns: plan.partition.to_string(),
        states: plan.partition.states(),
        memory_to_spare: memory,
        disk_free: disk,
        in_memory: Requirement {
            needs,
            fits: needs.memory <= most.unwrap_or(u64::MAX)
                && needs.disk <= disk.unwrap_or(u64::MAX),
        },
    };
    output.print(&record, |out| {
        writeln!(
            out,
            "databases of the patterns {} of {}: {} states\n",
            record.patterns, record.shape, record.states
        )?;
        writeln!(out, "{HEADING}")?;
        print_row(out, "in memory", &record.in_memory)?;
        print_spare(out, memory, disk, place)
    })?;
    Ok(Status::Yes)
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

fn print_spare(
    out: &mut String,
    memory: Option<u64>,
    disk: Option<u64>,
    place: &Path,
) -> fmt::Result {
    let has = |bytes: Option<u64>| bytes.map_or("an unknown amount".to_owned(), size_text);
    writeln!(
        out,
        "\nto spare: {} of memory, {} of disk at {}",
        has(memory),
        has(disk),
        visible(&place.display().to_string())
    )
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
