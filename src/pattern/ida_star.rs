//! Iterative-deepening A* from a board to the goal, on one thread or several.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::basics::parallel::each;
use crate::basics::{Cancel, Progress};
use crate::puzzle::{Board, MAX_CELLS, Move, Shape};

use super::duplicates::{BACK, DUPLICATES, PRUNED, PruningAutomaton};
use super::estimate::Estimate;

/// The shortest solutions of a board, or what a search proved that ended before it found one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortestSolutions {
    /// Length of the shortest solutions; if none was found, moves that every solution has at least.
    pub distance: u32,
    /// The first of them in the order of [`Move`]; as many as were requested.
    pub solutions: Vec<Vec<Move>>,
    /// Number of shortest solutions; 1 if only one was requested.
    pub count: u64,
    /// The moves that they begin with, in order.
    pub first_moves: Vec<Move>,
    /// Boards that were visited for it.
    pub visited: u64,
}

/// Searches with bounds that grow by 2, since the lengths of all solutions of a board are even or all
/// are odd (Korf, 1985). Each visits, depth first, the boards where the moves so far and the estimate
/// are together not above its bound.
#[derive(Clone, Debug)]
pub struct IdaStar {
    /// Board at distance 0.
    pub goal: Board,
    /// Most boards to visit.
    pub most_nodes: u64,
    /// Whether to split long searches over the threads of rayon.
    pub parallel: bool,
    /// Gets the boards that are visited and the bounds that are proved.
    pub progress: Option<Arc<Progress>>,
    /// Flag that ends the search.
    pub cancel: Cancel,
}

/// Board, wanted solutions and bounds of a search.
#[expect(missing_debug_implementations)]
pub struct Question<'a> {
    /// Board to solve.
    pub board: &'a Board,
    /// Number of solutions to keep of all; `None` looks for the first one alone.
    pub all: Option<usize>,
    /// The bounds to search with, as far as they are known: no solution is shorter than the first, and longer ones
    /// than the last are of no use.
    pub bounds: RangeInclusive<i32>,
    /// Boards that earlier searches for the same answer visited.
    pub visited: u64,
    /// Callback at intervals with the bound that is proved and the boards that were visited.
    pub observe: &'a (dyn Fn(u32, u64) + Sync),
}

