//! Boards at random, of every shape.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Board, Move};

/// Draws a board that can be solved to `goal`, each one equally likely. It needs no table, so it
/// serves every shape.
///
/// ```
/// use puzzledb::puzzle::{Shape, UsualGoal, random_board};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// assert!(random_board(&goal, 1).is_solvable_to(&goal));
/// # Ok::<(), puzzledb::puzzle::ShapeError>(())
/// ```
pub fn random_board(goal: &Board, seed: u64) -> Board {
    let mut boards = generate_by_shuffling(goal, 1, seed);
    boards.next().expect("one was asked for")
}

/// Draws boards as [`random_board`] does. They can come twice.
#[doc(hidden)]
pub fn generate_by_shuffling(
    goal: &Board,
    count: usize,
    seed: u64,
) -> impl Iterator<Item = Board> + use<> {
    let (goal, mut random) = (*goal, ChaCha8Rng::seed_from_u64(seed));
    (0..count).map(move |_| {
        let mut tiles = goal.tiles().to_vec();
        tiles.shuffle(&mut random);
        let board = Board::new(goal.shape(), &tiles).expect("the goal's tiles in another order");
        match board.is_solvable_to(&goal) {
            true => board,
            false => board.with_two_tiles_exchanged(),
        }
    })
}

/// Shuffles boards: each is made from `goal` by `moves` random moves, none of which takes back the move before it. It
/// needs no table, so it serves every shape.
///
/// Every move is equally likely among those that are possible. The boards can come twice, and the
/// distance of one is at most `moves`, and is odd or even as `moves` is.
///
/// ```
/// use puzzledb::puzzle::{Shape, UsualGoal, generate_by_walk};
///
/// let goal = UsualGoal::Last.board(Shape::new(5, 5)?);
/// assert!(generate_by_walk(&goal, 80, 10, 1).all(|board| board.is_solvable_to(&goal)));
/// # Ok::<(), puzzledb::puzzle::ShapeError>(())
/// ```
pub fn generate_by_walk(
    goal: &Board,
    moves: u64,
    count: usize,
    seed: u64,
) -> impl Iterator<Item = Board> + use<> {
    let (goal, mut random) = (*goal, ChaCha8Rng::seed_from_u64(seed));
    (0..count).map(move |_| {
        let (mut board, mut last) = (goal, None::<Move>);
        for _ in 0..moves {
            let drawn = random.random_range(0..onwards(&board, last).count() as u32);
            let successor = onwards(&board, last).nth(drawn as usize);
            let (mv, next) = successor.expect("the blank has two moves at least");
            (board, last) = (next, Some(mv));
        }
        board
    })
}

/// Returns the moves out of a board that do not take back the last one, and the boards after them.
pub(crate) fn onwards(board: &Board, last: Option<Move>) -> impl Iterator<Item = (Move, Board)> {
    let successors = board.successors();
    successors.filter(move |(mv, _)| last.is_none_or(|last| *mv != last.opposite()))
}
