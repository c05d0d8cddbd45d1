//! The search where the planes do not fit the memory: slab by slab, from files and to files.
//!
//! A slab's states share the leading Lehmer digits of their order. All moves but a few stay inside
//! a slab, so one slab of each colour is in memory at a time: the frontier to be expanded, and the
//! level before it, which becomes the next. A move of the blank from cell s to the cell below
//! rotates the tiles from s on; only where s is below the number of leading digits it crosses
//! slabs, in runs of whole words, which are fetched from the files of the other slabs. While a
//! slab is at work, the next is read and the one before is written.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use crate::basics::available_memory;
use crate::space::GoalClass;

use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Kept};
use super::error::SearchError;
use super::layout::{Colour, Layout, bit_one_of};
use super::pull::Pulls;
use super::scratch::{Scratch, ScratchError};
use super::search::MEMORY_WHERE_UNKNOWN;
use super::slab::{Ahead, Slab, pieces};
use super::workers::Workers;

/// A breadth-first search whose slabs live in files of a scratch folder, a level at a time.
///
/// ```
/// use puzzledb::bfs::{Kept, SlabSearch};
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use std::ops::ControlFlow;
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let folder = std::env::temp_dir().join(format!("example-{}.scratch", std::process::id()));
/// let mut search = SlabSearch::open(class, Kept::Nothing, 1, None, &folder)?;
/// while search.advance(&mut |_, _| ControlFlow::Continue(()))?.is_some() {}
/// assert_eq!(search.levels().len(), 32);
/// search.remove();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SlabSearch {
    pulls: Pulls,
    /// One slab of each colour, indexed by [`Colour`].
    planes: [ColourPlanes; 2],
    /// Number of states of each finished level.
    levels: Vec<u64>,
    kept: Kept,
    workers: Workers,
    scratch: Scratch,
}

/// Slabs of one colour that are in memory at a time, at most, in bits a state: both frontiers,
/// and as codes three files read ahead and three slabs of two files on their way out.
const SLABS_IN_MEMORY: u64 = 11;

/// Bytes of memory that a search may take, by default three quarters of what the machine has.
fn limit(memory: Option<u64>) -> u64 {
    memory.unwrap_or_else(|| available_memory().unwrap_or(MEMORY_WHERE_UNKNOWN) / 4 * 3)
}

impl SlabSearch {
    /// A search from the goal of `class` in a folder, which takes at most `memory` bytes, by
    /// default three quarters of what the machine has; goes on where the one before in this folder
    /// ended.
    ///
    /// # Errors
    /// [`ScratchError`], before anything in the folder is changed.
    pub fn open(
        class: GoalClass,
        kept: Kept,
        threads: usize,
        memory: Option<u64>,
        folder: &Path,
    ) -> Result<SlabSearch, ScratchError> {
        let shape = class.shape().transposed();
        let (fewest, _) = SlabSearch::fitting(class, memory)?;
        let disk = SlabSearch::disk(class, kept);
        let (scratch, digits, levels) = Scratch::open(folder, class, kept, fewest, disk)?;
        let layout = Layout::new(class).in_slabs(digits);
        let layout = layout.ok_or_else(|| ScratchError::Damaged(folder.to_owned()))?;
        if digits < fewest {
            return Err(ScratchError::LittleMemory {
                shape,
                needed: SlabSearch::memory(class, digits).unwrap_or(u64::MAX),
                given: limit(memory),
            });
        }
        let planes =
            |colour| ColourPlanes::new(&layout, colour, Kept::Nothing, 0..layout.slab_words());
        let memory = |cause| SearchError::Memory { shape, cause };
        Ok(SlabSearch {
            planes: [
                planes(Colour::Even).map_err(memory)?,
                planes(Colour::Odd).map_err(memory)?,
            ],
            pulls: Pulls::new(&layout),
            levels,
            kept,
            workers: Workers::new(class, threads)?,
            scratch,
        })
    }