impl<'a> Question<'a> {
    /// Makes the question for one shortest solution.
    pub fn new(board: &'a Board) -> Question<'a> {
        Question {
            board,
            all: None,
            bounds: 0..=i32::MAX,
            visited: 0,
            observe: &|_, _| (),
        }
    }

    /// Makes the question for all shortest solutions of a board one of which is known, to keep the first `kept`. The
    /// boards that were visited for that one count too.
    pub fn all_after(board: &'a Board, first: &ShortestSolutions, kept: usize) -> Question<'a> {
        let length = first.distance as i32;
        Question {
            all: Some(kept),
            bounds: length..=length,
            visited: first.visited,
            ..Question::new(board)
        }
    }

    /// Returns whether a search with this result ended early: it visited as many boards as it was allowed to, or was
    /// cancelled.
    pub fn is_open_after(&self, found: &ShortestSolutions) -> bool {
        found.count == 0 && found.distance as i32 <= *self.bounds.end()
    }
}

impl IdaStar {
    /// Searches without limits, on all threads.
    pub fn new(goal: Board) -> IdaStar {
        IdaStar {
            goal,
            most_nodes: u64::MAX,
            parallel: true,
            progress: None,
            cancel: Cancel::new(),
        }
    }

    /// Searches for the shortest solutions of a board; none are found if they are longer than the last bound, or the search
    /// [ends early](Question::is_open_after).
    pub(crate) fn run<E: Estimate + Sync>(
        &self,
        question: &Question<'_>,
        estimate: E,
    ) -> ShortestSolutions {
        let mut bound = estimate.bound().max(*question.bounds.start());
        // The lengths of all solutions have the parity of the blank's distance to its goal cell.
        let (board, goal) = (question.board, &self.goal);
        let steps = goal.shape().steps(board.blank(), goal.blank());
        bound += (bound + steps as i32) & 1;
        let nodes = AtomicU64::new(question.visited);
        let start = Walker::new(board, estimate);
        let mut found = ShortestSolutions::default();
        while found.count == 0 && bound <= *question.bounds.end() {
            if let Some(progress) = &self.progress {
                progress.prove(bound as u64);
            }
            let job = Job {
                search: self,
                question,
                bound,
                nodes: &nodes,
                first: AtomicUsize::new(usize::MAX),
            };
            let Some(within) = job.run(&start) else {
                break;
            };
            found = within;
            bound += 2 * i32::from(found.count == 0);
        }
        found.distance = bound as u32;
        found.visited = nodes.into_inner();
        found
    }
}

/// Search of one bound, with the counters that its parts share.
struct Job<'a> {
    search: &'a IdaStar,
    question: &'a Question<'a>,
    /// No solution is shorter.
    bound: i32,
    /// Boards that all parts have visited, or will visit soon.
    nodes: &'a AtomicU64,
    /// The first part that has found a solution.
    first: AtomicUsize,
}

/// A part of a search: its place among the parts, in the order of their moves, and its first board.
type Part<E> = (usize, Walker<E>);

impl Job<'_> {
    /// Finds the solutions of the length of the bound; `None` if it ended early.
    fn run<E: Estimate + Sync>(&self, start: &Walker<E>) -> Option<ShortestSolutions> {
        let (all, mut parts) = (self.question.all, Vec::new());
        let split = self.search.parallel && self.nodes.load(Ordering::Relaxed) >= WORTH_SPLITTING;
        let mut found = self.visit((0, start.clone()), split.then_some(&mut parts))?;
        if all.is_none() && found.count > 0 {
            return Some(found);
        }
        for part in each(parts, |part| self.visit(part, None)) {
            let part = part?;
            found.count = found.count.saturating_add(part.count);
            found.first_moves.extend(part.first_moves);
            found.solutions.extend(part.solutions);
            if all.is_none() && found.count > 0 {
                break; // a later part may have ended early, as it is not needed
            }
        }
        found.solutions.truncate(all.unwrap_or(1));
        found.first_moves.sort();
        found.first_moves.dedup();
        Some(found)
    }

    /// Visits the board of a part and all that can be reached within the bound, or collects `parts` to be visited from
    /// some moves on. `None` if it ended early.
    fn visit<E: Estimate>(
        &self,
        (part, mut walker): Part<E>,
        parts: Option<&mut Vec<Part<E>>>,
    ) -> Option<ShortestSolutions> {
        let automaton = match self.question.all {
            None => &*DUPLICATES,
            Some(_) => &*BACK,
        };
        let mut run = Run {
            automaton,
            left: 0,
            job: self,
            part,
            found: ShortestSolutions::default(),
            parts,
        };
        let state = automaton.state(&walker.path);
        let left = self.bound - walker.path.len() as i32;
        let flow = run.step(&mut walker, left, state);
        // The last stride was counted whole when it began.
        self.nodes.fetch_sub(run.left, Ordering::Relaxed);
        (flow != Flow::Break(true)).then_some(run.found)
    }
}

/// Boards after which a search is split over the threads.
const WORTH_SPLITTING: u64 = 100_000;

/// Boards that a part visits between two checks of the budget.
const STRIDE: u64 = 4096;

/// Moves of the paths at which a search is split into some thousand parts.
const SPLIT_AT: usize = 9;

/// A board on a path, with the estimate that follows it.
#[derive(Clone)]
pub(super) struct Walker<E> {
    tiles: [u8; MAX_CELLS],
    blank: usize,
    path: Vec<Move>,
    estimate: E,
    exits: Exits,
}

impl<E: Estimate> Walker<E> {
    pub fn new(board: &Board, estimate: E) -> Walker<E> {
        let mut tiles = [0; MAX_CELLS];
        tiles[..board.tiles().len()].copy_from_slice(board.tiles());
        Walker {
            tiles,
            blank: board.blank(),
            path: Vec::new(),
            estimate,
            exits: exits(board.shape(), Move::ALL),
        }
    }
}

/// The moves of the blank out of each cell with the cells that they lead to, and their number.
pub(crate) type Exits = [([(Move, u8); 4], usize); MAX_CELLS];

