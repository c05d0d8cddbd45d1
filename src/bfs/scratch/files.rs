//! Planes in files of coded slabs: the frontier of one slab is in memory at a time.
//!
//! While a slab is at work, one thread reads the files of the next, with the words that cross from this rank's
//! slabs in its step, and another writes those of the one before. Written files are committed together; then those of
//! two levels before are removed. So two levels and a little more are the most that is stored, and where distances are
//! kept the levels for which bit 1 of the distance is set. A search that is ended at any moment goes on from the last
//! committed slabs. Every other level takes the slabs backwards: what was
//! written last is read first, from the system's memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::super::checkpoint::coding::{Coder, EMPTY};
use super::super::engine::colour::{ColourPlanes, Expansion, LevelResult, Task};
use super::super::engine::layout::Block;
use super::super::engine::planes::or_into;
use super::super::engine::step::{Setup, Step};
use super::super::error::{SearchError, at};
use super::folder::{Scratch, level_file};
use super::manifest::MANIFEST;
use super::slab::{Blocks, Codes, SlabFile, append_words, expand_codes, split_block, trailer};
use super::worker::Worker;

/// Planes whose slabs are files.
#[derive(Debug)]
pub struct Files {
    pub scratch: Arc<Scratch>,
    /// Reads the files of a step, into the memory of another's.
    reader: Worker<(Step, SlabInput), Result<SlabInput, SearchError>>,
    writer: Worker<Option<NewSlab>, Result<Vec<Codes>, SearchError>>,
    /// Numbers of states of those slabs of the level at work that were finished by an earlier run.
    finished: BTreeMap<usize, u64>,
    input: SlabInput,
    /// Codes of the slab at work, by chunk.
    new: Vec<Codes>,
    /// Bytes that had been written when the last two levels were finished.
    written: [u64; 2],
}

/// Input of a step.
#[derive(Debug, Default)]
struct SlabInput {
    /// The slab's states of the level before, if there is one.
    source: Blocks,
    /// Its states two levels before, of the colour that is searched.
    old: Blocks,
    /// Crossing words as messages, by receiver.
    messages: Vec<Vec<u8>>,
}

/// A slab to be written.
#[derive(Debug)]
struct NewSlab {
    step: Step,
    states: u64,
    codes: Vec<Codes>,
}

/// Reads the files of steps.
struct Reader {
    scratch: Arc<Scratch>,
    /// Files of the level before the one at work, by slab.
    open: BTreeMap<usize, SlabFile>,
}

/// Files that are open at a time.
const MOST_OPEN: usize = 256;

impl Reader {
    fn read(&mut self, step: &Step, mut input: SlabInput) -> Result<SlabInput, SearchError> {
        if step.number == 0 {
            self.open.clear(); // of the last level
        }
        if step.crosses() {
            input.messages = self.outgoing(step)?;
        }
        let Some(slab) = slab(step) else {
            return Ok(input);
        };
        if step.distance > 0 {
            self.source(step, slab)?.read_all(&mut input.source)?;
        }
        if let Some(before) = step.distance.checked_sub(2) {
            let mut file = self.scratch.open(before, slab, step.setup.layout())?;
            file.read_all(&mut input.old)?;
        }
        Ok(input)
    }

    /// The file of a slab of the level before, which stays open.
    fn source(&mut self, step: &Step, slab: usize) -> Result<&mut SlabFile, SearchError> {
        if self.open.len() >= MOST_OPEN {
            self.open.clear();
        }
        let open = || (self.scratch).open(step.distance - 1, slab, step.setup.layout());
        Ok(match self.open.entry(slab) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(place) => place.insert(open()?),
        })
    }

    /// Reads the words that other slabs need from this rank in a step, as messages.
    fn outgoing(&mut self, step: &Step) -> Result<Vec<Vec<u8>>, SearchError> {
        let mut messages = vec![Vec::new(); step.setup.shares.ranks()];
        let layout = step.setup.layout();
        let (len, mut coder, mut blocks) = (layout.block, Coder::default(), Vec::new());
        for (rank, run) in step.outgoing() {
            let (slab, first) = (
                run.from / layout.slab_words(),
                run.from % layout.slab_words(),
            );
            let first = layout.slot(run.source) * layout.slab_words() + first;
            let (file, end) = (self.source(step, slab)?, first + run.len);
            file.read(first / len..end.div_ceil(len), &mut blocks)?;
            let words = first % len..first % len + run.len;
            let appended = append_words(&blocks, len, words, &mut coder, &mut messages[rank]);
            appended.map_err(at(&file.path))?;
        }
        Ok(messages)
    }
}

