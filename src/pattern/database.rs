//! The database of one pattern: its bits, and walks down them.

use std::fmt;
use std::sync::Arc;

use crate::puzzle::Shape;
use crate::table::{SectionBytes, SectionKind, Sections};

use super::blocks::{Blocks, TileMove, bits};
use super::orders::Orders;
use super::search::colour;

/// Numbering of the states that the databases of patterns of equally many tiles on a shape share.
#[derive(Clone, Debug)]
pub(super) struct States {
    pub blocks: Arc<Blocks>,
    pub orders: Arc<Orders>,
}

impl States {
    pub fn new(shape: Shape, tiles: usize) -> States {
        States {
            blocks: Arc::new(Blocks::new(shape, tiles)),
            orders: Arc::new(Orders::new(tiles)),
        }
    }

    /// Number of states.
    pub fn count(&self) -> u64 {
        self.blocks.count() as u64 * self.orders.count() as u64
    }

    /// Number of states that can be reached from the goal: half of them if there are fewer than two other tiles, since
    /// the parity of the order is fixed then.
    pub fn reachable(&self) -> u64 {
        let free = self.blocks.tiles + 3 <= self.blocks.shape.cells();
        self.count() / (2 - u64::from(free))
    }

    /// Number of bytes of a database with one bit for each state.
    pub fn bytes(&self) -> usize {
        self.count().div_ceil(8) as usize
    }
}

/// A state of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The cells of the tiles.
    pub mask: u32,
    /// A cell of the blank's region.
    pub blank: usize,
    /// The rank of the tiles' order.
    pub order: u32,
}

/// The database of a pattern: bit 1 of the distance of every state.
///
/// Each move of a tile of the pattern changes the distance by exactly 1, and the cells of the tiles show whether it is
/// even; so with one more bit the distances of neighbours show which is closer.
#[derive(Clone)]
pub(super) struct Database {
    pub states: States,
    /// The state with distance 0.
    pub goal: State,
    goal_colour: usize,
    pub contents: Arc<Sections>,
    section: usize,
}

impl Database {
    /// Returns the database in a section of a file, of the pattern with this goal.
    pub fn new(states: States, goal: State, contents: Arc<Sections>, section: usize) -> Database {
        Database {
            goal_colour: colour(states.blocks.shape.cols(), goal.mask),
            states,
            goal,
            contents,
            section,
        }
    }

    /// Makes the database in memory of bits that this process has just made.
    pub fn in_memory(states: States, goal: State, bits: Vec<u8>) -> Database {
        let contents = Sections::made(SectionKind::PatternBits, bits).into();
        Database::new(states, goal, contents, 0)
    }

