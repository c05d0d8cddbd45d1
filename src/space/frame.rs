//! From the user's boards to the canonical boards of the goal's class, and back.

use std::sync::Arc;

use crate::puzzle::{Board, MAX_CELLS, Move};

use super::class::{GoalClass, Symmetry};
use super::error::{SpaceError, check_solvable};
use super::lehmer::{MAX_DATABASE_CELLS, rank_order, without_nibble};
use super::ranking::{Ranking, State};

/// Masks indices into a [`Frame`]'s arrays. It changes none, since cells and tiles are below 16; it
/// saves the bounds checks.
const LAST: usize = MAX_DATABASE_CELLS - 1;

/// The label of a value that is not a tile.
const NO_TILE: u8 = 63;

/// The index of the lowest nibble that is zero. There is one.
#[inline]
fn first_zero(nibbles: u64) -> usize {
    let ones = 0x1111_1111_1111_1111u64;
    // A borrow sets the high bit of the lowest zero nibble, and of no nibble below it.
    let high = nibbles.wrapping_sub(ones) & !nibbles & ones << 3;
    (high.trailing_zeros() as usize / 4) & LAST
}

/// The renaming of tiles and the symmetry that make a goal the canonical goal of its class.
///
/// A canonical board is written as *labels*: the tiles renamed so that the goal reads 1..m, the
/// blank as 0.
#[derive(Clone, Debug)]
pub struct Frame {
    goal: Board,
    class: GoalClass,
    /// The user's cell for each canonical cell.
    user_cell: [u8; MAX_DATABASE_CELLS],
    /// The canonical cell for each of the user's cells.
    canonical_cell: [u8; MAX_DATABASE_CELLS],
    /// The label for each value of a cell, 0 for the blank; [`NO_TILE`] for those that are not tiles.
    label: Arc<[u8; 256]>,
    /// The user's tile for each label.
    user_tile: [u8; MAX_DATABASE_CELLS],
    /// The user's move for each canonical move.
    user_move: [Move; 4],
}

impl Frame {
    /// Builds the frame of a goal.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`].
    pub fn new(goal: &Board) -> Result<Frame, SpaceError> {
        let shape = goal.shape();
        let class = GoalClass::new(shape, goal.blank())?;
        let symmetry = Symmetry::all_to_canonical(shape, goal.blank()).0[0];
        let none = [0; MAX_DATABASE_CELLS];
        let (mut user_cell, mut canonical_cell, mut user_tile) = (none, none, none);
        for cell in 0..shape.cells() {
            canonical_cell[cell] = symmetry.cell(cell) as u8;
            user_cell[symmetry.cell(cell)] = cell as u8;
        }
        let mut labels = [NO_TILE; 256];
        for (&label, &cell) in class.goal().tiles().iter().zip(&user_cell) {
            let tile = goal.tiles()[usize::from(cell)];
            labels[usize::from(tile)] = label;
            user_tile[usize::from(label)] = tile;
        }
        Ok(Frame {
            goal: *goal,
            class,
            user_cell,
            canonical_cell,
            label: Arc::new(labels),
            user_tile,
            user_move: Move::ALL.map(|mv| symmetry.source_move(mv)),
        })
    }

    /// The user's goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The class whose table serves the goal.
    pub fn class(&self) -> GoalClass {
        self.class
    }

    /// The user's move for a canonical one.
    pub fn user_move(&self, canonical: Move) -> Move {
        self.user_move[canonical.code() as usize]
    }

    /// The user's cell that becomes a canonical one.
    ///
    /// # Panics
    /// If `canonical` is not a cell of the shape.
    pub fn user_cell(&self, canonical: usize) -> usize {
        assert!(canonical < self.goal.shape().cells(), "no cell {canonical}");
        self.user_cell[canonical].into()
    }

    /// The state of a board, numbered by the class's `ranking`.
    ///
    /// # Errors
    /// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
    #[inline]
    pub fn state(&self, ranking: &Ranking, board: &Board) -> Result<State, SpaceError> {
        if board.shape() == self.goal.shape()
            && let Some(Some(state)) = self.row(ranking, board.tiles())
        {
            return Ok(state);
        }
        Err(check_solvable(board, &self.goal).expect_err("a solvable board has a state"))
    }

    /// The state of a row of n cells, numbered by the class's `ranking`: `Some(None)` for a board of the other parity, and
    /// `None` for cells that are not a permutation of 0 to n - 1.
    ///
    /// With n constant the compiler unrolls the loops: measured, that takes half the time.
    ///
    /// # Panics
    /// If the row has fewer cells than the goal.
    #[inline]
    pub(crate) fn row(&self, ranking: &Ranking, row: &[u8]) -> Option<Option<State>> {
        match self.goal.shape().cells() {
            9 => self.row_of(ranking, row, 9),
            12 => self.row_of(ranking, row, 12),
            16 => self.row_of(ranking, row, 16),
            n => self.row_of(ranking, row, n),
        }
    }

    /// Reads a row without branches: the labels as nibbles of a word, from which that of the blank is taken.
    #[inline(always)]
    fn row_of(&self, ranking: &Ranking, row: &[u8], n: usize) -> Option<Option<State>> {
        let row = &row[..n];
        let (label_of, mut seen, mut labels) = (&*self.label, 0u64, 0u64);
        for (i, &tile) in row.iter().enumerate() {
            let label = label_of[usize::from(tile)];
            seen |= 1 << (label & 63);
            labels |= u64::from(label) << ((4 * self.canonical_cell[i]) & 63);
        }
        if seen != (1 << n) - 1 {
            return None;
        }
        let blank = first_zero(labels);
        let order = without_nibble(labels, blank);
        let (lehmer, parity) = rank_order(n - 1, (0..n - 1).map(|i| (order >> (4 * i)) as u8 & 15));
        let is_solvable = parity == ranking.parity(blank);
        let blank = blank as u8;
        Some(is_solvable.then_some(State { blank, lehmer }))
    }

    /// Writes the cells of a state's board, numbered by the class's `ranking`.
    #[inline]
    pub(crate) fn write_row(&self, ranking: &Ranking, state: State, row: &mut [u8]) {
        let labels = ranking.unpack(state);
        for (&label, &cell) in labels.iter().zip(&self.user_cell[..row.len()]) {
            row[usize::from(cell)] = self.user_tile[usize::from(label) & LAST];
        }
    }

    /// The user's board of a state, numbered by the class's `ranking`.
    pub fn board(&self, ranking: &Ranking, state: State) -> Board {
        let (shape, mut tiles) = (self.goal.shape(), [0; MAX_CELLS]);
        self.write_row(ranking, state, &mut tiles[..shape.cells()]);
        Board::from_permutation(shape, tiles)
    }
}
