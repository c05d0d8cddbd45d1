//! Planes in files of a scratch folder: one slab of each colour is in memory at a time.
//!
//! While a slab is at work, the files of the next are read, with the words that cross from this rank's
//! slabs in its step, and those of the one before are written.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::super::checkpoint::coding::Coder;
use super::super::engine::colour::{ColourPlanes, Task};
use super::super::engine::layout::{Colour, Layout};
use super::super::engine::step::{Setup, Step, Workers};
use super::super::engine::store::{PlaneStore, Unfinished};
use super::super::error::{ScratchError, SearchError, at};
use super::super::ranks::crossing::Run;
use super::super::ranks::exchange::Exchange;
use super::folder::Scratch;
use super::pieces::{CellWords, PieceFile, Pieces};

/// Planes whose slabs are files of a folder.
#[derive(Debug)]
pub struct Files {
    scratch: Arc<Scratch>,
    /// Thread that reads the files of the next step.
    reading: Option<JoinHandle<Result<Prefetched, ScratchError>>>,
    /// Thread that writes the files of the step before.
    writing: Option<JoinHandle<Result<(), ScratchError>>>,
    /// Bit 1 of the distances of the slab at work, if this level changes them.
    bit_one: Option<Pieces>,
}

/// Files of one slab, and words that other slabs need from this rank, read ahead.
#[derive(Debug, Default)]
struct Prefetched {
    /// Its states of the level before.
    source: Option<Pieces>,
    /// Its states two levels before, of the colour that is searched.
    old: Option<Pieces>,
    /// Bit 1 of the distances of that colour.
    bit_one: Option<Pieces>,
    /// Crossing words as messages, by receiver.
    messages: Vec<Vec<u8>>,
}

impl Prefetched {
    /// Reads the files that a step needs.
    fn read(scratch: &Scratch, step: &Step<'_>) -> Result<Prefetched, ScratchError> {
        let mut found = Prefetched::default();
        if step.crosses() {
            found.messages = outgoing(scratch, step)?;
        }
        let Some(slab) = slab(step) else {
            return Ok(found);
        };
        let (layout, distance) = (step.setup.layout(), step.distance);
        let level = |back: u8| {
            let before = distance.checked_sub(back);
            let read = before.map(|level| {
                let path = scratch.level(level, slab);
                let count = pieces(layout, Colour::of_distance(level));
                scratch.read(&path, count).map_err(at(&path))
            });
            read.transpose()
        };
        (found.source, found.old) = (level(1)?, level(2)?);
        if step.sets_bit_one() {
            let path = scratch.bit_one(step.colour(), slab);
            found.bit_one = match scratch.read(&path, pieces(layout, step.colour())) {
                // The first level of each colour that sets the bit makes the files.
                Err(error) if distance < 4 && error.kind() == io::ErrorKind::NotFound => None,
                read => Some(read.map_err(at(&path))?),
            };
        }
        Ok(found)
    }
}

/// Reads the words that other slabs need from this rank in a step, as messages. Each file is
/// opened once.
fn outgoing(scratch: &Scratch, step: &Step<'_>) -> Result<Vec<Vec<u8>>, ScratchError> {
    let layout = step.setup.layout();
    let sent = step.outgoing();
    let slab_of = |i: &usize| sent[*i].run.from / layout.slab_words();
    let mut order: Vec<usize> = (0..sent.len()).collect();
    order.sort_by_key(slab_of);
    let mut codes = vec![Vec::new(); sent.len()];
    let mut coder = Coder::default();
    for same in order.chunk_by(|a, b| slab_of(a) == slab_of(b)) {
        let path = scratch.level(step.distance - 1, slab_of(&same[0]));
        let mut read = || {
            let mut file = PieceFile::open(&path, pieces(layout, step.colour().other()))?;
            for &i in same {
                let (pieces, words) = read_run(layout, &mut file, &sent[i].run)?;
                scratch.has_read(&pieces);
                let words = CellWords {
                    pieces: &pieces,
                    words,
                };
                words.append(layout, &mut coder, &mut codes[i])?;
            }
            Ok(())
        };
        read().map_err(at(&path))?;
    }
    Ok(step.messages(&sent, codes))
}

/// Reads the pieces that have the words of a run from the file of its slab, and returns the words' place too.
fn read_run(
    layout: &Layout,
    file: &mut PieceFile,
    run: &Run,
) -> io::Result<(Pieces, Range<usize>)> {
    let first = run.from % layout.slab_words();
    let words = first..first + run.len;
    let chunks = words.start / layout.chunk()..words.end.div_ceil(layout.chunk());
    let place = layout.slot(run.source) * layout.slab_chunks();
    let pieces = file.read(place + chunks.start..place + chunks.end)?;
    Ok((pieces, words))
}

/// The slab of this rank in a step, if it has one.
fn slab(step: &Step<'_>) -> Option<usize> {
    let words = step.words();
    (!words.is_empty()).then(|| words.start / step.setup.layout().slab_words())
}

