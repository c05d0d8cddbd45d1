//! Arrangements of tiles, and their solvability.

use std::fmt;

use crate::basics::text::joined;

use super::moves::Move;
use super::shape::{MAX_CELLS, Shape};

/// Largest number of cells of a board that is written as one word: its largest tile is the letter
/// `o`, 24, and `x` is free to stand for the blank.
pub const WORD_CELLS: usize = 25;

/// An arrangement of tiles 1..n-1 and the blank (0) on a [`Shape`], row by row.
///
/// Up to 25 cells are displayed as one word, a character for each with letters from
/// `a` = 10 on; larger boards as numbers, `1,2,3,4,5,6/7,8,...`, a row after the other. Both parse.
///
/// ```
/// use puzzledb::puzzle::{Board, Move};
///
/// let board: Board = "704851632".parse()?;
/// assert_eq!(board.blank(), 1);
/// assert_eq!(board.slide(Move::Down).unwrap().to_string(), "754801632");
/// assert_eq!(board.slide(Move::Up), None);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    shape: Shape,
    tiles: [u8; MAX_CELLS], // compared before `blank`: boards of a shape sort as their words
    blank: u8,
}

/// Reason why a list of numbers is not a board. Cells are counted from 1 in the messages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The list is too short or too long.
    #[error("{found} cell{} where a {shape} board has {}", if *found == 1 { "" } else { "s" }, shape.cells())]
    WrongCount {
        /// The shape that was expected.
        shape: Shape,
        /// Cells that were given.
        found: usize,
    },
    /// A number above the largest tile.
    #[error("{tile} in cell {} is not a tile of a {shape} board: its tiles are 1 to {} and 0 is the blank", cell + 1, shape.tiles())]
    NoSuchTile {
        /// The shape of the board.
        shape: Shape,
        /// The number that was given.
        tile: u32,
        /// Its cell, counted from 0.
        cell: usize,
    },
    /// A tile or the blank occurs twice, so another is missing.
    #[error("{} is there twice (cells {} and {}) and {} is missing", name(*tile), first + 1, second + 1, name(*missing))]
    Twice {
        /// The number that occurs twice.
        tile: u8,
        /// Its first cell, counted from 0.
        first: usize,
        /// Its second cell, counted from 0.
        second: usize,
        /// The smallest missing number.
        missing: u8,
    },
}

fn name(tile: u8) -> String {
    match tile {
        0 => "the blank".to_owned(),
        _ => format!("tile {tile}"),
    }
}

impl Board {
    /// Builds a board from its cells, row by row, 0 for the blank.
    ///
    /// # Errors
    /// [`BoardError`] names the tile that is not valid, occurs twice or is missing.
    pub fn new(shape: Shape, cells: &[u8]) -> Result<Board, BoardError> {
        let wide: Vec<u32> = cells.iter().map(|&c| u32::from(c)).collect();
        Board::from_numbers(shape, &wide)
    }

    /// Builds a board as [`Board::new`] does, from numbers that need not fit a byte.
    pub(super) fn from_numbers(shape: Shape, numbers: &[u32]) -> Result<Board, BoardError> {
        let found = numbers.len();
        if found != shape.cells() {
            return Err(BoardError::WrongCount { shape, found });
        }
        let mut tiles = [0; MAX_CELLS];
        let mut seen = 0u64;
        for (cell, &tile) in numbers.iter().enumerate() {
            if tile as usize >= shape.cells() {
                return Err(BoardError::NoSuchTile { shape, tile, cell });
            }
            tiles[cell] = tile as u8;
            seen |= 1 << tile;
        }
        if seen.count_ones() as usize != shape.cells() {
            return Err(twice(numbers, seen));
        }
        Ok(Board::from_permutation(shape, tiles))
    }

    /// The board with the tiles in reading order and the blank in a cell.
    pub fn in_order(shape: Shape, blank: usize) -> Board {
        Board::along_cells(shape, (0..shape.cells()).filter(|&cell| cell != blank))
    }

    /// The board with the tiles in order in these cells: all but one of the shape's.
    pub(super) fn along_cells(shape: Shape, cells: impl Iterator<Item = usize>) -> Board {
        let mut tiles = [0; MAX_CELLS];
        for (tile, cell) in (1..).zip(cells) {
            tiles[cell] = tile;
        }
        Board::from_permutation(shape, tiles)
    }

    /// Builds a board from cells that are known to hold every number below their count once.
    pub(crate) fn from_permutation(shape: Shape, tiles: [u8; MAX_CELLS]) -> Board {
        let blank = tiles.iter().position(|&t| t == 0).unwrap_or(0) as u8;
        Board {
            shape,
            blank,
            tiles,
        }
    }

