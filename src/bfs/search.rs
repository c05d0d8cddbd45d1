//! The levels of a breadth-first search from the goal.

use rayon::prelude::*;

use crate::basics::available_memory;
use crate::space::{GoalClass, StateIndex};

use super::error::MOST_CELLS;
use super::error::SearchError;
use super::half::{Half, Task};
use super::layout::bit_one_of;
use super::layout::{Colour, Layout};
use super::planes::Planes;
use super::pull::Pulls;

/// A breadth-first search from a class's goal, a level at a time.
///
/// The states at even distances have their blank on one colour of the checkerboard, those at odd
/// distances on the other. So one set of planes holds the frontier and the next level at once.
/// With what has been seen and bit 1 of each distance, memory is three bits a state, or 192/60
/// with the unused bits of the words.
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
    /// By [`Colour`].
    halves: [Half; 2],
    /// States of each level that [`Search::advance`] has given.
    levels: Vec<u64>,
    pool: Option<rayon::ThreadPool>,
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

    /// How many states it has.
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

    /// The numbers of its states, cell by cell, in order.
    pub fn states_in_order(&self) -> impl Iterator<Item = StateIndex> {
        let layout = self.pulls().layout();
        layout.cells(self.colour()).flat_map(move |cell| {
            (0..layout.words()).flat_map(move |word| {
                let mut left = self.planes().piece(cell, word, 1)[0];
                std::iter::from_fn(move || {
                    let bit = left.trailing_zeros();
                    left &= left.checked_sub(1)?;
                    Some(layout.index(cell, word, bit))
                })
            })
        })
    }

    /// Its states: the planes of its colour, cut as in [`Layout`].
    pub fn planes(&self) -> &Planes {
        &self.search.half(self.colour()).front
    }
}

/// Below this many states a second thread costs more than it brings.
const WORTH_THREADS: u64 = 1_000_000;

impl Search {
    /// A search from the goal of `class` with at most `threads` threads.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large or there are no threads or memory to be had.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        Search::is_possible(class)?;
        let (layout, states) = (Layout::new(class), class.states());
        let pool = match threads {
            2.. if states >= WORTH_THREADS => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|source| SearchError::Threads { threads, source })?,
            ),
            _ => None,
        };
        let half = |colour| Half::new(&layout, colour);
        let shape = class.shape().transposed();
        let memory = |source| SearchError::Memory { shape, source };
        Ok(Search {
            halves: [
                half(Colour::Even).map_err(memory)?,
                half(Colour::Odd).map_err(memory)?,
            ],
            pulls: Pulls::new(&layout),
            levels: Vec::new(),
            pool,
        })
    }

    /// Can this machine search the space of `class`?
    ///
    /// # Errors
    /// [`SearchError::TooLarge`] and [`SearchError::TooLittleMemory`], with the figures.
    pub fn is_possible(class: GoalClass) -> Result<(), SearchError> {
        let shape = class.shape().transposed(); // as it is usually written, the short side first
        let needed = Search::memory(class);
        if shape.cells() > MOST_CELLS {
            return Err(SearchError::TooLarge { shape, needed });
        }
        match available_memory().filter(|&available| available < needed) {
            Some(available) => Err(SearchError::TooLittleMemory {
                shape,
                needed,
                available,
            }),
            None => Ok(()),
        }
    }

    /// Bytes of memory that a search of `class` takes: three planes for each cell, and 5 bytes for
    /// each block.
    pub fn memory(class: GoalClass) -> u64 {
        let words = class.states().div_ceil(60);
        words * (3 * 8) + words / 300 * 5
    }

    /// The pulls, which encoders use too.
    pub fn pulls(&self) -> &Pulls {
        &self.pulls
    }

    /// How many states there are at each distance that has been reached.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Bit 1 of the distances of all states of a colour that have been reached.
    ///
    /// Every encoding needs it, and while a block is being searched it is at hand.
    pub fn bit_one(&self, colour: Colour) -> &Planes {
        &self.half(colour).bit_one
    }

    pub(super) fn half(&self, colour: Colour) -> &Half {
        &self.halves[colour as usize]
    }

    pub(super) fn half_mut(&mut self, colour: Colour) -> &mut Half {
        &mut self.halves[colour as usize]
    }

    /// Goes on after these levels, with what has been seen and bit 1 in place: the states that
    /// have the last distance modulo 4 become the frontier.
    pub(super) fn continue_after(&mut self, levels: Vec<u64>) {
        let last = levels.len() as u8 - 1;
        let own = bit_one_of(last);
        let Half {
            seen,
            front,
            bit_one,
            live,
            ..
        } = self.half_mut(Colour::of_distance(last));
        let words = (front.chunks_mut().flatten())
            .zip(seen.chunks_mut().flatten())
            .zip(bit_one.chunks_mut().flatten());
        for ((front, seen), bit_one) in words {
            *front = *seen & !(*bit_one ^ own);
        }
        live.fill(true);
        self.levels = levels;
    }

    /// The next level; `None` when every state has been reached.
    pub fn advance(&mut self) -> Option<Level<'_>> {
        let distance = self.levels.len() as u8;
        let states = match distance {
            0 => self.reach_goal(),
            _ => self.expand(distance),
        };
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

    /// Begins with the goal: 1 state.
    pub(super) fn reach_goal(&mut self) -> u64 {
        let layout = self.pulls.layout();
        let cell = layout.ranking().class().blank();
        let block = layout.slot(cell) * (layout.chunk() / layout.block());
        let half = &mut self.halves[Colour::Even as usize];
        half.seen.of_chunk_mut(cell, 0)[0] = 1;
        half.front.of_chunk_mut(cell, 0)[0] = 1;
        half.unseen[block] -= 1;
        half.live[block] = true;
        1
    }

    /// Finds the states at `distance` from those at the distance before; how many there are.
    fn expand(&mut self, distance: u8) -> u64 {
        let mark = bit_one_of(distance) != 0;
        let run = |task: &mut Task<'_>, pulls: &Pulls, colour, source: &Half| {
            task.run(pulls, colour, source, mark)
        };
        self.over_tasks(distance, run).into_iter().sum()
    }

    /// Hands every chunk of the planes of `distance`'s colour to `run`, with the planes of the
    /// other colour, on all threads; what it gives for each.
    pub(super) fn over_tasks<T: Send>(
        &mut self,
        distance: u8,
        run: impl Fn(&mut Task<'_>, &Pulls, Colour, &Half) -> T + Sync,
    ) -> Vec<T> {
        let pulls = &self.pulls;
        let colour = Colour::of_distance(distance);
        let [even, odd] = &mut self.halves;
        let (source, target) = match colour {
            Colour::Even => (&*odd, even),
            Colour::Odd => (&*even, odd),
        };
        let mut tasks = target.tasks(pulls.layout());
        match &self.pool {
            Some(pool) => pool.install(|| {
                let tasks = tasks.par_iter_mut();
                tasks.map(|task| run(task, pulls, colour, source)).collect()
            }),
            None => {
                let tasks = tasks.iter_mut();
                tasks.map(|task| run(task, pulls, colour, source)).collect()
            }
        }
    }
}
