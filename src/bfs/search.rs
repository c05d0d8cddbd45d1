//! The levels of a breadth-first search from the goal: one loop for planes in memory and in files, of
//! one rank and of several.
//!
//! A level is a run of steps. In each, every rank loads a part of its share, sends the crossing
//! words to others, meanwhile takes the cells into which nothing crosses, then the others, and saves the part.
//! In memory one step takes a whole share and there is nothing to load; in files it takes a slab.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::basics::available_memory;
use crate::space::{GoalClass, StateIndex};

use super::claims::{Claims, LevelResult, WrongClaim};
use super::colour_planes::{ColourPlanes, Kept};
use super::crossing;
use super::error::SearchError;
use super::exchange::{Alone, Exchange};
use super::layout::{Colour, Layout};
use super::plane_store::{InMemory, PlaneStore};
use super::planes::Planes;
use super::pull::Pulls;
use super::shares::Shares;
use super::step::Step;
use super::workers::Workers;

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
pub struct Search<P: PlaneStore = InMemory> {
    pulls: Pulls,
    /// Indexed by [`Colour`].
    planes: [ColourPlanes; 2],
    /// Number of states of each finished level.
    levels: Vec<u64>,
    kept: Kept,
    workers: Workers,
    exchange: Arc<dyn Exchange>,
    shares: Shares,
    pub(super) place: P,
    /// Bytes that crossed from rank to rank at each level that this process has searched.
    crossed: Vec<u64>,
}

/// Observer of each step, which may end the search. It gets the distance, the number of finished steps
/// there and of all steps, and the number of states reached in all. Of the level at work only the states
/// of this rank are counted.
pub type Observe<'a> = &'a mut dyn FnMut(u8, (usize, usize), u64) -> ControlFlow<()>;

/// Assumed bytes of memory of a machine that does not report them.
pub(super) const MEMORY_WHERE_UNKNOWN: u64 = 32 << 30;