/// Writes the files of slabs, and commits them when there are enough or some time has passed.
struct Writer {
    scratch: Arc<Scratch>,
    levels: Vec<String>,
    /// Files that are not needed any more when these are committed.
    old: Vec<String>,
    bytes: u64,
    begun: Instant,
}

/// Time after which what was written is committed, and number of slabs.
const COMMITS_AFTER: (Duration, usize) = (Duration::from_millis(500), 128);

impl Writer {
    /// Writes a slab, or commits all. Returns memory to be used again.
    fn write(&mut self, new: Option<NewSlab>) -> Result<Vec<Codes>, SearchError> {
        let Some(new) = new else {
            return self.commit().map(|()| Vec::new());
        };
        let (step, slab) = (&new.step, slab(&new.step).expect("it was made"));
        let name = level_file(step.distance, slab);
        self.bytes += self.write_codes(&name, &new)?;
        self.levels.push(name);
        let old = step.distance.checked_sub(2);
        let old = old.filter(|&level| !step.setup.keeps(level));
        self.old.extend(old.map(|level| level_file(level, slab)));
        let (time, slabs) = COMMITS_AFTER;
        let is_full = self.bytes > self.scratch.uncommitted || self.levels.len() >= slabs;
        if is_full || self.begun.elapsed() > time {
            self.commit()?;
        }
        Ok(new.codes)
    }

    /// Writes the codes of the new states, cell by cell.
    fn write_codes(&self, name: &str, new: &NewSlab) -> Result<u64, SearchError> {
        let cells = new.codes.first().map_or(0, Vec::len);
        let of_cell = |cell: usize| new.codes.iter().map(move |codes| &codes[cell][..]);
        let mut parts: Vec<&[u8]> = (0..cells).flat_map(of_cell).collect();
        let trailer = trailer(&parts, new.states);
        let trailer = trailer.map_err(at(&self.scratch.path(name)))?;
        parts.push(&trailer);
        self.scratch.write(name, &parts)
    }

    /// A slab counts as finished when the file of its level is committed. The manifest names a level when all its slabs
    /// are.
    fn commit(&mut self) -> Result<(), SearchError> {
        let scratch = &self.scratch;
        (self.bytes, self.begun) = (0, Instant::now());
        scratch.commit(&std::mem::take(&mut self.levels))?;
        scratch.commit(&[MANIFEST.to_owned()])?;
        let mut old = self.old.drain(..);
        old.try_for_each(|name| scratch.remove_file(&name))
    }
}

impl Drop for Writer {
    /// Keeps what is finished. Errors are ignored: the search goes on from before.
    fn drop(&mut self) {
        let _ = self.commit();
    }
}

/// The slab of this rank in a step, if it has one.
fn slab(step: &Step) -> Option<usize> {
    let words = step.words();
    (!words.is_empty()).then(|| words.start / step.setup.layout().slab_words())
}

impl Files {
    /// Creates planes in files.
    ///
    /// # Errors
    /// [`SearchError`] if the system gives no threads.
    pub fn new(scratch: Scratch) -> Result<Files, SearchError> {
        let scratch = Arc::new(scratch);
        let mut reader = Reader {
            scratch: scratch.clone(),
            open: BTreeMap::new(),
        };
        let mut writer = Writer {
            scratch: scratch.clone(),
            levels: Vec::new(),
            old: Vec::new(),
            bytes: 0,
            begun: Instant::now(),
        };
        let reader = Worker::start(move |(step, input)| reader.read(&step, input));
        let writer = Worker::start(move |new| writer.write(new));
        Ok(Files {
            scratch,
            reader: reader.map_err(|cause| SearchError::no_threads(2, cause))?,
            writer: writer.map_err(|cause| SearchError::no_threads(2, cause))?,
            finished: BTreeMap::new(),
            input: SlabInput::default(),
            new: Vec::new(),
            written: [0; 2],
        })
    }

