//! Forecast of the memory, disk and time of a build on this machine, each way.
//!
//! A shape of 12 cells with as many columns, or a smaller one itself, is built both ways, which takes two seconds at most. The times of
//! a state, and the bytes that it moves, are taken to be the same in the larger one. The bytes that
//! a search in files moves beyond the system's spare memory have to come from the disk, at the
//! speed at which a file was written here.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::basics::available_memory;
use crate::bfs::{Alone, BytesMoved, Kept, Level, ScratchOptions, Search, SlabSearch, go_on};
use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::encode::{Distances, write_bits};
use super::encoding::Encoding;
use super::ensure_file::BuildError;
use super::file::{Disk, WriteError, write_file};
use super::plan::Plan;

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

/// Resources of a build in memory and in a scratch folder.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// With all planes in memory.
    pub in_memory: Needs,
    /// In a scratch folder, slab by slab.
    pub in_scratch: Needs,
}

/// Measurements of one way, for each state.
struct Rate {
    seconds: f64,
    read: f64,
    written: f64,
}

impl Rate {
    fn new(class: GoalClass, start: Instant, moved: BytesMoved) -> Rate {
        let states = class.states() as f64;
        Rate {
            seconds: start.elapsed().as_secs_f64() / states,
            read: moved.read as f64 / states,
            written: moved.written as f64 / states,
        }
    }
}

impl Forecast {
    /// Measures this machine in a folder made for it in `folder`, and forecasts the resources of
    /// the bit table of `class` with at most `memory` bytes for a search in files.
    ///
    /// # Errors
    /// [`BuildError`] if the measuring fails.
    pub fn measure(
        class: GoalClass,
        threads: usize,
        memory: Option<u64>,
        folder: impl AsRef<Path>,
    ) -> Result<Forecast, BuildError> {
        let digits = SlabSearch::fitting(class, memory, &Alone)?;
        let taken = SlabSearch::memory_of_slabs(class, digits).unwrap_or(0);
        let sample = sample(class);
        let place = folder
            .as_ref()
            .join(format!(".measuring-{}", std::process::id()));
        let io = |cause| BuildError::Write {
            path: place.clone(),
            cause: WriteError::Unchanged(cause),
        };
        std::fs::create_dir_all(&place).map_err(io)?;
        let measured: Result<_, BuildError> = (|| {
            let table = place.join("table");
            let whole = in_memory(sample, threads, &table)?;
            let slabs = in_slabs(sample, threads, &place.join("scratch"), &table)?;
            Ok((whole, slabs, disk_speed(&place.join("bytes")).map_err(io)?))
        })();
        std::fs::remove_dir_all(&place).map_err(io)?;
        let (whole, slabs, speed) = measured?;
        let states = class.states() as f64;
        let table = class.states() / 8 + 4096;
        let (read, written) = (states * slabs.read, states * slabs.written);
        // File contents that the system keeps in spare memory are not read from the disk.
        let spare = available_memory().unwrap_or(0).saturating_sub(taken) as f64;
        let files = SlabSearch::disk(class, Kept::BitOne);
        let missed = (1.0 - spare / files as f64).max(0.0);
        Ok(Forecast {
            in_memory: Needs {
                memory: Search::memory(class, Kept::BitOne),
                disk: Plan::new(class).disk(Encoding::Bit),
                read: 0,
                written: table,
                seconds: states * whole.seconds,
            },
            in_scratch: Needs {
                memory: taken,
                disk: files + table,
                read: read as u64,
                written: written as u64,
                seconds: (states * slabs.seconds).max((read + written) * missed / speed),
            },
        })
    }
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

fn in_memory(class: GoalClass, threads: usize, table: &Path) -> Result<Rate, BuildError> {
    let start = Instant::now();
    let search = Search::new(class, threads)?;
    let go_on = |_: &Level<'_>| ControlFlow::Continue(());
    let distances = Distances::find(search, Encoding::Bit, go_on, |_, _| ())?;
    let distances = distances.ok_or(BuildError::Interrupted)?;
    write(table, |file| distances.write(file))?;
    Ok(Rate::new(class, start, BytesMoved::default()))
}

fn in_slabs(
    class: GoalClass,
    threads: usize,
    folder: &Path,
    table: &Path,
) -> Result<Rate, BuildError> {
    let start = Instant::now();
    let options = ScratchOptions {
        threads,
        memory: SlabSearch::memory_of_slabs(class, 1),
        ..ScratchOptions::new(folder)
    };
    let mut search = SlabSearch::open(class, Kept::BitOne, options)?;
    search.run(&mut go_on)?;
    write(table, |file| write_bits(&search, file))?;
    let moved = search.bytes_moved();
    search.remove();
    Ok(Rate::new(class, start, moved))
}

fn write(
    table: &Path,
    write: impl FnOnce(&mut std::fs::File) -> std::io::Result<()>,
) -> Result<(), BuildError> {
    write_file(&Disk, table, write).map_err(|cause| BuildError::Write {
        path: table.to_owned(),
        cause,
    })
}

/// Bytes that are written to the disk in a second.
fn disk_speed(path: &Path) -> std::io::Result<f64> {
    const MIB: usize = 1 << 20;
    let (bytes, count, start) = (vec![0x5A; MIB], 128, Instant::now());
    let mut file = std::fs::File::create(path)?;
    (0..count).try_for_each(|_| file.write_all(&bytes))?;
    file.sync_all()?;
    Ok((count * MIB) as f64 / start.elapsed().as_secs_f64())
}
