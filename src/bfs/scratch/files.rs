//! Planes in files of coded slabs: the frontier of one slab is in memory at a time.
//!
//! While a slab is at work, one thread reads the files of the next, with the words that cross from this rank's
//! slabs in its step, and another writes those of the one before. Written files are committed together; then those of
//! two levels before are removed. So two levels and a little more are the most that is stored, and where distances are
//! kept the levels for which bit 1 of the distance is set. A search that is ended at any moment goes on from the slabs
//! whose files are whole: those that were committed, and after a kill those that were written. Every other level takes
//! the slabs backwards: what was written last is read first, from the system's memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::mem;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::basics::parallel::Threads;

use super::super::checkpoint::coding::{Coder, EMPTY};
use super::super::engine::colour::{ColourPlanes, LevelResult, Task};
use super::super::engine::planes::or_into;
use super::super::engine::search::HAS_FILES;
use super::super::engine::step::{Setup, Step};
use super::super::error::{SearchError, at};
use super::folder::{Scratch, level_file};
use super::slab::{Blocks, Codes, Slab, SlabFile, append_words, split_block, trailer};

/// Planes whose slabs are files.
#[derive(Debug)]
pub struct Files {
    pub scratch: Scratch,
    reader: Reader,
    writer: Writer,
    slab: Slab,
    /// Threads that read and write beside the search; without them all is done in turn.
    threads: Option<Threads>,
    /// Bytes that had been written when the last two levels were finished.
    written: [u64; 2],
}

/// Reads the files of a step.
#[derive(Debug, Default)]
struct Reader {
    /// Files of the level before, by slab, for crossing words.
    open: BTreeMap<usize, SlabFile>,
    /// Number of states of the step's slab, if an earlier run has finished it.
    finished: Option<u64>,
    /// The slab's states of the level before, if there is one.
    source: Blocks,
    /// Its states two levels before, of the colour that is searched.
    old: Blocks,
    /// Crossing words as messages, by receiver.
    messages: Vec<Vec<u8>>,
}

/// Files that are open at a time.
const MOST_OPEN: usize = 256;

impl Reader {
    fn read(&mut self, scratch: &Scratch, mut step: Step) -> Result<(), SearchError> {
        if step.number == step.setup.layout().steps() {
            self.open.clear(); // the level is over
            return Ok(());
        }
        let setup = step.setup.clone();
        let read = |level, slab, blocks: &mut Blocks| {
            let mut file = scratch.open(level, slab, setup.layout())?;
            file.read_all(blocks).map(|()| file.states)
        };
        if let Some(slab) = step.slab() {
            step.finished = match read(step.distance, slab, &mut self.source) {
                Ok(states) => Some(states),
                Err(SearchError::Damaged(_)) => None, // the search was ended while it was written
                Err(SearchError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                    None
                }
                Err(error) => return Err(error),
            };
        }
        self.finished = step.finished;
        self.messages = self.outgoing(scratch, &step)?;
        if let Some(slab) = step.slab() {
            for (back, blocks) in [(1, &mut self.source), (2, &mut self.old)] {
                let level = step.distance.checked_sub(back);
                level.map_or(Ok(0), |level| read(level, slab, blocks))?;
            }
        }
        Ok(())
    }

    /// Reads the words that other slabs need from this rank in a step, as messages.
    fn outgoing(&mut self, scratch: &Scratch, step: &Step) -> Result<Vec<Vec<u8>>, SearchError> {
        let mut messages = vec![Vec::new(); step.setup.layout().ranks];
        let layout = step.setup.layout();
        let (len, mut coder, mut blocks) = (layout.block, Coder::default(), Vec::new());
        for (rank, run) in step.outgoing() {
            let all = layout.slab_words();
            let (slab, first) = (run.from / all, run.from % all);
            if self.open.len() >= MOST_OPEN {
                self.open.clear();
            }
            let file = match self.open.entry(slab) {
                Entry::Occupied(file) => file.into_mut(),
                Entry::Vacant(place) => {
                    place.insert(scratch.open(step.distance - 1, slab, layout)?)
                }
            };
            let first = layout.slot(run.source) * all + first;
            let end = first + run.len;
            file.read(first / len..end.div_ceil(len), &mut blocks)?;
            let words = first % len..first % len + run.len;
            let appended = append_words(&blocks, len, words, &mut coder, &mut messages[rank]);
            appended.map_err(at(&file.path))?;
        }
        Ok(messages)
    }
}