    /// Waits until all that is written is committed.
    fn commit(&mut self) -> Result<(), SearchError> {
        self.writer.result().transpose()?;
        self.writer.begin(None);
        self.writer.result().transpose().map(drop)
    }

    /// Checks that there is disk for the next level, if it grows as the last one did.
    fn check_next_level(&mut self, setup: &Setup, levels: &[u64]) -> Result<(), SearchError> {
        let [first, second] = self.written;
        let third = self.scratch.moved[1].load(Ordering::Relaxed);
        self.written = [second, third];
        let (last, before) = (third - second, second - first);
        if let [.., fewer, more] = levels
            && more > fewer
            && first > 0
        {
            let growth = *more as f64 / *fewer as f64;
            let next = (last as f64 * growth) as u64;
            let is_kept = setup.keeps((levels.len() - 2) as u8);
            let freed = if is_kept { 0 } else { before };
            return self.scratch.check_disk(next.saturating_sub(freed));
        }
        Ok(())
    }

    /// Begins to read the files of a step of the level of another, into this memory.
    fn begin_reading(&mut self, of: &Step, number: usize, memory: SlabInput) {
        let mut step = of.clone();
        (step.number, step.finished) = (number, None);
        step.finished = self.finished(&step);
        self.reader.begin((step, memory));
    }

    /// Number of states of the slab of a step, if an earlier run has finished it.
    fn finished(&self, step: &Step) -> Option<u64> {
        slab(step).and_then(|slab| self.finished.get(&slab).copied())
    }

    /// Sets the bits of a level's states in the plane of a cell, of the slab that begins with a block.
    fn add_level(&self, setup: &Setup, level: u8, from: Block, out: &mut [u64]) -> io::Result<()> {
        let layout = setup.layout();
        let (blocks, slot) = (layout.slab_words() / layout.block, layout.slot(from.cell));
        let file = self.scratch.open(level, from.number / blocks, layout);
        let mut file = file.map_err(io::Error::other)?;
        if slot == 0 {
            let all = file.read_all(&mut Blocks::default()); // for its checksum
            all.map_err(io::Error::other)?;
        }
        let (mut found, mut coder) = (Vec::new(), Coder::default());
        let read = file.read(slot * blocks..(slot + 1) * blocks, &mut found);
        read.map_err(io::Error::other)?;
        let (mut codes, mut states) = (&found[..], vec![0; layout.block]);
        for out in out.chunks_mut(layout.block) {
            let (_, mut code) = split_block(&mut codes)?;
            if code != EMPTY {
                coder.read(&mut code, &mut states)?;
                or_into(out, &states);
            }
        }
        Ok(())
    }
}

impl Files {
    /// Does the work of [`Store::load`], and begins to read the next step.
    ///
    /// # Errors
    /// Those of the files.
    pub fn load(
        &mut self,
        planes: &mut [ColourPlanes; 2],
        step: &mut Step,
    ) -> Result<Vec<Vec<u8>>, SearchError> {
        let source = 1 - step.colour();
        if step.number == 0 {
            self.finished = self.scratch.finished(&step.setup, step.distance)?;
            let layout = step.setup.layout();
            for (colour, words) in [(step.colour(), 0), (source, layout.slab_words())] {
                planes[colour] = ColourPlanes::new(layout, colour, 0..words, false)?;
            }
            let memory = std::mem::take(&mut self.input);
            self.begin_reading(step, 0, memory);
        }
        let input = self.reader.result().expect("it was begun")?;
        let mut memory = std::mem::replace(&mut self.input, input);
        step.finished = self.finished(step);
        if step.distance > 0 && slab(step).is_some() {
            let layout = step.setup.layout();
            let source = &mut planes[source];
            source.frontier.first_chunk = step.words().start / layout.chunk();
            let read = |task: Task<'_>| task.read(layout, &self.input.source);
            let read = step.setup.each(source.tasks(), read).into_iter();
            let read: io::Result<()> = read.collect();
            read.map_err(|_| self.scratch.damaged())?;
        }
        if step.number + 1 < step.setup.shares.steps() {
            memory.source = std::mem::take(&mut self.input.source);
            self.begin_reading(step, step.number + 1, memory);
        }
        Ok(std::mem::take(&mut self.input.messages))
    }

