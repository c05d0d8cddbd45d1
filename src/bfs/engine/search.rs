//! The search: its planes, what all ranks know of it, and the memory that it takes.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::basics::available_memory;
use crate::space::GoalClass;

use super::super::error::SearchError;
use super::super::options::SearchOptions;
use super::super::ranks::exchange::Exchange;
use super::super::scratch::files::Files;
use super::colour::ColourPlanes;
use super::layout::Layout;
use super::levels::go_on;
use super::planes::Planes;
use super::step::{Kept, Setup};

/// A breadth-first search from a class's goal, a level at a time.
///
/// The states at even distances have their blank on one colour of the checkerboard, those at odd
/// distances on the other, so one bit a state holds a frontier and the level before it. A
/// neighbour of a state at distance d is at d - 1 or d + 1: no set of seen states is needed, since
/// states that are pulled from the frontier are new unless they are in the level before it. With
/// another bit for bit 1 of the distance, memory is two bits a state, or 2 * 64/60 with the unused
/// bits of the words.
///
/// ```
/// use puzzledb::internals::{Search, go_on};
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
///
/// let mut search = Search::new(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?, 1)?;
/// let mut sizes = vec![];
/// while let Ok(Some(level)) = search.advance(&mut go_on) {
///     sizes.push(level.states());
/// }
/// assert_eq!(sizes.len(), 32);
/// assert_eq!(sizes[..5], [1, 2, 4, 8, 16]);
/// assert_eq!(sizes.iter().sum::<u64>(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    pub(crate) setup: Arc<Setup>,
    /// Number of states of each finished level.
    pub(crate) levels: Vec<u64>,
    /// Planes in memory, by colour: those of this rank's share, or of the slab at work.
    pub(crate) colours: [ColourPlanes; 2],
    /// Coded slabs, of a search whose planes do not stay in memory.
    pub(crate) files: Option<Files>,
    /// Bytes that crossed from rank to rank at each level that this process has searched.
    pub crossed: Vec<u64>,
}

/// Whether there are files: the browser has none, and its module is smaller without the code for them.
pub const HAS_FILES: bool = !cfg!(target_family = "wasm");

/// Counts the states at each distance from the goals of a class, on all cores, at one bit a state and without a table.
///
/// ```
/// use puzzledb::bfs::count_levels;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
///
/// let levels = count_levels(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?)?; // the blank's cell at the goal
/// assert_eq!((levels.len(), levels[31]), (32, 2));
/// assert_eq!(levels.iter().sum::<u64>(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SearchError`] if the space is too large for this machine, or the system gives no memory or no threads.
pub fn count_levels(class: GoalClass) -> Result<Vec<u64>, SearchError> {
    let mut search = Search::shared(class, Kept::Nothing, &SearchOptions::default())?;
    search.run(&mut go_on)?;
    Ok(search.levels().to_vec())
}

/// Bytes of memory that this machine can give, or an assumed number where it does not report them.
pub(crate) fn memory_of_machine() -> u64 {
    available_memory().unwrap_or(32 << 30)
}

