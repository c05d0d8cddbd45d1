//! The state space of one goal: its boards and their numbers.

use std::sync::Arc;

use crate::puzzle::Board;

use super::error::SpaceError;
use super::frame::Frame;
use super::ranking::{Ranking, State, StateIndex};

/// All boards from which one goal can be reached, numbered.
///
/// ```
/// use puzzledb::puzzle::Board;
/// use puzzledb::space::{Space, StateIndex};
///
/// let space = Space::new(&"123456780".parse()?)?;
/// assert_eq!(space.ranking().states(), 181_440);
/// let board: Board = "704851632".parse()?;
/// let index = space.rank(&board)?;
/// assert!(index.0 < 181_440);
/// assert_eq!(space.unrank(index), board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    /// Set to that of another goal of the class, it makes the space of that goal.
    pub(crate) frame: Frame,
    ranking: Arc<Ranking>,
}

impl Space {
    /// Builds the state space of `goal`.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`](super::MAX_DATABASE_CELLS).
    pub fn new(goal: &Board) -> Result<Space, SpaceError> {
        let frame = Frame::new(goal)?;
        let ranking = Ranking::new(frame.class()).into();
        Ok(Space { frame, ranking })
    }

    /// The renaming of tiles and the symmetry that make the user's boards canonical ones.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The numbering of the canonical space.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The board at distance 0.
    pub fn goal(&self) -> &Board {
        self.frame.goal()
    }

    /// The state of a board.
    ///
    /// # Errors
    /// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
    #[inline]
    pub fn state(&self, board: &Board) -> Result<State, SpaceError> {
        self.frame.state(&self.ranking, board)
    }

    /// The board of a state.
    pub fn board(&self, state: State) -> Board {
        self.frame.board(&self.ranking, state)
    }

    /// The number of a board.
    ///
    /// # Errors
    /// As [`Space::state`].
    pub fn rank(&self, board: &Board) -> Result<StateIndex, SpaceError> {
        Ok(self.ranking.index(self.state(board)?))
    }

    /// The board with a number.
    ///
    /// # Panics
    /// If the number is not below the number of states.
    pub fn unrank(&self, index: StateIndex) -> Board {
        self.board(self.ranking.state(index))
    }
}

#[cfg(test)]
mod tests {
    use super::super::class::GoalClass;
    use super::*;
    use crate::puzzle::{Move, Shape, UsualGoal};
    use std::collections::HashSet;

    /// Every board reachable from `goal`, by plain search.
    fn reachable(goal: Board) -> Vec<Board> {
        let mut all = vec![goal];
        let mut seen = HashSet::from([goal]);
        let mut done = 0;
        while done < all.len() {
            let board = all[done];
            for next in Move::ALL.iter().filter_map(|&mv| board.slide(mv)) {
                if seen.insert(next) {
                    all.push(next);
                }
            }
            done += 1;
        }
        all
    }