    /// Does the work of [`Store::expand`], from the slab's states of the level before.
    pub fn expand(
        &mut self,
        level: Expansion<'_>,
        source: &ColourPlanes,
    ) -> Vec<io::Result<LevelResult>> {
        let layout = level.step.setup.layout();
        let count = layout.cells(level.step.colour()).count();
        self.new.resize_with(layout.slab_chunks(), Vec::new);
        (self.new.iter_mut()).for_each(|codes| codes.resize_with(count, Vec::new));
        let old = (level.step.distance >= 2).then_some(&self.input.old);
        let first = level.step.words().start / layout.chunk();
        let tasks = (first..).zip(&mut self.new).collect();
        level.step.setup.each(tasks, |(chunk, new): (usize, _)| {
            expand_codes(level, source, (chunk, old), new)
        })
    }

    /// Does the work of [`Store::save`]: begins to write the new states of a step.
    ///
    /// # Errors
    /// Those of the files.
    pub fn save(&mut self, step: &Step, made: io::Result<LevelResult>) -> Result<(), SearchError> {
        let found = made.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => SearchError::Interrupted,
            _ => self.scratch.damaged(), // the rank that loads a damaged file detects the damage
        })?;
        // A slab with a wrong claim is searched again by the next run.
        if slab(step).is_some() && found.wrong.is_none() {
            let codes = std::mem::take(&mut self.new);
            self.new = self.writer.result().transpose()?.unwrap_or_default();
            self.writer.begin(Some(NewSlab {
                step: step.clone(),
                states: found.states,
                codes,
            }));
        }
        Ok(())
    }

    /// Records these levels as finished. The level of the last steps has `states` states.
    ///
    /// # Errors
    /// Those of the files.
    pub fn finish(
        &mut self,
        setup: &Setup,
        levels: &[u64],
        states: u64,
    ) -> Result<(), SearchError> {
        // Ranks with folders of their own are at most a level apart.
        let is_over = levels.iter().sum::<u64>() == setup.class().states();
        let mut written = match setup.shares.ranks() {
            1 => self.writer.result().transpose().map(drop),
            _ => self.commit(),
        };
        if states == 0 {
            written = written.and(Err(self.scratch.damaged())); // there must be more states
        }
        setup.exchange.agree(written)?;
        self.scratch.write_manifest(setup, levels)?;
        match is_over {
            true => self.commit(),
            false => self.check_next_level(setup, levels),
        }
    }

    /// Does the work of [`Store::each_bit_one`].
    ///
    /// # Errors
    /// Those of the files and of `take`.
    pub fn each_bit_one(
        &self,
        setup: &Setup,
        levels: usize,
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let layout = setup.layout();
        let mut out = vec![0; layout.slab_words()];
        for cell in cells {
            for word in setup.words().step_by(layout.slab_words()) {
                out.fill(0);
                for level in (0..levels).map(|level| level as u8) {
                    if setup.keeps(level) && usize::from(level % 2) == layout.colour(cell) {
                        let number = word / layout.block;
                        self.add_level(setup, level, Block { cell, number }, &mut out)?;
                    }
                }
                out.chunks(layout.chunk()).try_for_each(&mut *take)?;
            }
        }
        Ok(())
    }

    /// Ends the threads and removes the files.
    pub fn remove(self) {
        drop((self.reader, self.writer)); // some systems keep a folder while a file in it is open
        self.scratch.remove();
    }
}
