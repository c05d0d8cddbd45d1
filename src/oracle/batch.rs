//! Answers for many boards or states at once, on all threads of the caller's pool.

use crate::basics::parallel::prelude::*;

use crate::basics::Cancel;
use crate::puzzle::{Board, Move};
use crate::space::{Frame, Ranking, Space, SpaceError, State, StateIndex};

use super::by_table::ByTable;
use super::error::QueryError;
use super::front::{Limits, Oracle};

/// Error of one element of a batch: the first one without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("element {index}: {cause}")]
#[non_exhaustive]
pub struct BatchError {
    /// Index of the element in the slice.
    pub index: usize,
    /// Reason why it has no answer.
    #[source]
    pub cause: QueryError,
}

/// An element of a batch: a board, or the number of a state.
pub trait Element: Copy + Sync + sealed::Sealed {
    /// Returns the state in a table.
    #[doc(hidden)]
    fn state(self, frame: &Frame, ranking: &Ranking) -> Result<State, SpaceError>;

    /// Returns the board for a goal.
    #[doc(hidden)]
    fn board(self, goal: &Board) -> Result<Board, SpaceError>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Board {}
    impl Sealed for super::StateIndex {}
}

impl Element for Board {
    #[inline]
    fn state(self, frame: &Frame, ranking: &Ranking) -> Result<State, SpaceError> {
        frame.state(ranking, &self)
    }

    fn board(self, _: &Board) -> Result<Board, SpaceError> {
        Ok(self)
    }
}

impl Element for StateIndex {
    #[inline]
    fn state(self, _: &Frame, ranking: &Ranking) -> Result<State, SpaceError> {
        let (index, states) = (self.0, ranking.states());
        if index < states {
            Ok(ranking.state(self))
        } else {
            Err(SpaceError::NoState { index, states })
        }
    }

    fn board(self, goal: &Board) -> Result<Board, SpaceError> {
        let space = Space::new(goal)?;
        Ok(space.board(self.state(space.frame(), space.ranking())?))
    }
}

/// Returns the mask of some moves: bit 0 for up, 1 for down, 2 for left, 3 for right.
fn mask(moves: impl IntoIterator<Item = Move>) -> u8 {
    moves.into_iter().fold(0, |mask, mv| mask | 1 << mv.code())
}

/// Elements that a thread answers between two checks of the flag.
const LOOK_UPS: usize = 4096;

/// Answers the elements in parallel. Each thread takes `run` of them at a time; `empty` fills the places until then.
fn answer_each<T: Copy + Sync, A: Copy + Send>(
    elements: &[T],
    empty: A,
    run: usize,
    cancel: &Cancel,
    answer: impl Fn(T) -> Result<A, QueryError> + Sync,
) -> Result<Vec<A>, BatchError> {
    let mut answers = vec![empty; elements.len()];
    let runs = elements.par_chunks(run).zip(answers.par_chunks_mut(run));
    let first_error = runs.enumerate().find_map_first(|(i, (elements, answers))| {
        let failed = |(index, cause)| {
            let index = i * run + index;
            Some(BatchError { index, cause })
        };
        if cancel.is_cancelled() {
            return failed((0, QueryError::Cancelled));
        }
        for (index, (&element, place)) in elements.iter().zip(answers).enumerate() {
            match answer(element) {
                Ok(answer) => *place = answer,
                Err(cause) => return failed((index, cause)),
            }
        }
        None
    });
    first_error.map_or(Ok(answers), Err)
}

/// The methods answer a slice on all threads of the caller's pool. They fail with the error of the first element that
/// has no answer.
#[expect(clippy::missing_errors_doc)]
impl Oracle {
    fn answers<T: Element, A: Copy + Default + Send>(
        &self,
        elements: &[T],
        by_table: impl Fn(&ByTable, State) -> Result<A, QueryError> + Sync,
        by_search: impl Fn(&Oracle, &Board) -> Result<A, QueryError> + Sync,
    ) -> Result<Vec<A>, BatchError> {
        let empty = A::default();
        if let Ok(table) = self.by_table() {
            return answer_each(elements, empty, LOOK_UPS, &self.cancel, |element| {
                by_table(table, element.state(&table.frame, table.table.ranking())?)
            });
        }
        let alone = self.clone().with_limits(Limits {
            one_thread: true,
            ..self.limits
        });
        answer_each(elements, empty, 1, &self.cancel, |element| {
            by_search(&alone, &element.board(self.goal())?)
        })
    }

