//! The boards that a search of one bound visits, depth first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::puzzle::{Board, Move, Shape};

use super::blocks::MAX_PATTERN_CELLS;
use super::duplicates::{PRUNED, PruningAutomaton};
use super::estimate::Estimate;
use super::ida_star::{IdaStar, Question};

/// Result of a search of one bound.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Solutions, in the order of their moves.
    pub solutions: Vec<Vec<Move>>,
    /// Number of all solutions, also of those that were not to be kept.
    pub count: u64,
    /// Their length.
    pub distance: u32,
    /// The moves that they begin with, a bit for each.
    pub first_moves: u8,
}

/// Solutions to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The first one.
    One,
    /// All, of which so many are kept.
    All(usize),
}

impl Wanted {
    pub fn kept(self) -> usize {
        match self {
            Wanted::One => 1,
            Wanted::All(kept) => kept,
        }
    }
}

/// Callback at intervals with the bound that is proved and the boards that were visited.
pub(super) type Observe<'a> = &'a (dyn Fn(u32, u64) + Sync);

/// Most moves of a path.
const LONGEST: usize = 512;

/// A board on a path, with the estimate that follows it.
#[derive(Clone)]
pub(super) struct Walker<E> {
    tiles: [u8; MAX_PATTERN_CELLS],
    goal: [u8; MAX_PATTERN_CELLS],
    blank: usize,
    path: [Move; LONGEST],
    length: usize,
    estimate: E,
    /// The moves out of each cell with the cells that they lead to, and their number.
    exits: [([(Move, u8); 4], usize); MAX_PATTERN_CELLS],
}

impl<E: Estimate> Walker<E> {
    pub fn new(goal: &Board, board: &Board, estimate: E) -> Walker<E> {
        let padded = |board: &Board| {
            let mut tiles = [0; MAX_PATTERN_CELLS];
            tiles[..board.tiles().len()].copy_from_slice(board.tiles());
            tiles
        };
        Walker {
            tiles: padded(board),
            goal: padded(goal),
            blank: board.blank(),
            path: [Move::Up; LONGEST],
            length: 0,
            estimate,
            exits: std::array::from_fn(|cell| exits(board.shape(), cell)),
        }
    }
}

fn exits(shape: Shape, cell: usize) -> ([(Move, u8); 4], usize) {
    let (mut exits, mut count) = ([(Move::Up, 0); 4], 0);
    for mv in Move::ALL {
        if let Some(to) = shape.step(cell, mv).filter(|_| cell < shape.cells()) {
            exits[count] = (mv, to as u8);
            count += 1;
        }
    }
    (exits, count)
}

/// Whether a search goes on. It ends early, or without an [`Early`] where the wanted solutions are found, by this part
/// or an earlier one.
type Flow = ControlFlow<Option<Early>>;

/// Reason why a search ends before it has found the wanted solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Early {
    /// As many boards as allowed have been visited.
    GaveUp,
    /// The flag is set.
    Cancelled,
}

/// Search of one bound, with the counters that its parts share.
pub(super) struct Job<'a> {
    pub search: &'a IdaStar,
    pub question: &'a Question<'a>,
    /// Lower bound: no solution is shorter.
    pub bound: u32,
    /// Boards that all parts have visited, or will visit soon.
    pub nodes: &'a AtomicU64,
    /// The first part that has found a solution.
    pub first: AtomicUsize,
}

/// Boards that a part visits between two checks of the budget.
const STRIDE: u64 = 4096;

/// Moves of the paths at which a search is split into some thousand parts.
const SPLIT_AT: usize = 9;

/// Start of a part of a search.
pub(super) struct Part<E> {
    pub walker: Walker<E>,
    /// The rest of the bound.
    pub left: i32,
    /// Its place among the parts, in the order of their moves.
    pub number: usize,
}