    fn goals() -> Vec<Board> {
        let mut goals = Vec::new();
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
            let shape = Shape::new(rows, cols).unwrap();
            goals.extend(UsualGoal::ALL.map(|g| g.board(shape)));
        }
        goals.extend(["813402765", "281043765", "450123"].map(|text| {
            let shape = Shape::square_of(text.len()).or(Shape::new(2, 3).ok());
            crate::puzzle::parse_board(text.as_bytes(), shape).unwrap()
        }));
        goals
    }

    #[test]
    fn the_numbering_is_dense_and_inverse_for_every_board_and_goal() {
        for goal in goals() {
            let space = Space::new(&goal).unwrap();
            let boards = reachable(goal);
            assert_eq!(boards.len() as u64, space.ranking().states());
            let mut taken = vec![false; boards.len()];
            for board in &boards {
                let index = space.rank(board).unwrap();
                assert!(!std::mem::replace(&mut taken[index.0 as usize], true));
                assert_eq!(space.unrank(index), *board);
            }
            assert_eq!(space.state(&goal).unwrap(), space.ranking().goal());
        }
    }

    /// The definition of the rank, digit by digit, counting later smaller tiles one by one.
    #[test]
    fn the_state_index_is_the_blank_and_half_the_lehmer_rank() {
        for text in ["123456780", "12345670"] {
            let goal = crate::puzzle::parse_board(text.as_bytes(), Shape::new(4, 2).ok());
            let goal = goal.or_else(|_| text.parse()).unwrap();
            let space = Space::new(&goal).unwrap();
            for board in reachable(goal) {
                let order: Vec<u8> = board.tiles().iter().copied().filter(|&t| t != 0).collect();
                let (mut rank, mut half) = (0, 1);
                for (i, tile) in order.iter().enumerate() {
                    let digit = order[i..].iter().filter(|t| *t < tile).count();
                    rank = rank * (order.len() - i) + digit;
                    half *= i + 1;
                }
                let index = board.blank() * (half / 2) + rank / 2;
                assert_eq!(space.rank(&board), Ok(StateIndex(index as u64)));
            }
        }
    }

    #[test]
    fn a_step_in_rank_space_is_the_move_on_the_board() {
        for goal in goals() {
            let space = Space::new(&goal).unwrap();
            for board in reachable(goal) {
                let state = space.state(&board).unwrap();
                for mv in Move::ALL {
                    let stepped = space.ranking().step(state, mv).map(|s| space.board(s));
                    assert_eq!(stepped, board.slide(space.frame().user_move(mv)));
                }
            }
        }
    }

    #[test]
    fn the_unreachable_half_is_refused_with_the_reason() {
        for goal in goals() {
            let space = Space::new(&goal).unwrap();
            for board in reachable(goal) {
                let odd = board.with_two_tiles_exchanged();
                let refused = space.state(&odd).unwrap_err();
                let boards = matches!(&refused, SpaceError::Unsolvable { board, goal: to }
                    if **board == odd && **to == goal);
                assert!(boards, "{refused}");
            }
        }
        let space = Space::new(&"123456780".parse().unwrap()).unwrap();
        let message = space
            .rank(&"123456870".parse().unwrap())
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("parity") && message.contains("123804765"),
            "{message}"
        );
        let other = space.rank(&UsualGoal::Last.board(Shape::new(2, 3).unwrap()));
        assert_eq!(
            other.unwrap_err().to_string(),
            "the board is 2x3 but the goal is 3x3"
        );
    }

    #[test]
    fn three_classes_serve_every_goal_of_the_eight_puzzle() {
        let shape = Shape::EIGHT_PUZZLE;
        let blanks: Vec<usize> = GoalClass::all(shape)
            .unwrap()
            .iter()
            .map(|c| c.blank())
            .collect();
        assert_eq!(blanks, [4, 7, 8]);
        let two_by_five = GoalClass::all(Shape::new(2, 5).unwrap()).unwrap();
        assert_eq!(two_by_five[0].shape(), Shape::new(5, 2).unwrap());
        assert_eq!(two_by_five.len(), 3);
    }

    #[test]
    fn large_spaces_rank_and_step_exactly() {
        for (rows, cols) in [(3, 4), (2, 7), (7, 2), (3, 5), (4, 4), (2, 8)] {
            let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
            let space = Space::new(&goal).unwrap();
            let states = space.ranking().states();
            let mut x = 1u64;
            for _ in 0..20_000 {
                x = x
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let index = StateIndex(((u128::from(x) * u128::from(states)) >> 64) as u64);
                let board = space.unrank(index);
                assert_eq!(space.rank(&board), Ok(index));
                let state = space.state(&board).unwrap();
                assert_eq!(space.ranking().state(index), state);
                for mv in Move::ALL {
                    let stepped = space.ranking().step(state, mv).map(|s| space.board(s));
                    assert_eq!(stepped, board.slide(space.frame().user_move(mv)));
                }
            }
        }
    }
}
