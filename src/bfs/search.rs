//! The levels of a breadth-first search from the goal.

use std::ops::Range;
use std::sync::Arc;

use crate::basics::available_memory;
use crate::space::{GoalClass, StateIndex};

use super::colour_planes::{Cells, ColourPlanes, Kept, Task};
use super::crossing;
use super::error::SearchError;
use super::exchange::{Alone, Exchange};
use super::layout::{Colour, bit_one_of};
use super::planes::Planes;
use super::pull::Pulls;
use super::shares::Shares;
use super::workers::Workers;

/// A breadth-first search from a class's goal, a level at a time.
///
/// The states at even distances have their blank on one colour of the checkerboard, those at odd
/// distances on the other, so one bit a state holds a frontier and the level before it. A
/// neighbour of a state at distance d is at d - 1 or d + 1: no set of seen states is needed, since
/// what is pulled from the frontier and is not in the level before it is new. With another bit for
/// bit 1 of the distance, memory is two bits a state, or 2 * 64/60 with the unused bits of the
/// words.
///
/// ```
/// use puzzledb::bfs::Search;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
///
/// let mut search = Search::new(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?, 1)?;
/// let mut sizes = vec![];
/// while let Some(level) = search.advance() {
///     sizes.push(level.states());
/// }
/// assert_eq!(sizes.len(), 32);
/// assert_eq!(sizes[..5], [1, 2, 4, 8, 16]);
/// assert_eq!(sizes.iter().sum::<u64>(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    pulls: Pulls,
    /// Indexed by [`Colour`].
    planes: [ColourPlanes; 2],
    /// Number of states of each finished level.
    levels: Vec<u64>,
    kept: Kept,
    workers: Workers,
    exchange: Arc<dyn Exchange>,
    shares: Shares,
    /// Bytes that crossed from rank to rank at each level that this process has searched.
    crossed: Vec<u64>,
}

/// A finished level: the states at one distance.
#[derive(Debug)]
pub struct Level<'a> {
    search: &'a Search,
    distance: u8,
    states: u64,
}

impl Level<'_> {
    /// The distance of its states.
    pub fn distance(&self) -> u8 {
        self.distance
    }

    /// How many states it has, on all ranks.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The pulls of the search.
    pub fn pulls(&self) -> &Pulls {
        &self.search.pulls
    }

    /// The colour of its states.
    pub fn colour(&self) -> Colour {
        Colour::of_distance(self.distance)
    }

    /// The numbers of its states, of this rank's share, cell by cell, in order.
    pub fn states_in_order(&self) -> impl Iterator<Item = StateIndex> {
        let layout = self.pulls().layout();
        layout.cells(self.colour()).flat_map(move |cell| {
            self.search.words().flat_map(move |word| {
                let mut left = self.planes().piece(cell, word, 1)[0];
                std::iter::from_fn(move || {
                    let bit = left.trailing_zeros();
                    left &= left.checked_sub(1)?;
                    Some(layout.index(cell, word, bit))
                })
            })
        })
    }

    /// Its states as bits: the planes of its colour, in the order of
    /// [`Layout`](super::Layout).
    pub fn planes(&self) -> &Planes {
        &self.search.planes(self.colour()).frontier
    }
}

/// Bytes of memory that a machine is taken to have that does not say.
pub(super) const MEMORY_WHERE_UNKNOWN: u64 = 32 << 30;