    /// The fewest leading digits with which a search of `class` takes at most `memory` bytes, and
    /// the bytes that it takes.
    ///
    /// # Errors
    /// [`ScratchError::LittleMemory`] if even the smallest slabs take more.
    pub fn fitting(class: GoalClass, memory: Option<u64>) -> Result<(usize, u64), ScratchError> {
        let given = limit(memory);
        let mut needed = u64::MAX;
        for digits in 0.. {
            match SlabSearch::memory(class, digits) {
                Some(needed) if needed <= given => return Ok((digits, needed)),
                Some(more) => needed = more,
                None => break,
            }
        }
        Err(ScratchError::LittleMemory {
            shape: class.shape().transposed(),
            needed,
            given,
        })
    }

    /// Bytes of memory that a search takes whose slabs share so many leading digits; `None` if
    /// slabs cannot be that small.
    pub fn memory(class: GoalClass, digits: usize) -> Option<u64> {
        let layout = Layout::new(class).in_slabs(digits)?;
        let cells = layout.planes().div_ceil(2) as u64;
        Some(cells * layout.slab_words() as u64 * 8 * SLABS_IN_MEMORY + (8 << 20))
    }

    /// Bytes of disk that a search takes, about: a bit a state if distances are kept, and three
    /// coded levels, a byte for each of their states. The widest level of shapes that are worth a
    /// file has up to a fifteenth of all states.
    pub fn disk(class: GoalClass, kept: Kept) -> u64 {
        let states = class.states();
        let bit_one = if kept == Kept::Nothing {
            0
        } else {
            states / 60 * 8
        };
        bit_one + states / 5 + (1 << 20)
    }

    /// Number of states at each distance reached so far.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Bytes that have been read from files and written to files by this process.
    pub fn bytes_moved(&self) -> (u64, u64) {
        self.scratch.bytes_moved()
    }

    /// The layout, in slabs.
    pub fn layout(&self) -> &Layout {
        self.pulls.layout()
    }

    /// Finds all levels. `observe` is told of each slab: its distance, how many slabs of how many
    /// are finished there, and the states that have been reached in all. It may end the search.
    ///
    /// # Errors
    /// As [`SlabSearch::advance`].
    pub fn run(
        &mut self,
        mut observe: impl FnMut(u8, (usize, usize), u64) -> ControlFlow<()>,
    ) -> Result<(), ScratchError> {
        let slabs = self.layout().slabs();
        loop {
            let before = self.levels.iter().sum::<u64>();
            let distance = self.levels.len() as u8;
            let mut slab_done =
                |slab, states| observe(distance, (slab + 1, slabs), before + states);
            if self.advance(&mut slab_done)?.is_none() {
                return Ok(());
            }
        }
    }

    /// Finds the next level; how many states it has, or `None` when every state has been reached.
    /// `observe` is told of each slab, with the states that the level has so far, and may end the
    /// search.
    ///
    /// # Errors
    /// [`ScratchError`]; the last finished level is still in the folder.
    pub fn advance(
        &mut self,
        observe: &mut dyn FnMut(usize, u64) -> ControlFlow<()>,
    ) -> Result<Option<u64>, ScratchError> {
        let class = self.layout().ranking().class();
        if self.levels.iter().sum::<u64>() == class.states() {
            return Ok(None);
        }
        let states = self.expand(self.levels.len() as u8, observe)?;
        if states == 0 {
            return Err(self.scratch.damaged()); // levels that are not those of the files, without an end
        }
        self.levels.push(states);
        self.scratch.finish_level(&self.levels)?;
        self.scratch.remove_leftovers(&self.levels)?;
        Ok(Some(states))
    }

