//! The sliding-tile puzzle as a [`Problem`], on packed boards.

use std::fmt::Debug;
use std::hash::Hash;

use crate::pattern::{Exits, exits};
use crate::puzzle::{Board, MAX_CELLS, Move, Shape};

use super::problem::{Problem, Successor};

/// A board packed into few bytes: an integer with a field of bits for each cell, the first cell in
/// the lowest bits, or for the largest boards an array of bytes.
pub trait Packed: Copy + Eq + Ord + Hash + Debug + Send + Sync {
    /// The largest number of cells that fit.
    const CELLS: usize;

    /// Packs a board of at most [`Packed::CELLS`] cells.
    fn pack(board: &Board) -> Self;

    /// Returns the tile in a cell.
    fn tile(self, cell: usize) -> u8;

    /// Returns the blank's cell.
    fn blank(self) -> usize;

    /// Returns the board after the tile in the cell `from` slid to the cell `blank`, which is the
    /// blank's.
    #[must_use]
    fn slide(self, blank: usize, from: usize) -> Self;

    /// Returns all tiles of a board of `cells` cells.
    fn tiles(self, cells: usize) -> [u8; MAX_CELLS] {
        let mut tiles = [0; MAX_CELLS];
        for (cell, tile) in tiles.iter_mut().enumerate().take(cells) {
            *tile = self.tile(cell);
        }
        tiles
    }
}

macro_rules! packed {
    ($word:ty, $bits:literal, $cells:literal) => {
        impl Packed for $word {
            const CELLS: usize = $cells;

            fn pack(board: &Board) -> $word {
                assert!(
                    board.shape().cells() <= Self::CELLS,
                    "the board fits the word"
                );
                let cells = board.tiles().iter().rev();
                cells.fold(0, |word, &tile| word << $bits | <$word>::from(tile))
            }

            #[inline]
            fn tile(self, cell: usize) -> u8 {
                (self >> ($bits * cell)) as u8 & ((1 << $bits) - 1)
            }

            #[inline]
            fn blank(self) -> usize {
                // The lowest field that is 0 is the first one from which subtracting 1 borrows.
                const ALL: $word = <$word>::MAX >> (<$word>::BITS - $bits * $cells);
                const ONES: $word = ALL / ((1 << $bits) - 1);
                const HIGH: $word = ONES << ($bits - 1);
                let zeros = self.wrapping_sub(ONES) & !self & HIGH;
                zeros.trailing_zeros() as usize / $bits
            }

            #[inline]
            fn slide(self, blank: usize, from: usize) -> $word {
                let tile = self >> ($bits * from) & ((1 << $bits) - 1);
                self ^ tile << ($bits * from) ^ tile << ($bits * blank)
            }
        }
    };
}

packed!(u64, 4, 16);
packed!(u128, 5, 25);

impl Packed for [u8; MAX_CELLS] {
    const CELLS: usize = MAX_CELLS;

    fn pack(board: &Board) -> Self {
        let mut cells = [0; MAX_CELLS];
        cells[..board.tiles().len()].copy_from_slice(board.tiles());
        cells
    }

    #[inline]
    fn tile(self, cell: usize) -> u8 {
        self[cell]
    }

    #[inline]
    fn blank(self) -> usize {
        self.iter().position(|&tile| tile == 0).unwrap_or(0)
    }

    #[inline]
    fn slide(mut self, blank: usize, from: usize) -> Self {
        self.swap(blank, from);
        self
    }
}

/// The problem of getting from one board to another, with states of type `u64` for up to 16 cells,
/// `u128` for up to 25 or `[u8; MAX_CELLS]` for any.
#[derive(Clone, Debug)]
pub struct Sliding<W> {
    shape: Shape,
    start: W,
    goal: W,
    /// Moves by the blank's cell, in the order in which they are tried.
    moves: Exits,
}

impl<W: Packed> Sliding<W> {
    /// Returns the problem of getting from `start` to `goal`, moves tried in `order`.
    ///
    /// # Panics
    /// If the boards differ in shape or do not fit the word.
    pub fn new(start: &Board, goal: &Board, order: [Move; 4]) -> Sliding<W> {
        let shape = start.shape();
        assert_eq!(shape, goal.shape(), "start and goal have one shape");
        Sliding {
            shape,
            start: W::pack(start),
            goal: W::pack(goal),
            moves: exits(shape, order),
        }
    }

    pub(super) fn goal(&self) -> W {
        self.goal
    }

    /// Returns the board of a state.
    pub fn board(&self, state: W) -> Board {
        Board::from_permutation(self.shape, state.tiles(self.shape.cells()))
    }
}

impl<W: Packed> Problem for Sliding<W> {
    type State = W;
    type Action = Move;

    fn start(&self) -> W {
        self.start
    }

    #[inline]
    fn is_goal(&self, state: &W) -> bool {
        *state == self.goal
    }

    #[inline]
    fn successors(&self, state: &W) -> impl Iterator<Item = Successor<W, Move>> {
        let (state, blank) = (*state, state.blank());
        let (moves, count) = &self.moves[blank];
        moves[..*count].iter().map(move |&(action, from)| {
            Successor::new(action, state.slide(blank, usize::from(from)), 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::UsualGoal;

    fn agrees_with_the_board<W: Packed>(shape: Shape) {
        let goal = UsualGoal::Last.board(shape);
        let mut board = goal;
        for i in 0..500usize {
            let problem = Sliding::<W>::new(&board, &goal, Move::ALL);
            let state = problem.start();
            assert_eq!(problem.board(state), board);
            assert_eq!(state.blank(), board.blank());
            let found: Vec<_> = problem
                .successors(&state)
                .map(|s| (s.action, problem.board(s.state)))
                .collect();
            let plain = Move::ALL
                .iter()
                .filter_map(|&mv| Some((mv, board.slide(mv)?)));
            assert_eq!(found, plain.collect::<Vec<_>>());
            board = found[(i * i + i / 3) % found.len()].1;
        }
    }

    #[test]
    fn packed_boards_slide_as_boards_do() {
        for (rows, cols) in [(2, 2), (3, 3), (2, 5), (4, 4)] {
            agrees_with_the_board::<u64>(Shape::new(rows, cols).unwrap());
        }
        for (rows, cols) in [(2, 2), (3, 3), (4, 4), (3, 7), (5, 5)] {
            agrees_with_the_board::<u128>(Shape::new(rows, cols).unwrap());
        }
        for (rows, cols) in [(2, 2), (5, 6), (2, 32), (8, 8)] {
            agrees_with_the_board::<[u8; MAX_CELLS]>(Shape::new(rows, cols).unwrap());
        }
    }
}
