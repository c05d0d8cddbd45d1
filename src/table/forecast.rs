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
use crate::bfs::{BytesMoved, Kept, ScratchOptions, Search, SlabSearch, go_on};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::encoding::Encoding;
use super::ensure::{BuildError, unchanged};
use super::plan::Plan;
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
    let options = ScratchOptions {
        memory,
        ..ScratchOptions::new(folder)
    };
    let digits = SlabSearch::fitting(class, Kept::BitOne, &options)?;
    let taken = SlabSearch::memory_of_slabs(class, digits).unwrap_or(0);
    let sample = sample(class);
    let place = folder.join(format!(".measuring-{}", std::process::id()));
    std::fs::create_dir_all(&place).map_err(unchanged(&place))?;
    let measured = measure_both(sample, threads, &place);
    std::fs::remove_dir_all(&place).map_err(unchanged(&place))?;
    let ([in_memory, in_scratch], moved, disk_speed) = measured?;
    let larger = class.states() as f64 / sample.states() as f64;
    let table = class.states() / 8 + 4096;
    let [read, written] = [moved.read, moved.written].map(|bytes| bytes as f64 * larger);
    let written = written + table as f64;
    // File contents that the system keeps in spare memory are not read from the disk.
    let spare = available_memory().unwrap_or(0).saturating_sub(taken) as f64;
    let files = SlabSearch::disk(class, Kept::BitOne);
    let missed = (1.0 - spare / files as f64).max(0.0);
    let in_memory = Needs {
        memory: Search::memory(class, Kept::BitOne),
        disk: Plan::new(class).disk(Encoding::Bit),
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

/// Builds the bit table of a class in a folder, in memory and in a scratch folder. Returns the seconds that both take, the
/// bytes that the second moves, and those that are written to the disk in a second.
fn measure_both(
    class: GoalClass,
    threads: usize,
    folder: &Path,
) -> Result<([f64; 2], BytesMoved, f64), BuildError> {
    let (table, start) = (folder.join("table"), Instant::now());
    let mut search = Search::new(class, threads)?;
    search.run(&mut go_on)?;
    write_table(&search, &table, false)?;
    let (in_memory, start) = (start.elapsed().as_secs_f64(), Instant::now());
    let options = ScratchOptions {
        threads,
        memory: SlabSearch::memory_of_slabs(class, 1),
        ..ScratchOptions::new(folder.join("scratch"))
    };
    let mut search = SlabSearch::open(class, Kept::BitOne, options)?;
    search.run(&mut go_on)?;
    write_table(&search, &table, false)?;
    let moved = search.bytes_moved();
    search.remove();
    let in_scratch = start.elapsed().as_secs_f64();
    let bytes = folder.join("bytes");
    let speed = disk_speed(&bytes).map_err(unchanged(&bytes))?;
    Ok(([in_memory, in_scratch], moved, speed))
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