impl Search {
    /// A search from the goal of `class` with at most `threads` threads, which keeps bit 1 of all
    /// distances.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large for this machine, or the system gives no memory
    /// or no threads.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        Search::keeping(class, Kept::BitOne, threads)
    }

    /// As [`Search::new`], but keeps something else. A search that keeps nothing takes half the
    /// memory, and counts the states of each level.
    ///
    /// # Errors
    /// Those of [`Search::new`].
    pub fn keeping(class: GoalClass, kept: Kept, threads: usize) -> Result<Search, SearchError> {
        Search::shared(class, kept, threads, Arc::new(Alone))
    }

    /// As [`Search::keeping`], by all ranks of `exchange` together: each owns a run of slabs, and
    /// the levels are those of one process.
    ///
    /// # Errors
    /// Those of [`Search::new`]; [`SearchError::OtherRank`] where only other ranks have one.
    pub fn shared(
        class: GoalClass,
        kept: Kept,
        threads: usize,
        exchange: Arc<dyn Exchange>,
    ) -> Result<Search, SearchError> {
        let (layout, shares) = Shares::new(class, exchange.ranks());
        let shape = class.shape().transposed();
        let planes = |colour| {
            let words = shares.of(exchange.rank());
            let planes = ColourPlanes::new(&layout, colour, kept, words);
            planes.map_err(|cause| SearchError::Memory { shape, cause })
        };
        let made = || {
            Search::is_possible(class, kept, None, &*exchange)?;
            let planes = [planes(Colour::Even)?, planes(Colour::Odd)?];
            Ok((planes, Workers::new(class, threads)?))
        };
        let (planes, workers) = exchange.agree(made(), || SearchError::OtherRank)?;
        Ok(Search {
            planes,
            pulls: Pulls::new(&layout),
            levels: Vec::new(),
            kept,
            workers,
            exchange,
            shares,
            crossed: Vec::new(),
        })
    }

    /// Can this machine search the share of its ranks of the space of `class`, each in at most
    /// `limit` bytes of memory?
    ///
    /// # Errors
    /// [`SearchError::OverLimit`] and [`SearchError::TooLittleMemory`], with the figures.
    pub fn is_possible(
        class: GoalClass,
        kept: Kept,
        limit: Option<u64>,
        exchange: &dyn Exchange,
    ) -> Result<(), SearchError> {
        let shape = class.shape().transposed(); // as people write it, the shorter side first
        let needed = Search::memory_of_rank(class, kept, exchange.ranks());
        if let Some(limit) = limit.filter(|&limit| limit < needed) {
            return Err(SearchError::OverLimit {
                shape,
                needed,
                limit,
            });
        }
        let available = available_memory().unwrap_or(MEMORY_WHERE_UNKNOWN);
        let needed = needed * exchange.ranks_here() as u64;
        if available < needed {
            return Err(SearchError::TooLittleMemory {
                shape,
                needed,
                available,
            });
        }
        Ok(())
    }

    /// Bytes of memory that a search of `class` takes: one to three bits a state, and 5 bytes for
    /// each block.
    pub fn memory(class: GoalClass, kept: Kept) -> u64 {
        let words = class.states().div_ceil(60);
        words * (kept.bits() * 8) + words / 336 * 5
    }

    /// Bytes of memory that each rank takes at most that shares a search with others: its share of
    /// what the whole takes, and of the planes that cross, as they are used, sent and received.
    pub fn memory_of_rank(class: GoalClass, kept: Kept, ranks: usize) -> u64 {
        let whole = Search::memory(class, kept);
        if ranks == 1 {
            return whole;
        }
        let (layout, shares) = Shares::new(class, ranks);
        let (words, all) = (shares.of(0).len() as u128, layout.words() as u128);
        let crossing = (layout.crossing_digits() + 2) * words as usize * 8;
        (u128::from(whole) * words / all) as u64 + crossing as u64
    }

    /// The ranks that share the search.
    pub fn exchange(&self) -> &Arc<dyn Exchange> {
        &self.exchange
    }

    /// The class whose space is searched.
    pub fn class(&self) -> GoalClass {
        self.pulls.layout().ranking().class()
    }

    /// The words of each plane that are this rank's: all but where there are several.
    pub fn words(&self) -> Range<usize> {
        self.shares.of(self.exchange.rank())
    }

    /// Bytes that crossed from rank to rank at each level that was searched here, on all ranks.
    pub fn crossed(&self) -> &[u64] {
        &self.crossed
    }

    /// Bytes that would cross between so many ranks at each level of a search of `class` if they
    /// were not coded: of one plane, what is needed elsewhere, and a little more where slabs share
    /// several digits.
    pub fn crossing_uncoded(class: GoalClass, ranks: usize) -> u64 {
        let (layout, shares) = Shares::new(class, ranks);
        crossing::uncoded(&Pulls::new(&layout), shares)
    }

    /// What is kept of all states.
    pub(super) fn kept(&self) -> Kept {
        self.kept
    }

    /// The search's pulls; an encoder uses them to find parent moves.
    pub fn pulls(&self) -> &Pulls {
        &self.pulls
    }

    /// Number of states at each distance reached so far.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Bit 1 of the distances of all states of a colour that have been reached; 0 for the others.
    ///
    /// Every encoding needs it. It is there if [`Kept::BitOne`] is kept.
    pub fn bit_one(&self, colour: Colour) -> &Planes {
        &self.planes(colour).bit_one
    }

    pub(super) fn planes(&self, colour: Colour) -> &ColourPlanes {
        &self.planes[colour as usize]
    }

    pub(super) fn planes_mut(&mut self, colour: Colour) -> &mut ColourPlanes {
        &mut self.planes[colour as usize]
    }

    pub(super) fn levels_mut(&mut self) -> &mut Vec<u64> {
        &mut self.levels
    }

    /// Finds the next level; `None` when every state has been reached.
    pub fn advance(&mut self) -> Option<Level<'_>> {
        if self.is_complete() || self.levels.len() > usize::from(u8::MAX) {
            return None;
        }
        let distance = self.levels.len() as u8;
        let (own, sent) = match distance {
            0 => (self.reach_goal(), 0),
            _ => self.expand(distance),
        };
        let [states, crossed] = self.exchange.sum([own, sent]);
        self.crossed.push(crossed);
        if states == 0 {
            return None;
        }
        self.levels.push(states);
        Some(Level {
            search: self,
            distance,
            states,
        })
    }

    /// Have all states been reached? If not, and there is no further level, the search was resumed
    /// from a checkpoint that is wrong.
    pub fn is_complete(&self) -> bool {
        self.levels.iter().sum::<u64>() == self.class().states()
    }

    /// Makes the goal the frontier at distance 0; 1 state, or none if it is another rank's.
    pub(super) fn reach_goal(&mut self) -> u64 {
        if !self.words().contains(&0) {
            return 0;
        }
        self.planes[Colour::Even as usize].reach_goal(self.pulls.layout())
    }

    /// Makes the level at `distance` from the one before; how many states this rank's share of it
    /// has, and how many bytes this rank sent to others.
    fn expand(&mut self, distance: u8) -> (u64, u64) {
        let set_bit_one = bit_one_of(distance) != 0;
        let expand = |task: &mut Task<'_>, pulls: &Pulls, colour, source: &ColourPlanes| {
            task.expand(pulls, colour, source, set_bit_one)
        };
        let (states, sent) = self.each_task(distance, expand);
        (states.into_iter().sum(), sent)
    }

    /// Runs `run` on every task of the colour of `distance`, with the planes of the other colour as
    /// the source, on all threads; the results in the order of the chunks, and how many bytes this
    /// rank sent to others.
    ///
    /// Where there are several ranks, each sends what crosses to the others, and takes the cells
    /// into which nothing crosses meanwhile; then the others.
    pub(super) fn each_task<T: Send>(
        &mut self,
        distance: u8,
        run: impl Fn(&mut Task<'_>, &Pulls, Colour, &ColourPlanes) -> T + Sync,
    ) -> (Vec<T>, u64) {
        let pulls = &self.pulls;
        let colour = Colour::of_distance(distance);
        let [even, odd] = &mut self.planes;
        let (source, target) = match colour {
            Colour::Even => (odd, even),
            Colour::Odd => (even, odd),
        };
        let workers = &self.workers;
        let mut each = |cells, source: &ColourPlanes| {
            let mut tasks = target.tasks(pulls.layout());
            tasks.iter_mut().for_each(|task| task.cells = cells);
            workers.each(tasks, |task| run(task, pulls, colour, source))
        };
        let (shares, rank) = (self.shares, self.exchange.rank());
        if shares.ranks() == 1 {
            return (each(Cells::All, source), 0);
        }
        let messages = crossing::outgoing(pulls, colour, source, shares, rank, workers);
        let sent = messages.iter().map(|message| message.len() as u64).sum();
        let mut results = Vec::new();
        let mut meanwhile = || results = each(Cells::Inside, source);
        let messages = self.exchange.swap(messages, &mut meanwhile);
        crossing::arrive(pulls, colour, source, shares, rank, &messages);
        results.extend(each(Cells::Crossing, source));
        source.crossing.fill(Vec::new());
        (results, sent)
    }
}

#[cfg(test)]
mod tests;
