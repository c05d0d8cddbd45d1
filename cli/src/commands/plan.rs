//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::form::Form;
use crate::text::{time_text, visible};
use puzzledb::internals::basics::{available_memory, free_disk, size_text};
use puzzledb::internals::table::{Needs, OnMachines};
use puzzledb::internals::{pattern, table};
use puzzledb::pattern::Partition;
use puzzledb::puzzle::Shape;

use super::build::Args;
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
    in_memory: Requirement,
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
        let (plan, patterns) = args.planned(&databases.goal(args.shape)?)?;
        let library = databases.library();
        let folder = plan.scratch.as_deref().or(library.dir.as_deref());
        let mut folders = folder.into_iter().flat_map(Path::ancestors);
        let place = folders.find(|folder| folder.is_dir());
        let place = place.unwrap_or(Path::new("."));
        let (memory_to_spare, disk_free) = (available_memory(), free_disk(place));
        let memory = plan.memory.into_iter().chain(memory_to_spare).min();
        let requirement = |needs: Needs| {
            let suffices = |has: Option<u64>, bytes: u64| has.is_none_or(|has| bytes <= has);
            let fits = suffices(memory, needs.memory) && suffices(disk_free, needs.disk);
            Requirement { needs, fits }
        };
        let (in_memory, in_scratch, on_machines) = match &patterns {
            Some(patterns) => {
                let needs = pattern::measure(patterns, plan.checkpoints)?;
                (needs, None, None)
            }
            None => {
                let (class, threads) = (plan.class, plan.threads);
                let ways = table::measure(class, threads, plan.memory, place)?;
                let on =
                    |n: NonZero<u16>| OnMachines::new(class, ways[0], n.get().into(), args.network);
                (ways[0], Some(requirement(ways[1])), args.machines.map(on))
            }
        };
        let states = patterns.as_ref().map(Partition::states);
        Ok(PlanRecord {
            shape: plan.class.shape().transposed(),
            patterns: patterns.as_ref().map(Partition::to_string),
            states: states.unwrap_or_else(|| plan.class.states()),
            memory_to_spare,
            disk_free,
            in_memory: requirement(in_memory),
            in_scratch,
            on_machines,
            place: place.to_owned(),
        })
    }

    /// Writes the needs for people.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        let (shape, states) = (self.shape, self.states);
        match &self.patterns {
            Some(patterns) => write!(out, "databases of the patterns {patterns} of {shape}")?,
            None => write!(out, "bit table of {shape}")?,
        }
        writeln!(out, ": {states} states\n")?;
        let row = |name: String, needs: &Needs, fits: Option<bool>| {
            let time = time_text(Duration::from_secs_f64(needs.seconds));
            json!({
                "": name, "memory": size_text(needs.memory), "disk": size_text(needs.disk),
                "read": size_text(needs.read), "written": size_text(needs.written),
                "time": time, "fits": fits,
            })
        };
        let way = |name: &str, its: &Requirement| row(name.to_owned(), &its.needs, Some(its.fits));
        let mut rows = vec![way("in memory", &self.in_memory)];
        rows.extend(self.in_scratch.iter().map(|its| way("--scratch DIR", its)));
        rows.extend(self.on_machines.iter().map(|on| {
            let (machines, sent) = (on.machines, size_text(on.sent));
            let name = format!("--mpi on {machines} machines, {sent} sent by each");
            row(name, &on.needs, None)
        }));
        Form::Text.push_table(&rows, out);
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
