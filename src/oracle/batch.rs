//! Distances of many boards at once, on all threads of the caller's pool.

use crate::basics::parallel::prelude::*;

use crate::puzzle::Board;

use super::error::QueryError;
use super::front::Oracle;

/// Error of one board of many: the first one without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("element {index}: {cause}")]
#[non_exhaustive]
pub struct BatchError {
    /// Index of the board in the slice.
    pub index: usize,
    /// Reason why it has no answer.
    #[source]
    pub cause: QueryError,
}

/// Boards that a thread answers between two checks of the flag.
const LOOK_UPS: usize = 4096;

impl Oracle {
    /// Returns the distance of each board, in moves. [`Oracle::distances_into`] does it for rows of cells, faster.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Shape};
    /// use puzzledb::Oracle;
    ///
    /// let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?;
    /// let boards: [Board; 2] = ["704851632".parse()?, "536407182".parse()?];
    /// assert_eq!(oracle.distances_of(&boards)?, [19, 22]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the first board that has no answer.
    pub fn distances_of(&self, boards: &[Board]) -> Result<Vec<u8>, BatchError> {
        let (alone, run) = match self.by_table() {
            Ok(_) => (self.clone(), LOOK_UPS),
            Err(_) => (self.on_one_thread(), 1),
        };
        let mut distances = vec![0; boards.len()];
        let runs = boards.par_chunks(run).zip(distances.par_chunks_mut(run));
        let first_error = runs.enumerate().find_map_first(|(i, (boards, distances))| {
            let failed = |(index, cause)| {
                let index = i * run + index;
                Some(BatchError { index, cause })
            };
            if self.cancel.is_cancelled() {
                return failed((0, QueryError::Cancelled));
            }
            for (index, (board, place)) in boards.iter().zip(distances).enumerate() {
                match alone.distance(board) {
                    Ok(distance) => *place = distance,
                    Err(cause) => return failed((index, cause)),
                }
            }
            None
        });
        first_error.map_or(Ok(distances), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;
    use crate::space::{SpaceError, StateIndex};

    #[test]
    fn the_first_board_without_an_answer_is_named() {
        let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE).unwrap();
        let mut boards = vec![*oracle.goal(); 10_000];
        for index in [9_999, 5_001, 4_097] {
            boards[index] = "123456870".parse().unwrap();
            let error = oracle.distances_of(&boards).unwrap_err();
            assert_eq!(error.index, index);
            assert!(matches!(
                error.cause,
                QueryError::Space(SpaceError::Unsolvable { .. })
            ));
        }
        assert!(oracle.distances_of(&[]).unwrap().is_empty());
    }

    #[test]
    fn distances_by_patterns_are_those_of_the_table() {
        let table = Oracle::for_shape("2x4".parse().unwrap()).unwrap();
        let patterns = Oracle::by_search(table.goal()).unwrap();
        let space = table.space().unwrap();
        let numbers = (0..20_160).step_by(701).map(StateIndex);
        let boards: Vec<Board> = numbers.map(|index| space.unrank(index)).collect();
        assert_eq!(patterns.distances_of(&boards), table.distances_of(&boards));
    }
}
