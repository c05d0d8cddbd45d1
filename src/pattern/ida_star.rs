//! Iterative-deepening A* from a board to the goal, on one thread or several.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::basics::Progress;
use crate::puzzle::{Board, Move, Shape};

use super::blocks::MAX_PATTERN_CELLS;
use super::estimate::Estimate;

/// Searches with bounds that grow by 2, since the lengths of all solutions of a board are even or all
/// are odd (Korf, 1985). Each visits, depth first, the boards where the moves so far and the estimate
/// are together not above its bound.
#[derive(Clone, Debug)]
pub(super) struct IdaStar {
    pub goal: Board,
    /// Boards to visit at most.
    pub most_nodes: u64,
    /// Split long searches over the threads of rayon?
    pub parallel: bool,
    /// Told what is visited and proved.
    pub progress: Option<Arc<Progress>>,
}

/// What a search of one bound found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Solutions, in the order of their moves.
    pub solutions: Vec<Vec<Move>>,
    /// All solutions, also those that were not to be kept.
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

/// Asked at intervals with the bound that is proved and the boards that were visited: may the search go on?
pub(super) type GoOn<'a> = &'a (dyn Fn(u32, u64) -> ControlFlow<()> + Sync);

/// The search visited as many boards as it may, or was ended: no solution is shorter than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp(pub i32);

impl IdaStar {
    /// The shortest solutions of a board that has one, and how many boards were visited.
    ///
    /// # Errors
    /// [`GaveUp`]
    pub fn run<E: Estimate + Sync>(
        &self,
        board: &Board,
        estimate: E,
        wanted: Wanted,
        go_on: GoOn<'_>,
    ) -> (Result<Found, GaveUp>, u64) {
        let mut bound = estimate.bound();
        // All lengths are as even as the blank's way.
        bound += (bound + self.parity(board)) & 1;
        let nodes = AtomicU64::new(0);
        let search = Walker::new(self, board, estimate);
        loop {
            if let Some(progress) = &self.progress {
                progress.prove(bound as u64);
            }
            let before = nodes.load(Ordering::Relaxed);
            match self.one_bound(&search, bound, wanted, &nodes, go_on) {
                Some(found) if found.count > 0 => {
                    let distance = bound as u32;
                    return (Ok(Found { distance, ..found }), nodes.into_inner());
                }
                Some(_) => bound += 2,
                None => return (Err(GaveUp(bound)), nodes.into_inner()),
            }
            debug_assert!(nodes.load(Ordering::Relaxed) > before);
        }
    }

    fn parity(&self, board: &Board) -> i32 {
        let cols = board.shape().cols();
        let colour = |cell: usize| cell / cols + cell % cols;
        ((colour(board.blank()) + colour(self.goal.blank())) % 2) as i32
    }

    /// Searches with one bound; nothing if it gave up.
    fn one_bound<E: Estimate + Sync>(
        &self,
        start: &Walker<E>,
        bound: i32,
        wanted: Wanted,
        nodes: &AtomicU64,
        go_on: GoOn<'_>,
    ) -> Option<Found> {
        let mut found = Found::default();
        let mut parts = Vec::new();
        let whole = !self.parallel || nodes.load(Ordering::Relaxed) < WORTH_SPLITTING;
        let budget = Budget {
            most: self.most_nodes,
            nodes,
            bound: bound as u32,
            go_on,
            first: &AtomicUsize::new(usize::MAX),
            progress: self.progress.as_deref(),
        };
        let mut run = Run {
            left: 0,
            budget,
            part: 0,
            wanted,
            found: &mut found,
            split: None,
        };
        run.split = (!whole).then_some((SPLIT_AT, &mut parts));
        if run.visit(&mut start.clone(), bound) == Flow::Break(End::GaveUp) {
            return None;
        }
        if parts.is_empty() || (wanted == Wanted::One && found.count > 0) {
            return Some(found);
        }
        let first = AtomicUsize::new(usize::MAX);
        let results: Vec<Option<Found>> = (parts.into_par_iter().enumerate().with_max_len(1))
            .map(|(part, (mut walker, left))| {
                let mut found = Found::default();
                let budget = Budget {
                    most: self.most_nodes,
                    nodes,
                    bound: bound as u32,
                    go_on,
                    first: &first,
                    progress: self.progress.as_deref(),
                };
                let mut run = Run {
                    left: 0,
                    budget,
                    part,
                    wanted,
                    found: &mut found,
                    split: None,
                };
                match run.visit(&mut walker, left) {
                    Flow::Break(End::GaveUp) => None,
                    _ => Some(found),
                }
            })
            .collect();
        for result in results {
            let part = result?;
            found.count = found.count.saturating_add(part.count);
            found.first_moves |= part.first_moves;
            let room = wanted.kept().saturating_sub(found.solutions.len());
            found
                .solutions
                .extend(part.solutions.into_iter().take(room));
            if wanted == Wanted::One && found.count > 0 {
                break; // a later part may have given up, being of no use
            }
        }
        Some(found)
    }
}

