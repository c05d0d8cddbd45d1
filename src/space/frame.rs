//! Goals, their classes, and the way from a user's board to the canonical one.

use crate::puzzle::{Board, MAX_CELLS, Move, Shape};

use super::{MAX_DATABASE_CELLS, Ranking, SpaceError, State, factorial};

/// What one table serves: a canonical shape and the cell of the goal's blank.
///
/// Renaming tiles and turning or mirroring the board brings every goal into its class. The
/// canonical shape has no more columns than rows (its blocks of ranks are the longest), and the
/// canonical blank is the largest cell number that the symmetries allow: the default goal's
/// class is the corner class.
///
/// ```
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
///
/// let classes = GoalClass::all(Shape::EIGHT_PUZZLE)?;
/// let blanks: Vec<usize> = classes.iter().map(|c| c.blank()).collect();
/// assert_eq!(blanks, [4, 7, 8]); // centre, edge, corner
/// # Ok::<(), puzzledb::space::SpaceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoalClass {
    shape: Shape,
    blank: u8,
}

impl GoalClass {
    /// The class of goals of `shape` (in either orientation) with the blank in a cell that some
    /// symmetry brings to `blank`.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`].
    ///
    /// # Panics
    /// If `blank` is no cell of the shape.
    pub fn new(shape: Shape, blank: usize) -> Result<GoalClass, SpaceError> {
        assert!(blank < shape.cells(), "no cell {blank} on a {shape} board");
        if shape.cells() > MAX_DATABASE_CELLS {
            return Err(SpaceError::TooManyCells { shape });
        }
        let (symmetry, blank) = Symmetry::to_canonical(shape, blank);
        Ok(GoalClass {
            shape: symmetry.to,
            blank: blank as u8,
        })
    }

    /// Every class of a shape, the corner class last.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`].
    pub fn all(shape: Shape) -> Result<Vec<GoalClass>, SpaceError> {
        let mut all = (0..shape.cells())
            .map(|blank| GoalClass::new(shape, blank))
            .collect::<Result<Vec<_>, _>>()?;
        all.sort_by_key(|class| class.blank);
        all.dedup();
        Ok(all)
    }

    /// The canonical shape: columns <= rows.
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// The goal's blank cell.
    pub const fn blank(self) -> usize {
        self.blank as usize
    }

    /// Reachable states: n!/2.
    pub const fn states(self) -> u64 {
        self.orders() * self.shape.cells() as u64
    }

    /// Reachable states with the blank in one given cell: m!/2.
    pub const fn orders(self) -> u64 {
        factorial(self.shape.tiles()) / 2
    }

    /// Its name in file names: the shape with its shorter side first, and the blank's canonical
    /// cell unless that is the corner; `3x3`, `2x5`, `3x3-blank4`.
    pub fn name(self) -> String {
        let shape = self.shape.transposed();
        if self.is_corner() {
            shape.to_string()
        } else {
            format!("{shape}-blank{}", self.blank)
        }
    }

    /// Is this the class of the default goal, the blank in a corner?
    pub const fn is_corner(self) -> bool {
        self.blank() + 1 == self.shape.cells()
    }

    /// The canonical goal: tiles in reading order, the blank in its cell.
    pub fn goal(self) -> Board {
        let mut tiles = [0; MAX_CELLS];
        let order = (0..self.shape.cells()).filter(|&cell| cell != self.blank());
        for (label, cell) in (1..).zip(order) {
            tiles[cell] = label;
        }
        Board::from_permutation(self.shape, tiles)
    }
}

/// A transposition, then mirror images of rows and of columns.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    from: Shape,
    to: Shape,
    transpose: bool,
    flip_rows: bool,
    flip_cols: bool,
}

impl Symmetry {
    /// The first symmetry (the plain one before the others) that brings `blank` to its class's
    /// canonical cell, and that cell.
    fn to_canonical(from: Shape, blank: usize) -> (Symmetry, usize) {
        let canonical = from.cols() <= from.rows();
        let to = if canonical { from } else { from.transposed() };
        let square = from.rows() == from.cols();
        let mut best: Option<(Symmetry, usize)> = None;
        for code in 0..8 {
            let transpose = code & 4 != 0;
            if !square && transpose == canonical {
                continue;
            }
            let (flip_rows, flip_cols) = (code & 2 != 0, code & 1 != 0);
            let symmetry = Symmetry {
                from,
                to,
                transpose,
                flip_rows,
                flip_cols,
            };
            let cell = symmetry.cell(blank);
            if best.is_none_or(|(_, highest)| cell > highest) {
                best = Some((symmetry, cell));
            }
        }
        best.expect("one symmetry at least was tried")
    }

