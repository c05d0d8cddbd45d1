//! Lower bounds of a board's distance that are counted along a path.

use crate::puzzle::{Board, Move};
use crate::space::Symmetry;

use crate::table::SectionBytes;

use super::blocks::{Blocks, MAX_PATTERN_CELLS, TileMove, bits};
use super::database::{Database, State};
use super::orders::Orders;
use super::partition::MAX_PATTERNS;
use super::patterns::Patterns;

/// A lower bound that follows the moves of a search.
pub(crate) trait Estimate: Clone + Send {
    /// Change of the bound by a move.
    type Change: Copy;

    /// Returns the bound of the present board.
    fn bound(&self) -> i32;

    /// Returns the change by a move of the blank from a cell, which moves `tile`; `None` if the bound after it is more
    /// than `most`.
    fn change(&self, tile: u8, blank: usize, mv: Move, most: i32) -> Option<Self::Change>;

    /// Makes a change; the next call with it undoes it.
    fn exchange(&mut self, change: &mut Self::Change);
}

/// Map from boards of a goal to the patterns' canonical boards, by one of the symmetries that take the goal's blank to
/// its canonical cell.
#[derive(Debug)]
pub(super) struct View {
    /// The canonical cell of each cell.
    cell: [u8; MAX_PATTERN_CELLS],
    /// The canonical goal cell of each tile.
    home: [u8; MAX_PATTERN_CELLS],
    /// The pattern of each tile; [`NONE`] if it has none.
    pattern: [u8; MAX_PATTERN_CELLS],
    /// The moves of the blank out of each cell, on the canonical board.
    moves: [[Option<TileMove>; 4]; MAX_PATTERN_CELLS],
}

const NONE: u8 = u8::MAX;

/// Most views: more cost more than they save.
pub(super) const MOST_VIEWS: usize = 2;

/// Returns the views of a goal that give different bounds, at most [`MOST_VIEWS`]: where a symmetry takes
/// patterns to patterns, it changes no bound.
pub(super) fn views(patterns: &Patterns, goal: &Board) -> Vec<View> {
    let mut views = Vec::<View>::new();
    for symmetry in Symmetry::all_to_canonical(goal.shape(), goal.blank()) {
        let view = View::new(patterns, goal, symmetry);
        let is_new = || views.iter().all(|seen| seen.groups() != view.groups());
        if views.len() < MOST_VIEWS && is_new() {
            views.push(view);
        }
    }
    views
}

impl View {
    fn new(patterns: &Patterns, goal: &Board, symmetry: Symmetry) -> View {
        let shape = goal.shape();
        let mut view = View {
            cell: [0; MAX_PATTERN_CELLS],
            home: [0; MAX_PATTERN_CELLS],
            pattern: [NONE; MAX_PATTERN_CELLS],
            moves: [[None; 4]; MAX_PATTERN_CELLS],
        };
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            let home = symmetry.cell(cell);
            view.cell[cell] = home as u8;
            view.home[usize::from(tile)] = home as u8;
            let of = |database: &Database| database.goal.mask >> home & 1 == 1;
            if let Some(i) = patterns.databases.iter().position(of) {
                view.pattern[usize::from(tile)] = i as u8;
            }
            for canonical in Move::ALL {
                let mv = symmetry.source_move(canonical);
                if let Some(to) = shape.step(cell, mv) {
                    view.moves[cell][usize::from(mv.code())] =
                        Some(TileMove::new(canonical, home, symmetry.cell(to)));
                }
            }
        }
        view
    }

    /// Returns the first tile of each tile's pattern, by tile.
    fn groups(&self) -> [Option<usize>; MAX_PATTERN_CELLS] {
        let all = &self.pattern;
        all.map(|i| all.iter().position(|&other| other == i && i != NONE))
    }

    /// Returns the change of the sum of the patterns when `tile` moves between two boards that are one move apart, by
    /// the distance modulo 4 of its pattern. 0 if it has none; `None` if the database is wrong.
    pub fn change(
        &self,
        patterns: &Patterns,
        tile: u8,
        before: &Board,
        after: &Board,
    ) -> Option<i32> {
        let i = usize::from(self.pattern[usize::from(tile)]);
        let Some(database) = patterns.databases.get(i) else {
            return Some(0);
        };
        let (from, to) = (before.blank(), usize::from(self.cell[after.blank()]));
        let mut moves = self.moves[from].iter().flatten();
        let mv = moves.find(|mv| mv.to == to)?;
        let state = self.state(i, database, before);
        let next = database.after(&state, mv);
        match database.mod_4(&next).wrapping_sub(database.mod_4(&state)) & 3 {
            1 => Some(1),
            3 => Some(-1),
            _ => None,
        }
    }

    /// Returns the sum of the patterns' distances modulo 4.
    pub fn sum_mod_4(&self, patterns: &Patterns, board: &Board) -> u32 {
        let databases = patterns.databases.iter().enumerate();
        let sum: u32 = databases
            .map(|(i, database)| database.mod_4(&self.state(i, database, board)))
            .sum();
        sum & 3
    }

    /// Returns the state of a pattern on a board.
    fn state(&self, i: usize, database: &Database, board: &Board) -> State {
        let mut mask = 0;
        let mut label = [0; MAX_PATTERN_CELLS];
        for (cell, &tile) in board.tiles().iter().enumerate() {
            if usize::from(self.pattern[usize::from(tile)]) == i {
                let cell = self.cell[cell];
                mask |= 1 << cell;
                // A tile's label is its place among the tiles of the pattern.
                let before = database.goal.mask & ((1 << self.home[usize::from(tile)]) - 1);
                label[usize::from(cell)] = before.count_ones() as u8 + 1;
            }
        }
        State {
            mask,
            blank: self.cell[board.blank()].into(),
            order: database
                .states
                .orders
                .rank(bits(mask).map(|cell| label[cell])),
        }
    }
}

