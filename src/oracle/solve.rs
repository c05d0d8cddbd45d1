//! The distance of a board and a shortest solution of it.

use crate::puzzle::{Board, Move};
use crate::space::State;

use super::by_table::TableOracle;
use super::distances::sound_distances;
use super::error::QueryError;

impl TableOracle {
    /// Returns the length of a shortest solution, in moves.
    ///
    /// # Errors
    /// [`QueryError::Space`] for an unsolvable board or one of another shape, and
    /// [`QueryError::WrongTable`].
    #[inline]
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        self.distance_of_state(self.state(board)?)
    }

    #[inline]
    pub(super) fn distance_of_state(&self, state: State) -> Result<u8, QueryError> {
        let distance = self.table.distance(state);
        distance.ok_or_else(|| QueryError::of_table(&self.table))
    }

    /// Returns the distance of every state, by state index; one byte a state.
    ///
    /// # Errors
    /// [`QueryError::WrongTable`] if the numbers of states at the distances are not those of the
    /// header.
    pub fn distances(&self) -> Result<Vec<u8>, QueryError> {
        sound_distances(&self.cancel, &self.table)
    }

    /// Returns a shortest solution. Among several it is the one that the table's parent moves give.
    ///
    /// # Errors
    /// As [`TableOracle::distance`].
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let mut moves = Vec::new();
        self.solve_into(board, &mut moves)?;
        Ok(moves)
    }

    /// As [`TableOracle::solve`], into a list that is cleared first, so that its memory is used again.
    ///
    /// # Errors
    /// As [`TableOracle::distance`].
    #[inline]
    pub fn solve_into(&self, board: &Board, moves: &mut Vec<Move>) -> Result<(), QueryError> {
        let state = self.state(board)?;
        moves.clear();
        let walk = self.table.walk(state);
        moves.reserve(walk.size_hint().0);
        let end = walk.run(|mv| moves.push(self.frame.user_move(mv)));
        if end == self.table.ranking().goal() && self.table.damage().is_none() {
            Ok(())
        } else {
            Err(QueryError::of_table(&self.table))
        }
    }

    /// Returns every move that leads one step closer to the goal, in move order; none at the goal.
    ///
    /// # Errors
    /// As [`TableOracle::distance`].
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let closer = self.table.closer(self.state(board)?);
        let mut moves: Vec<Move> = closer.map(|(mv, _)| self.frame.user_move(mv)).collect();
        moves.sort_unstable();
        QueryError::undamaged(self.table.file())?;
        Ok(moves)
    }
}