    /// Returns the bits: that of a state is at block * k! + order.
    #[inline]
    pub fn bits(&self) -> SectionBytes<'_> {
        self.contents.section(self.section)
    }

    /// Returns the number of a state's bit.
    pub fn number(&self, state: &State) -> usize {
        let block = self.states.blocks.block(state.mask, state.blank);
        block * self.states.orders.count() + state.order as usize
    }

    /// Returns the distance modulo 4.
    pub fn mod_4(&self, state: &State) -> u32 {
        let odd = colour(self.states.blocks.shape.cols(), state.mask) ^ self.goal_colour;
        let number = self.number(state);
        odd as u32 + 2 * u32::from(self.bits().bit(number))
    }

    /// Returns the states one move of a tile away.
    pub fn next(&self, state: State) -> impl Iterator<Item = State> {
        let moves = self.states.blocks.moves(state.mask, state.blank);
        moves.map(move |mv| self.after(&state, &mv))
    }

    /// Returns the state after a move of one of the pattern's tiles.
    pub fn after(&self, state: &State, mv: &TileMove) -> State {
        State {
            mask: state.mask ^ mv.both,
            blank: mv.to,
            order: self.states.orders.after(state.order, state.mask, mv),
        }
    }

    /// Returns the distance of a state, by a walk down to the goal; `None` if the walk does not end there, in a
    /// database that is wrong.
    pub fn distance(&self, mut state: State) -> Option<u32> {
        let goal = self.number(&self.goal);
        for distance in 0..=u32::from(u8::MAX) {
            if self.number(&state) == goal {
                return Some(distance);
            }
            let closer = self.mod_4(&state).wrapping_sub(1) & 3;
            state = self.next(state).find(|next| self.mod_4(next) == closer)?;
        }
        None
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<usize> = bits(self.goal.mask).collect();
        f.debug_struct("Database")
            .field("cells", &cells)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Search;
    use super::*;
    use crate::basics::Cancel;
    use crate::puzzle::Move;
    use std::collections::{HashMap, VecDeque};

    fn build(shape: Shape, goal: u32, blank: usize) -> Database {
        let states = States::new(shape, goal.count_ones() as usize);
        let goal = State {
            mask: goal,
            blank,
            order: 0,
        };
        let mut search = Search::new(&states.blocks, &goal).unwrap();
        while search.advance(&Cancel::new()).unwrap() > 0 {}
        Database::in_memory(states, goal, search.into_bits())
    }

    /// Computes the distances of all boards where only the tiles of the goal's cells `goal` are distinguished, by
    /// breadth-first search where a move of any other tile costs nothing. It shares no code with the database. A board
    /// has the tiles as letters, 255 for the others and 0 for the blank.
    fn plain(shape: Shape, goal: u32, blank: usize) -> HashMap<Vec<u8>, u32> {
        let mut board = vec![255; shape.cells()];
        board[blank] = 0;
        for (label, cell) in (1..).zip((0..shape.cells()).filter(|c| goal >> c & 1 == 1)) {
            board[cell] = label;
        }
        let mut known = HashMap::from([(board.clone(), 0)]);
        let mut open = VecDeque::from([board]);
        while let Some(board) = open.pop_front() {
            let (distance, blank) = (known[&board], board.iter().position(|&t| t == 0).unwrap());
            for mv in Move::ALL {
                let Some(to) = shape.step(blank, mv) else {
                    continue;
                };
                let mut next = board.clone();
                next.swap(blank, to);
                let free = board[to] == 255;
                let there = distance + u32::from(!free);
                if known.get(&next).is_none_or(|&known| known > there) {
                    known.insert(next.clone(), there);
                    if free {
                        open.push_front(next)
                    } else {
                        open.push_back(next)
                    }
                }
            }
        }
        known
    }

    fn state(database: &Database, board: &[u8]) -> State {
        let tiles = board
            .iter()
            .copied()
            .filter(|tile| !matches!(tile, 0 | 255));
        let cells = (0..)
            .zip(board)
            .filter(|(_, tile)| !matches!(tile, 0 | 255));
        State {
            mask: cells.fold(0, |mask, (cell, _)| mask | 1 << cell),
            blank: board.iter().position(|&tile| tile == 0).unwrap(),
            order: database.states.orders.rank(tiles),
        }
    }

    /// Checks every bit, and the walk from one state in `walked`.
    fn compare(shape: Shape, goal: u32, blank: usize, walked: usize) {
        let database = build(shape, goal, blank);
        let plain = plain(shape, goal, blank);
        let mut seen = vec![false; database.states.count() as usize];
        for (i, (board, &distance)) in plain.iter().enumerate() {
            let state = state(&database, board);
            assert_eq!(database.mod_4(&state), distance % 4, "{board:?}");
            if i % walked == 0 {
                assert_eq!(database.distance(state), Some(distance), "{board:?}");
            }
            seen[database.number(&state)] = true;
        }
        // With fewer than two other tiles half of the orders cannot be reached.
        let all = goal.count_ones() as usize + 3 <= shape.cells();
        let reached = seen.iter().filter(|&&seen| seen).count();
        let expected = seen.len() / (2 - usize::from(all));
        assert_eq!(reached, expected, "{shape} {goal:b} {blank}");
    }

    fn patterns(shape: Shape, blank: usize) -> impl Iterator<Item = u32> {
        (1..1u32 << shape.cells()).filter(move |goal| goal >> blank & 1 == 0)
    }

    #[test]
    fn every_pattern_of_three_by_two_is_what_a_plain_search_says() {
        let shape = Shape::new(3, 2).unwrap();
        for blank in [5, 3] {
            patterns(shape, blank).for_each(|goal| compare(shape, goal, blank, 1));
        }
    }

    #[test]
    fn patterns_of_all_sizes_of_three_by_three_are_what_a_plain_search_says() {
        let shape = Shape::new(3, 3).unwrap();
        for blank in [8, 7, 4] {
            let few = patterns(shape, blank).filter(|goal| goal.count_ones() <= 3);
            few.step_by(3)
                .for_each(|goal| compare(shape, goal, blank, 5));
            for goal in [0b0_1011_0001, 0b0_0110_1011, 0b1_0110_1111] {
                compare(shape, goal & !(1 << blank), blank, 50);
            }
        }
        compare(shape, 0b0_0111_1111, 8, 2_000); // seven tiles
        compare(shape, 0b0_1111_1111, 8, 2_000);
    }

    #[test]
    fn patterns_of_four_tiles_of_the_fifteen_puzzle_are_what_a_plain_search_says() {
        let shape = Shape::new(4, 4).unwrap();
        compare(shape, 0b0100_0010_0001_0001, 15, 100);
    }

    /// Four columns make a tile pass three others.
    #[test]
    fn a_pattern_of_five_tiles_in_rows_of_five_is_what_a_plain_search_says() {
        let shape = Shape::new(2, 5).unwrap();
        compare(shape, 0b01_1010_0101, 9, 100);
    }

    #[test]
    fn the_largest_patterns_of_the_fifteen_puzzle_come_out_whole() {
        let database = build(Shape::new(4, 4).unwrap(), 0b0011_0011_0011, 15);
        assert_eq!(database.states.count(), 11_816_640);
    }
}
