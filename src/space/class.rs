//! Classes of goals that one table serves.

use crate::puzzle::{Board, Move, Shape};

use super::error::SpaceError;
use super::lehmer::{MAX_DATABASE_CELLS, factorial};

/// The goals that one table serves: a canonical shape and the cell of the goal's blank.
///
/// Renaming tiles and rotating or reflecting the board make every goal the canonical goal of its
/// class. The canonical shape has no more columns than rows, so that a vertical move changes few
/// Lehmer digits, and the canonical blank is the largest cell number that the symmetries allow: the
/// default goal's class is the corner class.
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
    /// If `blank` is not a cell of the shape.
    pub fn new(shape: Shape, blank: usize) -> Result<GoalClass, SpaceError> {
        assert!(blank < shape.cells(), "no cell {blank} on a {shape} board");
        match shape.cells() {
            ..=MAX_DATABASE_CELLS => Ok(GoalClass::of_any_shape(shape, blank)),
            _ => Err(SpaceError::TooManyCells { shape }),
        }
    }

    /// The class of a goal.
    ///
    /// ```
    /// use puzzledb::puzzle::Board;
    /// use puzzledb::space::GoalClass;
    ///
    /// let corners = ["123456780", "012345678"].map(|goal| GoalClass::of(&goal.parse::<Board>().unwrap()));
    /// assert_eq!(corners[0], corners[1]); // one table serves both
    /// ```
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`].
    pub fn of(goal: &Board) -> Result<GoalClass, SpaceError> {
        GoalClass::new(goal.shape(), goal.blank())
    }

    /// As [`GoalClass::new`], of any shape. The states are counted up to [`MAX_DATABASE_CELLS`] only.
    pub(crate) fn of_any_shape(shape: Shape, blank: usize) -> GoalClass {
        let symmetry = Symmetry::all_to_canonical(shape, blank)[0];
        GoalClass {
            shape: symmetry.to,
            blank: symmetry.cell(blank) as u8,
        }
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

    /// Name in file names: the shape with its shorter side first, and the blank's canonical
    /// cell unless that is the corner; `3x3`, `2x5`, `3x3-blank4`.
    pub fn name(self) -> String {
        let shape = self.shape.transposed();
        if self.is_corner() {
            shape.to_string()
        } else {
            format!("{shape}-blank{}", self.blank)
        }
    }

    /// Returns whether this is the class of the default goal, with the blank in a corner.
    pub const fn is_corner(self) -> bool {
        self.blank() + 1 == self.shape.cells()
    }

    /// Returns whether a table of the class is made in memory in a few milliseconds: up to 3x3 and 2x5.
    pub const fn is_small(self) -> bool {
        self.shape.cells() <= 10
    }

    /// The largest distance of a board from a goal with the blank in a corner, as published (OEIS A151944). `None`
    /// for other goals.
    pub fn largest_known_distance(self) -> Option<u8> {
        let largest = match [self.shape.cols(), self.shape.rows()] {
            [2, 2] => 6,
            [2, 3] => 21,
            [2, 4] => 36,
            [2, 5] => 55,
            [2, 6] => 80,
            [2, 7] => 108,
            [2, 8] => 140,
            [3, 3] => 31,
            [3, 4] => 53,
            [3, 5] => 84,
            [4, 4] => 80,
            _ => return None,
        };
        self.is_corner().then_some(largest)
    }

    /// The canonical goal: tiles in reading order, the blank in its cell.
    pub fn goal(self) -> Board {
        Board::in_order(self.shape, self.blank())
    }
}

/// A symmetry between shapes: a transposition or none, then a reflection of the rows or none, then
/// one of the columns or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    from: Shape,
    to: Shape,
    transpose: bool,
    flip_rows: bool,
    flip_cols: bool,
}

impl Symmetry {
    /// The symmetries between a shape and its canonical one, the identity before all others.
    fn all(from: Shape) -> impl Iterator<Item = Symmetry> {
        let canonical = from.cols() <= from.rows();
        let to = if canonical { from } else { from.transposed() };
        let square = from.rows() == from.cols();
        let symmetry = move |code: u8| Symmetry {
            from,
            to,
            transpose: code & 4 != 0,
            flip_rows: code & 2 != 0,
            flip_cols: code & 1 != 0,
        };
        (0..8)
            .map(symmetry)
            .filter(move |symmetry| square || symmetry.transpose != canonical)
    }

    /// All symmetries that take `blank` to its class's canonical cell, the largest that they reach: one or more.
    pub(crate) fn all_to_canonical(from: Shape, blank: usize) -> Vec<Symmetry> {
        let to = |symmetry: &Symmetry| symmetry.cell(blank);
        let highest = Symmetry::all(from).map(|symmetry| to(&symmetry)).max();
        let all = Symmetry::all(from).filter(|symmetry| Some(to(symmetry)) == highest);
        all.collect()
    }

    /// The cell that a cell is taken to.
    pub(crate) fn cell(self, cell: usize) -> usize {
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

    /// Preimage of `mv`: the move that the symmetry takes to `mv`.
    pub(crate) fn source_move(self, mv: Move) -> Move {
        let flip = match mv {
            Move::Up | Move::Down => self.flip_rows,
            Move::Left | Move::Right => self.flip_cols,
        };
        let mv = if flip { mv.opposite() } else { mv };
        Move::from_code(mv.code() ^ u8::from(self.transpose) << 1)
    }
}
