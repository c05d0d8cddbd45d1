//! Forecast of the memory, disk and time of a build on this machine, each way.
//!
//! A shape of 12 cells with as many columns, or a smaller one itself, is built both ways, which takes two seconds at most. The times of
//! a state, and the bytes that it moves, are taken to be the same in the larger one. The bytes that
//! a search in files moves beyond the system's spare memory have to come from the disk, at the
//! speed at which a file was written here.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::basics::available_memory;
use crate::bfs::{Kept, Layout, Search, SearchOptions, go_on};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::ensure::{BuildError, unchanged};
use super::plan::Checkpoints;
use super::shards::write_table;

/// Resources of a build of a bit table, one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Needs {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk at most, with the table and checkpoints.
    pub disk: u64,
    /// Bytes read from files.
    pub read: u64,
    /// Bytes written to files, with the table.
    pub written: u64,
    /// Seconds.
    pub seconds: f64,
}

/// Measures this machine in a folder made for it in `folder`, and forecasts the resources of a build of the bit table of
/// `class`: with all planes in memory, and slab by slab in a scratch folder with at most `memory` bytes.
///
/// # Errors
/// [`BuildError`] if the measuring fails.
pub fn measure(
    class: GoalClass,
    threads: usize,
    memory: Option<u64>,
    folder: &Path,
) -> Result<[Needs; 2], BuildError> {
    let (sample, in_memory) = (sample(class), SearchOptions::threads(threads));
    let place = folder.join(format!(".measuring-{}", std::process::id()));
    let mut in_scratch = in_memory.clone();
    in_scratch.scratch = Some(place.join("scratch"));
    in_scratch.memory = memory;
    let digits = Search::fitting(class, Kept::BitOne, &in_scratch)?;
    let taken = Search::memory_of_slabs(class, digits).unwrap_or(0);
    in_scratch.memory = Search::memory_of_slabs(sample, 1);
    std::fs::create_dir_all(&place).map_err(unchanged(&place))?;
    let measured = [in_memory, in_scratch].map(|options| seconds_of(sample, &options, &place));
    let disk_speed = disk_speed(&place.join("bytes"));
    std::fs::remove_dir_all(&place).map_err(unchanged(&place))?;
    let [in_memory, in_scratch] = measured;
    let ((in_memory, _), (in_scratch, moved)) = (in_memory?, in_scratch?);
    let disk_speed = disk_speed.map_err(unchanged(&place))?;
    let larger = class.states() as f64 / sample.states() as f64;
    let table = class.states().div_ceil(8) + 4096;
    let [read, written] = moved.map(|bytes| bytes as f64 * larger);
    let written = written + table as f64;
    // File contents that the system keeps in spare memory are not read from the disk.
    let spare = available_memory().unwrap_or(0).saturating_sub(taken) as f64;
    let files = Search::disk(class, Kept::BitOne);
    let missed = (1.0 - spare / files as f64).max(0.0);
    let in_memory = Needs {
        memory: Search::memory(class, Kept::BitOne),
        disk: Checkpoints::default().disk(class.states(), table),
        read: 0,
        written: table,
        seconds: in_memory * larger,
    };
    let in_scratch = Needs {
        memory: taken,
        disk: files + table,
        read: read as u64,
        written: written as u64,
        seconds: (in_scratch * larger).max((read + written) * missed / disk_speed),
    };
    Ok([in_memory, in_scratch])
}

/// The class that is measured for another: a small one itself, else 2x6 for two columns and 3x4 for more.
fn sample(class: GoalClass) -> GoalClass {
    const CELLS: usize = 12;
    if class.shape().cells() <= CELLS {
        return class;
    }
    let rows = if class.shape().cols() == 2 { 6 } else { 4 };
    let shape = Shape::new(rows, CELLS / rows).expect("2x6 and 3x4 are shapes");
    GoalClass::new(shape, CELLS - 1).expect("12 cells have a database")
}

/// Builds the bit table of a class in a folder. Returns the seconds that it takes, and the bytes that its search moves.
fn seconds_of(
    class: GoalClass,
    options: &SearchOptions,
    folder: &Path,
) -> Result<(f64, [u64; 2]), BuildError> {
    let start = Instant::now();
    let mut search = Search::open(class, Kept::BitOne, options)?;
    search.run(&mut go_on)?;
    write_table(&search, &folder.join("table"), false)?;
    let moved = search.bytes_moved();
    search.remove();
    Ok((start.elapsed().as_secs_f64(), moved))
}

/// Writes a file, and returns the bytes that are written to the disk in a second.
fn disk_speed(path: &Path) -> std::io::Result<f64> {
    const MIB: usize = 1 << 20;
    let (bytes, count, start) = (vec![0x5A; MIB], 128, Instant::now());
    let mut file = std::fs::File::create(path)?;
    (0..count).try_for_each(|_| file.write_all(&bytes))?;
    file.sync_all()?;
    Ok((count * MIB) as f64 / start.elapsed().as_secs_f64())
}

/// Bytes that cross as codes, for a byte that they code: between 0.15 and 0.21 on 2x6 and 3x4 over 2
/// to 7 ranks.
const CODED: f64 = 0.2;

/// Forecasts the resources of the bit table of `class` on `machines` machines, from those of one of them in memory. The
/// network carries `network` bytes a second from each. Returns the memory of each machine, the disk and the bytes written
/// in the folder that all see, and the time; and the bytes that each machine sends to the others.
///
/// # Panics
/// If there is no machine.
pub fn on_machines(class: GoalClass, alone: Needs, machines: usize, network: f64) -> (Needs, u64) {
    let memory = Search::memory_of_rank(class, Kept::BitOne, machines);
    let sent = sent(class, machines);
    // The largest share of the states, by that of the memory.
    let share = memory as f64 / alone.memory as f64;
    let seconds = alone.seconds * share + sent as f64 / network;
    let needs = Needs {
        memory,
        seconds,
        ..alone
    };
    (needs, sent)
}

/// Bytes that each of `machines` machines sends at all levels.
fn sent(class: GoalClass, machines: usize) -> u64 {
    let shape = class.shape();
    let corner = GoalClass::new(shape, shape.cells() - 1).unwrap_or(class); // others are searched about as deep
    let levels = corner.largest_known_distance().unwrap_or(u8::MAX);
    let uncoded = Layout::for_ranks(class, machines).crossing() * u64::from(levels);
    (uncoded as f64 * CODED) as u64 / machines as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basics::size_text;

    #[test]
    fn the_figures_of_this_page_are_those_of_the_formulas() {
        let (page, mut missing) = (include_str!("machines.rs"), Vec::new());
        for shape in [Shape::new(5, 3).unwrap(), Shape::new(4, 4).unwrap()] {
            let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
            let shape = shape.transposed();
            for machines in [4, 16, 64] {
                let sent = sent(class, machines);
                let row = format!(
                    "| {shape} | {machines} | {} | {} | {:.0} s | {} |",
                    size_text(Search::memory_of_rank(class, Kept::BitOne, machines)),
                    size_text(sent),
                    sent as f64 * 8.0 / 25e9,
                    size_text(class.states() / 8),
                );
                missing.extend((!page.contains(&row)).then_some(row));
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}
