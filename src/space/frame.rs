//! From the user's boards to the canonical boards of the goal's class, and back.

use crate::puzzle::{Board, MAX_CELLS, Move};

use super::class::{GoalClass, Symmetry};
use super::error::SpaceError;
use super::lehmer::MAX_DATABASE_CELLS;
use super::ranking::{Ranking, State};

/// Masks indices into a [`Frame`]'s arrays. It changes none, since cells and tiles are below 16; it
/// saves the bounds checks.
const LAST: usize = MAX_DATABASE_CELLS - 1;

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
            user_tile: [0; MAX_DATABASE_CELLS],
            user_move: Move::ALL.map(|mv| symmetry.source_move(mv)),
        };
        for cell in 0..shape.cells() {
            frame.canonical_cell[cell] = symmetry.cell(cell) as u8;
            frame.user_cell[symmetry.cell(cell)] = cell as u8;
        }
        for (cell, &label) in class.goal().tiles().iter().enumerate() {
            let tile = goal.tiles()[frame.user_cell[cell] as usize];
            frame.label[tile as usize] = label;
            frame.user_tile[label as usize] = tile;
        }
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
