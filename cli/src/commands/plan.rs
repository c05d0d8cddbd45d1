//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use crate::form::Form;
use crate::text::visible;
use puzzledb::internals::basics::{available_memory, free_disk, size_text};
use puzzledb::internals::table::{Forecast, Needs, OnMachines};
use puzzledb::puzzle::Shape;

use super::build::{Args, Build};
use super::database::Databases;
use super::error::Result;

/// Needs of a build.
#[derive(Serialize)]
pub(super) struct PlanRecord {
    shape: Shape,
    #[serde(skip_serializing_if = "Option::is_none")]
    patterns: Option<String>,
    states: u64,
    memory_to_spare: Option<u64>,
    disk_free: Option<u64>,
    in_memory: Option<Requirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_scratch: Option<Requirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_machines: Option<OnMachines>,
    /// Folder whose disk was measured.
    #[serde(skip)]
    place: PathBuf,
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
    pub(super) fn new(args: &Args, databases: &Databases) -> Result<PlanRecord> {
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
        let mut record = PlanRecord {
            shape: args.shape,
            patterns: None,
            states: 0,
            memory_to_spare,
            disk_free,
            in_memory: None,
            in_scratch: None,
            on_machines: None,
            place: place.to_owned(),
        };
        match &build {
            Build::Patterns(plan) => {
                record.patterns = Some(plan.partition.to_string());
                record.shape = plan.partition.shape().transposed();
                record.states = plan.partition.states();
                record.in_memory = Some(requirement(plan.measure()?));
            }
            Build::Table(plan) => {
                let class = plan.class;
                let forecast = Forecast::measure(class, plan.threads, plan.memory, place)?;
                let on = |machines| OnMachines::new(class, &forecast, machines, args.network);
                (record.shape, record.states) = (class.shape().transposed(), class.states());
                record.in_memory = Some(requirement(forecast.in_memory));
                record.in_scratch = Some(requirement(forecast.in_scratch));
                record.on_machines = args.machines.map(|machines| on(machines.get().into()));
            }
        }
        Ok(record)
    }

    /// Writes the needs for people.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        let (shape, states) = (self.shape, self.states);
        match &self.patterns {
            Some(patterns) => write!(out, "databases of the patterns {patterns} of {shape}")?,
            None => write!(out, "bit table of {shape}")?,
        }
        writeln!(out, ": {states} states\n")?;
        let in_memory = self.in_memory.iter().map(|way| ("in memory", way));
        let in_scratch = self.in_scratch.iter().map(|way| ("--scratch DIR", way));
        let row = |(name, Requirement { needs, fits }): (&str, &Requirement)| {
            json!({
                "": name, "memory": size_text(needs.memory), "disk": size_text(needs.disk),
                "read": size_text(needs.read), "written": size_text(needs.written),
                "time": duration(needs.seconds), "fits": fits,
            })
        };
        let rows: Vec<_> = in_memory.chain(in_scratch).map(row).collect();
        Form::Text.push_table(&rows, out);
        if let Some(on) = &self.on_machines {
            let [memory, disk, sent] = [on.needs.memory, on.needs.disk, on.sent].map(size_text);
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