/// After so many boards a search is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;

/// The moves that make the parts of a split search: some thousand.
const SPLIT_AT: usize = 9;

impl Wanted {
    fn kept(self) -> usize {
        match self {
            Wanted::One => 1,
            Wanted::All(kept) => kept,
        }
    }
}

/// Most moves of a path.
const LONGEST: usize = 512;

/// A board on a path, with the estimate that follows it.
#[derive(Clone)]
struct Walker<E> {
    tiles: [u8; MAX_PATTERN_CELLS],
    goal: [u8; MAX_PATTERN_CELLS],
    blank: usize,
    path: [Move; LONGEST],
    length: usize,
    estimate: E,
    /// The moves out of each cell and where they lead, and how many there are.
    exits: [([(Move, u8); 4], usize); MAX_PATTERN_CELLS],
}

impl<E: Estimate> Walker<E> {
    fn new(search: &IdaStar, board: &Board, estimate: E) -> Walker<E> {
        let padded = |board: &Board| {
            let mut tiles = [0; MAX_PATTERN_CELLS];
            tiles[..board.tiles().len()].copy_from_slice(board.tiles());
            tiles
        };
        Walker {
            tiles: padded(board),
            goal: padded(&search.goal),
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

type Flow = ControlFlow<End>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// What was wanted is found, by this part or an earlier one.
    Found,
    /// As many boards as allowed have been visited, or it was told to end.
    GaveUp,
}

/// What the parts of a search have in common.
struct Budget<'a> {
    most: u64,
    /// Boards that all parts have visited, a few late.
    nodes: &'a AtomicU64,
    /// No solution is shorter.
    bound: u32,
    go_on: GoOn<'a>,
    /// The first part that has found a solution.
    first: &'a AtomicUsize,
    progress: Option<&'a Progress>,
}

/// Boards that a part visits between two looks at the budget.
const STRIDE: u64 = 4096;

/// Where a part of a search begins, and what is left of the bound there.
type Part<E> = (Walker<E>, i32);

/// A search of one bound, or a part of it.
struct Run<'a, E> {
    /// Boards to visit before the next look at the budget.
    left: u64,
    budget: Budget<'a>,
    part: usize,
    wanted: Wanted,
    found: &'a mut Found,
    /// Paths of so many moves are not searched but collected, with what is left of the bound.
    split: Option<(usize, &'a mut Vec<Part<E>>)>,
}

impl<E: Estimate> Run<'_, E> {
    /// Visits the present board and all that can be reached with `left` more moves.
    fn visit(&mut self, walker: &mut Walker<E>, left: i32) -> Flow {
        let last = walker.path[..walker.length].last().map(|mv| mv.opposite());
        let flow = self.step(walker, left, last);
        // The last stride was counted whole when it began.
        self.budget.nodes.fetch_sub(self.left, Ordering::Relaxed);
        flow
    }

