//! The levels of a breadth-first search from the goal.

use rayon::prelude::*;

use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::{Layout, Pulls};

/// The most cells a shape may have to be searched by this version.
const MOST_CELLS: usize = 12;

/// Why a search was not begun.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The state space does not fit.
    #[error(
        "a {shape} board has {states} states; this version searches shapes of at most \
         {MOST_CELLS} cells"
    )]
    TooLarge {
        /// The shape that was asked for.
        shape: Shape,
        /// Its reachable states.
        states: u64,
    },
    /// The system gave no threads.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
    },
}

/// A breadth-first search from a class's goal, a level at a time.
///
/// The states at even distances have their blank on one colour of the checkerboard, those at odd
/// distances on the other. So one set of planes holds the frontier and the next level at once,
/// and memory is two bits a state, or 128/60 with the unused bits of the words.
///
/// ```
/// use puzzledb::build::Search;
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
    planes: Vec<Plane>,
    /// The level that [`Search::advance`] gave last.
    distance: Option<u8>,
    pool: Option<rayon::ThreadPool>,
}

/// The states of one blank cell.
#[derive(Debug, Default)]
struct Plane {
    /// Reached at this level or before.
    seen: Vec<u64>,
    /// Reached at the last level of this plane's parity.
    front: Vec<u64>,
    /// States of each block that have not been reached.
    unseen: Vec<u32>,
    /// Which blocks of `front` have a state.
    live: Vec<bool>,
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

    /// Its states: the blank cells that it can have and the plane of each, cut as in [`Layout`].
    pub fn planes(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let layout = self.search.pulls.layout();
        let odd = self.distance % 2 == 1;
        let planes = self.search.planes.iter().enumerate();
        planes
            .filter(move |&(cell, _)| layout.ranking().is_odd(cell) == odd)
            .map(|(cell, plane)| (cell, plane.front.as_slice()))
    }
}

/// A piece of a target plane, for one thread.
struct Task<'a> {
    cell: usize,
    first_block: usize,
    seen: &'a mut [u64],
    front: &'a mut [u64],
    unseen: &'a mut [u32],
    live: &'a mut [bool],
}

/// Blocks of a task: about 240 KB of `seen` and as much of `front` where blocks have 336 words.
const TASK_BLOCKS: usize = 90;

/// Below this many states a second thread costs more than it brings.
const WORTH_THREADS: u64 = 1_000_000;

impl Search {
    /// A search from the goal of `class` with at most `threads` threads.
    ///
    /// # Errors
    /// [`SearchError`] if the space is too large or there are no threads to be had.
    pub fn new(class: GoalClass, threads: usize) -> Result<Search, SearchError> {
        let layout = Layout::new(class);
        let states = layout.ranking().states();
        let shape = class.shape();
        if shape.cells() > MOST_CELLS {
            return Err(SearchError::TooLarge { shape, states });
        }
        let pool = match threads {
            2.. if states >= WORTH_THREADS => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|source| SearchError::Threads { threads, source })?,
            ),
            _ => None,
        };
        let blocks = layout.words() / layout.block();
        let block_states = layout.block() as u32 * layout.word_bits();
        let plane = || Plane {
            seen: vec![0; layout.words()],
            front: vec![0; layout.words()],
            unseen: vec![block_states; blocks],
            live: vec![false; blocks],
        };
        Ok(Search {
            planes: (0..layout.planes()).map(|_| plane()).collect(),
            pulls: Pulls::new(&layout),
            distance: None,
            pool,
        })
    }

    /// The pulls, which encoders use too.
    pub fn pulls(&self) -> &Pulls {
        &self.pulls
    }

    /// The next level; `None` when every state has been reached.
    pub fn advance(&mut self) -> Option<Level<'_>> {
        let (distance, states) = match self.distance {
            None => (0, self.reach_goal()),
            Some(last) => (last + 1, self.expand(last + 1)),
        };
        if states == 0 {
            return None;
        }
        self.distance = Some(distance);
        Some(Level {
            search: self,
            distance,
            states,
        })
    }

    fn reach_goal(&mut self) -> u64 {
        let goal = &mut self.planes[self.pulls.layout().ranking().class().blank()];
        goal.seen[0] = 1;
        goal.front[0] = 1;
        goal.unseen[0] -= 1;
        goal.live[0] = true;
        1
    }

    /// Finds the states at `distance` from those at the distance before; how many there are.
    fn expand(&mut self, distance: u8) -> u64 {
        let layout = self.pulls.layout();
        let (block, odd) = (layout.block(), distance % 2 == 1);
        // The targets leave the list for the time, so that the sources can be shared.
        let mut targets: Vec<(usize, Plane)> = (0..layout.planes())
            .filter(|&cell| layout.ranking().is_odd(cell) == odd)
            .map(|cell| (cell, std::mem::take(&mut self.planes[cell])))
            .collect();
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (cell, plane) in &mut targets {
            let pieces = (plane.seen.chunks_mut(TASK_BLOCKS * block))
                .zip(plane.front.chunks_mut(TASK_BLOCKS * block))
                .zip(plane.unseen.chunks_mut(TASK_BLOCKS))
                .zip(plane.live.chunks_mut(TASK_BLOCKS));
            tasks.extend(
                pieces
                    .enumerate()
                    .map(|(i, (((seen, front), unseen), live))| Task {
                        cell: *cell,
                        first_block: i * TASK_BLOCKS,
                        seen,
                        front,
                        unseen,
                        live,
                    }),
            );
        }
        let (pulls, sources) = (&self.pulls, &self.planes);
        let states = match &self.pool {
            Some(pool) => {
                pool.install(|| tasks.par_iter_mut().map(|t| t.run(pulls, sources)).sum())
            }
            None => tasks.iter_mut().map(|t| t.run(pulls, sources)).sum(),
        };
        for (cell, plane) in targets {
            self.planes[cell] = plane;
        }
        states
    }
}

impl Task<'_> {
    /// Finds the new states of this piece; how many there are.
    fn run(&mut self, pulls: &Pulls, sources: &[Plane]) -> u64 {
        let block = pulls.layout().block();
        let blocks = (self.seen.chunks_exact_mut(block))
            .zip(self.front.chunks_exact_mut(block))
            .zip(self.unseen.iter_mut().zip(self.live.iter_mut()));
        let mut states = 0;
        for (i, ((seen, front), (unseen, live))) in blocks.enumerate() {
            if std::mem::take(live) {
                front.fill(0);
            }
            if *unseen == 0 {
                continue;
            }
            for pull in pulls.into(self.cell) {
                let source = &sources[pull.source];
                let is_live = |block: usize| source.live[block];
                pulls.run(
                    pull,
                    self.cell,
                    &source.front,
                    self.first_block + i,
                    is_live,
                    front,
                );
            }
            let mut new = 0;
            for (front, seen) in front.iter_mut().zip(seen) {
                *front &= !*seen;
                *seen |= *front;
                new += front.count_ones();
            }
            *live = new > 0;
            *unseen -= new;
            states += u64::from(new);
        }
        states
    }
}
