//! `puzzledb build --plan`, of a table and of patterns.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::form::{Form, fields};
use crate::text::{time_text, visible};
use puzzledb::internals::basics::{available_memory, free_disk, size_text};
use puzzledb::internals::table::Needs;
use puzzledb::internals::{pattern, table};

use super::build::Args;
use super::database::Databases;
use super::error::{Result, Status};

/// A way to build: its name in JSON, its name for people, and what it takes.
type Way = (&'static str, String, Map<String, Value>);

impl Args {
    /// Prints what a build takes each way, and whether this machine has it.
    pub(super) fn print_plan(&self, databases: &Databases) -> Result<Status> {
        let (plan, patterns) = self.planned(&databases.goal(self.shape)?)?;
        let library = databases.library();
        let folder = plan.scratch.as_deref().or(library.dir.as_deref());
        let mut folders = folder.into_iter().flat_map(Path::ancestors);
        let place = folders.find(|folder| folder.is_dir());
        let place = place.unwrap_or(Path::new("."));
        let (spare, free) = (available_memory(), free_disk(place));
        let memory = plan.memory.into_iter().chain(spare).min();
        let alone = |name, text: &str, needs: Needs| -> Way {
            let suffices = |has: Option<u64>, bytes: u64| has.is_none_or(|has| bytes <= has);
            let fits = suffices(memory, needs.memory) && suffices(free, needs.disk);
            let mut takes = fields(&needs);
            takes.insert("fits".to_owned(), fits.into());
            (name, text.to_owned(), takes)
        };
        let mut ways = Vec::new();
        if let Some(patterns) = &patterns {
            let needs = pattern::measure(patterns, plan.checkpoints)?;
            ways.push(alone("in_memory", "in memory", needs));
        } else {
            let (class, threads) = (plan.class, plan.threads);
            let [in_memory, in_scratch] = table::measure(class, threads, plan.memory, place)?;
            ways.push(alone("in_memory", "in memory", in_memory));
            ways.push(alone("in_scratch", "--scratch DIR", in_scratch));
            if let Some(machines) = self.machines {
                let ranks = machines.get().into();
                let (needs, sent) = table::on_machines(class, in_memory, ranks, self.network);
                let mut takes = fields(&json!({ "machines": machines, "sent_by_each": sent }));
                takes.extend(fields(&needs));
                let sent = size_text(sent);
                let text = format!("--mpi on {machines} machines, {sent} sent by each");
                ways.push(("on_machines", text, takes));
            }
        }
        let (shape, name) = (plan.class.shape().transposed(), |name: &str| {
            name.to_owned()
        });
        let (states, patterns) = match patterns {
            Some(its) => (its.states(), Some(its.to_string())),
            None => (plan.class.states(), None),
        };
        let mut record = fields(&json!({ "shape": shape }));
        record.extend(patterns.iter().map(|its| (name("patterns"), json!(its))));
        record.extend(fields(&json!({
            "states": states, "memory_to_spare": spare, "disk_free": free,
        })));
        record.extend(ways.iter().map(|(key, _, takes)| (name(key), json!(takes))));
        self.form.print(&record, |out| {
            match &patterns {
                Some(patterns) => write!(out, "databases of the patterns {patterns} of {shape}")?,
                None => write!(out, "bit table of {shape}")?,
            }
            writeln!(out, ": {states} states\n")?;
            Form::Text.push_table(ways.iter().map(row), out);
            let has = |bytes: Option<u64>| bytes.map_or("an unknown amount".to_owned(), size_text);
            let (spare, free) = (has(spare), has(free));
            let place = visible(&place.display().to_string());
            writeln!(
                out,
                "\nto spare: {spare} of memory, {free} of disk at {place}"
            )
        })
    }
}

/// The row of a way in the table for people.
fn row((_, text, takes): &Way) -> Value {
    let size = |name: &str| takes[name].as_u64().map(size_text);
    let time = takes["seconds"].as_f64().map(Duration::from_secs_f64);
    json!({
        "": text, "memory": size("memory"), "disk": size("disk"), "read": size("read"),
        "written": size("written"), "time": time.map(time_text), "fits": takes.get("fits"),
    })
}