impl Search {
    /// Creates a search from the goal of `class` with at most `threads` threads, which keeps bit 1 of
    /// all distances.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large for this machine, or the system gives no memory
    /// or no threads.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        Search::shared(class, Kept::BitOne, &SearchOptions::threads(threads))
    }

    /// Begins a search, or resumes the one in the options' folder, by all ranks together.
    ///
    /// # Errors
    /// Those of [`Search::in_slabs`] in a folder, of [`Search::shared`] without one.
    pub fn open(
        class: GoalClass,
        kept: Kept,
        options: &SearchOptions,
    ) -> Result<Search, SearchError> {
        match options.scratch {
            Some(_) => Search::in_slabs(class, kept, options),
            None => Search::shared(class, kept, options),
        }
    }

    /// Creates a search in memory by all ranks together: each owns a run of slabs, and the levels are
    /// those of one process. A search that keeps nothing takes half the memory, and counts the states of
    /// each level.
    ///
    /// # Errors
    /// Those of [`Search::new`]; [`SearchError::OtherRank`] where only other ranks have one.
    pub fn shared(
        class: GoalClass,
        kept: Kept,
        options: &SearchOptions,
    ) -> Result<Search, SearchError> {
        let exchange = &options.exchange;
        let made = Search::check_memory(class, kept, options).and_then(|()| {
            let layout = Layout::for_ranks(class, exchange.ranks());
            let setup = Setup::new(&layout, kept, options)?;
            Search::begin(setup, None)
        });
        exchange.agree(made)
    }

    /// Checks that this machine can search the share of its ranks of the space of `class` in memory, each in at
    /// most the options' memory.
    ///
    /// # Errors
    /// [`SearchError::TooLittleMemory`], with the figures.
    pub fn check_memory(
        class: GoalClass,
        kept: Kept,
        options: &SearchOptions,
    ) -> Result<(), SearchError> {
        let needed = Search::memory_of_rank(class, kept, options.exchange.ranks());
        let spare = memory_of_machine() / options.exchange.ranks_here() as u64;
        SearchError::check_memory(class, false, needed, (options.memory, Some(spare)))
    }

    /// Bytes of memory that a search of `class` takes: one or two bits a state, and 5 bytes for
    /// each block.
    pub fn memory(class: GoalClass, kept: Kept) -> u64 {
        let words = class.states().div_ceil(60);
        let planes = 1 + u64::from(kept == Kept::BitOne);
        words * planes * 8 + words / 336 * 5
    }

    /// Bytes of memory that a rank takes at most in a shared search: its share of the memory of the
    /// whole search, and of the crossing planes, as they are used, sent and received.
    pub fn memory_of_rank(class: GoalClass, kept: Kept, ranks: usize) -> u64 {
        let whole = Search::memory(class, kept);
        if ranks == 1 {
            return whole;
        }
        let layout = Layout::for_ranks(class, ranks);
        let (words, all) = (layout.share(0).len() as u128, layout.words as u128);
        let crossing = (layout.digits + 2) * words as usize * 8;
        (u128::from(whole) * words / all) as u64 + crossing as u64
    }

    /// Bit 1 of the distances of all states of a colour that have been reached; 0 for the others.
    ///
    /// Every encoding needs it. It is there if [`Kept::BitOne`] is kept in memory.
    pub fn bit_one(&self, colour: usize) -> &Planes {
        &self.colours[colour].bit_one
    }

    /// Ends the search and gives the memory of its frontiers back, which the system needs for the file.
    pub fn finish(&mut self) {
        (self.colours.iter_mut()).for_each(|planes| planes.frontier.words.clear());
    }

    /// Begins in memory, or after the levels that files have.
    pub(crate) fn begin(setup: Setup, files: Option<Files>) -> Result<Search, SearchError> {
        let saved = files.as_ref().filter(|_| HAS_FILES);
        let levels = saved.map(|files| files.scratch.state.levels.clone());
        let planes = |colour| {
            let words = if files.is_none() { setup.words() } else { 0..0 };
            let has_bit_one = setup.kept == Kept::BitOne;
            ColourPlanes::new(setup.layout(), colour, words, has_bit_one)
        };
        let colours = [planes(0)?, planes(1)?];
        Ok(Search {
            setup: Arc::new(setup),
            levels: levels.unwrap_or_default(),
            colours,
            files,
            crossed: Vec::new(),
        })
    }

    /// The ranks that share the search.
    pub fn exchange(&self) -> &Arc<dyn Exchange> {
        &self.setup.exchange
    }

    /// The class whose space is searched.
    pub fn class(&self) -> GoalClass {
        self.setup.class()
    }

    /// Words of each plane that this rank owns: all of them if there is one rank.
    pub fn words(&self) -> Range<usize> {
        self.setup.words()
    }

    /// The layout of the planes, in slabs if they are in files or there are several ranks.
    pub fn layout(&self) -> &Layout {
        self.setup.layout()
    }

    /// Number of states at each distance reached so far.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Returns whether all states have been reached. If not, and there is no further level, the search
    /// was resumed from a wrong checkpoint.
    pub fn is_complete(&self) -> bool {
        self.levels.iter().sum::<u64>() == self.class().states()
    }

    /// Hands bit 1 of the distances of this rank's share of some cells to `take`, in the order of their
    /// numbers, some words at a time. It is there if [`Kept::BitOne`] is kept.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    pub fn each_bit_one(
        &self,
        cells: Range<usize>,
        mut take: impl FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(files) = self.files.as_ref().filter(|_| HAS_FILES) {
            return files.each_bit_one(&self.setup, cells, &mut take);
        }
        let (layout, chunk) = (self.layout(), self.layout().chunk());
        for cell in cells {
            let planes = self.bit_one(layout.colour(cell));
            let mut words = self.words().step_by(chunk);
            words.try_for_each(|word| take(planes.piece(cell, word, chunk)))?;
        }
        Ok(())
    }

    /// Bytes that this process has read from files, and those that it has written to files.
    pub fn bytes_moved(&self) -> [u64; 2] {
        let read = |bytes: &AtomicU64| bytes.load(Ordering::Relaxed);
        let files = self.files.as_ref();
        files.map_or([0; 2], |files| files.scratch.moved.each_ref().map(read))
    }

    /// Ends the search and removes its files, and the folder if nothing else is in it.
    pub fn remove(self) {
        if let Some(files) = self.files {
            files.remove();
        }
    }
}

#[cfg(test)]
mod tests;