/// Number of pieces of a file of a colour: one for each cell and each chunk of the slab.
fn pieces(layout: &Layout, colour: Colour) -> usize {
    layout.cells(colour).count() * layout.slab_chunks()
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
    pub fn new(scratch: Scratch) -> Files {
        Files {
            scratch: Arc::new(scratch),
            reading: None,
            writing: None,
            bit_one: None,
        }
    }

    /// The folder.
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Runs `run` on a thread of its own.
    fn start<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Scratch) -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, ScratchError> {
        let scratch = self.scratch.clone();
        let started = thread::Builder::new().spawn(move || run(&scratch));
        started.map_err(|cause| self.scratch.no_thread(cause))
    }

    /// Returns the result of this rank if no rank has an error. Otherwise waits for the end of all
    /// reading and writing.
    fn agree<T>(
        &mut self,
        exchange: &dyn Exchange,
        result: Result<T, ScratchError>,
    ) -> Result<T, ScratchError> {
        let agreed = exchange.agree(result, || SearchError::OtherRank.into());
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
        let files = match self.reading.take() {
            None => Prefetched::read(&self.scratch, step)?,
            reading => joined(reading)?,
        };
        let (distance, number) = (step.distance, step.number + 1);
        if number < step.setup.shares.steps() {
            let setup = step.setup.clone();
            self.reading = Some(self.start(move |scratch| {
                let setup = &setup;
                let next = Step {
                    setup,
                    distance,
                    number,
                };
                Prefetched::read(scratch, &next)
            })?);
        }
        let (layout, target) = (step.setup.layout(), step.colour());
        let both = [(target.other(), &files.source, 1), (target, &files.old, 2)];
        for (colour, pieces, back) in both {
            let Some(slab) = slab(step) else { break };
            let planes = &mut planes[colour as usize];
            planes.set_first(layout, step.words().start);
            let read = |task: &mut Task<'_>| task.read(layout, pieces.as_ref());
            let read = workers.each(planes.tasks(), read);
            let path = self.scratch.level(distance.saturating_sub(back), slab);
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
        let (layout, scratch) = (step.setup.layout(), &self.scratch);
        let code = |task: &mut Task<'_>| task.code(layout);
        let frontier = workers.each(target.tasks(), code);
        let mut files = vec![(scratch.level(step.distance, slab), frontier)];
        if step.sets_bit_one() && (is_new || before.is_none()) {
            let path = scratch.bit_one(step.colour(), slab);
            let merge = |task: &mut Task<'_>| task.merged(layout, before.as_ref());
            let merged = workers.each(target.tasks(), merge);
            let merged: io::Result<Vec<_>> = merged.into_iter().collect();
            let merged = merged.map_err(at(&path))?;
            files.push((path, merged));
        }
        joined(self.writing.take())?;
        self.writing = Some(self.start(move |scratch| {
            let mut files = files.into_iter();
            files.try_for_each(|(path, chunks)| scratch.write(&path, &chunks))
        })?);
        Ok(())
    }
}

impl PlaneStore for Files {
    type Error = ScratchError;

    const IN_MEMORY: bool = false;

    fn load(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
    ) -> Result<Vec<Vec<u8>>, ScratchError> {
        let loaded = self.load_slab(step, planes, workers);
        self.agree(&*step.setup.exchange, loaded)
    }

    fn save(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
        made: Result<(), Unfinished>,
    ) -> Result<(), ScratchError> {
        let target = &mut planes[step.colour() as usize];
        let saved = match made {
            Ok(()) => self.save_slab(step, target, workers),
            Err(Unfinished::Interrupted) => Err(ScratchError::Interrupted),
            // The rank that loads a damaged file detects the damage.
            Err(Unfinished::Damaged) => Err(self.scratch.damaged()),
        };
        self.agree(&*step.setup.exchange, saved)
    }

    fn finish(&mut self, setup: &Setup, levels: &[u64], states: u64) -> Result<(), ScratchError> {
        let exchange = &*setup.exchange;
        let written = joined(self.writing.take()).and_then(|()| match states {
            0 => Err(self.scratch.damaged()), // there must be more states
            _ => Ok(()),
        });
        self.agree(exchange, written)?;
        // A rank that has finished a level before others resumes with them, from the files before
        // these.
        let finished = self.scratch.finish_level(levels);
        self.agree(exchange, finished)?;
        let removed = self.scratch.remove_leftovers(levels);
        self.agree(exchange, removed)
    }

    fn each_bit_one(
        &self,
        setup: &Setup,
        _: &[ColourPlanes; 2],
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let layout = setup.layout();
        let (chunks, mut coder) = (layout.slab_chunks(), Coder::default());
        let mut out = vec![0; layout.chunk()];
        for cell in cells {
            let (colour, slot) = (layout.colour(cell), layout.slot(cell));
            for word in setup.words().step_by(layout.slab_words()) {
                let path = self.scratch.bit_one(colour, word / layout.slab_words());
                let count = pieces(layout, colour);
                let wanted = slot * chunks..(slot + 1) * chunks;
                let found = match slot {
                    0 => self.scratch.read(&path, count)?, // all, for its checksum
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