/// Writes the files of slabs, and commits them when there are enough or some time has passed.
#[derive(Debug, Default)]
struct Writer {
    /// The step of the slab that is written next, and its number of states.
    made: Option<(Step, u64)>,
    /// Its codes, by chunk.
    codes: Vec<Codes>,
    /// Files that are not needed any more when these are committed.
    old: Vec<String>,
    /// Bytes that are not committed.
    bytes: u64,
    /// Time of the last commit.
    committed: Option<Instant>,
}

/// Time after which what was written is committed, and number of slabs.
const COMMITS_AFTER: (Duration, u64) = (Duration::from_millis(500), 128);

impl Writer {
    /// Writes a slab, cell by cell, if one was made.
    fn write(&mut self, scratch: &Scratch) -> Result<(), SearchError> {
        let Some((step, states)) = self.made.take() else {
            return Ok(());
        };
        let slab = step.slab().expect("it was made");
        let name = level_file(step.distance, slab);
        let cells = self.codes.first().map_or(0, Vec::len);
        let of_cell = |cell: usize| self.codes.iter().map(move |codes| &codes[cell][..]);
        let mut parts: Vec<&[u8]> = (0..cells).flat_map(of_cell).collect();
        let trailer = trailer(&parts, states);
        parts.push(&trailer);
        let (time, slabs) = COMMITS_AFTER;
        let bytes = scratch.write(&name, &parts)?;
        self.bytes += bytes.max(scratch.uncommitted / slabs);
        let old = step.distance.checked_sub(2);
        let old = old.filter(|&level| !step.setup.keeps(level));
        self.old.extend(old.map(|level| level_file(level, slab)));
        let is_late = self.committed.is_none_or(|then| then.elapsed() > time);
        match self.bytes > scratch.uncommitted || is_late {
            true => self.commit(scratch),
            false => Ok(()),
        }
    }

    /// Commits the slabs, and then the manifest, which names a level when all its slabs are committed.
    fn commit(&mut self, scratch: &Scratch) -> Result<(), SearchError> {
        (self.bytes, self.committed) = (0, Some(Instant::now()));
        scratch.commit()?;
        let mut old = self.old.drain(..);
        old.try_for_each(|name| scratch.remove_file(&name))
    }
}

impl Step {
    /// The slab of this rank, if it has one.
    fn slab(&self) -> Option<usize> {
        let words = self.words();
        (!words.is_empty()).then(|| words.start / self.setup.layout().slab_words())
    }
}

impl Files {
    /// Creates planes in files.
    pub fn new(scratch: Scratch) -> Files {
        Files {
            scratch,
            reader: Reader::default(),
            writer: Writer::default(),
            slab: Slab::default(),
            threads: Threads::new(2).ok(),
            written: [0; 2],
        }
    }

    /// Checks that there is disk for the next level, if it grows as the last one did.
    fn check_next_level(&mut self, setup: &Setup, levels: &[u64]) -> Result<(), SearchError> {
        let [first, second] = self.written;
        let third = self.scratch.moved[1].load(Ordering::Relaxed);
        self.written = [second, third];
        match levels {
            [.., fewer, more] if more > fewer && first > 0 => {
                let next = ((third - second) as f64 * (*more as f64 / *fewer as f64)) as u64;
                let is_kept = setup.keeps((levels.len() - 2) as u8);
                let freed = if is_kept { 0 } else { second - first };
                self.scratch.check_disk(next.saturating_sub(freed))
            }
            _ => Ok(()),
        }
    }

    /// Makes the planes of a step ready, and sets whether it is finished. Returns the words that other ranks, or other
    /// slabs, need for theirs, by receiver.
    ///
    /// # Errors
    /// Those of the files.
    pub fn load(
        &mut self,
        planes: &mut [ColourPlanes; 2],
        step: &mut Step,
    ) -> Result<Vec<Vec<u8>>, SearchError> {
        let (layout, source, reader) = (step.setup.layout(), 1 - step.colour(), &mut self.reader);
        if step.number == 0 {
            for (colour, words) in [(step.colour(), 0), (source, layout.slab_words())] {
                planes[colour] = ColourPlanes::new(layout, colour, 0..words, false)?;
            }
            reader.read(&self.scratch, step.clone())?;
        }
        step.finished = reader.finished;
        mem::swap(&mut self.slab.old, &mut reader.old);
        if step.distance > 0 && step.slab().is_some() {
            let source = &mut planes[source];
            source.frontier.first_chunk = step.words().start / layout.chunk();
            let read = |task: Task<'_>| task.read(layout, &reader.source);
            let mut read = step.setup.each(source.tasks(), read).into_iter();
            read.try_for_each(|read| read)
                .map_err(|_| self.scratch.damaged())?;
        }
        Ok(mem::take(&mut reader.messages))
    }