/// The sum of the patterns' distances, in each of `V` views; the bound is the largest.
#[derive(Clone)]
pub(super) struct Additive<'a, const V: usize> {
    patterns: [Option<PatternBits<'a>>; MAX_PATTERNS],
    views: &'a [View; V],
    places: [[Placement; MAX_PATTERNS]; V],
    sums: [i32; V],
}

/// Parts of a pattern's database that look-ups read.
#[derive(Clone, Copy)]
struct PatternBits<'a> {
    blocks: &'a Blocks,
    orders: &'a Orders,
    bits: SectionBytes<'a>,
    /// Number of orders.
    count: usize,
}

/// Placement of a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    mask: u32,
    order: u32,
    distance: i32,
}

impl<'a, const V: usize> Additive<'a, V> {
    /// Returns the bound of a board; `None` if a database is wrong.
    pub fn new(patterns: &'a Patterns, views: &'a [View; V], board: &Board) -> Option<Self> {
        let mut additive = Additive {
            patterns: [None; MAX_PATTERNS],
            views,
            places: [[Placement::default(); MAX_PATTERNS]; V],
            sums: [0; V],
        };
        for (i, database) in patterns.databases.iter().enumerate() {
            additive.patterns[i] = Some(PatternBits {
                blocks: &database.states.blocks,
                orders: &database.states.orders,
                bits: database.bits(),
                count: database.states.orders.count(),
            });
            for (v, view) in views.iter().enumerate() {
                let state = view.state(i, database, board);
                let distance = database.distance(state)? as i32;
                let (mask, order) = (state.mask, state.order);
                additive.places[v][i] = Placement {
                    mask,
                    order,
                    distance,
                };
                additive.sums[v] += distance;
            }
        }
        Some(additive)
    }
}

impl PatternBits<'_> {
    /// Returns the placement of the pattern after a move of one of its tiles.
    #[inline]
    fn after(&self, place: &Placement, mv: &TileMove) -> Placement {
        let mask = place.mask ^ mv.both;
        let order = self.orders.after(place.order, place.mask, mv);
        let number = self.blocks.block(mask, mv.to) * self.count + order as usize;
        let bit = i32::from(self.bits.bit(number));
        // One of distance + 1 and distance - 1 has this bit.
        let distance = place.distance + 1;
        let distance = distance - 2 * ((distance >> 1 & 1) ^ bit);
        Placement {
            mask,
            order,
            distance,
        }
    }
}

impl<const V: usize> Estimate for Additive<'_, V> {
    /// The pattern that moves in each view, and its placement on the other side of the move.
    type Change = [(u8, Placement); V];

    fn bound(&self) -> i32 {
        self.sums.iter().copied().max().unwrap_or(0)
    }

    #[inline]
    fn change(&self, tile: u8, blank: usize, mv: Move, most: i32) -> Option<Self::Change> {
        let mut change = [(NONE, Placement::default()); V];
        for (v, change) in change.iter_mut().enumerate() {
            let view = &self.views[v];
            let i = view.pattern[usize::from(tile)];
            let table = self.patterns.get(usize::from(i)).and_then(Option::as_ref);
            let mv = view.moves[blank][usize::from(mv.code())].as_ref();
            if let (Some(table), Some(mv)) = (table, mv) {
                let place = &self.places[v][usize::from(i)];
                let next = table.after(place, mv);
                if self.sums[v] + next.distance - place.distance > most {
                    return None;
                }
                *change = (i, next);
            }
        }
        Some(change)
    }

    #[inline]
    fn exchange(&mut self, change: &mut Self::Change) {
        for (v, (i, there)) in change.iter_mut().enumerate() {
            if let Some(place) = self.places[v].get_mut(usize::from(*i)) {
                self.sums[v] += there.distance - place.distance;
                std::mem::swap(place, there);
            }
        }
    }
}