    /// Makes the files of the level at `distance`.
    fn expand(
        &mut self,
        distance: u8,
        observe: &mut dyn FnMut(usize, u64) -> ControlFlow<()>,
    ) -> Result<u64, ScratchError> {
        let SlabSearch {
            pulls,
            planes,
            kept,
            workers,
            scratch,
            ..
        } = self;
        let (pulls, scratch) = (&*pulls, &*scratch);
        let layout = pulls.layout();
        let colour = Colour::of_distance(distance);
        let with_bit_one = *kept == Kept::BitOne && bit_one_of(distance) != 0;
        let ahead = |slab| Ahead::read(scratch, layout, distance, slab, with_bit_one);
        let mut states = 0;
        thread::scope(|scope| {
            let (send, receive) = mpsc::sync_channel::<(PathBuf, Vec<Vec<u8>>)>(1);
            let write = move || {
                let mut files = receive.into_iter();
                files.try_for_each(|(path, pieces)| scratch.write(&path, &pieces))
            };
            let thread = thread::Builder::new;
            let no_thread = |cause| scratch.no_thread(cause);
            let writer = thread().spawn_scoped(scope, write).map_err(no_thread)?;
            let read = |slab| {
                let reader = thread().spawn_scoped(scope, move || ahead(slab));
                reader.map_err(no_thread)
            };
            let mut next = Some(read(0)?);
            let mut ended = Ok(());
            for slab in 0..layout.slabs() {
                let Some(reader) = next.take() else { break };
                let files = reader.join().expect("the reader does not panic");
                if slab + 1 < layout.slabs() {
                    next = Some(read(slab + 1)?);
                }
                let made = files.and_then(|files| {
                    let planes = &mut *planes;
                    let mut slab = Slab {
                        pulls,
                        planes,
                        workers,
                        scratch,
                        slab,
                    };
                    slab.load(&files, distance)?;
                    let new = slab.expand(distance);
                    let frontier = slab.frontier(colour);
                    let bits = (with_bit_one && (new > 0 || files.bit_one.is_none()))
                        .then(|| slab.merge(colour, files.bit_one.as_ref()))
                        .transpose()?;
                    Ok((new, frontier, bits))
                });
                let (new, frontier, bits) = match made {
                    Ok(made) => made,
                    Err(error) => {
                        ended = Err(error);
                        break;
                    }
                };
                states += new;
                let bits = bits.map(|bits| (scratch.bit_one(colour, slab), bits));
                let frontier = Some((scratch.level(distance, slab), frontier));
                if (frontier.into_iter().chain(bits)).any(|file| send.send(file).is_err()) {
                    break; // the writer says why
                }
                if observe(slab, states).is_break() {
                    ended = Err(ScratchError::Interrupted);
                    break;
                }
            }
            drop(send);
            writer.join().expect("the writer does not panic")?;
            ended
        })?;
        Ok(states)
    }

    /// Hands bit 1 of the distances of all states to `take`, in the order of their numbers, some
    /// words at a time. It is there if [`Kept::BitOne`] is kept.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    pub fn each_bit_one(&self, mut take: impl FnMut(&[u64]) -> io::Result<()>) -> io::Result<()> {
        let layout = self.layout();
        let (chunks, mut coder) = (layout.slab_chunks(), Coder::default());
        let mut words = vec![0; layout.chunk()];
        for cell in 0..layout.planes() {
            let (colour, slot) = (layout.colour(cell), layout.slot(cell));
            let count = pieces(layout, colour);
            for slab in 0..layout.slabs() {
                let path = self.scratch.bit_one(colour, slab);
                let wanted = slot * chunks..(slot + 1) * chunks;
                let wanted = (slot > 0).then_some(wanted); // the first reads all: its checksum
                let found = self.scratch.read(&path, wanted, count)?;
                for chunk in 0..chunks {
                    let mut code = found.get(chunk);
                    for block in words.chunks_mut(layout.block()) {
                        coder.read(&mut code, block)?;
                    }
                    take(&words)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the search and removes its files, and the folder if nothing else is in it.
    pub fn remove(self) {
        self.scratch.remove();
    }
}

#[cfg(test)]
mod tests;
