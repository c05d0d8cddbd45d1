//! The levels of a breadth-first search from the goal.

use std::io;

use rayon::prelude::*;

use crate::basics::available_memory;
use crate::space::{GoalClass, StateIndex};

use super::colour_planes::{ColourPlanes, Task};
use super::error::{MOST_CELLS, SearchError};
use super::layout::{Colour, Layout, bit_one_of};
use super::planes::Planes;
use super::pull::Pulls;

/// A breadth-first search from a class's goal, a level at a time.
///
/// The states at even distances have their blank on one colour of the checkerboard, those at odd
/// distances on the other, so a frontier and the next level never share a plane and one bit a
/// state holds both. With a bit for the states seen and one for bit 1 of the distance, memory is
/// three bits a state, or 3 * 64/60 with the unused bits of the words.
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

    /// Its states as bits: the planes of its colour, in the order of [`Layout`].
    pub fn planes(&self) -> &Planes {
        &self.search.planes(self.colour()).frontier
    }
}

/// Below this many states a second thread takes more time than it saves.
const WORTH_THREADS: u64 = 1_000_000;

impl Search {
    /// A search from the goal of `class` with at most `threads` threads.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large for the search or this machine, or the system
    /// gives no memory or no threads.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        Search::is_possible(class)?;
        let (layout, states) = (Layout::new(class), class.states());
        let pool = match threads {
            2.. if states >= WORTH_THREADS => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|error| {
                        let cause = io::Error::other(error);
                        SearchError::Threads { threads, cause }
                    })?,
            ),
            _ => None,
        };
        let planes = |colour| ColourPlanes::new(&layout, colour);
        let shape = class.shape().transposed();
        let memory = |cause| SearchError::Memory { shape, cause };
        Ok(Search {
            planes: [
                planes(Colour::Even).map_err(memory)?,
                planes(Colour::Odd).map_err(memory)?,
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
        let shape = class.shape().transposed(); // as people write it, the shorter side first
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
    /// It is recorded during the search because every encoding needs it.
    pub fn bit_one(&self, colour: Colour) -> &Planes {
        &self.planes(colour).bit_one
    }

    pub(super) fn planes(&self, colour: Colour) -> &ColourPlanes {
        &self.planes[colour as usize]
    }

    pub(super) fn planes_mut(&mut self, colour: Colour) -> &mut ColourPlanes {
        &mut self.planes[colour as usize]
    }

    /// Goes on after these levels of a checkpoint, whose `seen` and `bit_one` are in place. The
    /// frontier becomes all states whose distance is that of the last level modulo 4: those that
    /// are closer have no unseen neighbours, so they do no harm.
    pub(super) fn continue_after(&mut self, levels: Vec<u64>) {
        let last = levels.len() as u8 - 1;
        let own = bit_one_of(last);
        let ColourPlanes {
            seen,
            frontier,
            bit_one,
            active,
            ..
        } = self.planes_mut(Colour::of_distance(last));
        let words = (frontier.chunks_mut().flatten())
            .zip(seen.chunks_mut().flatten())
            .zip(bit_one.chunks_mut().flatten());
        for ((frontier, seen), bit_one) in words {
            *frontier = *seen & !(*bit_one ^ own);
        }
        active.fill(true);
        self.levels = levels;
    }

    /// Finds the next level; `None` when every state has been reached.
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

    /// Makes the goal the frontier at distance 0; 1 state.
    pub(super) fn reach_goal(&mut self) -> u64 {
        let layout = self.pulls.layout();
        let cell = layout.ranking().class().blank();
        let block = layout.slot(cell) * (layout.chunk() / layout.block());
        let planes = &mut self.planes[Colour::Even as usize];
        planes.seen.of_chunk_mut(cell, 0)[0] = 1;
        planes.frontier.of_chunk_mut(cell, 0)[0] = 1;
        planes.unseen[block] -= 1;
        planes.active[block] = true;
        1
    }

    /// Makes the level at `distance` from the one before; how many states it has.
    fn expand(&mut self, distance: u8) -> u64 {
        let set_bit_one = bit_one_of(distance) != 0;
        let expand = |task: &mut Task<'_>, pulls: &Pulls, colour, source: &ColourPlanes| {
            task.expand(pulls, colour, source, set_bit_one)
        };
        self.each_task(distance, expand).into_iter().sum()
    }

    /// Runs `run` on every task of the colour of `distance`, with the planes of the other colour as
    /// the source, on all threads; the results in the order of the chunks.
    pub(super) fn each_task<T: Send>(
        &mut self,
        distance: u8,
        run: impl Fn(&mut Task<'_>, &Pulls, Colour, &ColourPlanes) -> T + Sync,
    ) -> Vec<T> {
        let pulls = &self.pulls;
        let colour = Colour::of_distance(distance);
        let [even, odd] = &mut self.planes;
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