    /// Returns the distance of each board or state, in moves.
    ///
    /// ```
    /// use puzzledb::puzzle::{Board, Shape};
    /// use puzzledb::space::StateIndex;
    /// use puzzledb::Oracle;
    ///
    /// let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?;
    /// let boards: [Board; 2] = ["704851632".parse()?, "536407182".parse()?];
    /// assert_eq!(oracle.distances_of(&boards)?, [19, 22]);
    /// let states: Vec<StateIndex> = (0..181_440).map(StateIndex).collect();
    /// assert_eq!(oracle.distances_of(&states)?.iter().max(), Some(&31));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distances_of<T: Element>(&self, elements: &[T]) -> Result<Vec<u8>, BatchError> {
        self.answers(elements, ByTable::distance_of_state, Oracle::distance)
    }

    /// Returns a mask of the moves of each board or state that lead one step closer to the goal: bit 0 for up, 1 for
    /// down, 2 for left, 3 for right; 0 for the goal.
    pub fn optimal_masks_of<T: Element>(&self, elements: &[T]) -> Result<Vec<u8>, BatchError> {
        let by_table = |table: &ByTable, state| {
            let closer = table.table.closer(state);
            Ok(mask(closer.map(|(mv, _)| table.frame.user_move(mv))))
        };
        let by_search = |oracle: &Oracle, board: &Board| Ok(mask(oracle.optimal_moves(board)?));
        let masks = self.answers(elements, by_table, by_search)?;
        QueryError::undamaged(self.file()).map_err(BatchError::first)?;
        Ok(masks)
    }

    /// Returns the number of shortest solutions of each board or state, up to 2^64 - 1.
    pub fn solution_counts_of<T: Element>(&self, elements: &[T]) -> Result<Vec<u64>, BatchError> {
        let by_table = |table: &ByTable, state| table.count_of_state(state, &self.cancel);
        self.answers(elements, by_table, Oracle::count_solutions)
    }

    /// Returns the number of each board; [`QueryError::NeedsTable`] if there is no table.
    pub fn ranks_of(&self, boards: &[Board]) -> Result<Vec<StateIndex>, BatchError> {
        let table = self.by_table().map_err(BatchError::first)?;
        let rank = |board: Board| Ok(table.table.ranking().index(table.state(&board)?));
        answer_each(boards, StateIndex(0), LOOK_UPS, &self.cancel, rank)
    }

    /// Returns the board with each number; [`QueryError::NeedsTable`] if there is no table.
    pub fn boards_of(&self, states: &[StateIndex]) -> Result<Vec<Board>, BatchError> {
        let table = self.by_table().map_err(BatchError::first)?;
        let ranking = table.table.ranking();
        let board = |index: StateIndex| {
            Ok((table.frame).board(ranking, index.state(&table.frame, ranking)?))
        };
        answer_each(states, *self.goal(), LOOK_UPS, &self.cancel, board)
    }
}

impl BatchError {
    /// Returns the error of a whole batch.
    fn first(cause: QueryError) -> BatchError {
        BatchError { index: 0, cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;

    #[test]
    fn batches_are_what_single_questions_answer_for_every_state_and_goal() {
        for goal in ["123456780", "012345678", "123804765"] {
            let oracle = Oracle::for_goal(&goal.parse().unwrap()).unwrap();
            let states: Vec<StateIndex> = (0..181_440).map(StateIndex).collect();
            let boards = oracle.boards_of(&states).unwrap();
            assert_eq!(oracle.ranks_of(&boards).unwrap(), states);
            let distances = oracle.distances_of(&states).unwrap();
            assert_eq!(distances, oracle.distances_of(&boards).unwrap());
            assert_eq!(distances, oracle.distances().unwrap());
            let masks = oracle.optimal_masks_of(&states).unwrap();
            for ((board, mask), distance) in boards.iter().zip(masks).zip(distances) {
                assert_eq!(oracle.distance(board), Ok(distance));
                let in_mask = |mv: &Move| mask & 1 << mv.code() != 0;
                let moves: Vec<Move> = Move::ALL.into_iter().filter(in_mask).collect();
                assert_eq!(oracle.optimal_moves(board), Ok(moves));
            }
            oracle.count_all_solutions().unwrap();
            let counts = oracle.solution_counts_of(&boards).unwrap();
            assert_eq!(counts, oracle.solution_counts_of(&states).unwrap());
            let counted = boards
                .iter()
                .map(|board| oracle.count_solutions(board).unwrap());
            assert!(counted.eq(counts));
        }
    }

    #[test]
    fn the_first_element_without_an_answer_is_named() {
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
        let error = oracle
            .boards_of(&[StateIndex(0), StateIndex(181_440)])
            .unwrap_err();
        let message = "element 1: there is no state 181440: they are 0 to 181439";
        assert_eq!(error.to_string(), message);
        assert!(oracle.distances_of::<Board>(&[]).unwrap().is_empty());
    }

    #[test]
    fn batches_with_patterns_are_those_of_the_table() {
        let table = Oracle::for_shape("2x4".parse().unwrap()).unwrap();
        let goal = *table.goal();
        let patterns = Oracle::by_search(&goal).unwrap();
        let numbers: Vec<StateIndex> = (0..20_160).step_by(701).map(StateIndex).collect();
        let boards = table.boards_of(&numbers).unwrap();
        assert_eq!(patterns.distances_of(&boards), table.distances_of(&boards));
        assert_eq!(
            patterns.optimal_masks_of(&boards),
            table.optimal_masks_of(&boards)
        );
        assert_eq!(
            patterns.solution_counts_of(&boards),
            table.solution_counts_of(&boards)
        );
    }
}