impl Search {
    /// Creates a search from the goal of `class` with at most `threads` threads, which keeps bit 1 of
    /// all distances.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large for this machine, or the system gives no memory
    /// or no threads.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        Search::keeping(class, Kept::BitOne, threads)
    }

    /// Creates a search as [`Search::new`] does, but keeps something else. A search that keeps nothing
    /// takes half the memory, and counts the states of each level.
    ///
    /// # Errors
    /// Those of [`Search::new`].
    pub fn keeping(class: GoalClass, kept: Kept, threads: usize) -> Result<Search, SearchError> {
        Search::shared(class, kept, threads, Arc::new(Alone))
    }

    /// Creates a search as [`Search::keeping`] does, by all ranks of `exchange` together: each owns a
    /// run of slabs, and the levels are those of one process.
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
        let made = Search::check_memory(class, kept, None, &*exchange).and_then(|()| {
            let levels = Vec::new();
            Search::made(&layout, shares, kept, levels, threads, &exchange, InMemory)
        });
        exchange.agree(made, || SearchError::OtherRank)
    }

    /// Checks that this machine can search the share of its ranks of the space of `class`, each in at
    /// most `limit` bytes of memory.
    ///
    /// # Errors
    /// [`SearchError::OverLimit`] and [`SearchError::TooLittleMemory`], with the figures.
    pub fn check_memory(
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

    /// Bytes of memory that a search of `class` takes: one or two bits a state, and 5 bytes for
    /// each block.
    pub fn memory(class: GoalClass, kept: Kept) -> u64 {
        let words = class.states().div_ceil(60);
        words * (kept.bits() * 8) + words / 336 * 5
    }

    /// Bytes of memory that a rank takes at most in a shared search: its share of the memory of the
    /// whole search, and of the crossing planes, as they are used, sent and received.
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

    /// Value of [`Search::crossing_uncoded`] for a search of `class` by `ranks` ranks.
    pub fn crossing_between(class: GoalClass, ranks: usize) -> u64 {
        let (layout, shares) = Shares::new(class, ranks);
        crossing::uncoded(&Pulls::new(&layout), shares)
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
}

impl<P: PlaneStore> Search<P> {
    /// Creates a search that has these levels, with planes for a step of this rank.
    pub(super) fn made(
        layout: &Layout,
        shares: Shares,
        kept: Kept,
        levels: Vec<u64>,
        threads: usize,
        exchange: &Arc<dyn Exchange>,
        place: P,
    ) -> Result<Search<P>, SearchError> {
        let class = layout.ranking().class();
        let planes = |colour| {
            let words = shares.part(exchange.rank(), 0);
            let planes = ColourPlanes::new(layout, colour, kept, words);
            planes.map_err(|cause| SearchError::Memory {
                shape: class.shape().transposed(),
                cause,
            })
        };
        Ok(Search {
            planes: [planes(Colour::Even)?, planes(Colour::Odd)?],
            pulls: Pulls::new(layout),
            levels,
            kept,
            workers: Workers::new(class, threads)?,
            exchange: exchange.clone(),
            shares,
            place,
            crossed: Vec::new(),
        })
    }

    /// The ranks that share the search.
    pub fn exchange(&self) -> &Arc<dyn Exchange> {
        &self.exchange
    }

    /// The class whose space is searched.
    pub fn class(&self) -> GoalClass {
        self.layout().ranking().class()
    }

    /// Words of each plane that this rank owns: all of them if there is one rank.
    pub fn words(&self) -> Range<usize> {
        self.shares.of(self.exchange.rank())
    }

    /// Bytes that crossed from rank to rank at each level that was searched here, on all ranks.
    pub fn crossed(&self) -> &[u64] {
        &self.crossed
    }

    /// Bytes that would cross from rank to rank at each level if they were not coded: the words of one
    /// plane that other ranks need, and a little more where slabs share several digits.
    pub fn crossing_uncoded(&self) -> u64 {
        crossing::uncoded(&self.pulls, self.shares)
    }

    /// Data kept for all states.
    pub(super) fn kept(&self) -> Kept {
        self.kept
    }

    /// The layout of the planes, in slabs if they are in files or there are several ranks.
    pub fn layout(&self) -> &Layout {
        self.pulls.layout()
    }

    /// The search's pulls; an encoder uses them to find parent moves.
    pub fn pulls(&self) -> &Pulls {
        &self.pulls
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

    /// Finds the next level, and compares it with `claims`, if there are any. A level with a wrong claim
    /// is not finished. `None` if there is no further level.
    pub(super) fn next_level(
        &mut self,
        claims: Option<Claims<'_>>,
        observe: Observe<'_>,
    ) -> Result<Option<LevelResult>, P::Error> {
        if self.is_complete() || self.levels.len() > usize::from(u8::MAX) {
            return Ok(None);
        }
        let (own, sent) = self.level(self.levels.len() as u8, claims, observe)?;
        let [states, crossed] = self.exchange.sum([own.states, sent]);
        self.crossed.push(crossed);
        let wrong = match claims {
            None => None,
            Some(_) => self.first_wrong(own.wrong),
        };
        if states > 0 && wrong.is_none() {
            self.levels.push(states);
        }
        self.place.finish(&self.levels, states)?;
        Ok((states > 0).then_some(LevelResult { states, wrong }))
    }

    /// First of the wrong states that ranks have found, all at one level.
    fn first_wrong(&self, own: Option<WrongClaim>) -> Option<WrongClaim> {
        let index = own.map_or(u64::MAX, |wrong| wrong.index.0);
        let all = self.exchange.all(&index.to_le_bytes());
        let numbers = all.iter().flat_map(|told| told.first_chunk());
        let first = numbers.map(|bytes| u64::from_le_bytes(*bytes)).min()?;
        (first < u64::MAX).then(|| WrongClaim {
            index: StateIndex(first),
            from: self.levels.len().checked_sub(1).map(|from| from as u8),
        })
    }

    /// Makes this rank's share of the level at `distance`. Returns its result, and the number of bytes
    /// that this rank sent to others.
    fn level(
        &mut self,
        distance: u8,
        claims: Option<Claims<'_>>,
        observe: Observe<'_>,
    ) -> Result<(LevelResult, u64), P::Error> {
        let reached: u64 = self.levels.iter().sum();
        let (mut found, mut sent, steps) = (LevelResult::default(), 0, self.shares.steps());
        for number in 0..steps {
            let step = Step {
                pulls: &self.pulls,
                shares: self.shares,
                rank: self.exchange.rank(),
                distance,
                number,
            };
            let messages = self.place.load(&step, &mut self.planes, &self.workers)?;
            let others = messages.iter().enumerate();
            let others = others.filter(|(rank, _)| *rank != step.rank);
            sent += others.map(|(_, message)| message.len() as u64).sum::<u64>();
            let (exchange, workers) = (&*self.exchange, &self.workers);
            let (new, arrived) = step.expand(&mut self.planes, messages, claims, exchange, workers);
            found.add(new);
            let ended = observe(distance, (number + 1, steps), reached + found.states);
            self.place
                .save(&step, &mut self.planes, &self.workers, arrived, ended)?;
        }
        for planes in &mut self.planes {
            planes.crossing.fill(Vec::new());
        }
        Ok((found, sent))
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
        let (layout, words) = (self.layout(), self.words());
        self.place
            .each_bit_one(layout, &self.planes, cells, words, &mut take)
    }
}

#[cfg(test)]
mod tests;
