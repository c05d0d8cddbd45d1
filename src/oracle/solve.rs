//! The distance of a board and a shortest solution of it.

use std::ops::ControlFlow;
use std::path::Path;

use crate::puzzle::{Board, Move, Shape};
use crate::space::{Frame, SpaceError, State, StateIndex};
use crate::table::{Bytes, Encoding, Table, build};

use super::error::{OracleError, QueryError};

/// The truth about every board of a shape and a goal.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb::puzzle::Board;
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let board: Board = "536407182".parse()?;
/// assert_eq!(oracle.distance(&board)?, 22);
/// let solution = oracle.solve(&board)?;
/// assert_eq!(board.replay(&solution), Ok(*oracle.goal()));
/// assert_eq!(oracle.optimal_moves(&board)?.len(), 3);
/// assert_eq!(oracle.count_solutions(&board)?, 7);
/// assert_eq!(oracle.solutions(&board)?.count(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle<B = Bytes> {
    pub(super) table: Table<B>,
    pub(super) frame: Frame,
}

impl Oracle {
    /// Searches the space of `goal` and keeps the table in memory, on one thread and in the
    /// default encoding.
    ///
    /// # Errors
    /// If the shape is too large.
    pub fn in_memory(goal: &Board) -> Result<Oracle, OracleError> {
        let class = Frame::new(goal)?.class();
        let encoding = Encoding::default_for(class);
        let bytes = build(class, encoding, 1, |_| ControlFlow::Continue(()))?;
        let bytes = bytes.expect("nobody ends the search");
        let table = Table::new(Bytes::from(bytes)).expect("a table just made is good");
        Oracle::new(table, goal)
    }

    /// Maps a database for `goal`.
    ///
    /// # Errors
    /// If the file is missing or damaged, or is of another shape or class of goals.
    pub fn open(path: &Path, goal: &Board) -> Result<Oracle, OracleError> {
        Oracle::new(Table::open(path)?, goal)
    }
}

impl<B: AsRef<[u8]>> Oracle<B> {
    /// An oracle for `goal` from a table of its class.
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] if the table does not serve this goal.
    pub fn new(table: Table<B>, goal: &Board) -> Result<Oracle<B>, OracleError> {
        let frame = Frame::new(goal)?;
        if frame.class() != table.header().class() {
            let (table, goal) = (table.header().class().shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        }
        Ok(Oracle { table, frame })
    }

    /// An oracle for another goal of the same class, from the same table.
    ///
    /// # Errors
    /// [`OracleError::OtherClass`] if the table does not serve the goal.
    pub fn for_goal(&self, goal: &Board) -> Result<Oracle<&[u8]>, OracleError> {
        let table = Table::unchecked(self.table.bytes()).expect("it was opened once");
        Oracle::new(table, goal)
    }

    /// The table.
    pub fn table(&self) -> &Table<B> {
        &self.table
    }

    /// The table alone.
    pub fn into_table(self) -> Table<B> {
        self.table
    }

    /// The board at distance 0.
    pub fn goal(&self) -> &Board {
        self.frame.goal()
    }

    /// The shape of the boards.
    pub fn shape(&self) -> Shape {
        self.goal().shape()
    }

    /// How boards of this goal stand to the canonical ones of the table.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    #[inline]
    pub(super) fn state(&self, board: &Board) -> Result<State, SpaceError> {
        self.frame.state(self.table.ranking(), board)
    }

    pub(super) fn board(&self, state: State) -> Board {
        self.frame.board(self.table.ranking(), state)
    }

    /// The number of a board.
    ///
    /// # Errors
    /// [`SpaceError`] for an unsolvable board or one of another shape.
    pub fn rank(&self, board: &Board) -> Result<StateIndex, SpaceError> {
        Ok(self.table.ranking().index(self.state(board)?))
    }

    /// The board with a number.
    ///
    /// # Panics
    /// If the number is not below the number of states.
    pub fn unrank(&self, index: StateIndex) -> Board {
        self.board(self.table.ranking().state(index))
    }

    /// The length of a shortest solution, in moves.
    ///
    /// # Errors
    /// [`QueryError`]: the board has no distance, or the table is wrong. So in all that follow.
    #[inline]
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        let distance = self.table.distance(self.state(board)?);
        distance.ok_or(QueryError::WrongTable)
    }

    /// A shortest solution. Among several it is the one that the table's parent moves give.
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let mut moves = Vec::new();
        self.solve_into(board, &mut moves)?;
        Ok(moves)
    }

    /// As [`Oracle::solve`], into a list that is emptied first and can be used again.
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    #[inline]
    pub fn solve_into(&self, board: &Board, moves: &mut Vec<Move>) -> Result<(), QueryError> {
        let state = self.state(board)?;
        moves.clear();
        let walk = self.table.walk(state);
        moves.reserve(walk.size_hint().0);
        let end = walk.run(|mv| moves.push(self.frame.user_move(mv)));
        if end == self.table.ranking().goal() {
            Ok(())
        } else {
            Err(QueryError::WrongTable)
        }
    }

    /// Every move that leads one step closer to the goal, in move order; none at the goal.
    ///
    /// # Errors
    /// As [`Oracle::rank`].
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, SpaceError> {
        let closer = self.table.closer(self.state(board)?);
        let mut moves: Vec<Move> = closer.map(|(mv, _)| self.frame.user_move(mv)).collect();
        moves.sort_unstable();
        Ok(moves)
    }
}