    /// Where a cell goes.
    fn cell(self, cell: usize) -> usize {
        let (mut row, mut col) = (cell / self.from.cols(), cell % self.from.cols());
        if self.transpose {
            (row, col) = (col, row);
        }
        if self.flip_rows {
            row = self.to.rows() - 1 - row;
        }
        if self.flip_cols {
            col = self.to.cols() - 1 - col;
        }
        row * self.to.cols() + col
    }

    /// The move before the symmetry that becomes `mv` after it.
    fn source_move(self, mv: Move) -> Move {
        let vertical = matches!(mv, Move::Up | Move::Down);
        let flip = if vertical {
            self.flip_rows
        } else {
            self.flip_cols
        };
        let mv = if flip { mv.opposite() } else { mv };
        if self.transpose {
            Move::from_code(mv.code() ^ 2)
        } else {
            mv
        }
    }
}

/// Masks an index into one of a [`Frame`]'s lists; a frame's boards have no larger ones.
const LAST: usize = MAX_DATABASE_CELLS - 1;

/// The renaming and turning that make a goal the canonical goal of its class.
///
/// A canonical board is written as *labels*: the tiles renamed so that the goal reads 1..m, the
/// blank as 0.
#[derive(Clone, Debug)]
pub struct Frame {
    goal: Board,
    class: GoalClass,
    /// The user's cell that is read for each canonical cell.
    read: [u8; MAX_DATABASE_CELLS],
    /// The canonical cell of each of the user's cells.
    canonical: [u8; MAX_DATABASE_CELLS],
    /// The label of each of the user's tiles, 0 for the blank.
    label: [u8; MAX_DATABASE_CELLS],
    /// The user's tile for each label.
    tile: [u8; MAX_DATABASE_CELLS],
    /// The user's move for each canonical move.
    moves: [Move; 4],
}

impl Frame {
    /// The frame of a goal.
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
            read: [0; MAX_DATABASE_CELLS],
            canonical: [0; MAX_DATABASE_CELLS],
            label: [0; MAX_DATABASE_CELLS],
            tile: [0; MAX_DATABASE_CELLS],
            moves: Move::ALL.map(|mv| symmetry.source_move(mv)),
        };
        for cell in 0..shape.cells() {
            frame.canonical[cell] = symmetry.cell(cell) as u8;
            frame.read[symmetry.cell(cell)] = cell as u8;
        }
        for (cell, &label) in class.goal().tiles().iter().enumerate() {
            let tile = goal.tiles()[frame.read[cell] as usize];
            frame.label[tile as usize] = label;
            frame.tile[label as usize] = tile;
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
        self.moves[canonical.code() as usize]
    }

    /// The user's cell that becomes a canonical one.
    ///
    /// # Panics
    /// If `canonical` is no cell of the shape.
    pub fn user_cell(&self, canonical: usize) -> usize {
        assert!(canonical < self.goal.shape().cells(), "no cell {canonical}");
        self.read[canonical].into()
    }

    /// The state of a board, numbered by the class's `ranking`.
    ///
    /// # Errors
    /// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
    #[inline]
    pub fn state(&self, ranking: &Ranking, board: &Board) -> Result<State, SpaceError> {
        if board.shape() == self.goal.shape() {
            let blank = usize::from(self.canonical[board.blank() & LAST]);
            if let Some(state) = ranking.pack(blank, self.order(board, blank)) {
                return Ok(state);
            }
        }
        Err(self.refuse(board))
    }

    #[cold]
    fn refuse(&self, board: &Board) -> SpaceError {
        let (board, goal) = (*board, self.goal);
        if board.shape() == goal.shape() {
            return SpaceError::Unsolvable { board, goal };
        }
        SpaceError::OtherShape {
            board: board.shape(),
            goal: goal.shape(),
        }
    }

    /// The labels of a board of the goal's shape in canonical reading order, without the blank,
    /// which is in the canonical cell `blank`.
    #[inline]
    fn order(&self, board: &Board, blank: usize) -> impl Iterator<Item = u8> {
        let tiles = board.tiles();
        (0..tiles.len() - 1).map(move |i| {
            let cell = self.read[(i + usize::from(i >= blank)) & LAST];
            self.label[tiles[usize::from(cell)] as usize & LAST]
        })
    }

    /// The user's board of a state, numbered by the class's `ranking`.
    pub fn board(&self, ranking: &Ranking, state: State) -> Board {
        let mut tiles = [0; MAX_CELLS];
        let cells = self.goal.shape().cells();
        for (&label, &cell) in ranking.unpack(state).iter().zip(&self.read[..cells]) {
            tiles[cell as usize] = self.tile[label as usize];
        }
        Board::from_permutation(self.goal.shape(), tiles)
    }
}