    /// Makes the new states of a step by `work`. They are written beside the next step: meanwhile one thread reads the files
    /// of that, and another writes those of the step before.
    ///
    /// # Errors
    /// Those of the files and of `work`.
    pub fn make(
        &mut self,
        step: &Step,
        work: impl FnOnce(&mut Slab) -> io::Result<LevelResult>,
    ) -> Result<LevelResult, SearchError> {
        let mut next = step.clone();
        (next.number, next.finished) = (step.number + 1, None);
        let (scratch, reader, writer) = (&self.scratch, &mut self.reader, &mut self.writer);
        let (mut read, mut written) = (Ok(()), Ok(()));
        let jobs: [Box<dyn FnOnce() + Send>; 2] = [
            Box::new(|| read = reader.read(scratch, next)),
            Box::new(|| written = writer.write(scratch)),
        ];
        let work = || work(&mut self.slab);
        let made = match &self.threads {
            Some(threads) => threads.beside(jobs, work),
            None => {
                jobs.into_iter().for_each(|job| job());
                work()
            }
        };
        read.and(written)?;
        let found = made.map_err(|_| self.scratch.damaged())?; // the rank that loads a damaged file detects the damage
        // A slab with a wrong claim is searched again by the next run.
        if step.slab().is_some() && found.wrong.is_none() {
            mem::swap(&mut self.slab.new, &mut self.writer.codes);
            self.writer.made = Some((step.clone(), found.states));
        }
        Ok(found)
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
        let mut written = self.writer.write(&self.scratch);
        if setup.layout().ranks > 1 {
            // Ranks with folders of their own are at most a level apart.
            written = written.and_then(|()| self.writer.commit(&self.scratch));
        }
        if states == 0 {
            written = written.and(Err(self.scratch.damaged())); // there must be more states
        }
        setup.exchange.agree(written)?;
        self.scratch.state.levels = levels.to_vec();
        self.writer.bytes += 1; // the manifest
        match levels.iter().sum::<u64>() == setup.class().states() {
            true => self.writer.commit(&self.scratch),
            false => self.check_next_level(setup, levels),
        }
    }

    /// Does the work of [`Search::each_bit_one`](super::super::engine::search::Search::each_bit_one).
    ///
    /// # Errors
    /// Those of the files and of `take`.
    pub fn each_bit_one(
        &self,
        setup: &Setup,
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let layout = setup.layout();
        let blocks = layout.slab_words() / layout.block;
        let (mut out, mut states) = (vec![0; layout.slab_words()], vec![0; layout.block]);
        let (mut found, mut coder) = (Vec::new(), Coder::default());
        for (cell, slab) in cells.flat_map(|cell| setup.slabs().map(move |slab| (cell, slab))) {
            out.fill(0);
            let slot = layout.slot(cell);
            let levels = self.scratch.state.levels.len() as u8;
            // Those of the cell's colour that set bit one.
            for level in (2 + layout.colour(cell) as u8..levels).step_by(4) {
                let mut file = self.scratch.open(level, slab, layout)?;
                if slot == 0 {
                    file.read_all(&mut Blocks::default())?; // for its checksum
                }
                file.read(slot * blocks..(slot + 1) * blocks, &mut found)?;
                let mut codes = &found[..];
                for out in out.chunks_mut(layout.block) {
                    let mut code = split_block(&mut codes)?;
                    if code != EMPTY {
                        coder.read(&mut code, &mut states)?;
                        or_into(out, &states);
                    }
                }
            }
            out.chunks(layout.chunk()).try_for_each(&mut *take)?;
        }
        Ok(())
    }

    /// Removes the files.
    pub fn remove(mut self) {
        self.reader.open.clear(); // some systems keep a folder while a file in it is open
        self.scratch.remove();
    }
}

impl Drop for Files {
    /// Keeps what is finished. Errors are ignored: the search goes on from before.
    fn drop(&mut self) {
        if HAS_FILES && self.writer.bytes > 0 {
            let _ = self.writer.commit(&self.scratch);
        }
    }
}
