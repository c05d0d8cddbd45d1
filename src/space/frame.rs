//! From the user's boards to the canonical boards of the goal's class, and back.

use std::sync::Arc;

use crate::puzzle::{Board, MAX_CELLS, Move};

use super::class::{GoalClass, Symmetry};
use super::error::SpaceError;
use super::lehmer::{MAX_DATABASE_CELLS, rank_order};
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

/// What a row of cells is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// A board from which the goal can be reached.
    Solvable(State),
    /// A board of the other parity.
    Unsolvable,
    /// Cells that are not a permutation of 0 to n - 1.
    NoBoard,
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
    /// The label for each of the user's tiles, 0 for the blank.
    label: [u8; MAX_DATABASE_CELLS],
    /// The label for each value of a cell; [`NO_TILE`] for those that are not tiles.
    row_label: Arc<[u8; 256]>,
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
        let (symmetry, _) = Symmetry::to_canonical(shape, goal.blank());
        let mut frame = Frame {
            goal: *goal,
            class,
            user_cell: [0; MAX_DATABASE_CELLS],
            canonical_cell: [0; MAX_DATABASE_CELLS],
            label: [0; MAX_DATABASE_CELLS],
            row_label: Arc::new([NO_TILE; 256]),
            user_tile: [0; MAX_DATABASE_CELLS],
            user_move: Move::ALL.map(|mv| symmetry.source_move(mv)),
        };
        for cell in 0..shape.cells() {
            frame.canonical_cell[cell] = symmetry.cell(cell) as u8;
            frame.user_cell[symmetry.cell(cell)] = cell as u8;
        }
        let mut row_label = [NO_TILE; 256];
        for (cell, &label) in class.goal().tiles().iter().enumerate() {
            let tile = goal.tiles()[frame.user_cell[cell] as usize];
            frame.label[tile as usize] = label;
            row_label[tile as usize] = label;
            frame.user_tile[label as usize] = tile;
        }
        frame.row_label = Arc::new(row_label);
        Ok(frame)
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

    /// The user's board for a canonical one, of the class's shape.
    pub fn user_board(&self, canonical: &Board) -> Board {
        self.of_labels(canonical.tiles())
    }

    /// The state of a board, numbered by the class's `ranking`.
    ///
    /// # Errors
    /// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
    #[inline]
    pub fn state(&self, ranking: &Ranking, board: &Board) -> Result<State, SpaceError> {
        if board.shape() == self.goal.shape() {
            let blank = usize::from(self.canonical_cell[board.blank() & LAST]);
            if let Some(state) = ranking.pack(blank, self.order(board, blank)) {
                return Ok(state);
            }
        }
        Err(SpaceError::no_path(board, &self.goal))
    }

    /// The labels of a board of the goal's shape in canonical reading order, without the blank,
    /// which is in the canonical cell `blank`.
    #[inline]
    fn order(&self, board: &Board, blank: usize) -> impl Iterator<Item = u8> {
        let tiles = board.tiles();
        (0..tiles.len() - 1).map(move |i| {
            let cell = self.user_cell[(i + usize::from(i >= blank)) & LAST];
            self.label[tiles[usize::from(cell)] as usize & LAST]
        })
    }

    /// The state of a row of n cells, numbered by the class's `ranking`.
    ///
    /// With n constant the compiler unrolls the loops: measured, that takes half the time.
    ///
    /// # Panics
    /// If the row has fewer cells than the goal.
    #[inline]
    pub(crate) fn row(&self, ranking: &Ranking, row: &[u8]) -> RowState {
        match self.goal.shape().cells() {
            9 => self.row_of(ranking, row, 9),
            12 => self.row_of(ranking, row, 12),
            16 => self.row_of(ranking, row, 16),
            n => self.row_of(ranking, row, n),
        }
    }

    /// Reads a row without branches: the labels as nibbles of a word, from which that of the blank is taken.
    #[inline(always)]
    fn row_of(&self, ranking: &Ranking, row: &[u8], n: usize) -> RowState {
        let row = &row[..n];
        let (label_of, mut seen, mut labels) = (&*self.row_label, 0u64, 0u64);
        for (i, &tile) in row.iter().enumerate() {
            let label = label_of[usize::from(tile)];
            seen |= 1 << (label & 63);
            labels |= u64::from(label) << ((4 * self.canonical_cell[i]) & 63);
        }
        if seen != (1 << n) - 1 {
            return RowState::NoBoard;
        }
        let blank = first_zero(labels);
        let below = (1u64 << (4 * blank)) - 1;
        let order = labels & below | labels >> 4 & !below;
        let (lehmer, parity) = rank_order(n - 1, (0..n - 1).map(|i| (order >> (4 * i)) as u8 & 15));
        if parity != ranking.parity(blank) {
            return RowState::Unsolvable;
        }
        let blank = blank as u8;
        RowState::Solvable(State { blank, lehmer })
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
        self.of_labels(&ranking.unpack(state))
    }

    /// The user's board of labels in canonical reading order.
    #[inline]
    fn of_labels(&self, labels: &[u8]) -> Board {
        let mut tiles = [0; MAX_CELLS];
        let cells = self.goal.shape().cells();
        for (&label, &cell) in labels.iter().zip(&self.user_cell[..cells]) {
            tiles[cell as usize] = self.user_tile[label as usize];
        }
        Board::from_permutation(self.goal.shape(), tiles)
    }
}
