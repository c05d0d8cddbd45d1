//! Planes in files of a scratch folder: one slab of each colour is in memory at a time.
//!
//! While a slab is at work, the files of the next are read, with the words that cross from this rank's
//! slabs in its step, and those of the one before are written.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::ahead::{Prefetched, SlabIo, pieces, slab};
use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Task};
use super::error::SearchError;
use super::exchange::Exchange;
use super::layout::Layout;
use super::plane_store::PlaneStore;
use super::scratch::Scratch;
use super::scratch_error::{ScratchError, at};
use super::slab_file::{PieceFile, Pieces};
use super::step::Step;
use super::workers::Workers;

/// Planes whose slabs are files of a folder.
#[derive(Debug)]
pub struct Files {
    folder: Arc<SlabIo>,
    exchange: Arc<dyn Exchange>,
    /// Thread that reads the files of the next step.
    reading: Option<JoinHandle<Result<Prefetched, ScratchError>>>,
    /// Thread that writes the files of the step before.
    writing: Option<JoinHandle<Result<(), ScratchError>>>,
    /// Bit 1 of the distances of the slab at work, if this level changes them.
    bit_one: Option<Pieces>,
}

/// Joins a thread and returns its result, or the default if there is no thread.
fn joined<T: Default>(
    thread: Option<JoinHandle<Result<T, ScratchError>>>,
) -> Result<T, ScratchError> {
    let ended = thread.map(|thread| thread.join().expect("no thread of the search panics"));
    ended.unwrap_or_else(|| Ok(T::default()))
}

impl Files {
    /// Creates planes in the files of a folder.
    pub fn new(folder: SlabIo, exchange: Arc<dyn Exchange>) -> Files {
        Files {
            folder: Arc::new(folder),
            exchange,
            reading: None,
            writing: None,
            bit_one: None,
        }
    }

    /// The folder.
    pub fn scratch(&self) -> &Scratch {
        &self.folder.scratch
    }

    /// Runs `run` on a thread of its own.
    fn begin<T: Send + 'static>(
        &self,
        run: impl FnOnce(&SlabIo) -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, ScratchError> {
        let folder = self.folder.clone();
        let begun = thread::Builder::new().spawn(move || run(&folder));
        begun.map_err(|cause| self.scratch().no_thread(cause))
    }

    /// Returns the result of this rank if no rank has an error. Otherwise waits for the end of all
    /// reading and writing.
    fn agreed<T>(&mut self, result: Result<T, ScratchError>) -> Result<T, ScratchError> {
        let agreed = self
            .exchange
            .agree(result, || SearchError::OtherRank.into());
        if agreed.is_err() {
            let _ = joined(self.reading.take());
            let _ = joined(self.writing.take());
        }
        agreed
    }

    /// Loads a step, and begins to read the next one.
    fn load_slab(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
    ) -> Result<Vec<Vec<u8>>, ScratchError> {
        let (distance, number) = (step.distance, step.number);
        let files = match self.reading.take() {
            None => self.folder.read(distance, number)?,
            reading => joined(reading)?,
        };
        if number + 1 < step.shares.steps() {
            self.reading = Some(self.begin(move |folder| folder.read(distance, number + 1))?);
        }
        let (layout, target) = (step.pulls.layout(), step.colour());
        for (colour, pieces, back) in [(target.other(), &files.source, 1), (target, &files.old, 2)]
        {
            let Some(slab) = slab(step) else { break };
            let planes = &mut planes[colour as usize];
            planes.set_first(layout, step.words().start);
            let read = |task: &mut Task<'_>| task.read(layout, pieces.as_ref());
            let read = workers.each(planes.tasks(layout), read);
            let path = self.scratch().level(distance.saturating_sub(back), slab);
            let read: io::Result<()> = read.into_iter().collect();
            read.map_err(at(&path))?;
        }
        self.bit_one = files.bit_one;
        Ok(files.messages)
    }