/// Returns the moves out of the cells of a shape, in an order.
pub(crate) fn exits(shape: Shape, order: [Move; 4]) -> Exits {
    let mut exits = [([(Move::Up, 0); 4], 0); MAX_CELLS];
    for (cell, (exits, count)) in exits.iter_mut().enumerate().take(shape.cells()) {
        for mv in order {
            if let Some(to) = shape.step(cell, mv) {
                exits[*count] = (mv, to as u8);
                *count += 1;
            }
        }
    }
    exits
}

/// Whether a search goes on. It ends early (true), or where the wanted solution is found, by this part or an earlier one.
type Flow = ControlFlow<bool>;

/// A part of a search of one bound.
struct Run<'a, E> {
    /// Automaton that selects the moves that are made.
    automaton: &'static PruningAutomaton,
    /// Boards to visit before the next check of the budget.
    left: u64,
    job: &'a Job<'a>,
    part: usize,
    found: ShortestSolutions,
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
            && walker.path.len() == SPLIT_AT
        {
            parts.push((parts.len(), walker.clone()));
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
            walker.path.push(mv);
            self.step(walker, left - 1, states[usize::from(mv.code())])?;
            walker.path.pop();
            walker.blank = blank;
            walker.tiles[to] = tile;
            walker.tiles[blank] = 0;
            walker.estimate.exchange(change);
        }
        Flow::Continue(())
    }

    /// Records a solution if the board, which has no move left, is the goal.
    fn arrive(&mut self, walker: &Walker<E>) -> Flow {
        let goal = self.job.search.goal.tiles();
        if walker.tiles[..goal.len()] != *goal {
            return Flow::Continue(());
        }
        let (found, all) = (&mut self.found, self.job.question.all);
        let path = &walker.path;
        found.count = found.count.saturating_add(1);
        let first = path.first().filter(|mv| !found.first_moves.contains(mv));
        found.first_moves.extend(first);
        if found.solutions.len() < all.unwrap_or(1) {
            found.solutions.push(path.to_vec());
        }
        if all.is_some() {
            return Flow::Continue(());
        }
        self.job.first.fetch_min(self.part, Ordering::Relaxed);
        Flow::Break(false)
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
            return Flow::Break(false);
        }
        (job.question.observe)(job.bound as u32, visited);
        match visited >= search.most_nodes || search.cancel.is_cancelled() {
            true => Flow::Break(true),
            false => Flow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Move, UsualGoal, parse_board};

    /// Sums the distances of all tiles in rows and columns.
    fn apart(board: &Board, goal: &Board) -> i32 {
        let home = |tile: &u8| goal.tiles().iter().position(|other| other == tile).unwrap();
        let tiles = board.tiles().iter().enumerate();
        let tiles = tiles.filter(|&(_, &tile)| tile != 0);
        let steps = tiles.map(|(cell, tile)| goal.shape().steps(cell, home(tile)));
        steps.sum::<usize>() as i32
    }

    #[derive(Clone)]
    struct Apart(Board, Board);

    impl Estimate for Apart {
        type Change = Board;

        fn bound(&self) -> i32 {
            apart(&self.0, &self.1)
        }

        fn change(&self, _: u8, _: usize, mv: Move, most: i32) -> Option<Board> {
            let after = self.0.slide(mv)?;
            (apart(&after, &self.1) <= most).then_some(after)
        }

        fn exchange(&mut self, change: &mut Board) {
            std::mem::swap(&mut self.0, change);
        }
    }

    /// Counts the boards that a search of one bound visits, by plain recursion.
    fn plain(board: &Board, goal: &Board, left: u32, back: Option<Move>) -> u64 {
        if apart(board, goal) > left as i32 {
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
        let estimate = Apart(board, goal);
        let bounds = (estimate.bound() as u32..=42).step_by(2);
        let all: u64 = bounds.map(|bound| plain(&board, &goal, bound, None)).sum();
        assert!(all > WORTH_SPLITTING);
        for parallel in [false, true] {
            let search = IdaStar {
                parallel,
                ..IdaStar::new(goal)
            };
            let question = Question {
                all: Some(1),
                ..Question::new(&board)
            };
            let found = search.run(&question, estimate.clone());
            assert_eq!((found.distance, found.visited), (42, all));
        }
    }
}