    fn step(&mut self, walker: &mut Walker<E>, left: i32, back: Option<Move>) -> Flow {
        if self.left == 0 {
            self.look()?;
        }
        self.left -= 1;
        if left <= 0 {
            return self.arrive(walker);
        }
        if let Some((at, parts)) = &mut self.split
            && walker.length == *at
        {
            parts.push((walker.clone(), left));
            self.left += 1; // it is visited where the part begins
            return Flow::Continue(());
        }
        let blank = walker.blank;
        let (exits, count) = walker.exits[blank];
        // All look-ups first, so that the processor waits for their memory at the same time.
        let mut changes = [None; 4];
        for (&(mv, to), change) in exits[..count].iter().zip(&mut changes) {
            if Some(mv) != back {
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
            self.step(walker, left - 1, Some(mv.opposite()))?;
            walker.length -= 1;
            walker.blank = blank;
            walker.tiles[to] = tile;
            walker.tiles[blank] = 0;
            walker.estimate.exchange(change);
        }
        Flow::Continue(())
    }

    /// No move is left: is this the goal?
    fn arrive(&mut self, walker: &Walker<E>) -> Flow {
        if walker.tiles != walker.goal {
            return Flow::Continue(());
        }
        self.found.count = self.found.count.saturating_add(1);
        let first = walker.path[..walker.length].first();
        self.found.first_moves |= first.map_or(0, |mv| 1 << mv.code());
        if self.found.solutions.len() < self.wanted.kept() {
            let solution = walker.path[..walker.length].to_vec();
            self.found.solutions.push(solution);
        }
        match self.wanted {
            Wanted::All(_) => Flow::Continue(()),
            Wanted::One => {
                self.budget.first.fetch_min(self.part, Ordering::Relaxed);
                Flow::Break(End::Found)
            }
        }
    }

    /// Counts the boards that were visited since the last look, and ends a search that has visited
    /// enough or come too late.
    #[cold]
    fn look(&mut self) -> Flow {
        self.left = STRIDE;
        let visited = self.budget.nodes.fetch_add(STRIDE, Ordering::Relaxed);
        if let Some(progress) = self.budget.progress {
            progress.visit(STRIDE);
        }
        if self.budget.first.load(Ordering::Relaxed) < self.part {
            return Flow::Break(End::Found);
        }
        let (most, bound, go_on) = (self.budget.most, self.budget.bound, self.budget.go_on);
        if visited >= most || go_on(bound, visited).is_break() {
            return Flow::Break(End::GaveUp);
        }
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::Manhattan;
    use super::*;
    use crate::puzzle::{UsualGoal, parse_board};

    /// The boards that a search of one bound visits, counted by plain recursion.
    fn plain(board: &Board, goal: &Board, left: u32, back: Option<Move>) -> u64 {
        let home = |tile: &u8| goal.tiles().iter().position(|other| other == tile).unwrap();
        let cols = goal.shape().cols();
        let tiles = board
            .tiles()
            .iter()
            .enumerate()
            .filter(|&(_, &tile)| tile != 0);
        let apart = tiles.map(|(cell, tile)| {
            let home = home(tile);
            (cell / cols).abs_diff(home / cols) + (cell % cols).abs_diff(home % cols)
        });
        if apart.sum::<usize>() > left as usize {
            return 0;
        }
        let moves = Move::ALL
            .into_iter()
            .filter(|&mv| left > 0 && Some(mv) != back);
        let next = moves.filter_map(|mv| Some((board.slide(mv)?, mv.opposite())));
        1 + next
            .map(|(board, back)| plain(&board, goal, left - 1, Some(back)))
            .sum::<u64>()
    }

    /// Korf's 79th board, which is solved in 42 moves.
    #[test]
    fn every_board_that_is_visited_counts_once() {
        let board = parse_board(b"0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", None).unwrap();
        let goal = UsualGoal::First.board(board.shape());
        let estimate = Manhattan::new(&goal, &board);
        let bounds = (estimate.bound() as u32..=42).step_by(2);
        let all: u64 = bounds.map(|bound| plain(&board, &goal, bound, None)).sum();
        assert!(all > WORTH_SPLITTING);
        for parallel in [false, true] {
            let search = IdaStar {
                goal,
                most_nodes: u64::MAX,
                parallel,
                progress: None,
            };
            let go_on = |_, _| ControlFlow::Continue(());
            let (found, visited) = search.run(&board, estimate.clone(), Wanted::All(1), &go_on);
            assert_eq!((found.unwrap().distance, visited), (42, all));
        }
    }
}