    /// Codes the new states of a step, and begins to write them.
    fn save_slab(
        &mut self,
        step: &Step<'_>,
        target: &mut ColourPlanes,
        workers: &Workers,
    ) -> Result<(), ScratchError> {
        let Some(slab) = slab(step) else {
            return Ok(());
        };
        let (is_new, before) = (target.active.contains(&true), self.bit_one.take());
        let (layout, scratch) = (step.pulls.layout(), self.scratch());
        let code = |task: &mut Task<'_>| task.code(layout);
        let frontier = by_cell(workers.each(target.tasks(layout), code));
        let mut files = vec![(scratch.level(step.distance, slab), frontier)];
        if self.folder.sets_bit_one(step.distance) && (is_new || before.is_none()) {
            let path = scratch.bit_one(step.colour(), slab);
            let merge = |task: &mut Task<'_>| task.merged(layout, before.as_ref());
            let merged = workers.each(target.tasks(layout), merge);
            let merged = merged.into_iter().collect::<io::Result<Vec<_>>>();
            let merged = merged.map(by_cell).map_err(at(&path))?;
            files.push((path, merged));
        }
        joined(self.writing.take())?;
        self.writing = Some(self.begin(move |folder| {
            let mut files = files.into_iter();
            files.try_for_each(|(path, pieces)| folder.scratch.write(&path, &pieces))
        })?);
        Ok(())
    }
}

impl PlaneStore for Files {
    type Error = ScratchError;

    fn load(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
    ) -> Result<Vec<Vec<u8>>, ScratchError> {
        let loaded = self.load_slab(step, planes, workers);
        self.agreed(loaded)
    }

    fn save(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
        arrived: io::Result<()>,
        ended: ControlFlow<()>,
    ) -> Result<(), ScratchError> {
        // The rank that loads a damaged file detects the damage.
        let arrived = arrived.map_err(|_| self.scratch().damaged());
        let saved = match ended {
            ControlFlow::Break(()) => Err(ScratchError::Interrupted),
            ControlFlow::Continue(()) => arrived,
        };
        let target = &mut planes[step.colour() as usize];
        let saved = saved.and_then(|()| self.save_slab(step, target, workers));
        self.agreed(saved)
    }

    fn finish(&mut self, levels: &[u64], states: u64) -> Result<(), ScratchError> {
        let written = joined(self.writing.take()).and_then(|()| match states {
            0 => Err(self.scratch().damaged()), // there must be more states
            _ => Ok(()),
        });
        self.agreed(written)?;
        // A rank that has finished a level before others resumes with them, from the files before
        // these.
        let finished = self.scratch().finish_level(levels);
        self.agreed(finished)?;
        let removed = self.scratch().remove_leftovers(levels);
        self.agreed(removed)
    }

    fn each_bit_one(
        &self,
        layout: &Layout,
        _: &[ColourPlanes; 2],
        cells: Range<usize>,
        words: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (chunks, mut coder) = (layout.slab_chunks(), Coder::default());
        let mut out = vec![0; layout.chunk()];
        for cell in cells {
            let (colour, slot) = (layout.colour(cell), layout.slot(cell));
            for word in words.clone().step_by(layout.slab_words()) {
                let path = self.scratch().bit_one(colour, word / layout.slab_words());
                let count = pieces(layout, colour);
                let wanted = slot * chunks..(slot + 1) * chunks;
                let found = match slot {
                    0 => self.scratch().read(&path, count)?, // all, for its checksum
                    _ => PieceFile::open(&path, count)?.read(wanted)?,
                };
                for chunk in 0..chunks {
                    let mut code = found.get(chunk);
                    for block in out.chunks_mut(layout.block()) {
                        coder.read(&mut code, block)?;
                    }
                    take(&out)?;
                }
            }
        }
        Ok(())
    }
}

/// Reorders the pieces of chunks, cell by cell, to those of cells, chunk by chunk.
fn by_cell(mut chunks: Vec<Vec<Vec<u8>>>) -> Vec<Vec<u8>> {
    let cells = chunks.first().map_or(0, Vec::len);
    let mut pieces = Vec::with_capacity(cells * chunks.len());
    for cell in 0..cells {
        pieces.extend(
            chunks
                .iter_mut()
                .map(|chunk| std::mem::take(&mut chunk[cell])),
        );
    }
    pieces
}