/// Visits the board of a part and all that can be reached within the bound, or collects `parts` to be visited from
/// some moves on.
///
/// # Errors
/// [`Early`]
pub(super) fn search<E: Estimate>(
    Part {
        mut walker,
        left,
        number,
    }: Part<E>,
    parts: Option<&mut Vec<Part<E>>>,
    job: &Job<'_>,
) -> Result<Found, Early> {
    let automaton = match job.question.wanted {
        Wanted::One => PruningAutomaton::for_one(),
        Wanted::All(_) => PruningAutomaton::for_all(),
    };
    let mut run = Run {
        automaton,
        left: 0,
        job,
        part: number,
        found: Found::default(),
        parts,
    };
    let state = automaton.state(&walker.path[..walker.length]);
    let flow = run.step(&mut walker, left, state);
    // The last stride was counted whole when it began.
    job.nodes.fetch_sub(run.left, Ordering::Relaxed);
    match flow {
        Flow::Break(Some(early)) => Err(early),
        _ => Ok(run.found),
    }
}

/// A part of a search of one bound.
struct Run<'a, E> {
    /// Automaton that selects the moves that are made.
    automaton: &'static PruningAutomaton,
    /// Boards to visit before the next check of the budget.
    left: u64,
    job: &'a Job<'a>,
    part: usize,
    found: Found,
    parts: Option<&'a mut Vec<Part<E>>>,
}

impl<E: Estimate> Run<'_, E> {
    fn step(&mut self, walker: &mut Walker<E>, left: i32, state: u16) -> Flow {
        if self.left == 0 {
            self.check_budget()?;
        }
        self.left -= 1;
        if left <= 0 {
            return self.arrive(walker);
        }
        if let Some(parts) = &mut self.parts
            && walker.length == SPLIT_AT
        {
            parts.push(Part {
                walker: walker.clone(),
                left,
                number: parts.len(),
            });
            self.left += 1; // it is visited where the part begins
            return Flow::Continue(());
        }
        let blank = walker.blank;
        let (exits, count) = walker.exits[blank];
        let states = self.automaton.after(state);
        // All look-ups first, so that the processor waits for their memory at the same time.
        let mut changes = [None; 4];
        for (&(mv, to), change) in exits[..count].iter().zip(&mut changes) {
            if states[usize::from(mv.code())] != PRUNED {
                let tile = walker.tiles[usize::from(to)];
                *change = walker.estimate.change(tile, blank, mv, left - 1);
            }
        }
        for (&(mv, to), change) in exits[..count].iter().zip(&mut changes) {
            let Some(change) = change else { continue };
            let to = usize::from(to);
            let tile = walker.tiles[to];
            walker.estimate.exchange(change);
            walker.tiles[blank] = tile;
            walker.tiles[to] = 0;
            walker.blank = to;
            walker.path[walker.length] = mv;
            walker.length += 1;
            self.step(walker, left - 1, states[usize::from(mv.code())])?;
            walker.length -= 1;
            walker.blank = blank;
            walker.tiles[to] = tile;
            walker.tiles[blank] = 0;
            walker.estimate.exchange(change);
        }
        Flow::Continue(())
    }

    /// Records a solution if the board, which has no move left, is the goal.
    fn arrive(&mut self, walker: &Walker<E>) -> Flow {
        if walker.tiles != walker.goal {
            return Flow::Continue(());
        }
        self.found.count = self.found.count.saturating_add(1);
        let first = walker.path[..walker.length].first();
        self.found.first_moves |= first.map_or(0, |mv| 1 << mv.code());
        let wanted = self.job.question.wanted;
        if self.found.solutions.len() < wanted.kept() {
            let solution = walker.path[..walker.length].to_vec();
            self.found.solutions.push(solution);
        }
        match wanted {
            Wanted::All(_) => Flow::Continue(()),
            Wanted::One => {
                self.job.first.fetch_min(self.part, Ordering::Relaxed);
                Flow::Break(None)
            }
        }
    }

    /// Counts the boards that were visited since the last check, and ends a search that has visited
    /// enough, was cancelled or comes after an earlier part that has found a solution.
    #[cold]
    fn check_budget(&mut self) -> Flow {
        self.left = STRIDE;
        let (job, search) = (self.job, self.job.search);
        let visited = job.nodes.fetch_add(STRIDE, Ordering::Relaxed);
        if let Some(progress) = &search.progress {
            progress.visit(STRIDE);
        }
        if job.first.load(Ordering::Relaxed) < self.part {
            return Flow::Break(None);
        }
        (job.question.observe)(job.bound, visited);
        if visited >= search.most_nodes {
            return Flow::Break(Some(Early::GaveUp));
        }
        if search.cancel.is_cancelled() {
            Flow::Break(Some(Early::Cancelled))
        } else {
            Flow::Continue(())
        }
    }
}