    /// Rows and columns.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells row by row, 0 for the blank.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles[..self.shape.cells()]
    }

    /// The blank's cell, counted from 0.
    pub const fn blank(&self) -> usize {
        self.blank as usize
    }

    /// The board after one move; `None` where the blank is at that border.
    pub fn slide(&self, mv: Move) -> Option<Board> {
        let mut next = *self;
        next.go(mv).map(|_| next)
    }

    /// Makes one move in place, and returns the tile that slides; `None` where the blank is at that border.
    #[inline]
    pub(crate) fn go(&mut self, mv: Move) -> Option<u8> {
        let (blank, from) = (self.blank(), self.shape.step(self.blank(), mv)?);
        self.tiles.swap(blank, from);
        self.blank = from as u8;
        Some(self.tiles[blank])
    }

    /// Every legal move and the board after it, in move order.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, letters};
    ///
    /// let board: Board = "123456780".parse()?;
    /// let (moves, boards): (Vec<_>, Vec<Board>) = board.successors().unzip();
    /// assert_eq!(letters(&moves), "UL");
    /// assert_eq!(boards[1].to_string(), "123456708");
    /// # Ok::<(), puzzledb::puzzle::ParseError>(())
    /// ```
    pub fn successors(&self) -> impl Iterator<Item = (Move, Board)> {
        let moves = Move::ALL.into_iter();
        moves.filter_map(|mv| Some((mv, self.slide(mv)?)))
    }

    /// This board and those after each of `moves`; ends before a move that leaves the board.
    ///
    /// ```
    /// use puzzledb::puzzle::Board;
    /// use puzzledb::puzzle::Move::{Right, Up};
    ///
    /// let board: Board = "123456780".parse()?;
    /// assert_eq!(board.along(&[Up, Right, Up]).count(), 2); // it has no cell on the right
    /// # Ok::<(), puzzledb::puzzle::ParseError>(())
    /// ```
    pub fn along(&self, moves: &[Move]) -> impl Iterator<Item = Board> {
        let mut moves = moves.iter();
        std::iter::successors(Some(*self), move |board| board.slide(*moves.next()?))
    }

    /// The board after all of `moves`.
    ///
    /// # Errors
    /// [`IllegalMove`] for the first move that leaves the board.
    pub fn replay(&self, moves: &[Move]) -> Result<Board, IllegalMove> {
        let mut board = *self;
        for (index, &mv) in moves.iter().enumerate() {
            board.go(mv).ok_or(IllegalMove { index, mv })?;
        }
        Ok(board)
    }

    /// The tiles that `moves` slide, in order; ends before a move that leaves the board.
    pub fn tiles_slid(&self, moves: &[Move]) -> impl Iterator<Item = u8> {
        let mut board = *self;
        moves.iter().map_while(move |&mv| board.go(mv))
    }

    /// Returns whether this board can be brought to `goal` by sliding tiles; `false` if the shapes
    /// differ.
    ///
    /// Every move exchanges two cells and takes the blank one step, so the parity of the
    /// permutation and the parity of the blank's distance from its goal cell change together; the
    /// boards in which they agree are exactly the reachable ones (Johnson and Story, 1879).
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Shape, UsualGoal};
    ///
    /// let goal = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
    /// let swapped: Board = "123456870".parse()?;
    /// assert!(!swapped.is_solvable_to(&goal));
    /// # Ok::<(), puzzledb::puzzle::ParseError>(())
    /// ```
    pub fn is_solvable_to(&self, goal: &Board) -> bool {
        if self.shape != goal.shape {
            return false;
        }
        let steps = self.shape.steps(self.blank(), goal.blank());
        self.permutation_is_odd(goal) == (steps % 2 == 1)
    }

    /// Returns whether an odd number of exchanges of two cells turns this board into `goal`: it makes them, cell by cell.
    fn permutation_is_odd(&self, goal: &Board) -> bool {
        let (mut tiles, mut is_odd) = (self.tiles, false);
        for (cell, home) in goal.tiles().iter().enumerate() {
            let found = tiles.iter().position(|tile| tile == home);
            let found = found.expect("both boards have every tile");
            is_odd ^= found != cell;
            tiles.swap(cell, found);
        }
        is_odd
    }

    /// This board with tiles 1 and 2 exchanged: solvable if and only if this one is not.
    pub fn with_two_tiles_exchanged(&self) -> Board {
        let exchanged = |tile| match tile {
            1 => 2,
            2 => 1,
            same => same,
        };
        let tiles = self.tiles.map(exchanged);
        Board { tiles, ..*self }
    }

    /// The board as rows of numbers, for people: columns aligned, the blank as a dot.
    pub fn grid(&self) -> String {
        let width = if self.shape.tiles() > 9 { 2 } else { 1 };
        let cell = |&tile: &u8| match tile {
            0 => format!("{:>width$}", "."),
            _ => format!("{tile:>width$}"),
        };
        self.text(cell, [" ", "\n"])
    }

    /// The texts of the cells, with these separators between cells and between rows.
    fn text(&self, cell: impl Fn(&u8) -> String, separators: [&str; 2]) -> String {
        let row = |row: &[u8]| joined(row.iter().map(&cell), separators[0]);
        joined(
            self.tiles().chunks(self.shape.cols()).map(row),
            separators[1],
        )
    }
}

