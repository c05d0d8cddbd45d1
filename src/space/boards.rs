//! The state space of one goal: from the user's boards to their numbers, and back.

use std::sync::Arc;

use crate::puzzle::{Board, MAX_CELLS, Move};

use super::class::{GoalClass, Symmetry};
use super::error::{SpaceError, check_solvable};
use super::lehmer::{MAX_DATABASE_CELLS, rank_order, without_nibble};
use super::ranking::{Ranking, State, StateIndex};

/// Masks indices into a [`Space`]'s arrays. It changes none, since cells and tiles are below 16; it
/// saves the bounds checks.
const LAST: usize = MAX_DATABASE_CELLS - 1;

/// The label of a value that is not a tile.
const NO_TILE: u8 = 63;

/// All boards from which one goal can be reached, numbered.
///
/// The renaming of tiles and the symmetry that make the goal the canonical goal of its class make the user's boards canonical
/// ones. A canonical board is written as *labels*: the tiles renamed so that the goal reads 1..m, the blank as 0.
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
    goal: Board,
    ranking: Arc<Ranking>,
    /// The user's cell for each canonical cell.
    user_cell: [u8; MAX_DATABASE_CELLS],
    /// The canonical cell for each of the user's cells.
    canonical_cell: [u8; MAX_DATABASE_CELLS],
    /// The label for each value of a cell, 0 for the blank; [`NO_TILE`] for those that are not tiles.
    label: Arc<[u8; 256]>,
    /// The user's tile for each label.
    user_tile: [u8; MAX_DATABASE_CELLS],
    /// The user's move for each canonical move.
    user_move: [Move; 4],
}

impl Space {
    /// Builds the state space of `goal`.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] above [`MAX_DATABASE_CELLS`].
    pub fn new(goal: &Board) -> Result<Space, SpaceError> {
        let ranking = Ranking::new(GoalClass::of(goal)?);
        Ok(Space::of_class(goal, ranking.into()))
    }

    /// The state space of another goal of the same class.
    pub(crate) fn with_goal(&self, goal: &Board) -> Space {
        Space::of_class(goal, self.ranking.clone())
    }

    /// Builds the state space of a goal of the class that is numbered.
    fn of_class(goal: &Board, ranking: Arc<Ranking>) -> Space {
        let shape = goal.shape();
        let symmetry = Symmetry::all_to_canonical(shape, goal.blank())[0];
        let none = [0; MAX_DATABASE_CELLS];
        let (mut user_cell, mut canonical_cell, mut user_tile) = (none, none, none);
        for cell in 0..shape.cells() {
            canonical_cell[cell] = symmetry.cell(cell) as u8;
            user_cell[symmetry.cell(cell)] = cell as u8;
        }
        let mut labels = [NO_TILE; 256];
        for (&label, &cell) in ranking.class().goal().tiles().iter().zip(&user_cell) {
            let tile = goal.tiles()[usize::from(cell)];
            labels[usize::from(tile)] = label;
            user_tile[usize::from(label)] = tile;
        }
        Space {
            goal: *goal,
            ranking,
            user_cell,
            canonical_cell,
            label: Arc::new(labels),
            user_tile,
            user_move: Move::ALL.map(|mv| symmetry.source_move(mv)),
        }
    }

    /// The numbering of the canonical space.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The board at distance 0.
    pub fn goal(&self) -> &Board {
        &self.goal
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

    /// The state of a board.
    ///
    /// # Errors
    /// [`SpaceError::OtherShape`] and [`SpaceError::Unsolvable`].
    #[inline]
    pub fn state(&self, board: &Board) -> Result<State, SpaceError> {
        if board.shape() == self.goal.shape()
            && let Some(Some(state)) = self.row(board.tiles())
        {
            return Ok(state);
        }
        Err(check_solvable(board, &self.goal).expect_err("a solvable board has a state"))
    }

    /// The board of a state.
    pub fn board(&self, state: State) -> Board {
        let (shape, mut tiles) = (self.goal.shape(), [0; MAX_CELLS]);
        self.write_row(state, &mut tiles[..shape.cells()]);
        Board::from_permutation(shape, tiles)
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

    /// The state of a row of n cells: `Some(None)` for a board of the other parity, and `None` for cells that are not a
    /// permutation of 0 to n - 1.
    ///
    /// With n constant the compiler unrolls the loops: measured, that takes half the time.
    ///
    /// # Panics
    /// If the row has fewer cells than the goal.
    #[inline]
    pub(crate) fn row(&self, row: &[u8]) -> Option<Option<State>> {
        match self.goal.shape().cells() {
            9 => self.row_of(row, 9),
            12 => self.row_of(row, 12),
            16 => self.row_of(row, 16),
            n => self.row_of(row, n),
        }
    }

    /// Reads a row without branches: the labels as nibbles of a word, from which that of the blank is taken.
    #[inline(always)]
    fn row_of(&self, row: &[u8], n: usize) -> Option<Option<State>> {
        let row = &row[..n];
        let (label_of, mut seen, mut labels) = (&*self.label, 0u64, 0u64);
        for (i, &tile) in row.iter().enumerate() {
            let label = label_of[usize::from(tile)];
            seen |= 1 << (label & 63);
            labels |= u64::from(label) << ((4 * self.canonical_cell[i]) & 63);
        }
        if seen != (1 << n) - 1 {
            return None;
        }
        let blank = first_zero(labels);
        let order = without_nibble(labels, blank);
        let (lehmer, parity) = rank_order(n - 1, (0..n - 1).map(|i| (order >> (4 * i)) as u8 & 15));
        let is_solvable = parity == self.ranking.parity(blank);
        let blank = blank as u8;
        Some(is_solvable.then_some(State { blank, lehmer }))
    }

    /// Writes the cells of a state's board.
    #[inline]
    pub(crate) fn write_row(&self, state: State, row: &mut [u8]) {
        let labels = self.ranking.unpack(state);
        for (&label, &cell) in labels.iter().zip(&self.user_cell[..row.len()]) {
            row[usize::from(cell)] = self.user_tile[usize::from(label) & LAST];
        }
    }
}

/// The index of the lowest nibble that is zero. There is one.
#[inline]
fn first_zero(nibbles: u64) -> usize {
    let ones = 0x1111_1111_1111_1111u64;
    // A borrow sets the high bit of the lowest zero nibble, and of no nibble below it.
    let high = nibbles.wrapping_sub(ones) & !nibbles & ones << 3;
    (high.trailing_zeros() as usize / 4) & LAST
}

#[cfg(test)]
mod tests {
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
                    assert_eq!(stepped, board.slide(space.user_move(mv)));
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
                    assert_eq!(stepped, board.slide(space.user_move(mv)));
                }
            }
        }
    }
}