/// The error for `numbers` that are all tiles but not all different.
fn twice(numbers: &[u32], seen: u64) -> BoardError {
    let second = (1..numbers.len())
        .find(|&i| numbers[..i].contains(&numbers[i]))
        .expect("fewer different numbers than cells");
    let first = numbers.iter().position(|&n| n == numbers[second]);
    BoardError::Twice {
        tile: numbers[second] as u8,
        first: first.expect("it was found before"),
        second,
        missing: (!seen).trailing_zeros() as u8,
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.shape.cells();
        if cells > WORD_CELLS {
            return f.pad(&self.text(u8::to_string, [",", "/"]));
        }
        let mut word = [0; WORD_CELLS];
        for (out, &tile) in word.iter_mut().zip(self.tiles()) {
            *out = if tile < 10 { b'0' } else { b'a' - 10 } + tile;
        }
        let word = &word[..cells];
        f.pad(std::str::from_utf8(word).expect("digits and letters"))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({} {self})", self.shape)
    }
}

/// A move that would take the blank off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} of the path is illegal: {mv} takes the blank off the board", index + 1)]
#[non_exhaustive]
pub struct IllegalMove {
    /// Its place in the path, from 0.
    pub index: usize,
    /// The move.
    pub mv: Move,
}

#[cfg(test)]
mod tests {
    use super::super::goal::UsualGoal;
    use super::*;

    fn eight(cells: [u8; 9]) -> Result<Board, BoardError> {
        Board::new(Shape::EIGHT_PUZZLE, &cells)
    }

    #[test]
    fn a_wrong_board_says_what_is_wrong() {
        let message = |cells: &[u8]| {
            Board::new(Shape::EIGHT_PUZZLE, cells)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message(&[1, 2, 3, 3, 5, 6, 7, 8, 0]),
            "tile 3 is there twice (cells 3 and 4) and tile 4 is missing"
        );
        assert_eq!(
            message(&[1, 2, 3, 4, 5, 6, 7, 8, 8]),
            "tile 8 is there twice (cells 8 and 9) and the blank is missing"
        );
        assert_eq!(
            message(&[1, 2, 3, 4, 5, 6, 7, 0, 0]),
            "the blank is there twice (cells 8 and 9) and tile 8 is missing"
        );
        assert_eq!(
            message(&[1, 2, 3, 4, 5, 6, 7, 9, 0]),
            "9 in cell 8 is not a tile of a 3x3 board: its tiles are 1 to 8 and 0 is the blank"
        );
        assert_eq!(message(&[1, 0]), "2 cells where a 3x3 board has 9");
    }

    #[test]
    fn every_move_keeps_a_board_solvable_and_an_exchange_of_tiles_does_not() {
        for (rows, cols) in [
            (2, 2),
            (2, 3),
            (3, 3),
            (4, 3),
            (4, 4),
            (5, 5),
            (6, 6),
            (7, 8),
        ] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = UsualGoal::Last.board(shape);
            let mut board = goal;
            for i in 0..200usize {
                let mv = Move::from_code((i * i + i / 3) as u8);
                board = board.slide(mv).unwrap_or(board);
                assert!(board.is_solvable_to(&goal));
                assert!(!board.with_two_tiles_exchanged().is_solvable_to(&goal));
            }
        }
    }

    #[test]
    fn an_unsolvable_eight_puzzle_can_be_solved_to_the_spiral() {
        let odd = eight([1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap();
        assert_eq!(odd.usual_goal().unwrap().to_string(), "123804765");
        let even = eight([1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
        assert_eq!(even.usual_goal(), Some(even));
    }

    #[test]
    fn replay_names_the_illegal_move() {
        let goal = eight([1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
        assert_eq!(
            goal.replay(&[Move::Up, Move::Right]),
            Err(IllegalMove {
                index: 1,
                mv: Move::Right
            })
        );
        assert_eq!(goal.replay(&[Move::Up, Move::Down]), Ok(goal));
        assert_eq!(
            goal.tiles_slid(&[Move::Up, Move::Left]).collect::<Vec<_>>(),
            [6, 5]
        );
    }

    #[test]
    fn a_grid_is_aligned() {
        assert_eq!(
            eight([7, 0, 4, 8, 5, 1, 6, 3, 2]).unwrap().grid(),
            "7 . 4\n8 5 1\n6 3 2"
        );
        let fifteen = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
        assert!(fifteen.grid().starts_with(" 1  2  3  4\n 5"));
        assert_eq!(fifteen.to_string(), "123456789abcdef0");
        let wide = UsualGoal::Last.board(Shape::new(2, 13).unwrap());
        let word = "1,2,3,4,5,6,7,8,9,10,11,12,13/14,15,16,17,18,19,20,21,22,23,24,25,0";
        assert_eq!(wide.to_string(), word);
    }
}
